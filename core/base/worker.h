// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Runs a worker: a small program of fxscope itself (app/fxscope-layout, app/fxscope-raster) that
// links a library which can neither be interrupted nor limited within a process. It reads its
// standard input, and in the cage no file but the system's and those named.
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/subprocess.h"

namespace fxs {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/// No limit, because sanitizers reserve terabytes of address space.
inline constexpr std::uint64_t kWorkerMemory = 0;
#else
/// Limit for the address space of a worker, in bytes.
inline constexpr std::uint64_t kWorkerMemory = std::uint64_t{4} << 30;
#endif

struct WorkerCall {
  std::vector<std::string> argv;
  std::string stdinText;
  std::vector<std::string> reads;  ///< as Cage::reads, besides the program
  std::chrono::milliseconds timeout{0};
  std::uint64_t memoryLimit = kWorkerMemory;  ///< address space in bytes
  std::string failure;  ///< "the layout worker /bin/x could not place 8 boxes", for messages
  std::string remedy;   ///< against a limit: "collapse some groups"
};

/// The standard output of a worker that exits with status 0. NotFound if it cannot be started,
/// Timeout, Cancelled, or EngineFailed with the last line of its error output.
Result<std::string> runWorker(WorkerCall, CommandRunner&, std::stop_token);

}  // namespace fxs
