#pragma once
// An engine: a program that lowers MLIR, here torch-mlir-opt. Which one, what it can do, and what it registers.
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "base/subprocess.h"

namespace fxs::lower {

struct Engine {
  std::string path;
  std::string version;                 ///< "LLVM 23.0.0git", first line that names one
  std::string sha256;                  ///< of the executable
  std::vector<std::string> pipelines;  ///< of the stages known here, those that it registers
};

/// Runs `path --version` and `--help`. EngineFailed with the way out when it is missing, not executable, another program,
/// hangs or prints nothing. What it learns is kept in `cacheDir` ("" for no cache) for as long as the file's path, size, time
/// and inode stay the same: the checksum of 55 MB and two runs of the program cost more than a small lowering.
Result<Engine> probeEngine(const std::string& path, const std::string& cacheDir, CommandRunner&, const RunContext&,
                           std::chrono::milliseconds timeout = std::chrono::milliseconds(20'000));

/// Which of `names` ("torch.aten.add.Tensor") the engine's dialect registers; asked with one run, kept in `cacheDir` by the engine's
/// checksum ("" for no cache).
Result<std::set<std::string, std::less<>>> registeredOps(const Engine&, const std::vector<std::string>& names, const std::string& cacheDir,
                                                         CommandRunner&, const RunContext&);

}  // namespace fxs::lower
