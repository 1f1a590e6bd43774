// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/experiments.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "base/safe_text.h"
#include "diagnose/confirm.h"
#include "diagnose/proofs.h"
#include "diagnose/python_changes.h"
#include "diagnose/trial_runner.h"
#include "fx/cut.h"

namespace fxs::diagnose {
namespace {

/// Number of forms of an entry that a change must pass on.
constexpr std::size_t kMaxForms = 3;

class Laboratory {
 public:
  Laboratory(const Subject& subject, std::vector<BlockedEntry>& entries, TargetDiagnosis& target,
             const ExperimentOptions& options, const RunContext& context)
      : subject_(subject),
        entries_(entries),
        target_(target),
        options_(options),
        context_(context),
        runner_(subject, entries, options, context) {}

  Result<> run() {
    FXS_CHECK(propose());
    FXS_CHECK(tryAlone(single_));
    publish();
    // Combine two changes only if no single one works.
    std::set<std::size_t> helped;
    for (const Trial& trial : single_)
      if (trial.experiment.outcome == Outcome::Passed) helped.insert(trial.entry);
    std::erase_if(double_, [&](const Trial& trial) { return helped.contains(trial.entry); });
    FXS_CHECK(tryAlone(double_));
    trials_ = std::move(single_);
    std::move(double_.begin(), double_.end(), std::back_inserter(trials_));
    single_.clear();
    double_.clear();
    publish();
    FXS_CHECK(tryOtherTargets());
    publish();
    FXS_CHECK(prove(runner_, trials_));
    publish();
    FXS_CHECK(applyTogether(runner_, trials_, target_));
    FXS_CHECK(writePython());
    publish();
    return {};
  }

  /// Writes the results so far to the entries: proved, passed, failed, not run.
  void publish() {
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      std::vector<Experiment>& out = entries_[e].blocked.experiments;
      out.clear();
      for (const std::vector<Trial>* trials : {&single_, &trials_, &elsewhere_})
        for (const Trial& trial : *trials)
          if (trial.entry == e) out.push_back(trial.experiment);
      std::stable_sort(out.begin(), out.end(),
                       [](const Experiment& a, const Experiment& b) { return rank(a) < rank(b); });
      const Kind kind = entries_[e].blocked.kind;
      const bool refused =
          kind == Kind::IllegalOp || kind == Kind::NoPattern || kind == Kind::PatternRefused;
      const bool castHelps = std::any_of(trials_.begin(), trials_.end(), [&](const Trial& t) {
        const Experiment& x = t.experiment;
        return t.entry == e && !t.vacuous && x.outcome == Outcome::Passed &&
               x.proof != Proof::Disproved && x.id.starts_with("cast-");
      });
      if (!refused || !castHelps) continue;
      Blocked& b = entries_[e].blocked;
      b.kind = Kind::NumericType;
      b.message = b.fxTarget + ": " + std::string(lower::name(b.target)) + " supports " + b.op +
                  ", but not with the element types of " + b.types;
    }
    if (options_.onPart) options_.onPart();
  }

 private:
  Result<> propose() {
    Proposals proposals;
    registerAllChanges(proposals);
    if (entries_.empty()) return {};
    const RewritePlan plan(options_.base, {});
    const bool isDecomposed = plan.runDecompositions, keepsSizes = plan.keptSizes.has_value();
    FXS_TRY(const std::optional<Change> byPyTorch, runDecompositions(options_.base, context_));
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      const BlockedEntry& entry = entries_[e];
      if (entry.forms.empty() || entry.blocked.kind == Kind::NotFunctional) continue;
      const BlockedCall call{subject_, entry.blocked,
                             subject_.program->node(entry.forms.front().operation.first),
                             options_.file, isDecomposed};
      std::vector<Change> changes = proposals.of(call);
      if (byPyTorch) changes.insert(changes.begin(), *byPyTorch);
      if (keepsSizes) std::erase_if(changes, [](const Change& c) { return c.staticSizes; });
      if (options_.fixesOnly)
        std::erase_if(changes,
                      [](const Change& c) { return !c.sameResult || !c.backendLegal.empty(); });
      for (const Change& change : changes) addTrial(e, {change});
      addPairs(e, changes);
    }
    return {};
  }
  /// Changes together with one that makes sizes numbers.
  void addPairs(std::size_t entry, const std::vector<Change>& changes) {
    for (const Change& first : changes) {
      if (!first.staticSizes && !first.upperBounds) continue;
      for (const Change& second : changes)
        if (!second.staticSizes && second.id != "constant-arguments" &&
            (!first.upperBounds || !second.upperBounds))
          addTrial(entry, {first, second});
    }
  }
  void addTrial(std::size_t entry, std::vector<Change> changes) {
    Trial& trial = (changes.size() > 1 ? double_ : single_).emplace_back();
    trial.entry = entry;
    Experiment& x = trial.experiment;
    for (const Change& c : changes) {
      x.id += (x.id.empty() ? "" : "+") + c.id;
      x.change += (x.change.empty() ? "" : ", then ") + c.change;
      if (!c.cost.empty()) x.cost += (x.cost.empty() ? "" : "; ") + c.cost;
      x.snippet = c.snippet;
      x.language = c.language;
    }
    x.message = "the time limit was reached";
    trial.changes = std::move(changes);
  }

  /// Trials whose changes do not overlap share one changed program; each checks its own nodes only.
  Result<> tryAlone(std::vector<Trial>& trials) {
    std::vector<std::vector<Trial*>> layers;
    using Kind = std::tuple<bool, bool, bool, std::optional<BoundedResults>>;
    std::map<std::tuple<lower::OutputType, Kind, std::size_t>, std::size_t> layerOf;
    std::map<std::tuple<std::size_t, Kind>, std::size_t> nth;
    for (Trial& trial : trials) {
      const Kind kind{trial.isStatic(), trial.isDecomposition(), trial.runsDecompositions(),
                      trial.upperBounds()};
      const std::size_t n = nth[{trial.entry, kind}]++;
      const auto [at, isNew] =
          layerOf.emplace(std::tuple(runner_.targetOf(trial.entry), kind, n), layers.size());
      if (isNew) layers.emplace_back();
      layers[at->second].push_back(&trial);
    }
    for (const std::vector<Trial*>& layer : layers) {
      FXS_CHECK(runner_.stopped());
      if (runner_.timeIsUp()) return {};
      FXS_CHECK(cutLayer(layer));
    }
    std::vector<Trial*> ready;
    for (Trial& trial : trials)
      if (trial.cut) ready.push_back(&trial);
    return runModules(ready);
  }

  Result<> cutLayer(const std::vector<Trial*>& layer) {
    std::vector<const Change*> changes;
    for (const Trial* trial : layer)
      for (const Change& change : trial->changes) changes.push_back(&change);
    const auto program = changedProgram(options_.base, changes, context_);
    if (!program) {
      if (endsAll(program.error())) return tl::unexpected<Error>(program.error());
      if (layer.size() > 1) {
        for (Trial* trial : layer) FXS_CHECK(cutLayer({trial}));
        return {};
      }
      layer.front()->experiment.message = program.error().message;
      return {};
    }
    for (Trial* trial : layer) FXS_CHECK(cutForms(*trial, *program));
    return {};
  }

  /// Cuts each form of the operation out of the changed program.
  Result<> cutForms(Trial& trial, const fx::ProgramPtr& program) {
    const std::set<fx::NodeId> outside = callsFrom(*program, runner_.othersOf(trial.entry));
    const BlockedEntry& entry = entries_[trial.entry];
    trial.cut = !entry.forms.empty();
    for (std::size_t f = 0; f < std::min(entry.forms.size(), kMaxForms); ++f) {
      const fx::NodeId own = subject_.userNode(entry.forms[f].operation.first);
      std::set<fx::NodeId> calls = callsFrom(*program, {own});
      // Scalars computed from sizes have become constants at their uses.
      if (trial.isStatic() || trial.upperBounds())
        std::erase_if(calls,
                      [&](fx::NodeId id) { return program->node(id).val.symbol() != nullptr; });
      // If no operation is left, nothing can fail.
      if (calls.empty()) continue;
      const auto module = [&]() -> Result<std::string> {
        FXS_TRY(const fx::ProgramPtr cut,
                fx::cutNodes(program, {calls.begin(), calls.end()}, outside));
        return runner_.moduleOf(*cut, changesOf(trial));
      }();
      if (!module) {
        if (endsAll(module.error())) return tl::unexpected<Error>(module.error());
        trial.experiment.message = module.error().message;
        trial.modules.clear();
        trial.cut = false;
        return {};
      }
      trial.modules.push_back(*module);
    }
    return {};
  }

  /// Runs the trials' modules, those with the same target and options together.
  Result<> runModules(const std::vector<Trial*>& trials) {
    std::map<std::pair<lower::OutputType, std::set<std::string>>, std::vector<Trial*>> groups;
    for (Trial* trial : trials)
      groups[{runner_.targetOf(trial->entry), trial->backendLegal()}].push_back(trial);
    for (const auto& [key, group] : groups) {
      FXS_CHECK(runner_.stopped());
      if (runner_.timeIsUp()) return {};
      context_.report({"trying fixes", -1});
      std::vector<std::string> modules;
      for (const Trial* trial : group)
        modules.insert(modules.end(), trial->modules.begin(), trial->modules.end());
      FXS_TRY(const auto outcomes,
              runner_.outcomesOf(modules, runner_.optionsFor(key.first, key.second)));
      std::size_t next = 0;
      for (Trial* trial : group) {
        trial->experiment.outcome = Outcome::Passed;
        trial->vacuous = trial->modules.empty();
        trial->experiment.message =
            trial->vacuous ? "its result is unused, so the changed operation is dead code" : "";
        for (std::size_t i = 0; i < trial->modules.size(); ++i, ++next)
          take(outcomes[next], trial->experiment);
      }
    }
    return {};
  }

  /// The outcome of one more of its modules: it passes if all lower, and fails if one is known not
  /// to.
  static void take(const TrialOutcome& outcome, Experiment& x) {
    if (outcome.lowers.value_or(false) || x.outcome == Outcome::Failed ||
        (x.outcome == Outcome::NotRun && !outcome.lowers))
      return;
    x.outcome = outcome.lowers ? Outcome::Failed : Outcome::NotRun;
    x.message = outcome.lowers ? outcome.message : "not known: " + outcome.message;
  }

  /// The blocked operations as another output type has them: rewritten for that one.
  Result<> tryOtherTargets() {
    for (const Elsewhere& other : options_.elsewhere) {
      FXS_CHECK(runner_.stopped());
      if (entries_.empty() || runner_.timeIsUp()) return {};
      const auto program = changedProgram(baseOf(other), {}, context_);
      if (!program) {
        if (endsAll(program.error())) return tl::unexpected<Error>(program.error());
        continue;
      }
      FXS_CHECK(tryOther(other, *program));
      FXS_CHECK(proveElsewhere(other, *program));
    }
    return {};
  }
  RewriteBase baseOf(const Elsewhere& other) const {
    RewriteBase base = options_.base;
    base.options = other.rewrite;
    return base;
  }
  Result<> tryOther(const Elsewhere& other, const fx::ProgramPtr& program) {
    std::vector<std::string> modules;
    std::vector<Experiment*> whose;
    const std::size_t begin = elsewhere_.size();
    elsewhere_.reserve(begin + entries_.size());
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      std::vector<std::string> own;
      std::string refused;
      for (std::size_t f = 0; f < std::min(entries_[e].forms.size(), kMaxForms); ++f) {
        const BlockedForm& form = entries_[e].forms[f];
        if (form.raw.empty()) continue;
        const std::set<fx::NodeId> calls =
            callsFrom(*program, {subject_.userNode(form.operation.first)});
        if (calls.empty()) continue;
        const auto module = [&]() -> Result<std::string> {
          FXS_TRY(const fx::ProgramPtr cut, fx::cutNodes(program, {calls.begin(), calls.end()}));
          return runner_.moduleOf(*cut, {});
        }();
        if (module) own.push_back(*module);
        else if (endsAll(module.error())) return tl::unexpected<Error>(module.error());
        else if (refused.empty()) refused = module.error().message;
      }
      if (own.empty() && refused.empty()) continue;
      Trial& trial = elsewhere_.emplace_back();
      trial.entry = e;
      Experiment& x = trial.experiment;
      x.id = idOf(other.target);
      x.change = "lower to " + std::string(lower::name(other.target)) + " instead";
      x.cost = "another output type";
      x.snippet = "fxscope-cli lower " + shellWord(options_.file) + " " +
                  lower::shellOptionsFor(other.target);
      x.language = "sh";
      x.outcome = refused.empty() ? Outcome::Passed : Outcome::Failed;
      x.message = std::move(refused);
      whose.resize(whose.size() + own.size(), &x);
      std::move(own.begin(), own.end(), std::back_inserter(modules));
    }
    FXS_TRY(const auto outcomes, runner_.outcomesOf(modules, runner_.optionsFor(other.target, {})));
    for (std::size_t i = 0; i < modules.size(); ++i) take(outcomes[i], *whose[i]);
    return {};
  }
  /// Whether the unchanged program lowers to another output type that supports the blocked
  /// operation.
  Result<> proveElsewhere(const Elsewhere& other, const fx::ProgramPtr& program) {
    std::vector<Experiment*> passed;
    for (Trial& trial : elsewhere_)
      if (trial.experiment.id == idOf(other.target) && trial.experiment.outcome == Outcome::Passed)
        passed.push_back(&trial.experiment);
    if (passed.empty()) return {};
    std::optional<bool> lowers = other.lowers;
    if (!lowers) {
      Subject theirs = subject_;
      theirs.program = program;
      FXS_TRY(lowers, lowersWhole(theirs, other.target, context_));
    }
    const std::string to(lower::name(other.target));
    for (Experiment* x : passed) {
      if (!lowers) {
        x->proofMessage = "whether the whole program lowers to " + to + " is not known";
        continue;
      }
      x->proof = *lowers ? Proof::Proved : Proof::Disproved;
      x->proofMessage = *lowers ? "the whole program lowers to " + to
                                : "other operations of the program block " + to;
    }
    return {};
  }

  /// What passed, in Python, with what the rewriting does by default.
  Result<> writePython() {
    if (options_.fixesOnly) return {};
    PythonChanges python(options_.base);
    for (Trial& trial : trials_) {
      Experiment& x = trial.experiment;
      if (x.outcome != Outcome::Passed) continue;
      FXS_TRY(x.python, python.scriptFor(runner_.targetOf(trial.entry), trial.changes, context_));
      if (!x.snippet.empty() || x.python.empty()) continue;
      x.snippet = x.python;
      x.language = "python";
    }
    for (const Elsewhere& other : options_.elsewhere) {
      PythonChanges theirs(baseOf(other));
      for (Trial& trial : elsewhere_) {
        if (trial.experiment.outcome != Outcome::Passed ||
            trial.experiment.id != idOf(other.target))
          continue;
        FXS_TRY(trial.experiment.python, theirs.scriptFor(other.target, {}, context_));
      }
    }
    return {};
  }

  static std::string idOf(const lower::OutputType& target) {
    return "target:" + std::string(lower::name(target));
  }

  const Subject& subject_;
  std::vector<BlockedEntry>& entries_;
  TargetDiagnosis& target_;
  const ExperimentOptions& options_;
  const RunContext& context_;
  TrialRunner runner_;
  std::vector<Trial> single_, double_;  // moved to trials_ at the end
  std::vector<Trial> trials_, elsewhere_;
};

}  // namespace

Result<> experiment(const Subject& subject, std::vector<BlockedEntry>& entries,
                    TargetDiagnosis& target, const ExperimentOptions& options, bool& stopped,
                    const RunContext& context) {
  Laboratory laboratory(subject, entries, target, options, context);
  if (const auto done = laboratory.run(); !done) {
    if (done.error().code != ErrorCode::Cancelled) return tl::unexpected<Error>(done.error());
    stopped = true;
    laboratory.publish();
  }
  return {};
}

}  // namespace fxs::diagnose
