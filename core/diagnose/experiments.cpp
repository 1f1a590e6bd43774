#include "diagnose/experiments.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "diagnose/confirm.h"
#include "diagnose/outcome_cache.h"
#include "diagnose/static_sizes.h"
#include "diagnose/without.h"
#include "fx/cut.h"

namespace fxs::diagnose {
namespace {

using Clock = std::chrono::steady_clock;

/// Forms of one entry that a change is tried on: it passes when it passes on all of these.
constexpr std::size_t kMaxForms = 3;
/// Changes of one operation that are applied to the whole program, best first, until one is proved.
constexpr std::size_t kMaxProofs = 4;
constexpr std::array<lower::OutputType, 3> kBackends{lower::OutputType::LinalgOnTensors, lower::OutputType::Tosa,
                                                     lower::OutputType::Stablehlo};

/// One experiment on one entry: its changes, and the modules that show whether they help.
struct Trial {
  std::size_t entry = 0;
  std::vector<Change> changes;  ///< two when sizes are fixed first
  Experiment experiment;
  bool vacuous = false;  ///< nothing of the operation is left with the changes, because nothing uses it
  bool cut = false;      ///< `modules` is what there is to run; empty when nothing of the operation is left
  std::vector<std::string> modules;
  bool isStatic() const {
    return std::any_of(changes.begin(), changes.end(), [](const Change& c) { return c.staticSizes; });
  }
  bool isDecomposition() const {
    return std::any_of(changes.begin(), changes.end(), [](const Change& c) { return !c.decompose.empty(); });
  }
  std::set<std::string> backendLegal() const {
    std::set<std::string> out;
    for (const Change& c : changes) out.insert(c.backendLegal.begin(), c.backendLegal.end());
    return out;
  }
};

class Laboratory {
 public:
  Laboratory(const Subject& subject, std::vector<BlockedEntry>& entries, std::vector<TargetDiagnosis>& targets,
             const ExperimentOptions& options, const RunContext& context)
      : subject_(subject),
        entries_(entries),
        targets_(targets),
        options_(options),
        context_(context),
        cache_(options.cacheDir, subject.engine.sha256),
        begin_(Clock::now()) {}

  Result<> run() {
    propose();
    FXS_CHECK(tryAlone(single_));
    publish();
    // Two changes at once only where one alone does not do.
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
    FXS_CHECK(prove());
    publish();
    FXS_CHECK(applyAll());
    publish();
    return {};
  }

  /// What was found so far, into the entries: proved, passed, failed, not run.
  void publish() {
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      std::vector<Experiment>& out = entries_[e].blocked.experiments;
      out.clear();
      for (const std::vector<Trial>* trials : {&single_, &trials_, &elsewhere_})
        for (const Trial& trial : *trials)
          if (trial.entry == e) out.push_back(trial.experiment);
      std::stable_sort(out.begin(), out.end(), [](const Experiment& a, const Experiment& b) { return rank(a) < rank(b); });
      const bool refused = entries_[e].blocked.kind == Kind::NoPattern || entries_[e].blocked.kind == Kind::PatternRefused;
      const bool castHelps = std::any_of(trials_.begin(), trials_.end(), [&](const Trial& t) {
        const Experiment& x = t.experiment;
        return t.entry == e && !t.vacuous && x.outcome == Outcome::Passed && x.proof != Proof::Disproved && x.id.starts_with("cast-");
      });
      if (refused && castHelps) entries_[e].blocked.kind = Kind::NumericType;
    }
    if (options_.onPart) options_.onPart();
  }

 private:
  static int rank(const Experiment& x) {
    const int outcome = x.proof == Proof::Proved       ? 0
                        : x.outcome == Outcome::Passed ? (x.proof == Proof::Disproved ? 2 : 1)
                        : x.outcome == Outcome::Failed ? 3
                                                       : 4;
    return outcome * 8 + (x.id.starts_with("target:") ? 6 : 0) + (x.id.find('+') != std::string::npos ? 2 : 0) + (x.cost.empty() ? 0 : 1);
  }
  bool timeIsUp() const { return Clock::now() - begin_ > options_.budget; }
  std::chrono::milliseconds left() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(options_.budget - (Clock::now() - begin_));
  }

  void propose() {
    Proposals proposals;
    registerAllChanges(proposals);
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      const BlockedEntry& entry = entries_[e];
      if (entry.forms.empty() || entry.blocked.kind == Kind::NotFunctional) continue;
      const Patient patient{subject_, entry.blocked, subject_.program->node(entry.forms.front().operation.first), options_.file};
      const std::vector<Change> changes = proposals.of(patient);
      const auto fixed = std::find_if(changes.begin(), changes.end(), [](const Change& c) { return c.staticSizes; });
      for (const Change& change : changes) addTrial(e, {change});
      if (fixed == changes.end()) continue;
      for (const Change& change : changes)
        if (!change.staticSizes && change.id != "constant-arguments") addTrial(e, {*fixed, change});
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
      x.snippet += (x.snippet.empty() ? "" : "\n") + c.snippet;
      x.language = c.language;
    }
    x.words = "there was no time left";
    trial.changes = std::move(changes);
  }

  const std::vector<fx::NodeId>& nodesOf(std::size_t entry) const { return entries_[entry].blocked.nodes; }
  lower::OutputType targetOf(std::size_t entry) const { return entries_[entry].blocked.target; }

  /// User nodes that other entries of the same target block.
  std::set<fx::NodeId> othersOf(std::size_t entry) const {
    std::set<fx::NodeId> out;
    for (std::size_t e = 0; e < entries_.size(); ++e)
      if (e != entry && targetOf(e) == targetOf(entry)) out.insert(nodesOf(e).begin(), nodesOf(e).end());
    for (const fx::NodeId node : nodesOf(entry)) out.erase(node);
    return out;
  }
  static std::set<fx::NodeId> callsFrom(const fx::Program& program, const std::set<fx::NodeId>& userNodes) {
    std::set<fx::NodeId> out;
    for (const fx::Node& node : program.nodes)
      if (node.op == fx::NodeOp::CallFunction && node.target != "_operator.getitem" && userNodes.contains(node.origin)) out.insert(node.id);
    return out;
  }

  /// The RAW module of a changed program; words when it cannot be imported.
  Result<std::string> moduleOf(const fx::Program& program) const {
    FXS_TRY(const auto imported, subject_.importOf(program, context_));
    for (const fx::Finding& f : imported->findings)
      if (f.severity == fx::Severity::Error) return fail(ErrorCode::Unsupported, f.message);
    return imported->text;
  }

  /// Trials whose changes do not meet go through one changed program: each looks at its own nodes only.
  Result<> tryAlone(std::vector<Trial>& trials) {
    std::vector<std::vector<Trial*>> layers;
    std::map<std::tuple<lower::OutputType, bool, bool, std::size_t>, std::size_t> layerOf;
    std::map<std::tuple<std::size_t, bool, bool>, std::size_t> nth;
    for (Trial& trial : trials) {
      const std::size_t n = nth[{trial.entry, trial.isStatic(), trial.isDecomposition()}]++;
      const auto [at, isNew] =
          layerOf.emplace(std::tuple(targetOf(trial.entry), trial.isStatic(), trial.isDecomposition(), n), layers.size());
      if (isNew) layers.emplace_back();
      layers[at->second].push_back(&trial);
    }
    for (const std::vector<Trial*>& layer : layers) {
      FXS_CHECK(stopped());
      if (timeIsUp()) return {};
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
      if (program.error().code == ErrorCode::Cancelled) return tl::unexpected<Error>(program.error());
      if (layer.size() > 1) {
        for (Trial* trial : layer) FXS_CHECK(cutLayer({trial}));
        return {};
      }
      layer.front()->experiment.words = program.error().message;
      return {};
    }
    for (Trial* trial : layer) {
      const std::set<fx::NodeId> outside = callsFrom(**program, othersOf(trial->entry));
      const BlockedEntry& entry = entries_[trial->entry];
      for (std::size_t f = 0; f < std::min(entry.forms.size(), kMaxForms); ++f) {
        const fx::NodeId own = subject_.userNode(entry.forms[f].operation.first);
        std::set<fx::NodeId> calls = callsFrom(**program, {own});
        // Scalars that were computed from sizes are numbers where they were used.
        if (trial->isStatic()) std::erase_if(calls, [&](fx::NodeId id) { return (*program)->node(id).val.symbol() != nullptr; });
        // What left nothing behind has nothing that could stop.
        trial->cut = true;
        if (calls.empty()) continue;
        const auto module = [&]() -> Result<std::string> {
          FXS_TRY(const fx::ProgramPtr cut, fx::cutNodes(*program, {calls.begin(), calls.end()}, outside));
          return moduleOf(*cut);
        }();
        if (!module) {
          if (module.error().code == ErrorCode::Cancelled) return tl::unexpected<Error>(module.error());
          trial->experiment.words = module.error().message;
          trial->modules.clear();
          trial->cut = false;
          break;
        }
        trial->modules.push_back(*module);
      }
    }
    return {};
  }

  lower::LowerOptions optionsFor(lower::OutputType target, const std::set<std::string>& legal) const {
    lower::LowerOptions options = subject_.lower;
    options.target = target;
    options.onStage = nullptr;
    options.backendLegalOps.insert(legal.begin(), legal.end());
    return options;
  }

  /// How modules end, from the cache where it knows.
  Result<std::vector<KnownOutcome>> outcomesOf(const std::vector<std::string>& modules, const lower::LowerOptions& options) const {
    std::vector<KnownOutcome> out(modules.size());
    std::vector<std::string> unknown;
    std::vector<std::size_t> whose;
    for (std::size_t i = 0; i < modules.size(); ++i) {
      if (const auto known = cache_.find(modules[i], options)) {
        out[i] = *known;
      } else {
        whose.push_back(i);
        unknown.push_back(modules[i]);
      }
    }
    FXS_TRY(const auto results, lower::lowerBatch(unknown, *subject_.user, subject_.engine, options, *subject_.runner, context_));
    for (std::size_t i = 0; i < whose.size(); ++i) {
      const lower::BatchResult& r = results[i];
      KnownOutcome& outcome = out[whose[i]];
      outcome.ok = r.ok();
      outcome.words = r.ok() ? "" : !r.words.empty() ? r.words : r.findings.empty() ? "the engine stopped" : r.findings.front().message;
      // How long a module may take is no property of it.
      if (r.status == lower::StageStatus::Ok || r.status == lower::StageStatus::Failed) cache_.keep(unknown[i], options, outcome);
    }
    return out;
  }

  /// Runs the trials' modules, those with the same target and options together.
  Result<> runModules(const std::vector<Trial*>& trials) {
    std::map<std::pair<lower::OutputType, std::set<std::string>>, std::vector<Trial*>> groups;
    for (Trial* trial : trials) groups[{targetOf(trial->entry), trial->backendLegal()}].push_back(trial);
    for (const auto& [key, group] : groups) {
      FXS_CHECK(stopped());
      if (timeIsUp()) return {};
      context_.report({"trying what helps", -1});
      std::vector<std::string> modules;
      for (const Trial* trial : group) modules.insert(modules.end(), trial->modules.begin(), trial->modules.end());
      FXS_TRY(const auto outcomes, outcomesOf(modules, optionsFor(key.first, key.second)));
      std::size_t next = 0;
      for (Trial* trial : group) {
        trial->experiment.outcome = Outcome::Passed;
        trial->vacuous = trial->modules.empty();
        trial->experiment.words = trial->vacuous ? "nothing uses its result, and nothing of it is left then" : "";
        for (std::size_t i = 0; i < trial->modules.size(); ++i, ++next)
          if (!outcomes[next].ok && trial->experiment.outcome == Outcome::Passed) {
            trial->experiment.outcome = Outcome::Failed;
            trial->experiment.words = outcomes[next].words;
          }
      }
    }
    return {};
  }

  Result<> tryOtherTargets() {
    for (const lower::OutputType target : kBackends) {
      std::vector<std::string> modules;
      std::vector<std::size_t> whose;
      for (std::size_t e = 0; e < entries_.size(); ++e) {
        if (targetOf(e) == target || entries_[e].forms.empty()) continue;
        for (std::size_t f = 0; f < std::min(entries_[e].forms.size(), kMaxForms); ++f) {
          if (entries_[e].forms[f].raw.empty()) continue;
          modules.push_back(entries_[e].forms[f].raw);
          whose.push_back(e);
        }
      }
      if (modules.empty()) continue;
      FXS_CHECK(stopped());
      if (timeIsUp()) return {};
      FXS_TRY(const auto outcomes, outcomesOf(modules, optionsFor(target, {})));
      for (std::size_t i = 0; i < modules.size(); ++i) {
        if (elsewhere_.empty() || elsewhere_.back().entry != whose[i] || elsewhere_.back().experiment.id != idOf(target)) {
          Trial& trial = elsewhere_.emplace_back();
          trial.entry = whose[i];
          trial.experiment.id = idOf(target);
          trial.experiment.change = "lower to " + std::string(lower::name(target)) + " instead";
          trial.experiment.cost = "another output type";
          trial.experiment.snippet = "fxscope-cli lower " + options_.file + " --to " + std::string(lower::name(target));
          trial.experiment.language = "sh";
          trial.experiment.outcome = Outcome::Passed;
        }
        Experiment& x = elsewhere_.back().experiment;
        if (!outcomes[i].ok && x.outcome == Outcome::Passed) {
          x.outcome = Outcome::Failed;
          x.words = outcomes[i].words;
        }
      }
      for (Trial& trial : elsewhere_) {
        Experiment& x = trial.experiment;
        if (x.id != idOf(target) || x.outcome != Outcome::Passed) continue;
        for (const TargetDiagnosis& known : targets_) {
          if (known.target != target) continue;
          x.proof = known.lowers ? Proof::Proved : Proof::Disproved;
          x.proofWords = known.lowers ? "the whole program lowers to " + std::string(lower::name(target))
                                      : "other operations of the program block " + std::string(lower::name(target));
        }
      }
    }
    return {};
  }
  static std::string idOf(lower::OutputType target) { return "target:" + std::string(lower::name(target)); }

  /// The whole program with a trial's changes, and without what other entries block.
  Result<std::string> wholeModule(const Trial& trial) const {
    std::vector<const Change*> changes;
    for (const Change& change : trial.changes) changes.push_back(&change);
    FXS_TRY(fx::ProgramPtr program, changedProgram(options_.base, changes, context_));
    if (const std::set<fx::NodeId> others = callsFrom(*program, othersOf(trial.entry)); !others.empty()) {
      FXS_TRY(program, withoutNodes(program, others));
    }
    return moduleOf(*program);
  }

  Result<> prove() {
    std::vector<std::vector<Trial*>> candidates(entries_.size());
    std::map<std::pair<lower::OutputType, std::string>, int> helped;
    for (Trial& trial : trials_) {
      if (trial.experiment.outcome != Outcome::Passed) continue;
      candidates[trial.entry].push_back(&trial);
      ++helped[{targetOf(trial.entry), trial.experiment.id}];
    }
    // Of changes that cost the same, the one that helps most operations: the fewer changes the better.
    const auto order = [&](const Trial* t) { return std::pair(rank(t->experiment), -helped[{targetOf(t->entry), t->experiment.id}]); };
    for (std::vector<Trial*>& list : candidates)
      std::stable_sort(list.begin(), list.end(), [&](const Trial* a, const Trial* b) { return order(a) < order(b); });
    for (std::size_t round = 0; round < kMaxProofs; ++round) {
      std::map<std::pair<lower::OutputType, std::set<std::string>>, std::vector<std::pair<Trial*, std::string>>> groups;
      for (const std::vector<Trial*>& list : candidates) {
        const bool proved = std::any_of(list.begin(), list.end(), [](const Trial* t) { return t->experiment.proof == Proof::Proved; });
        if (proved || round >= list.size()) continue;
        Trial* trial = list[round];
        FXS_CHECK(stopped());
        if (timeIsUp()) {
          trial->experiment.proofWords = "there was no time left to apply it to the whole program";
          continue;
        }
        const auto module = wholeModule(*trial);
        if (!module) {
          if (module.error().code == ErrorCode::Cancelled) return tl::unexpected<Error>(module.error());
          trial->experiment.proof = Proof::Disproved;
          trial->experiment.proofWords = "it cannot be applied to the whole program: " + module.error().message;
          continue;
        }
        groups[{targetOf(trial->entry), trial->backendLegal()}].emplace_back(trial, *module);
      }
      for (auto& [key, group] : groups) {
        context_.report({"proving what helps on the whole program", -1});
        std::vector<std::string> modules;
        for (auto& [trial, module] : group) modules.push_back(std::move(module));
        FXS_TRY(const auto outcomes, outcomesOf(modules, optionsFor(key.first, key.second)));
        for (std::size_t i = 0; i < group.size(); ++i) {
          Experiment& x = group[i].first->experiment;
          const bool alone = othersOf(group[i].first->entry).empty();
          x.proof = outcomes[i].ok ? Proof::Proved : Proof::Disproved;
          x.proofWords = (alone ? std::string("the whole program was run with it")
                                : std::string("the whole program was run with it, the other blocked operations replaced by placeholders")) +
                         (outcomes[i].ok ? ", and lowers" : ", and stops: " + outcomes[i].words.substr(0, outcomes[i].words.find('\n')));
        }
      }
    }
    return {};
  }

  /// The trials that together help every entry of a target; empty when some entry has none. The fewer different changes the better,
  /// but changes that cost nothing come before others.
  std::vector<const Trial*> fewest(lower::OutputType target) const {
    std::set<std::size_t> open;
    for (std::size_t e = 0; e < entries_.size(); ++e)
      if (targetOf(e) == target) open.insert(e);
    const auto helps = [&](const Trial& t) {
      return open.contains(t.entry) && t.experiment.outcome == Outcome::Passed && t.experiment.proof != Proof::Disproved;
    };
    std::set<std::size_t> free;
    for (const Trial& t : trials_)
      if (helps(t) && t.experiment.cost.empty()) free.insert(t.entry);
    const bool onlyFree = free == open;
    std::vector<const Trial*> out;
    while (!open.empty()) {
      std::map<std::string, std::size_t> count;
      for (const Trial& t : trials_)
        if (helps(t) && (!onlyFree || t.experiment.cost.empty())) ++count[t.experiment.id];
      const Trial* best = nullptr;
      const auto order = [&](const Trial* t) { return std::pair(-static_cast<int>(count[t->experiment.id]), rank(t->experiment)); };
      for (const Trial& t : trials_)
        if (helps(t) && (!onlyFree || t.experiment.cost.empty()) && (best == nullptr || order(&t) < order(best))) best = &t;
      if (best == nullptr) return {};
      for (const Trial& t : trials_)
        if (helps(t) && t.experiment.id == best->experiment.id) {
          out.push_back(&t);
          open.erase(t.entry);
        }
    }
    return out;
  }
  /// The best proved one of each entry of a target; empty when some entry has none.
  std::vector<const Trial*> proved(lower::OutputType target) const {
    std::vector<const Trial*> out;
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      if (targetOf(e) != target) continue;
      const Trial* chosen = nullptr;
      for (const Trial& trial : trials_)
        if (trial.entry == e && trial.experiment.proof == Proof::Proved &&
            (chosen == nullptr || rank(trial.experiment) < rank(chosen->experiment)))
          chosen = &trial;
      if (chosen == nullptr) return {};
      out.push_back(chosen);
    }
    return out;
  }

  /// One change of every entry of a target, all at once.
  Result<> applyAll() {
    for (TargetDiagnosis& target : targets_) {
      if (target.lowers || timeIsUp()) continue;
      for (const auto& chosen : {fewest(target.target), proved(target.target)}) {
        if (chosen.empty() || target.fixedLowers.value_or(false)) continue;
        FXS_CHECK(stopped());
        FXS_CHECK(apply(chosen, target));
      }
    }
    return {};
  }

  Result<> apply(const std::vector<const Trial*>& trials, TargetDiagnosis& target) {
    std::vector<const Change*> changes;
    std::set<std::string> legal;
    target.changes.clear();
    for (const Trial* trial : trials)
      for (const Change& change : trial->changes) {
        legal.insert(change.backendLegal.begin(), change.backendLegal.end());
        const bool known = std::find(target.changes.begin(), target.changes.end(), change.change) != target.changes.end();
        if (!known) target.changes.push_back(change.change);
        // A rule is for its own nodes; the others are for the whole program.
        if (!known || !change.rules.empty()) changes.push_back(&change);
      }
    const auto module = [&]() -> Result<std::string> {
      FXS_TRY(const fx::ProgramPtr program, changedProgram(options_.base, changes, context_));
      return moduleOf(*program);
    }();
    if (!module) {
      if (module.error().code == ErrorCode::Cancelled) return tl::unexpected<Error>(module.error());
      target.fixedLowers = false;
      return {};
    }
    FXS_TRY(const auto outcomes, outcomesOf({*module}, optionsFor(target.target, legal)));
    target.fixedLowers = outcomes.front().ok;
    return {};
  }

  Result<> stopped() const {
    if (context_.stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
    return {};
  }

  const Subject& subject_;
  std::vector<BlockedEntry>& entries_;
  std::vector<TargetDiagnosis>& targets_;
  const ExperimentOptions& options_;
  const RunContext& context_;
  OutcomeCache cache_;
  Clock::time_point begin_;
  std::vector<Trial> single_, double_;  // before they are all in trials_
  std::vector<Trial> trials_, elsewhere_;
};

}  // namespace

Result<> experiment(const Subject& subject, std::vector<BlockedEntry>& entries, std::vector<TargetDiagnosis>& targets,
                    const ExperimentOptions& options, bool& stopped, const RunContext& context) {
  Laboratory laboratory(subject, entries, targets, options, context);
  if (const auto done = laboratory.run(); !done) {
    if (done.error().code != ErrorCode::Cancelled) return tl::unexpected<Error>(done.error());
    stopped = true;
    laboratory.publish();
  }
  return {};
}

}  // namespace fxs::diagnose
