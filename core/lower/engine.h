#pragma once
// The engine that lowers MLIR (torch-mlir-opt): its version, its pipelines and the operations it registers.
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "base/subprocess.h"

namespace fxs::lower {

struct Engine {
  std::string path;
  std::string version;                              ///< "LLVM 23.0.0git", first line that names one
  std::string sha256;                               ///< of the executable
  std::set<std::string, std::less<>> passes;        ///< those that it registers, and named pipelines
  std::optional<FileIdentity> file = std::nullopt;  ///< what was looked at: another file of that path is not run
};

struct ProbeOptions {
  std::chrono::milliseconds timeout{20'000};
  std::string sha256;  ///< what the executable must have; another is not run at all. "": any
};

/// Runs `path --version` and `--help`. EngineFailed, saying how to fix it, when it is missing, not executable, another program,
/// hangs or prints nothing. What it learns is kept in `cacheDir` ("" for no cache) for as long as the file's path, size, times
/// and inode stay the same: the checksum of 55 MB and two runs of the program cost more than a small lowering.
Result<Engine> probeEngine(const std::string& path, const std::string& cacheDir, CommandRunner&, const RunContext&,
                           const ProbeOptions& options = {});

/// The SHA-256 of the engine that ./run installs (resources/engine/pinned.txt).
std::string pinnedEngineSha256();

/// Which of `names` ("torch.aten.add.Tensor") the engine's dialect registers; takes one run, cached in `cacheDir` by the engine's
/// checksum ("" for no cache).
Result<std::set<std::string, std::less<>>> registeredOps(const Engine&, const std::vector<std::string>& names, const std::string& cacheDir,
                                                         CommandRunner&, const RunContext&);

}  // namespace fxs::lower
