#pragma once
// One run of the engine on one module: the command line and its outcome. On success the module is on stdout; on failure
// stderr holds the diagnostics, the IR at the failing pass, and the pass, also when the engine crashed or was interrupted:
// the crash reproducer turns both into an ordinary failure that names its pass.
#include <functional>
#include <string>

#include "base/subprocess.h"
#include "lower/lower.h"
#include "mlir/logs/diagnostics.h"

namespace fxs::lower {

enum class RunOutcome : std::uint8_t { Ok, Failed, Crashed, OutOfMemory, TimedOut, OutputLimit, NoEngine, Cancelled };

struct EngineRun {
  RunOutcome outcome = RunOutcome::Ok;
  std::vector<std::string> argv;
  std::string out;  ///< the module when Ok; the module before the failing pipeline, as a reproducer, when not
  std::string err;
  mlir::EngineLog log;
  std::string what;  ///< one phrase when not Ok: "crashed (signal 11)", "printed nothing"
  std::chrono::duration<double> seconds{0};
};

/// The command that runs `pipeline` on `module`, which goes in on stdin; a failure or crash ends with the module as a reproducer.
Command engineCommand(const Engine&, const std::string& pipeline, std::string module, const Limits&);

/// Runs of several pipelines on one module, at once; a pipeline "" parses, verifies and prints. Never an Error: an engine that
/// cannot be started and a stop are outcomes. `meanwhile` is called while they run.
std::vector<EngineRun> runEngine(const Engine&, const std::vector<std::string>& pipelines, const std::string& module, const Limits&,
                                 CommandRunner&, const RunContext&, std::function<void()> meanwhile = {});

/// Where a crashed or endless pass was: the rewrite pattern that was being tried and the node of its operation.
struct LastAction {
  std::string pattern;  ///< "ConvertAtenOp<mlir::torch::Torch::AtenSliceScatterOp>"
  std::string op;       ///< "torch.aten.slice_scatter"
  fx::NodeId node;
  std::string irBefore;  ///< the module right before the failing pass, with locations
};
/// Runs the failing pipeline again for a short time, logging every action. std::nullopt when the log has nothing.
Result<LastAction> findLastAction(const Engine&, const std::string& pipeline, const std::string& module, const Limits&, CommandRunner&,
                                  const RunContext&);

}  // namespace fxs::lower
