// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/engine_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "lower/engine_program.h"
#include "lower/tool_run.h"
#include "mlir/text/document.h"

namespace fxs::lower {
namespace {

/// Time for the engine to print the module before the failing pass, after an interrupt.
constexpr std::chrono::milliseconds kGrace{10'000};
/// Logging every action is slow: the part of the time limit for the search for the pattern that
/// crashed.
constexpr int kActionPart = 8;
constexpr std::size_t kErrorsRead = std::size_t{64} << 20;
constexpr std::uint64_t kActionOutput = std::uint64_t{512} << 20;

std::vector<std::string> argumentsFor(const std::string& pipeline) {
  std::vector<std::string> out{"-"};
  if (!pipeline.empty()) out.push_back("--pass-pipeline=" + pipeline);
  out.insert(out.end(), {"--mlir-print-debuginfo", "--mlir-print-ir-after-failure",
                         "--mlir-pass-pipeline-crash-reproducer=-"});
  return out;
}

bool ranOutOfMemory(const mlir::EngineLog& log) {
  return log.fatal.find("out of memory") != std::string::npos ||
         log.fatal.find("bad_alloc") != std::string::npos;
}

/// The reproducer without the pipeline that the engine appends to it.
std::string withoutReproducer(std::string text) {
  const std::size_t at = text.rfind("\n{-#");
  if (at != std::string::npos && text.find("mlir_reproducer", at) != std::string::npos) {
    // Remove other external resources; weights have no data, or are in dialect_resources.
    if (text.find("dialect_resources", at) == std::string::npos) text.resize(at + 1);
  }
  return text;
}

}  // namespace

namespace {

Command commandOf(const Engine& engine, std::vector<std::string> arguments, std::string module,
                  const Limits& limits) {
  Command command = engineProgram(engine, std::move(arguments));
  command.stdinText = std::move(module);
  command.timeout = limits.timeout;
  command.grace = kGrace;
  command.memoryLimit = limits.memory;
  command.outputLimit = limits.output;
  return command;
}

}  // namespace

Command engineCommand(const Engine& engine, const std::string& pipeline, std::string module,
                      const Limits& limits) {
  return commandOf(engine, argumentsFor(pipeline), std::move(module), limits);
}

StageStatus statusOf(RunOutcome outcome) {
  switch (outcome) {
    case RunOutcome::Ok: return StageStatus::Ok;
    case RunOutcome::Failed: return StageStatus::Failed;
    case RunOutcome::Crashed: return StageStatus::Crashed;
    case RunOutcome::TimedOut: return StageStatus::Timeout;
    case RunOutcome::OutOfMemory:
    case RunOutcome::OutputLimit:
    case RunOutcome::Killed:
    case RunOutcome::NoEngine:
    case RunOutcome::NoTool: return StageStatus::Unknown;
    case RunOutcome::Cancelled: break;
  }
  return StageStatus::Skipped;
}

std::chrono::milliseconds shareOf(std::chrono::milliseconds timeout, int parts) {
  constexpr std::chrono::milliseconds kLeast{10'000};
  return std::max(timeout / parts, std::min(timeout, kLeast));
}

std::chrono::milliseconds grownWith(std::chrono::milliseconds timeout,
                                    std::chrono::milliseconds usual) {
  if (timeout.count() == 0) return std::chrono::hours(24);
  const double factor = std::chrono::duration<double>(timeout) / Limits().timeout;
  if (factor <= 1) return usual;
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::min(std::chrono::duration<double>(usual) * factor,
               std::chrono::duration<double>(std::chrono::years(1))));
}

bool saysWhere(const EngineRun& run) {
  return !run.log.failingPass.empty() ||
         std::any_of(run.log.diagnostics.begin(), run.log.diagnostics.end(),
                     [](const auto& d) { return d.severity == "error" && d.located; });
}

void judge(EngineRun& run, Result<Exit> exit, const Limits& limits) {
  if (!exit) {
    run.outcome =
        exit.error().code == ErrorCode::Cancelled ? RunOutcome::Cancelled : RunOutcome::NoEngine;
    run.message = exit.error().message;
    return;
  }
  run.out = std::move(exit->out);
  run.err = std::move(exit->err);
  run.seconds = exit->wall;
  // Of a flood, the rest says no more.
  if (exit->reason != ExitReason::Exited && run.err.size() > kErrorsRead)
    run.err.resize(kErrorsRead);
  run.log = mlir::parseEngineLog(run.err);
  const auto is = [&](RunOutcome outcome, std::string message) {
    run.outcome = outcome;
    run.message = std::move(message);
  };
  if (exit->reason == ExitReason::TimedOut) {
    is(RunOutcome::TimedOut, fmt::format("did not end within {:g} s",
                                         std::chrono::duration<double>(limits.timeout).count()));
  } else if (exit->reason == ExitReason::OutputLimit) {
    is(RunOutcome::OutputLimit, fmt::format("printed more than {} MiB", limits.output >> 20));
  } else if (ranOutOfMemory(run.log)) {
    is(RunOutcome::OutOfMemory,
       limits.memory > 0 ? fmt::format("exceeded its memory limit of {} MiB", limits.memory >> 20)
                         : "ran out of memory");
  } else if (exit->reason == ExitReason::ProcessLimit) {
    is(RunOutcome::Crashed, fmt::format("started more than {} processes", Cage::kMostProcesses));
  } else if (wasKilled(*exit)) {
    is(RunOutcome::Killed, killMessage(*exit));
  } else if (exit->reason == ExitReason::Signalled) {
    is(RunOutcome::Crashed, fmt::format("crashed (signal {})", exit->signal));
  } else if (exit->status != 0) {
    if (run.log.crashed) is(RunOutcome::Crashed, "crashed");
    else is(RunOutcome::Failed, fmt::format("ended with status {}", exit->status));
  }
}

namespace {

/// The result of a run of the engine.
EngineRun judged(std::vector<std::string> argv, Result<Exit> exit, const Limits& limits) {
  EngineRun run;
  run.argv = std::move(argv);
  judge(run, std::move(exit), limits);
  if (run.outcome != RunOutcome::Ok) return run;
  if (const std::string problem = unlike(run.out, mlir::TextForm::Mlir); !problem.empty()) {
    run.outcome = RunOutcome::NoEngine;
    run.message = "succeeded but " + problem;
  }
  return run;
}

}  // namespace

std::vector<EngineRun> runEngine(const Engine& engine, const std::vector<std::string>& pipelines,
                                 const std::string& module, const Limits& limits,
                                 CommandRunner& runner, const RunContext& context,
                                 std::function<void()> meanwhile) {
  std::vector<Command> commands;
  for (const std::string& pipeline : pipelines)
    commands.push_back(engineCommand(engine, pipeline, module, limits));
  if (meanwhile && !commands.empty())
    commands.front().whileRunning = [&] {
      meanwhile();
      return false;
    };
  std::vector<Result<Exit>> exits = runToEnd(commands, runner, context.stop);
  std::vector<EngineRun> out;
  for (std::size_t i = 0; i < commands.size(); ++i)
    out.push_back(judged(commands[i].argv, std::move(exits[i]), limits));
  return out;
}

EngineRun printModule(const Engine& engine, std::string module, Printing printing,
                      const Limits& limits, CommandRunner& runner, const RunContext& context) {
  std::vector<std::string> arguments{"-"};
  if (printing == Printing::Located) arguments.emplace_back("--mlir-print-debuginfo");
  const Command command = commandOf(engine, std::move(arguments), std::move(module), limits);
  return judged(command.argv, runToEnd(command, runner, context.stop), limits);
}

Result<LastAction> findLastAction(const Engine& engine, const std::string& pipeline,
                                  const std::string& module, const Limits& limits,
                                  CommandRunner& runner, const RunContext& context) {
  Command command = engineProgram(
      engine, {"-", "--pass-pipeline=" + pipeline, "--mlir-print-debuginfo",
               "--mlir-disable-threading", "--mlir-pass-pipeline-crash-reproducer=-",
               "--mlir-pass-pipeline-local-reproducer", "--log-actions-to=/dev/stderr"});
  command.stdinText = module;
  command.timeout = shareOf(limits.timeout, kActionPart);
  command.grace = kGrace;
  command.memoryLimit = limits.memory;
  command.outputLimit = limits.output > 0 ? std::min(limits.output, kActionOutput) : kActionOutput;
  LastAction last;
  auto exit = runToEnd(command, runner, context.stop);
  if (!exit) {
    if (endsAll(exit.error())) return tl::unexpected<Error>(std::move(exit).error());
    return last;
  }
  if (wasKilled(*exit)) return last;  // its log ends anywhere
  // `.. Action `apply-pattern pattern: mlir::torch::..ConvertAtenOp<..> (%3 =
  // torch.aten.slice.Tensor .. loc("s"("fx":5:0)))``, without a `completed` after it.
  constexpr std::string_view kMark = "Action `apply-pattern pattern: ";
  const std::string& err = exit->err;
  if (const std::size_t at = err.rfind(kMark);
      at != std::string::npos && err.find("completed `apply-pattern`", at) == std::string::npos) {
    const std::string_view line =
        std::string_view(err).substr(at, std::min(err.find('\n', at), err.size()) - at);
    const std::size_t open = line.find(" (");
    if (open != std::string_view::npos) {
      last.pattern = std::string(line.substr(kMark.size(), open - kMark.size()));
      const std::string_view op = line.substr(open + 2);
      last.op = std::string(mlir::opNameOf(op));
      if (const std::size_t loc = op.rfind(" loc("); loc != std::string_view::npos) {
        const auto nodes = mlir::LocationTable().nodes(op.substr(loc + 5));
        if (!nodes.empty()) last.node = nodes.front();
      }
    }
  }
  if (exit->err.find("Pipeline failed while executing") != std::string::npos)
    last.irBefore = withoutReproducer(std::move(exit->out));
  return last;
}

}  // namespace fxs::lower
