// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/patterns.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "lower/engine_program.h"
#include "lower/findings.h"
#include "lower/pattern_log.h"
#include "lower/stopped_engine.h"
#include "mlir/logs/diagnostics.h"
#include "mlir/logs/dump_header.h"
#include "mlir/text/document.h"

namespace fxs::lower {
namespace {

/// Engine runs that one trace may use to stop at rewrites; each takes about 30 ms.
constexpr std::size_t kMaxStops = 240;
/// Number of concurrent engines, each with its own module.
constexpr std::size_t kBatch = 4;
constexpr std::uint64_t kPatternOutput = std::uint64_t{256} << 20;

bool isContainer(std::string_view op) {
  return op == "func.func" || op == "builtin.module" || op == "module";
}

/// The text, with the node's location on the module and its functions, so that the log's filter
/// keeps passes on them. The importer closes functions with `  } loc(..)` and the module with `}`,
/// as the engine does, which adds a location.
Result<std::string> withMarkedPasses(const std::string& raw, fx::NodeId node) {
  const std::string mark = fmt::format(" loc(\"pass\"(\"fx\":{}:{}))", node.value, kPassColumn);
  std::string out;
  out.reserve(raw.size() + 256);
  std::size_t functions = 0, modules = 0;
  for (std::size_t begin = 0; begin < raw.size();) {
    const std::size_t end = std::min(raw.find('\n', begin), raw.size());
    std::string_view line(raw.data() + begin, end - begin);
    begin = end + 1;
    if (line.starts_with("  } loc(")) {
      line = line.substr(0, 3);
      ++functions;
    } else if (line == "}" || line.starts_with("} loc(")) {
      line = line.substr(0, 1);
      ++modules;
    } else {
      out.append(line).push_back('\n');
      continue;
    }
    out.append(line).append(mark).push_back('\n');
  }
  if (functions == 0 || modules != 1)
    return fail(ErrorCode::InvalidInput, "the RAW module is printed in another form");
  return out;
}

/// The node's operations in a printed module or function, by enclosing function.
using OpsByFunction = std::map<std::string, OpCounts, std::less<>>;

constexpr char kTextAfterName = '\n';

/// The operation's name and its text, without names of values and aliases, which are numbered anew.
std::string nameAndText(std::string_view name, std::string_view line) {
  std::string out = std::string(name) + kTextAfterName;
  const std::string text = withoutNames(line);
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] != '#') continue;
    while (i + 1 < text.size() && isWordChar(text[i + 1])) ++i;
  }
  return out;
}

/// Likewise, with the constants that it takes: lists of other numbers have the same text.
std::string nameAndText(const mlir::Document& document, mlir::OpId id) {
  const mlir::Module& module = document.module;
  std::string out = nameAndText(module.nameOf(id), document.lineOf(id));
  for (const mlir::Operand& operand : module.operandsOf(id)) {
    if (!operand.value.valid()) continue;
    const mlir::Value& value = module.value(operand.value);
    if (value.kind == mlir::ValueKind::Result && module.op(value.op).operands.size() == 0)
      out += nameAndText(module.nameOf(value.op), document.lineOf(value.op));
  }
  return out;
}

enum class CountedBy : std::uint8_t { Name, NameAndText };

void takeOps(std::string_view text, fx::NodeId node, OpsByFunction& into,
             CountedBy key = CountedBy::Name) {
  const mlir::Document document(text);
  const mlir::Module& module = document.module;
  std::vector<const std::string*> functionOf(module.ops.size(), nullptr);
  const auto nameOf = [](std::string_view line) {
    const std::size_t at = line.find('@');
    if (at == std::string_view::npos) return std::string();
    return std::string(line.substr(at + 1, line.find_first_of("( ", at) - at - 1));
  };
  for (std::size_t i = 0; i < module.ops.size(); ++i) {
    const mlir::OpId id = mlir::OpId::of(i);
    const std::string_view name = module.nameOf(id);
    if (name == "func.func") {
      auto [entry, isNew] = into.insert_or_assign(nameOf(document.lineOf(id)), OpCounts{});
      functionOf[i] = &entry->first;
      continue;
    }
    if (const mlir::OpId parent = module.op(id).parent; parent.valid())
      functionOf[i] = functionOf[parent.index()];
    if (isContainer(name) || functionOf[i] == nullptr) continue;
    const std::vector<fx::NodeId> nodes = document.nodesOf(id);
    if (std::find(nodes.begin(), nodes.end(), node) != nodes.end())
      ++into[*functionOf[i]]
            [key == CountedBy::Name ? std::string(name) : nameAndText(document, id)];
  }
}

OpCounts total(const OpsByFunction& functions) {
  OpCounts out;
  for (const auto& [function, counts] : functions)
    for (const auto& [op, count] : counts) out[op] += count;
  return out;
}

/// The names of the operations of which there are more.
std::vector<std::string> newOps(const OpCounts& before, const OpCounts& after) {
  std::vector<std::string> out;
  for (const auto& [op, count] : after) {
    const auto old = before.find(op);
    for (int i = old == before.end() ? 0 : old->second; i < count; ++i)
      out.push_back(op.substr(0, op.find(kTextAfterName)));
  }
  return out;
}

/// Of the passes in the log, in the order in which they began.
std::vector<mlir::DumpHeader> dumpHeadersIn(std::string_view err) {
  std::vector<mlir::DumpHeader> out;
  for (std::size_t at = err.find(mlir::kDumpMark); at != std::string_view::npos;
       at = err.find(mlir::kDumpMark, at + 1)) {
    if (at != 0 && err[at - 1] != '\n') continue;
    if (auto header = mlir::parseDumpHeader(err.substr(at, err.find('\n', at) - at)))
      out.push_back(std::move(*header));
  }
  return out;
}

/// Whether the log shows the attempt's effect only weakly, or not at all.
bool isUncertain(const PatternAttempt& attempt, const PatternPass& pass) {
  return attempt.effect == Effect::Unknown ||
         (!pass.conversion && isInferredFromAbsence(attempt.message));
}
/// Whether it took effect at once, as patterns do outside of conversions.
bool isImmediateEffect(const PatternAttempt& attempt, const PatternPass& pass) {
  return !isUncertain(attempt, pass) && attempt.effect == Effect::TookEffect && !pass.conversion;
}

/// Attempts to measure, and where the engine stops for that: right before and right after each.
class Measurements {
 public:
  struct Measured {
    PatternAttempt* attempt;
    std::size_t before, after;  // of stops()
  };
  bool isFull() const { return stops_.size() + 2 > kMaxStops; }
  void add(PatternAttempt& attempt, const PatternPass& pass) {
    const std::size_t before = indexOf({attempt.ordinal - 1, pass.ordinal});
    measured_.push_back({&attempt, before, indexOf({attempt.ordinal, pass.ordinal})});
  }
  const std::vector<StopAt>& stops() const { return stops_; }
  const std::vector<Measured>& measured() const { return measured_; }

 private:
  std::size_t indexOf(StopAt stop) {
    for (std::size_t i = stops_.size(); i-- > 0;)
      if (stops_[i].attempts == stop.attempts && stops_[i].passes == stop.passes) return i;
    stops_.push_back(stop);
    return stops_.size() - 1;
  }

  std::vector<StopAt> stops_;
  std::vector<Measured> measured_;
};

/// Corrects the effect of an attempt by the modules before and after it.
void correctEffect(PatternAttempt& attempt, const StoppedRun& before, const StoppedRun& after) {
  const bool same =
      before.ok == after.ok && before.text == after.text && before.error == after.error;
  if (!same) {
    attempt.effect = Effect::TookEffect;
    attempt.message = "the modules before and after it differ";
  } else if (before.ok) {
    attempt.effect = Effect::Refused;
    attempt.message = "the modules before and after it are the same";
  }
}

/// Whether an operation keeps a stage from ending, and is not left over only with its users.
bool isLeftOver(std::string_view op) {
  return op.starts_with("torch.") && !op.starts_with("torch.constant.") &&
         !op.starts_with("torch.prim.List");
}

/// One stage of a trace under construction.
class StageTrace {
 public:
  StageTrace(PatternTrace& trace, const StageSpec& spec, const std::string& input, LogScope scope,
             const Limits& limits, const Engine& engine, CommandRunner& runner,
             const RunContext& context)
      : trace_(trace),
        spec_(spec),
        input_(input),
        scope_(scope),
        limits_(limits),
        engine_(engine),
        runner_(runner),
        context_(context),
        firstPass_(trace.passes.size()),
        firstAttempt_(trace.attempts.size()) {}

  /// The module after the stage; "" when it failed.
  Result<std::string> run() {
    FXS_CHECK(runBoth());
    readPasses();
    readAttempts();
    if (scope_ == LogScope::EveryOperation) FXS_CHECK(measure());
    fillConversions();
    noteStop();
    return printed_.ok() && !trace_.cutOff ? printed_.out : std::string();
  }

 private:
  Command commandFor(std::vector<std::string> options) const {
    // Turns a crash into a failure, so that the log up to then is kept.
    options.insert(options.begin(),
                   {"-", "--pass-pipeline=" + spec_.pipeline, "--mlir-disable-threading",
                    "--mlir-print-debuginfo", "--mlir-pass-pipeline-crash-reproducer=/dev/null"});
    Command command = engineProgram(engine_, std::move(options));
    command.stdinText = input_;
    command.timeout = limits_.timeout;
    command.memoryLimit = limits_.memory;
    command.outputLimit =
        limits_.output > 0 ? std::min(limits_.output, kPatternOutput) : kPatternOutput;
    return command;
  }

  Result<> runBoth() {
    std::vector<std::string> logging{"--log-actions-to=-", "--mlir-print-skip-regions",
                                     "--mlir-print-ir-before-all"};
    if (scope_ == LogScope::NodeOnly)
      logging.push_back(fmt::format("--log-mlir-actions-filter=fx:{}", trace_.node.value));
    std::vector<Command> commands{commandFor(std::move(logging)),
                                  commandFor({"--mlir-print-ir-after-all"})};
    if (scope_ == LogScope::NodeOnly) commands[0].timeout = shareOf(limits_.timeout, kLogPart);
    std::vector<Result<Exit>> exits = runToEnd(commands, runner_, context_.stop);
    if (isOnlyLogCutOff(exits)) {
      trace_.cutOff = true;
      exits[0]->reason = ExitReason::Exited;
    }
    for (Result<Exit>& exit : exits) {
      if (!exit) return tl::unexpected<Error>(std::move(exit).error());
      FXS_CHECK(checkEnd(*exit, commands[0].outputLimit));
    }
    logged_ = std::move(*exits[0]);
    printed_ = std::move(*exits[1]);
    log_ = readPatternLog(logged_.out);
    engineLog_ = mlir::parseEngineLog(printed_.err);
    if (log_.passes.empty())
      return fail(
          ErrorCode::EngineFailed,
          "the engine " + engine_.path +
              " logged no actions; --log-actions-to requires a torch-mlir-opt of LLVM 17 or newer");
    return {};
  }

  /// Whether the log of the node's operations reached a limit, but the engine ends without it.
  bool isOnlyLogCutOff(const std::vector<Result<Exit>>& exits) const {
    if (scope_ != LogScope::NodeOnly || !exits[0] || !exits[1]) return false;
    const ExitReason reason = exits[0]->reason;
    return exits[1]->reason == ExitReason::Exited && !exits[0]->out.empty() &&
           (reason == ExitReason::TimedOut || reason == ExitReason::OutputLimit);
  }

  Result<> checkEnd(const Exit& exit, std::uint64_t outputLimit) const {
    if (wasKilled(exit))
      return fail(ErrorCode::EngineFailed, "the engine " + engine_.path + " " + killMessage(exit));
    if (exit.reason == ExitReason::TimedOut)
      return fail(
          ErrorCode::Timeout,
          fmt::format("the engine {} did not end within {:g} s while it logged its patterns; "
                      "raise the time limit",
                      engine_.path, std::chrono::duration<double>(limits_.timeout).count()));
    if (exit.reason == ExitReason::OutputLimit)
      return fail(ErrorCode::Timeout,
                  fmt::format("the engine {} printed more than {} MiB while it logged its "
                              "patterns; choose a node that lowers to fewer operations",
                              engine_.path, outputLimit >> 20));
    return {};
  }

  void readPasses() {
    const std::vector<mlir::DumpHeader> headers = dumpHeadersIn(logged_.err);
    for (std::size_t p = 0; p < log_.passes.size(); ++p)
      addPass(p, p < headers.size() ? headers[p] : mlir::DumpHeader());
    noteOperations();
  }

  /// The header is of the pass that began as the p-th; that of another class is ignored.
  void addPass(std::size_t p, const mlir::DumpHeader& header) {
    const LoggedPass& logged = log_.passes[p];
    PatternPass& pass = trace_.passes.emplace_back();
    pass.stage = spec_.id;
    pass.pass = logged.passClass;
    if (header.passClass == logged.passClass && !header.pass.empty()) {
      pass.pass = header.pass;
      pass.options = header.options;
    }
    pass.ordinal = logged.ordinal;
    pass.conversion = logged.conversion;
    if (scope_ == LogScope::NodeOnly) return;
    for (const LoggedAttempt& attempt : log_.attempts)
      if (attempt.pass <= static_cast<int>(p)) pass.attempts = attempt.ordinal;
  }

  /// The IR after a pass, by the order of ends; null if it was not printed then.
  const mlir::DumpedIr* dumpAfter(const LoggedPass& pass) const {
    if (pass.ended >= engineLog_.dumps.size()) return nullptr;
    const mlir::DumpedIr& dump = engineLog_.dumps[pass.ended];
    return dump.header.passClass == pass.passClass ? &dump : nullptr;
  }

  /// The operations around each pass, in the order of the dumps.
  void noteOperations() {
    std::vector<std::size_t> byEnd;
    for (std::size_t p = 0; p < log_.passes.size(); ++p)
      if (dumpAfter(log_.passes[p]) != nullptr) byEnd.push_back(p);
    std::sort(byEnd.begin(), byEnd.end(), [&](std::size_t a, std::size_t b) {
      return log_.passes[a].ended < log_.passes[b].ended;
    });
    const bool all = byEnd.size() == static_cast<std::size_t>(std::count_if(
                                         log_.passes.begin(), log_.passes.end(),
                                         [](const LoggedPass& p) { return p.ended != kNotEnded; }));
    OpsByFunction now;
    takeOps(input_, trace_.node, now);
    for (const std::size_t p : byEnd) {
      const mlir::DumpedIr& dump = *dumpAfter(log_.passes[p]);
      PatternPass& pass = trace_.passes[firstPass_ + p];
      pass.failed = dump.header.failed;
      pass.known = all;
      pass.before = total(now);
      takeOps(dump.ir, trace_.node, now);
      pass.after = total(now);
    }
  }

  void readAttempts() {
    for (std::size_t i = 0; i < log_.attempts.size(); ++i) {
      const LoggedAttempt& attempt = log_.attempts[i];
      if (attempt.pass >= 0 &&
          std::find(attempt.nodes.begin(), attempt.nodes.end(), trace_.node) != attempt.nodes.end())
        mine_.push_back(static_cast<int>(i));
    }
    std::vector<PassSurroundings> surroundings(log_.passes.size());
    for (std::size_t p = 0; p < surroundings.size(); ++p) {
      const PatternPass& pass = trace_.passes[firstPass_ + p];
      surroundings[p] = {pass.known, pass.before, pass.after, pass.failed,
                         pass.failed ? failedOp() : std::string()};
    }
    const std::vector<Verdict> verdicts = effectsOf(log_, mine_, surroundings);
    for (std::size_t k = 0; k < mine_.size(); ++k) {
      const LoggedAttempt& logged = log_.attempts[static_cast<std::size_t>(mine_[k])];
      PatternAttempt& attempt = trace_.attempts.emplace_back();
      attempt.pass = static_cast<int>(firstPass_) + logged.pass;
      attempt.ordinal = scope_ == LogScope::EveryOperation ? logged.ordinal : 0;
      attempt.pattern = logged.pattern;
      attempt.shortName = logged.pattern.empty() ? "(unnamed)" : shortPatternName(logged.pattern);
      attempt.op = logged.op;
      attempt.opName = logged.opName;
      attempt.effect = verdicts[k].effect;
      attempt.message = verdicts[k].message;
    }
  }

  /// The operation of the node that the engine's errors name.
  std::string failedOp() const {
    for (const mlir::EngineDiagnostic& d : engineLog_.diagnostics)
      if (d.severity == "error" && d.node == trace_.node) return d.op;
    return {};
  }

  /// Stops the engine right before and right after attempts, to see their effect.
  Result<> measure() {
    const Measurements wanted = measurements();
    FXS_TRY(const std::vector<StoppedRun> runs, runsUpTo(wanted.stops()));
    for (const auto& [attempt, before, after] : wanted.measured())
      noteMeasured(*attempt, runs[before], runs[after]);
    return {};
  }

  Measurements measurements() {
    Measurements out;
    for (const auto isWanted : {isUncertain, isImmediateEffect})
      for (std::size_t i = firstAttempt_; i < trace_.attempts.size() && !out.isFull(); ++i) {
        PatternAttempt& attempt = trace_.attempts[i];
        const PatternPass& pass = trace_.passes[static_cast<std::size_t>(attempt.pass)];
        if (isWanted(attempt, pass) && !pass.failed) out.add(attempt, pass);
      }
    return out;
  }

  Result<std::vector<StoppedRun>> runsUpTo(const std::vector<StopAt>& stops) const {
    std::vector<StoppedRun> runs;
    for (std::size_t at = 0; at < stops.size(); at += kBatch) {
      if (context_.stop.stop_requested()) return fail(ErrorCode::Cancelled, "cancelled");
      const std::vector<StopAt> batch(
          stops.begin() + static_cast<std::ptrdiff_t>(at),
          stops.begin() + static_cast<std::ptrdiff_t>(std::min(at + kBatch, stops.size())));
      FXS_TRY(auto done,
              runStopped(input_, spec_.pipeline, batch, engine_, limits_, runner_, context_));
      std::move(done.begin(), done.end(), std::back_inserter(runs));
    }
    return runs;
  }

  void noteMeasured(PatternAttempt& attempt, const StoppedRun& before,
                    const StoppedRun& after) const {
    if (attempt.effect == Effect::Unknown || isInferredFromAbsence(attempt.message))
      correctEffect(attempt, before, after);
    if (attempt.effect != Effect::TookEffect || !before.ok || !after.ok) return;
    OpsByFunction opsBefore, opsAfter;
    takeOps(before.text, trace_.node, opsBefore, CountedBy::NameAndText);
    takeOps(after.text, trace_.node, opsAfter, CountedBy::NameAndText);
    attempt.became = newOps(total(opsBefore), total(opsAfter));
  }

  /// In a conversion, what one pattern made is known when it was the only one that took effect on
  /// the node.
  void fillConversions() {
    for (std::size_t p = firstPass_; p < trace_.passes.size(); ++p) {
      const PatternPass& pass = trace_.passes[p];
      if (!pass.conversion || !pass.known || pass.failed) continue;
      PatternAttempt* only = nullptr;
      std::size_t effects = 0;
      for (std::size_t i = firstAttempt_; i < trace_.attempts.size(); ++i) {
        PatternAttempt& attempt = trace_.attempts[i];
        if (attempt.pass != static_cast<int>(p) || attempt.effect == Effect::Refused) continue;
        only = &attempt;
        ++effects;
      }
      if (effects == 1 && only->effect == Effect::TookEffect)
        only->became = newOps(pass.before, pass.after);
    }
  }

  /// The first error at the node, or else the first one; null if there is none.
  const mlir::EngineDiagnostic* stoppingError() const {
    const mlir::EngineDiagnostic* first = nullptr;
    for (const mlir::EngineDiagnostic& d : engineLog_.diagnostics) {
      if (d.severity != "error") continue;
      if (d.node == trace_.node) return &d;
      if (first == nullptr) first = &d;
    }
    return first;
  }

  void noteStop() {
    if (printed_.ok()) return;
    const std::string pass = engineLog_.failingPass;
    const mlir::EngineDiagnostic* error = stoppingError();
    const std::string message =
        error == nullptr ? std::string() : error->message.substr(0, error->message.find('\n'));
    // The last conversion reports the first illegal operation, which is often an unrelated
    // constant.
    if (isFinalPass(pass) && firstPass_ < trace_.passes.size() && trace_.passes.back().failed) {
      for (const auto& [op, count] : trace_.passes.back().after)
        if (count > 0 && isLeftOver(op)) addStop({spec_.id, pass, op, message, true, {}, {}});
      if (!trace_.stops.empty()) return;
    }
    if (error == nullptr || error->node != trace_.node) {
      trace_.stoppedElsewhere = pass.empty() ? spec_.title : pass;
      if (error != nullptr) trace_.stoppedAt = error->node;
      return;
    }
    addStop({spec_.id, pass, error->op, message, false, {}, {}});
  }

  void addStop(PatternStop stop) {
    for (const PatternAttempt& attempt : trace_.attempts) {
      const PatternPass& in = trace_.passes[static_cast<std::size_t>(attempt.pass)];
      if (attempt.opName != stop.op || (!in.failed && attempt.effect != Effect::Refused)) continue;
      std::vector<std::string>& list = in.failed ? stop.tried : stop.refusedBefore;
      const std::string pattern =
          in.failed ? attempt.shortName : attempt.shortName + " (" + in.pass + ")";
      if (std::find(list.begin(), list.end(), pattern) == list.end()) list.push_back(pattern);
    }
    trace_.stops.push_back(std::move(stop));
  }

  PatternTrace& trace_;
  const StageSpec& spec_;
  const std::string& input_;
  const LogScope scope_;
  const Limits& limits_;
  const Engine& engine_;
  CommandRunner& runner_;
  const RunContext& context_;
  const std::size_t firstPass_, firstAttempt_;
  Exit logged_, printed_;
  PatternLog log_;
  mlir::EngineLog engineLog_;
  std::vector<int> mine_;
};

}  // namespace

Result<PatternTrace> tracePatterns(const std::string& raw, fx::NodeId node, LogScope scope,
                                   const LowerOptions& options, const Engine& engine,
                                   CommandRunner& runner, const RunContext& context) {
  PatternTrace trace;
  trace.node = node;
  trace.target = options.target;
  trace.steppable = scope == LogScope::EveryOperation;
  FXS_TRY(std::string module, withMarkedPasses(raw, node));
  FXS_TRY(const std::vector<StageSpec> stages, filledStages(options));
  for (const StageSpec& spec : stages) {
    if (spec.pipeline.empty()) continue;
    // Other tools log no patterns.
    if (!spec.tool.isEngine() || !spec.tool.runsPasses() || !spec.prepare.empty()) break;
    context.report({"logging the patterns of " + spec.title, -1});
    FXS_TRY(std::string next,
            StageTrace(trace, spec, module, scope, options.limits, engine, runner, context).run());
    if (trace.steppable) trace.stages.push_back({spec.id, spec.pipeline, module});
    if (next.empty()) break;
    module = std::move(next);
  }
  return trace;
}

}  // namespace fxs::lower
