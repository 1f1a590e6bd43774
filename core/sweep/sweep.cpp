// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "base/byte_source.h"
#include "base/joined.h"
#include "base/measuring_runner.h"
#include "base/peak_memory.h"
#include "base/safe_text.h"
#include "base/sha256.h"
#include "diagnose/diagnose.h"
#include "fx/module_path.h"
#include "lower/batch.h"
#include "lower/pipeline_check.h"
#include "session/importing.h"

namespace fxs::sweep {
namespace {

using Clock = std::chrono::steady_clock;

/// Experiments have the engine's limits only: what is found must not depend on how busy the machine
/// is.
constexpr std::chrono::hours kBudgetOfSwept{24};
constexpr std::size_t kMessageBytes = 2000;
constexpr std::size_t kLinesOfBlocker = 100;  ///< as many locations as code hosts show of a result
/// Programs in an engine process: enough that its start costs little, and few enough that little is
/// lost when a sweep is killed.
constexpr std::size_t kTogether = 16;
/// Bytes of their texts together, so that memory and time are those of small programs.
constexpr std::size_t kTextTogether = std::size_t{256} << 10;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class ProgramSweep {
 public:
  ProgramSweep(const ProgramFile& file, const SweepOptions& options, const lower::Engine& engine,
               const session::Environment& env, const RunContext& context)
      : file_(file),
        options_(options),
        engine_(engine),
        env_(env),
        context_(context),
        runner_(*env.runner) {
    env_.runner = &runner_;
    context_.budget = std::make_shared<const Budget>(context.budget->limits());
  }

  /// Reads and imports the program, for each output type.
  Result<> begin(const OptionTexts& described) {
    resetPeakMemory();
    common_.program = file_.name;
    common_.fxscope = options_.version;
    common_.engine = engine_.version;
    common_.engineSha256 = engine_.sha256;
    for (const lower::OutputType& target : options_.targets) {
      Line& line = lines_.emplace_back();
      line.to = lower::name(target);
      line.options = described.at(line.to);
    }
    imported_.resize(lines_.size());
    lowered_.resize(lines_.size());
    return guarded([&]() -> Result<> {
      const auto begin = Clock::now();
      FXS_CHECK(read());
      common_.seconds.read = since(begin);
      peak_ = peakMemory();
      return {};
    });
  }
  /// After begin(), by output type; null if the program was not imported for it. Those with equal
  /// programs have the same `imported`.
  const std::vector<session::SnapshotPtr>& imported() const { return imported_; }
  bool isModule() const {
    return std::any_of(imported_.begin(), imported_.end(),
                       [](const auto& each) { return each && each->capture->module; });
  }
  /// The bytes of the modules to lower.
  std::size_t textBytes() const {
    std::set<const import::Imported*> distinct;
    std::size_t out = 0;
    for (const session::SnapshotPtr& each : imported_)
      if (each && distinct.insert(each->imported.get()).second) out += each->imported->text.size();
    return out;
  }
  const ProgramFile& file() const { return file_; }
  /// What the engine did for an output type together with other programs: a lowering, or null; its
  /// time; and the peak of its memory.
  void startFrom(std::size_t type, std::shared_ptr<const lower::Lowering> lowering, double seconds,
                 std::uint64_t peak) {
    lowered_[type] = std::move(lowering);
    secondsTogether_ = seconds;
    peak_ = std::max(peak_, peak);
  }
  Result<std::vector<Line>> finish() {
    resetPeakMemory();
    FXS_CHECK(guarded([&] { return outcomes(); }));
    // What exceeds a limit for all output types together may not for one of them.
    if (lines_.size() > 1 && context_.budget->wasExceeded()) return oneByOne();
    return completed();
  }

 private:
  Result<std::vector<Line>> oneByOne() const {
    std::vector<Line> out;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      SweepOptions alone = options_;
      alone.targets = {options_.targets[i]};
      ProgramSweep program(file_, alone, engine_, env_, context_);
      FXS_CHECK(program.begin({{lines_[i].to, lines_[i].options}}));
      FXS_TRY(std::vector<Line> lines, program.finish());
      std::move(lines.begin(), lines.end(), std::back_inserter(out));
    }
    return out;
  }

  /// Gives the program up if `work` throws, or exceeds its budget.
  template <class Work>
  Result<> guarded(Work work) {
    try {
      return work();
    } catch (...) {
      Error error = abandoned(file_.name).value();
      if (endsAll(error)) return tl::unexpected<Error>(std::move(error));
      imported_.assign(lines_.size(), nullptr);
      for (Line& line : lines_) abandon(line, error);
      return {};
    }
  }

  Result<> outcomes() {
    diagnose::DiagnoseOptions diagnosis;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (imported_[i]) FXS_CHECK(lower(i, diagnosis));
    if (diagnosis.targets.empty()) return {};
    return explain(std::move(diagnosis));
  }

  /// Imports the program; if it fails, the lines say why.
  Result<> read() {
    // Looked at first, because a pipe would never end.
    const auto bytes = openFile(file_.path);
    auto checksum = bytes ? sha256OfFile(file_.path)
                          : Result<std::string>(tl::unexpected<Error>(bytes.error()));
    if (!checksum) return unread(checksum.error());
    common_.sha256 = *std::move(checksum);
    session::Request request = options_.base;
    request.file = file_.path;
    request.askEngine = true;
    request.lower.target = options_.targets.front();
    request.lower.parsesRaw = false;
    auto fresh = std::make_shared<session::Snapshot>(*start(std::move(request)));
    fresh->engine = engine_;
    const auto capture = session::advance(fresh, session::Phase::Read, env_, context_);
    if (!capture) return unread(capture.error());
    common_.nodes = (*capture)->capture->program->nodes.size();
    std::vector<session::SnapshotPtr> known;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const auto imported =
          session::importedFor(options_.targets[i], *capture, known, env_, context_);
      if (!imported) {
        FXS_CHECK(stopped(lines_[i], Status::Abandoned, "import", imported.error()));
        continue;
      }
      imported_[i] = *imported;
      known.push_back(*imported);
    }
    return {};
  }

  /// It begins with the stages that another type has for the same program.
  std::shared_ptr<const lower::Lowering> begunFor(std::size_t i) const {
    if (lowered_[i]) return lowered_[i];
    for (std::size_t before = i; before-- > 0;)
      if (lowered_[before] && imported_[before] &&
          imported_[before]->imported == imported_[i]->imported)
        return lowered_[before];
    return nullptr;
  }

  Result<> lower(std::size_t i, diagnose::DiagnoseOptions& diagnosis) {
    Line& line = lines_[i];
    const auto begin = Clock::now();
    auto begun = std::make_shared<session::Snapshot>(*imported_[i]);
    begun->otherLowering = begunFor(i);
    const auto lowered = session::advance(std::move(begun), session::Phase::Lower, env_, context_);
    line.seconds.lower = since(begin) + secondsTogether_;
    if (context_.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
    if (!lowered) {
      abandon(line, lowered.error());
      // Such as a module that an output type cannot start from.
      if (lowered.error().code == ErrorCode::Usage) line.status = Status::Failed;
      return isFatal(lowered.error()) ? Result<>(tl::unexpected<Error>(lowered.error()))
                                      : Result<>();
    }
    const session::Snapshot& s = **lowered;
    lowered_[i] = s.lowering;
    const std::vector<fx::Finding> findings = s.findings();
    const auto error = std::find_if(findings.begin(), findings.end(), [](const fx::Finding& f) {
      return f.severity == fx::Severity::Error;
    });
    if (s.lowersRight()) {
      diagnosis.lowersTo.push_back(options_.targets[i]);
      return {};
    }
    FXS_CHECK(engineIsThere());
    line.status = statusOf(*s.lowering, s.keepsContract());
    for (const lower::StageResult& stage : s.lowering->stages)
      if (line.stage.empty() && stage.status != lower::StageStatus::Ok) line.stage = stage.id;
    if (error != findings.end()) {
      if (line.stage.empty()) line.stage = error->stage;
      line.message = error->message;
    }
    if (line.status == Status::Abandoned) return {};
    diagnosis.targets.push_back(options_.targets[i]);
    diagnosis.lowerings.push_back(s.lowering);
    return {};
  }

  Result<> explain(diagnose::DiagnoseOptions diagnosis) {
    const auto begin = Clock::now();
    std::copy_if(imported_.begin(), imported_.end(), std::back_inserter(diagnosis.imported),
                 [](const session::SnapshotPtr& each) { return each != nullptr; });
    diagnosis.experiments = options_.experiments;
    diagnosis.budget = kBudgetOfSwept;
    diagnosis.beyondTorchMlir = diagnosis.otherTypes = false;
    diagnosis.sharesBudget = true;
    const auto found = diagnose::diagnose(diagnosis.imported.front(), diagnosis, env_, context_);
    common_.seconds.diagnose = since(begin);
    if (context_.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
    FXS_CHECK(engineIsThere());
    if (!found && endsAll(found.error())) return tl::unexpected<Error>(found.error());
    // The outcome stands without its reasons.
    if (!found) return {};
    for (const diagnose::TargetDiagnosis& target : (*found)->targets) {
      const auto at = std::find(options_.targets.begin(), options_.targets.end(), target.target);
      if (at == options_.targets.end()) continue;  // raw of a module that another tool read
      Line& line = lines_[static_cast<std::size_t>(at - options_.targets.begin())];
      line.blockers = blockersOf(**found, target.target);
      line.complete = target.restLowers;
      line.fixedLowers = target.fixedLowers;
    }
    return {};
  }

  std::vector<SourceLine> linesOf(const diagnose::Blocked& entry) const {
    const fx::Program& program = *anyImported().capture->program;
    std::set<SourceLine> out;
    for (const fx::NodeId id : entry.nodes) {
      if (!id.valid()) continue;
      const std::vector<fx::StackFrame> stack = fx::stackOf(program, program.node(id));
      const fx::StackFrame* frame = fx::projectFrame(stack, options_.directory);
      if (frame != nullptr && frame->line > 0)
        out.insert({*fx::projectFile(frame->file, options_.directory), frame->line});
      if (out.size() == kLinesOfBlocker) break;
    }
    return {out.begin(), out.end()};
  }
  const session::Snapshot& anyImported() const {
    return **std::find_if(imported_.begin(), imported_.end(),
                          [](const session::SnapshotPtr& each) { return each != nullptr; });
  }

  std::vector<Blocker> blockersOf(const diagnose::Diagnosis& diagnosis,
                                  const lower::OutputType& target) const {
    std::vector<Blocker> out;
    for (const diagnose::Blocked* entry : diagnosis.of(target)) {
      if (!diagnose::stops(*entry)) continue;
      Blocker blocker{entry->fxTarget.empty() ? entry->op : entry->fxTarget,
                      std::string(diagnose::name(entry->kind)), entry->nodes.size(), 1,
                      std::nullopt};
      if (blocker.fxTarget.empty()) blocker.fxTarget = "unknown operation";
      if (const diagnose::Experiment* best = diagnose::bestOf(*entry))
        blocker.fix =
            Fix{best->id, best->change, std::string(diagnose::name(diagnose::verifiedBy(*best)))};
      blocker.lines = linesOf(*entry);
      const auto same = std::find_if(out.begin(), out.end(), [&](const Blocker& other) {
        return std::tie(other.fxTarget, other.kind, other.fix) ==
               std::tie(blocker.fxTarget, blocker.kind, blocker.fix);
      });
      if (same == out.end()) {
        out.push_back(std::move(blocker));
        continue;
      }
      same->nodes += blocker.nodes;
      ++same->operations;
      for (SourceLine& line : blocker.lines)
        if (same->lines.size() < kLinesOfBlocker &&
            std::find(same->lines.begin(), same->lines.end(), line) == same->lines.end())
          same->lines.push_back(std::move(line));
      std::sort(same->lines.begin(), same->lines.end());
    }
    std::stable_sort(out.begin(), out.end(), [](const Blocker& a, const Blocker& b) {
      return std::tie(a.fxTarget, a.kind) < std::tie(b.fxTarget, b.kind);
    });
    return out;
  }

  Result<> unread(const Error& error) {
    for (Line& line : lines_) FXS_CHECK(stopped(line, Status::Unreadable, "read", error));
    return {};
  }
  /// The line says why; the error, if it ends the sweep.
  Result<> stopped(Line& line, Status status, std::string_view stage, const Error& error) const {
    line.status = status;
    line.stage = stage;
    line.message = error.message;
    return isFatal(error) ? Result<>(tl::unexpected<Error>(error)) : Result<>();
  }
  static void abandon(Line& line, const Error& error) {
    line.status = Status::Abandoned;
    line.stage = "lower";
    line.message = error.message;
  }

  Result<> engineIsThere() const {
    if (!engine_.file || isStill(engine_.path, *engine_.file, engine_.sha256)) return {};
    return fail(ErrorCode::EngineFailed,
                engine_.path + ": is gone, or is another file than when the sweep began");
  }
  /// Whether an error ends the sweep.
  bool isFatal(const Error& error) const {
    return endsAll(error) || context_.stop.stop_requested() || !engineIsThere();
  }

  std::vector<Line> completed() {
    const std::uint64_t peak = std::max({peak_, peakMemory(), runner_.peak()});
    for (Line& line : lines_) complete(line, peak);
    return std::move(lines_);
  }
  void complete(Line& line, std::uint64_t peak) const {
    const double lowering = line.seconds.lower;
    Line complete = common_;
    complete.to = line.to;
    complete.options = std::move(line.options);
    complete.status = line.status;
    complete.stage = line.stage;
    complete.message = relative(line.message);
    complete.blockers = std::move(line.blockers);
    complete.complete = line.complete;
    complete.fixedLowers = line.fixedLowers;
    complete.seconds.lower = lowering;
    complete.peakMemory = peak;
    line = std::move(complete);
  }
  /// Names the program as the sweep does, so that lines do not depend on the folder; at most
  /// kMessageBytes.
  std::string relative(std::string message) const {
    for (std::size_t at = 0; (at = message.find(file_.path, at)) != std::string::npos;
         at += file_.name.size())
      message.replace(at, file_.path.size(), file_.name);
    if (message.size() <= kMessageBytes) return message;
    return std::string(utf8Prefix(message, kMessageBytes)) + " ..";
  }

  const ProgramFile& file_;
  const SweepOptions& options_;
  const lower::Engine& engine_;
  session::Environment env_;
  RunContext context_;
  MeasuringRunner runner_;
  std::vector<session::SnapshotPtr> imported_;  ///< by output type
  std::vector<std::shared_ptr<const lower::Lowering>>
      lowered_;  ///< by output type, as far as it is
  double secondsTogether_ = 0;
  std::uint64_t peak_ = 0;
  Line common_;  ///< what the lines of the program have in common
  std::vector<Line> lines_;
};

/// Lowers small programs in a few engine processes. What cannot be lowered so is left to
/// ProgramSweep::finish().
Result<> lowerTogether(std::span<const std::unique_ptr<ProgramSweep>> programs,
                       const SweepOptions& options, const lower::Engine& engine,
                       const session::Environment& env, const RunContext& context) {
  std::vector<lower::ModuleFor> modules;
  std::vector<std::pair<ProgramSweep*, std::vector<std::size_t>>>
      whose;  // the types of a program that are lowered from a module
  std::size_t small = 0, lowerings = 0;
  const session::Request* request = nullptr;
  for (const auto& program : programs) {
    const std::vector<session::SnapshotPtr>& imported = program->imported();
    if (const std::size_t bytes = program->textBytes(); bytes == 0 || bytes >= kTextTogether)
      continue;
    if (program->isModule()) continue;  // whose stages depend on its dialects
    ++small;
    std::map<const import::Imported*, std::size_t> moduleOf;
    for (std::size_t t = 0; t < imported.size(); ++t) {
      if (!imported[t]) continue;
      const auto [at, isNew] = moduleOf.emplace(imported[t]->imported.get(), modules.size());
      if (isNew) {
        modules.push_back({imported[t]->imported->text, {}});
        whose.emplace_back(program.get(), std::vector<std::size_t>{});
      }
      modules[at->second].targets.push_back(options.targets[t]);
      whose[at->second].second.push_back(t);
      request = &imported[t]->request;
      ++lowerings;
    }
  }
  if (small < 2) return {};
  const auto begin = Clock::now();
  MeasuringRunner runner(*env.runner);
  RunContext own = context;
  own.budget = std::make_shared<const Budget>(context.budget->limits());
  auto lowered = lower::lowerTogether(modules, engine, request->lower, runner, own);
  if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
  if (!lowered) return {};  // each program says why
  const double each = since(begin) / static_cast<double>(lowerings);
  for (std::size_t i = 0; i < modules.size(); ++i)
    for (std::size_t t = 0; t < modules[i].targets.size(); ++t)
      whose[i].first->startFrom(whose[i].second[t], std::move((*lowered)[i][t]), each,
                                runner.peak());
  return {};
}

/// What the lines of an output type depend on.
Result<std::string> optionsText(const SweepOptions& options, const lower::OutputType& target,
                                const BudgetLimits& limits) {
  const session::Request& r = options.base;
  constexpr std::array<std::string_view, 3> kModes{"lowering", "frozen", "program"};
  std::string out = options.experiments ? "experiments" : "no-experiments";
  out += fmt::format(" mode={} timeout={}ms memory={}",
                     kModes[static_cast<std::size_t>(r.import.mode)],
                     r.lower.limits.timeout.count(), r.lower.limits.memory);
  const auto add = [&](bool given, const std::string& text) { out += given ? " " + text : ""; };
  add(r.parity || r.import.asTorchMlir, "as=torch-mlir");
  add(r.import.embedWeights, "weights");
  add(r.import.symbolicShapes, "symbolic-shapes");
  add(r.import.functionName != "main", "func-name=" + r.import.functionName);
  add(!r.lower.allowNonFinites, "no-non-finites");
  add(!r.read.model.empty(), "model=" + r.read.model);
  add(!r.rewrite.decompose.empty(), "decompose=" + joined(r.rewrite.decompose, ","));
  add(!r.lower.backendLegalOps.empty(),
      "backend-legal-ops=" + joined(r.lower.backendLegalOps, ","));
  if (!r.lower.extraLibrary.empty()) {
    FXS_TRY(const std::string checksum, sha256OfFile(r.lower.extraLibrary));
    out += " extra-library=" + checksum;
  }
  for (const lower::Parameter& each : target->stage.parameters)
    add(each.isSet(), each.name + "=" + each.value);
  if (const std::string own = lower::userDefinitionsFor(target); !own.empty())
    out += fmt::format(" {}={}", lower::name(target), sha256(own));
  for (std::size_t i = 0; i < kResources; ++i) {
    const auto resource = static_cast<Resource>(i);
    if (limits[resource] != BudgetLimits{}[resource])
      out += fmt::format(" {}={}", name(resource), limits[resource]);
  }
  return out;
}

}  // namespace

Result<OptionTexts> sweepOptionTexts(const SweepOptions& options, const BudgetLimits& limits) {
  OptionTexts out;
  for (const lower::OutputType& target : options.targets) {
    FXS_TRY(out[std::string(lower::name(target))], optionsText(options, target, limits));
  }
  return out;
}

Result<> sweepPrograms(
    std::span<const ProgramFile> files, const SweepOptions& options, const OptionTexts& described,
    const lower::Engine& engine, const session::Environment& env, const RunContext& context,
    const std::function<Result<>(const ProgramFile&, const std::vector<Line>&)>& onProgram) {
  for (const lower::OutputType& target : options.targets) {
    lower::LowerOptions chosen = options.base.lower;
    chosen.target = target;
    FXS_CHECK(lower::checkOutputType(chosen, engine, *env.runner, context));
  }
  for (std::size_t next = 0; next < files.size();) {
    std::vector<std::unique_ptr<ProgramSweep>> programs;
    for (std::size_t text = 0;
         next < files.size() && programs.size() < kTogether && text < kTextTogether; ++next) {
      ProgramSweep& program = *programs.emplace_back(
          std::make_unique<ProgramSweep>(files[next], options, engine, env, context));
      FXS_CHECK(program.begin(described));
      text += program.textBytes();
    }
    FXS_CHECK(lowerTogether(programs, options, engine, env, context));
    for (std::unique_ptr<ProgramSweep>& program : programs) {
      FXS_TRY(const std::vector<Line> lines, program->finish());
      FXS_CHECK(onProgram(program->file(), lines));
      program.reset();
    }
  }
  return {};
}

}  // namespace fxs::sweep
