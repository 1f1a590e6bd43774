// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/diagnose.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/joined.h"
#include "base/work_time.h"
#include "diagnose/beyond_torch_mlir.h"
#include "diagnose/confirm.h"
#include "diagnose/diagnosed_type.h"
#include "diagnose/experiments.h"
#include "diagnose/explain_patterns.h"
#include "diagnose/lost_types.h"
#include "diagnose/python_decompositions.h"
#include "diagnose/run_time_sizes.h"
#include "diagnose/survey.h"
#include "diagnose/wrong_results.h"
#include "lower/pipeline_check.h"
#include "module/source_module.h"
#include "session/importing.h"

namespace fxs::diagnose {
namespace {

Subject subjectOf(const session::Snapshot& s, const session::Environment& env,
                  const RunContext& context) {
  Subject subject;
  subject.program = s.request.parity ? s.capture->program : s.rewritten->program;
  subject.user = s.capture->program.get();
  if (s.rewritten) subject.rewriteFindings = s.rewritten->findings;
  subject.import = session::importOptionsOf(s, context);
  subject.lower = s.request.lower;
  subject.engine = *s.engine;
  subject.runner = env.runner;
  if (s.capture->module)
    subject.module = std::make_shared<const module::ModuleParts>(s.imported->text, *subject.user);
  return subject;
}

/// One line each: the model was exported in training mode; updates that this way of lowering leaves
/// out.
std::vector<std::string> exportNotes(const Subject& subject) {
  std::set<std::string> training, left;
  for (const fx::Node& node : subject.user->nodes)
    for (const char* name : {"train", "training"})
      if (const fx::NodeArgument* argument = node.find(name);
          argument != nullptr && argument->value == fx::Argument(true))
        training.insert(node.target);
  if (subject.import.mode == import::Mode::Program)
    for (const fx::OutputSpec& spec : subject.program->outputs)
      if (spec.kind == fx::OutputKind::BufferMutation ||
          spec.kind == fx::OutputKind::ParameterMutation)
        left.insert(spec.target);
  std::vector<std::string> out;
  if (!training.empty())
    out.push_back("the model was exported in training mode (" + joined(training) +
                  "); for inference, call model.eval() before the export");
  if (!left.empty())
    out.push_back("program mode leaves out the new value of " + joined(left) +
                  "; with --mode lowering it is returned, before the other results");
  return out;
}

std::vector<SupportRow> supportOf(const fx::Program& user,
                                  const std::vector<DiagnosedType>& types) {
  std::map<std::string, std::vector<SupportRow::Cell>> rows;
  for (std::size_t t = 0; t < types.size(); ++t) {
    std::set<fx::NodeId> blocked, wrong;
    for (const BlockedEntry& entry : types[t].entries) {
      auto& nodes = entry.blocked.kind == Kind::WrongResult ? wrong : blocked;
      nodes.insert(entry.blocked.nodes.begin(), entry.blocked.nodes.end());
    }
    for (const fx::Node& node : user.nodes) {
      if (node.op != fx::NodeOp::CallFunction || node.target == fx::kGetitem) continue;
      std::vector<SupportRow::Cell>& cells = rows[node.target];
      cells.resize(types.size());
      ++cells[t].count;
      cells[t].blocked += blocked.contains(node.id);
      cells[t].wrong += wrong.contains(node.id);
      if (types[t].unanswered.contains(node.id)) cells[t].known = false;
    }
  }
  std::vector<SupportRow> out;
  for (auto& [target, cells] : rows) out.push_back({target, std::move(cells)});
  return out;
}

/// The program as it was read, to be imported for one output type.
session::SnapshotPtr freshFor(const lower::OutputType& target, const session::Snapshot& s) {
  auto out = std::make_shared<session::Snapshot>();
  out->request = s.request;
  out->request.lower.target = target;
  out->capture = s.capture;
  out->engine = s.engine;
  return out;
}

class Diagnoser {
 public:
  Diagnoser(const DiagnoseOptions& options, const session::Environment& env,
            const RunContext& context)
      : options_(options), work_(*env.runner), env_(env), context_(context) {
    env_.runner = &work_;
  }

  Result<DiagnosisPtr> run(const session::SnapshotPtr& snapshot) {
    FXS_CHECK(start(snapshot));
    FXS_CHECK(survey());
    FXS_CHECK(confirm());
    if (!options_.fixesOnly && options_.beyondTorchMlir) {
      std::vector<session::SnapshotPtr> byTarget;
      for (const DiagnosedType& type : types_) byTarget.push_back(type.snapshot);
      FXS_TRY(out_.beyond, beyondTorchMlir(byTarget, env_, context_));
      if (out_.beyond)
        for (std::string& sentence : sentences(*out_.beyond))
          out_.notes.push_back(std::move(sentence));
    }
    if (const auto done = explainAndFix(); !done) {
      if (done.error().code != ErrorCode::Cancelled) return tl::unexpected<Error>(done.error());
      out_.complete = false;
      out_.notes.emplace_back("cancelled: experiments that were not run are marked as such");
    }
    return published();
  }

 private:
  Result<> start(const session::SnapshotPtr& snapshot) {
    std::vector<session::SnapshotPtr> known = options_.imported;
    known.push_back(snapshot);
    for (const lower::OutputType& target : options_.targets) {
      FXS_TRY(session::SnapshotPtr each,
              session::importedFor(target, snapshot, known, env_, context_));
      if (each->capture->module) {
        FXS_TRY(each, startingFromModule(*each));
      }
      known.push_back(each);
      DiagnosedType& type = types_.emplace_back(
          DiagnosedType{each, nullptr, subjectOf(*each, env_, context_), {}, {}});
      const DiagnosedType* same = sameProgram(types_.size() - 1);
      if (same == nullptr) {
        std::set<std::string, std::less<>> registered;
        if (!type.subject.module) {
          FXS_TRY(registered,
                  session::registeredOpsFor(*type.subject.program, *each->engine, env_, context_));
        }
        type.registered =
            std::make_shared<const std::set<std::string, std::less<>>>(std::move(registered));
      } else {
        type.registered = same->registered;
      }
      type.subject.import.registeredOps = type.registered.get();
    }
    out_.engine = *snapshot->engine;
    out_.python = options_.withoutPython;
    out_.notes = exportNotes(types_.front().subject);
    // The symbols of a Helion kernel are block sizes.
    if (!snapshot->capture->kernel) sizes_ = RunTimeSizes(*types_.front().subject.user, context_);
    out_.sizeSources = sizes_.sources();
    if (std::string note = lower::otherEngineNote(*snapshot->engine); !note.empty())
      out_.notes.push_back(std::move(note));
    return {};
  }
  /// The output type as the module reaches it.
  Result<session::SnapshotPtr> startingFromModule(const session::Snapshot& s) const {
    auto out = std::make_shared<session::Snapshot>(s);
    FXS_TRY(out->request.lower.target,
            module::startingFrom(*s.capture->module, s.request.lower.target, env_.outputTypes));
    return session::SnapshotPtr(std::move(out));
  }

  /// The first of the types before `t` with the same import; null if there is none.
  const DiagnosedType* sameProgram(std::size_t t) const {
    for (std::size_t before = 0; before < t; ++before)
      if (types_[before].snapshot->imported == types_[t].snapshot->imported) return &types_[before];
    return nullptr;
  }

  /// Types with the same import are surveyed together.
  Result<> survey() {
    context_.report({"surveying operations", 0});
    for (std::size_t t = 0; t < types_.size(); ++t) {
      if (sameProgram(t) != nullptr) continue;
      std::vector<DiagnosedType*> same;
      std::vector<lower::OutputType> targets;
      for (DiagnosedType& type : types_)
        if (type.snapshot->imported == types_[t].snapshot->imported) {
          same.push_back(&type);
          targets.push_back(type.target());
        }
      FXS_TRY(Survey survey, diagnose::survey(types_[t].subject, targets, context_));
      out_.distinct += survey.distinct;
      out_.notes.insert(out_.notes.end(), survey.notes.begin(), survey.notes.end());
      for (std::size_t i = 0; i < same.size(); ++i)
        same[i]->unanswered = std::move(survey.unanswered[i]);
      for (BlockedEntry& entry : survey.entries) {
        const auto at =
            std::find(targets.begin(), targets.end(), entry.blocked.target) - targets.begin();
        same[static_cast<std::size_t>(at)]->entries.push_back(std::move(entry));
      }
    }
    for (DiagnosedType& type : types_)
      FXS_CHECK(
          findSizeDependence(type.subject, sizes_, baseOf(*type.snapshot), type.entries, context_));
    return {};
  }

  /// Against the whole program.
  Result<> confirm() {
    for (DiagnosedType& type : types_) {
      const session::Snapshot& s = *type.snapshot;
      const auto begin = std::chrono::steady_clock::now();
      const lower::Lowering* full =
          s.lowering && s.lowering->target == type.target() ? s.lowering.get() : nullptr;
      for (const auto& lowering : options_.lowerings)
        if (lowering->target == type.target()) full = lowering.get();
      FXS_TRY(TargetDiagnosis confirmed,
              diagnose::confirm(type.subject, type.target(), *s.imported, full, type.entries,
                                out_.notes, context_));
      confirmed.seconds = std::chrono::steady_clock::now() - begin;
      findSizeDependenceOfWhole(sizes_, type.entries);
      out_.targets.push_back(std::move(confirmed));
      publish();
    }
    return {};
  }

  /// Cancelled after a stop request: what was found so far is valid.
  Result<> explainAndFix() {
    for (DiagnosedType& type : types_) {
      FXS_CHECK(findLostTypes(type.subject, type.entries, context_));
      const TimeLimit budget(budgetOf(*type.snapshot) / 4, work_);
      FXS_CHECK(explainPatterns(type.subject, type.entries, budget, out_.notes, context_));
    }
    if (options_.experiments) {
      FXS_CHECK(lowerToOtherTypes());
      for (std::size_t t = 0; t < types_.size(); ++t)
        FXS_CHECK(experiment(types_[t], out_.targets[t]));
    }
    if (options_.experiments && options_.python.empty()) {
      noteUntriedDecompositions(types_);
    } else if (options_.experiments) {
      FXS_TRY(out_.python, tryPythonDecompositions(options_.python, types_, env_, context_));
    }
    if (!options_.numbers) return {};
    return diagnoseResults(types_.front().snapshot, *options_.numbers, options_, types_, out_, env_,
                           context_);
  }

  RewriteBase baseOf(const session::Snapshot& s) const {
    return {s.capture->program, session::rewriteOptionsOf(s.request), s.request.parity,
            options_.applied};
  }

  Result<> experiment(DiagnosedType& type, TargetDiagnosis& target) {
    const session::Snapshot& s = *type.snapshot;
    ExperimentOptions experiments;
    experiments.budget = TimeLimit(budgetOf(s), work_);
    experiments.base = baseOf(s);
    experiments.fixesOnly = options_.fixesOnly;
    experiments.onFixes = options_.onFixes;
    experiments.file = s.request.file;
    for (const lower::OutputType& other : env_.outputTypes.backends())
      if (other != type.target())
        experiments.elsewhere.push_back(
            {other, session::rewriteOptionsOf(s.request, other), lowersTo(other)});
    experiments.cacheDir = env_.cacheDir;
    experiments.onPart = [this] { publish(); };
    if (options_.numbers && s.rewritten)
      experiments.computed = [&](const fx::ProgramPtr& changed, const std::set<std::string>& legal,
                                 const lower::OutputType& to) {
        return computedByChanged(s, type.subject, changed, legal, to, *options_.numbers, env_,
                                 context_);
      };
    bool stopped = false;
    FXS_CHECK(
        diagnose::experiment(type.subject, type.entries, target, experiments, stopped, context_));
    return stopped ? Result<>(tl::unexpected<Error>(cancelled())) : Result<>();
  }
  /// Where sizes that are known only at run time block it, for what else it may be lowered to.
  Result<> lowerToOtherTypes() {
    const bool isForSizes =
        std::any_of(types_.begin(), types_.end(), [](const DiagnosedType& type) {
          return std::any_of(type.entries.begin(), type.entries.end(),
                             [](const BlockedEntry& entry) {
                               return stops(entry.blocked) && failsForSizes(entry.blocked);
                             });
        });
    if (!isForSizes || options_.fixesOnly || !options_.otherTypes) return {};
    for (const lower::OutputType& other : env_.outputTypes.backends()) {
      const bool isAsked = std::find(options_.targets.begin(), options_.targets.end(), other) !=
                           options_.targets.end();
      if (isAsked) continue;
      if (context_.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
      context_.report({"lowering to " + std::string(lower::name(other)) + " instead", -1});
      FXS_TRY(OtherType outcome, outcomeFor(other));
      out_.otherTypes.push_back(std::move(outcome));
      publish();
    }
    return {};
  }
  /// Surveyed and lowered, without experiments.
  Result<OtherType> outcomeFor(const lower::OutputType& other) {
    DiagnoseOptions survey;
    survey.targets = {other};
    survey.experiments = survey.beyondTorchMlir = false;
    survey.applied = options_.applied;
    survey.lowerings = options_.lowerings;
    survey.imported = options_.imported;
    // To exceed a limit here costs this answer only.
    RunContext own = context_;
    own.budget = std::make_shared<const Budget>(*context_.budget, context_.budget->mark());
    const session::SnapshotPtr fresh = freshFor(other, *types_.front().snapshot);
    const auto done =
        guarded(fresh->request.file, [&] { return Diagnoser(survey, env_, own).run(fresh); });
    if (!done && (context_.stop.stop_requested() || endsAll(done.error())))
      return tl::unexpected<Error>(done.error());
    if (!done) return OtherType{other, std::nullopt, {}, 0};
    return outcomeOf(**done, (*done)->targets.front());
  }
  std::optional<bool> lowersTo(const lower::OutputType& other) const {
    if (std::find(options_.lowersTo.begin(), options_.lowersTo.end(), other) !=
        options_.lowersTo.end())
      return true;
    for (const TargetDiagnosis& known : out_.targets)
      if (known.target == other && known.isKnown) return known.lowers;
    return std::nullopt;
  }
  /// What the user allows for one run is allowed for all that explain it.
  std::chrono::milliseconds budgetOf(const session::Snapshot& s) const {
    return lower::grownWith(s.request.lower.limits.timeout, options_.budget);
  }

  DiagnosisPtr published() {
    out_.blocked.clear();
    for (const DiagnosedType& type : types_)
      for (const BlockedEntry& entry : type.entries) {
        Blocked& blocked = out_.blocked.emplace_back(entry.blocked);
        if (const KnownFault* known =
                options_.known.find(blocked.stage, blocked.op, blocked.fxTarget))
          blocked.message +=
              "; known: " + known->issue + (known->wayOut.empty() ? "" : ", " + known->wayOut);
      }
    out_.support = supportOf(*types_.front().subject.user, types_);
    return std::make_shared<const Diagnosis>(out_);
  }
  void publish() {
    if (options_.onPart) options_.onPart(published());
  }

  const DiagnoseOptions& options_;
  WorkTime work_;
  session::Environment env_;  // runs programs by `work_`
  const RunContext& context_;
  std::vector<DiagnosedType> types_;  // as DiagnoseOptions::targets
  RunTimeSizes sizes_;
  Diagnosis out_;
};

/// Diagnoses of one output type each, as one.
class OneByOne {
 public:
  OneByOne(const DiagnoseOptions& options, const session::Environment& env)
      : options_(options), env_(env) {}

  /// With a budget that goes on from `mark`.
  Result<DiagnosisPtr> run(const session::SnapshotPtr& snapshot, const Budget::Mark& mark,
                           const RunContext& context) {
    std::optional<Error> first;
    for (const lower::OutputType& target : options_.targets) {
      RunContext own = context;
      own.budget = std::make_shared<const Budget>(*context.budget, mark);
      const Result<DiagnosisPtr> done = diagnosed(target, snapshot, own);
      if (!done && (endsAll(done.error()) || !own.budget->wasExceeded()))
        return tl::unexpected<Error>(done.error());
      if (!done && !first) first = done.error();
      if (done) take(**done);
      else takeUnknown(target, done.error());
    }
    if (first && std::all_of(out_.targets.begin(), out_.targets.end(),
                             [](const auto& t) { return t.exceedsBudget(); }))
      return tl::unexpected<Error>(*first);
    addSupport();
    return std::make_shared<const Diagnosis>(std::move(out_));
  }

 private:
  Result<DiagnosisPtr> diagnosed(const lower::OutputType& target,
                                 const session::SnapshotPtr& snapshot,
                                 const RunContext& context) const {
    return guarded(snapshot->request.file, [&] {
      DiagnoseOptions alone = options_;
      alone.targets = {target};
      alone.imported.clear();
      alone.otherTypes = false;
      alone.onPart = {};  // a part of one is no part of all
      return Diagnoser(alone, env_, context).run(freshFor(target, *snapshot));
    });
  }

  void take(const Diagnosis& one) {
    if (out_.targets.empty() || out_.engine.path.empty()) out_.engine = one.engine;
    if (!one.python.empty()) out_.python = one.python;
    out_.sizeSources = one.sizeSources;
    out_.targets.push_back(one.targets.front());
    out_.blocked.insert(out_.blocked.end(), one.blocked.begin(), one.blocked.end());
    for (const std::string& note : one.notes)
      if (std::find(out_.notes.begin(), out_.notes.end(), note) == out_.notes.end())
        out_.notes.push_back(note);
    if (one.beyond) {
      if (!out_.beyond) out_.beyond.emplace();
      out_.beyond->outcomes.insert(out_.beyond->outcomes.end(), one.beyond->outcomes.begin(),
                                   one.beyond->outcomes.end());
    }
    out_.distinct = std::max(out_.distinct, one.distinct);
    out_.complete = out_.complete && one.complete;
    for (const SupportRow& row : one.support)
      cells_[row.fxTarget][out_.targets.size() - 1] = row.cells.front();
  }
  void takeUnknown(const lower::OutputType& target, const Error& reason) {
    TargetDiagnosis& unknown = out_.targets.emplace_back();
    unknown.target = target;
    unknown.isKnown = false;
    unknown.restMessage = reason.message;
  }
  void addSupport() {
    for (auto& [fxTarget, known] : cells_) {
      SupportRow& row = out_.support.emplace_back();
      row.fxTarget = fxTarget;
      for (std::size_t t = 0; t < out_.targets.size(); ++t) {
        const auto cell = known.find(t);
        row.cells.push_back(cell == known.end()
                                ? SupportRow::Cell{known.begin()->second.count, 0, false}
                                : cell->second);
      }
    }
  }

  const DiagnoseOptions& options_;
  const session::Environment& env_;
  Diagnosis out_;
  std::map<std::string, std::map<std::size_t, SupportRow::Cell>>
      cells_;  // by operator and output type
};

/// Types that exceed no limit of the budget together exceed none by themselves.
Result<DiagnosisPtr> withOwnBudgets(const session::SnapshotPtr& snapshot,
                                    const DiagnoseOptions& options, const session::Environment& env,
                                    const RunContext& context) {
  const Budget::Mark mark = context.budget->mark();
  RunContext together = context;
  together.budget = std::make_shared<const Budget>(*context.budget, mark);
  auto all = guarded(snapshot->request.file,
                     [&] { return Diagnoser(options, env, together).run(snapshot); });
  if (!together.budget->wasExceeded() || context.stop.stop_requested()) return all;
  return OneByOne(options, env).run(snapshot, mark, context);
}

}  // namespace

Result<DiagnosisPtr> diagnose(const session::SnapshotPtr& snapshot, const DiagnoseOptions& options,
                              const session::Environment& env, const RunContext& context) {
  return guarded(snapshot->request.file, [&]() -> Result<DiagnosisPtr> {
    const session::Snapshot& s = *snapshot;
    if (!s.capture || env.runner == nullptr || (s.imported && !s.engine))
      return fail(ErrorCode::Usage,
                  "a diagnosis requires a program that was imported with an engine");
    if (options.numbers) FXS_CHECK(session::requirePyTorchProgram(s, "diagnose --numbers"));
    if (s.capture->module && (options.experiments || options.beyondTorchMlir)) {
      DiagnoseOptions found = options;  // changes of programs are PyTorch's
      found.experiments = found.beyondTorchMlir = false;
      found.withoutPython.clear();
      return diagnose(snapshot, found, env, context);
    }
    if (options.targets.empty())
      return fail(ErrorCode::Usage, "a diagnosis requires at least one output type");
    auto asked = std::make_shared<session::Snapshot>(s);
    FXS_TRY(asked->engine, session::engineFor(s, env, context));
    for (const lower::OutputType& target : options.targets) {
      lower::LowerOptions chosen = s.request.lower;
      chosen.target = target;
      if (s.capture->module) {
        FXS_TRY(chosen.target, module::startingFrom(*s.capture->module, target, env.outputTypes));
      }
      FXS_CHECK(lower::checkOutputType(chosen, *asked->engine, *env.runner, context));
    }
    if (options.targets.size() > 1 && !options.sharesBudget)
      return withOwnBudgets(asked, options, env, context);
    return Diagnoser(options, env, context).run(asked);
  });
}

}  // namespace fxs::diagnose
