// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One run of the engine on one module: the command line and its outcome. On success stdout is the
// module; on failure stderr contains the diagnostics, the failing pass and the IR there. With
// MLIR's crash reproducer this also holds if the engine crashed or was interrupted.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/subprocess.h"
#include "lower/lower.h"
#include "mlir/logs/diagnostics.h"

namespace fxs::lower {

/// Ok, Failed and Crashed are known of the module; the others say nothing about it. Killed: by
/// somebody else, also when it was run again. NoEngine and NoTool: it could not be run, or wrote
/// something else than it should.
enum class RunOutcome : std::uint8_t {
  Ok,
  Failed,
  Crashed,
  OutOfMemory,
  TimedOut,
  OutputLimit,
  Killed,
  NoEngine,
  NoTool,
  Cancelled
};
/// How a stage ended whose run ended so; Cancelled is Skipped.
StageStatus statusOf(RunOutcome);

/// Limit of a text that a tool writes to files, if there is no other.
inline constexpr std::uint64_t kMaxStageText = std::uint64_t{1} << 30;

struct EngineRun {
  RunOutcome outcome = RunOutcome::Ok;
  std::vector<std::string> argv;
  std::string out;  ///< the module if Ok; otherwise the crash reproducer with the module before the
                    ///< failing pipeline
  std::string err;
  mlir::EngineLog log;
  std::string message;  ///< one phrase if not Ok: "crashed (signal 11)", "printed nothing"; of
                        ///< NoTool without `argv`, a sentence
  std::string program = "the engine";  ///< that ran, for people
  std::chrono::duration<double> seconds{0};
};

/// Sets outcome, output and time of a run by how its program ended; what it printed is not checked.
void judge(EngineRun&, Result<Exit>, const Limits&);
/// Whether a failed run says where in the module, or in which pass, it stopped.
bool saysWhere(const EngineRun&);

/// The command that runs `pipeline` on `module`, passed on stdin; on a failure or crash it prints a
/// crash reproducer.
Command engineCommand(const Engine&, const std::string& pipeline, std::string module,
                      const Limits&);

/// Runs several pipelines on one module concurrently; the pipeline "" parses, verifies and prints.
/// An engine that cannot be started and a stop request are outcomes, not Errors. `meanwhile` is
/// called on this thread while they run.
std::vector<EngineRun> runEngine(const Engine&, const std::vector<std::string>& pipelines,
                                 const std::string& module, const Limits&, CommandRunner&,
                                 const RunContext&, std::function<void()> meanwhile = {});

enum class Printing : std::uint8_t { Plain, Located };
/// Parses, verifies and prints, without locations or with them.
EngineRun printModule(const Engine&, std::string module, Printing, const Limits&, CommandRunner&,
                      const RunContext&);

/// Where a pass crashed or hung: the rewrite pattern that was being tried and the node of its
/// operation.
struct LastAction {
  std::string pattern;  ///< "ConvertAtenOp<mlir::torch::Torch::AtenSliceScatterOp>"
  std::string op;       ///< "torch.aten.slice_scatter"
  fx::NodeId node;
  std::string irBefore;  ///< the module right before the failing pass, with locations
};
/// Runs the failing pipeline again for a short time, logging every action. nullopt if the log
/// contains no attempt.
Result<LastAction> findLastAction(const Engine&, const std::string& pipeline,
                                  const std::string& module, const Limits&, CommandRunner&,
                                  const RunContext&);

}  // namespace fxs::lower
