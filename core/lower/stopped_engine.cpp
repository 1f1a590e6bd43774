// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/stopped_engine.h"

#include <fmt/format.h>

#include "lower/engine_program.h"
#include "mlir/logs/diagnostics.h"

namespace fxs::lower {

Result<std::vector<StoppedRun>> runStopped(const std::string& module, const std::string& pipeline,
                                           const std::vector<StopAt>& stops, const Engine& engine,
                                           const Limits& limits, CommandRunner& runner,
                                           const RunContext& context) {
  std::vector<Command> commands;
  for (const StopAt& stop : stops) {
    // Debug counters are deterministic with one thread only.
    Command& command = commands.emplace_back(engineProgram(
        engine,
        {"-", "--pass-pipeline=" + pipeline, "--mlir-disable-threading", "--mlir-print-debuginfo",
         fmt::format("--mlir-debug-counter=apply-pattern-skip=0,apply-pattern-count={},pass-"
                     "execution-skip=0,"
                     "pass-execution-count={}",
                     stop.attempts, stop.passes)}));
    command.stdinText = module;
    command.timeout = limits.timeout;
    command.memoryLimit = limits.memory;
    command.outputLimit = limits.output;
  }
  std::vector<Result<Exit>> exits = runToEnd(commands, runner, context.stop);
  std::vector<StoppedRun> out;
  for (Result<Exit>& exit : exits) {
    if (!exit) return tl::unexpected<Error>(std::move(exit).error());
    if (exit->reason == ExitReason::TimedOut)
      return fail(ErrorCode::Timeout,
                  fmt::format("the engine {} did not end within {:g} s", engine.path,
                              std::chrono::duration<double>(limits.timeout).count()));
    if (wasKilled(*exit))
      return fail(ErrorCode::EngineFailed, "the engine " + engine.path + " " + killMessage(*exit));
    StoppedRun& run = out.emplace_back();
    run.ok = exit->ok() && !exit->out.empty();
    if (run.ok) {
      run.text = std::move(exit->out);
      continue;
    }
    const mlir::EngineLog log = mlir::parseEngineLog(exit->err);
    for (const mlir::EngineDiagnostic& d : log.diagnostics)
      if (d.severity == "error" && run.error.empty()) run.error = d.message;
    if (run.error.empty())
      run.error = log.fatal.empty() ? "the engine printed no module" : log.fatal;
  }
  return out;
}

}  // namespace fxs::lower
