// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/proofs.h"

#include <algorithm>
#include <map>

#include "diagnose/replace_with_inputs.h"

namespace fxs::diagnose {
namespace {

/// Number of changes per operation that are applied to the whole program, best first, until one is
/// proved.
constexpr std::size_t kMaxProofs = 4;

/// The whole program with a trial's changes, and without what other entries block.
Result<std::string> wholeModule(const TrialRunner& runner, const Trial& trial) {
  std::vector<const Change*> changes;
  for (const Change& change : trial.changes) changes.push_back(&change);
  FXS_TRY(fx::ProgramPtr program, changedProgram(runner.options().base, changes, runner.context()));
  if (const std::set<fx::NodeId> others = callsFrom(*program, runner.othersOf(trial.entry));
      !others.empty()) {
    FXS_TRY(program, replaceWithInputs(program, others));
  }
  return runner.moduleOf(*program);
}

/// Trials that together fix every entry of a target; empty if an entry has none. Prefers changes
/// without cost, then few distinct changes.
std::vector<const Trial*> fewest(const TrialRunner& runner, const std::vector<Trial>& trials,
                                 const lower::OutputType& target) {
  std::set<std::size_t> open;
  for (std::size_t e = 0; e < runner.size(); ++e)
    if (runner.targetOf(e) == target) open.insert(e);
  const auto helps = [&](const Trial& t) {
    return open.contains(t.entry) && t.experiment.outcome == Outcome::Passed &&
           t.experiment.proof != Proof::Disproved;
  };
  std::set<std::size_t> free;
  for (const Trial& t : trials)
    if (helps(t) && t.experiment.cost.empty()) free.insert(t.entry);
  const bool onlyFree = free == open;
  std::vector<const Trial*> out;
  while (!open.empty()) {
    std::map<std::string, std::size_t> count;
    for (const Trial& t : trials)
      if (helps(t) && (!onlyFree || t.experiment.cost.empty())) ++count[t.experiment.id];
    const Trial* best = nullptr;
    const auto order = [&](const Trial* t) {
      return std::pair(-static_cast<int>(count[t->experiment.id]), rank(t->experiment));
    };
    for (const Trial& t : trials)
      if (helps(t) && (!onlyFree || t.experiment.cost.empty()) &&
          (best == nullptr || order(&t) < order(best)))
        best = &t;
    if (best == nullptr) return {};
    for (const Trial& t : trials)
      if (helps(t) && t.experiment.id == best->experiment.id) {
        out.push_back(&t);
        open.erase(t.entry);
      }
  }
  return out;
}
/// The best trial of each entry of a target that was not disproved, where there is one.
std::vector<const Trial*> best(const TrialRunner& runner, const std::vector<Trial>& trials,
                               const lower::OutputType& target) {
  std::vector<const Trial*> byEntry(runner.size(), nullptr);
  for (const Trial& trial : trials) {
    const Experiment& x = trial.experiment;
    if (runner.targetOf(trial.entry) != target || x.outcome != Outcome::Passed ||
        x.proof == Proof::Disproved)
      continue;
    const Trial*& chosen = byEntry[trial.entry];
    if (chosen == nullptr || rank(x) < rank(chosen->experiment)) chosen = &trial;
  }
  std::erase(byEntry, nullptr);
  return byEntry;
}

/// The best proved trial of each entry of a target; empty if an entry has none.
std::vector<const Trial*> proved(const TrialRunner& runner, const std::vector<Trial>& trials,
                                 const lower::OutputType& target) {
  std::vector<const Trial*> out;
  for (std::size_t e = 0; e < runner.size(); ++e) {
    if (runner.targetOf(e) != target) continue;
    const Trial* chosen = nullptr;
    for (const Trial& trial : trials)
      if (trial.entry == e && trial.experiment.proof == Proof::Proved &&
          (chosen == nullptr || rank(trial.experiment) < rank(chosen->experiment)))
        chosen = &trial;
    if (chosen == nullptr) return {};
    out.push_back(chosen);
  }
  return out;
}

Result<> apply(const TrialRunner& runner, const std::vector<const Trial*>& trials,
               TargetDiagnosis& target) {
  std::vector<const Change*> all;
  for (const Trial* trial : trials)
    for (const Change& change : trial->changes) all.push_back(&change);
  const CombinedChanges together(all);
  target.changes = together.lines;
  fx::ProgramPtr program;
  const auto module = [&]() -> Result<std::string> {
    FXS_TRY(program, changedProgram(runner.options().base, together.changes, runner.context()));
    return runner.moduleOf(*program);
  }();
  if (!module) {
    if (module.error().code == ErrorCode::Cancelled) return tl::unexpected<Error>(module.error());
    target.fixedLowers = false;
    return {};
  }
  FXS_TRY(const auto outcomes,
          runner.outcomesOf({*module}, runner.optionsFor(target.target, together.backendLegal)));
  target.fixedLowers = outcomes.front().lowers;
  if (target.fixedLowers.value_or(false) && runner.options().computed) {
    FXS_TRY(target.fixedComputed,
            runner.options().computed(program, together.backendLegal, target.target));
  }
  return {};
}

/// Whether the changes of a target are those of one trial: then it was run on the whole program
/// without placeholders.
bool isAllOf(const Trial& trial, const TargetDiagnosis& target) {
  std::vector<const Change*> changes;
  for (const Change& change : trial.changes) changes.push_back(&change);
  const CombinedChanges own(changes);
  // A rule is for the trial's own nodes, and the others' changes have the same line.
  const bool isForOwnNodes = std::any_of(changes.begin(), changes.end(), [](const Change* change) {
    return !change->rules.empty() && !change->acrossNodes;
  });
  return own.lines == target.changes && !isForOwnNodes;
}
void sayProved(Experiment& x) {
  x.proof = Proof::Proved;
  x.withPlaceholders = false;
  x.proofMessage = "the whole program was run with it, which lowers";
}

}  // namespace

Result<> prove(const TrialRunner& runner, std::vector<Trial>& trials) {
  std::vector<std::vector<Trial*>> candidates(runner.size());
  std::map<std::pair<lower::OutputType, std::string>, int> helped;
  for (Trial& trial : trials) {
    if (trial.experiment.outcome != Outcome::Passed) continue;
    candidates[trial.entry].push_back(&trial);
    ++helped[{runner.targetOf(trial.entry), trial.experiment.id}];
  }
  // Of changes of equal cost, prefer the one that fixes most operations.
  const auto order = [&](const Trial* t) {
    return std::pair(rank(t->experiment), -helped[{runner.targetOf(t->entry), t->experiment.id}]);
  };
  for (std::vector<Trial*>& list : candidates)
    std::stable_sort(list.begin(), list.end(),
                     [&](const Trial* a, const Trial* b) { return order(a) < order(b); });
  for (std::size_t round = 0; round < kMaxProofs; ++round) {
    std::map<std::pair<lower::OutputType, std::set<std::string>>,
             std::vector<std::pair<Trial*, std::string>>>
        groups;
    for (const std::vector<Trial*>& list : candidates) {
      const bool proved = std::any_of(list.begin(), list.end(), [](const Trial* t) {
        return t->experiment.proof == Proof::Proved;
      });
      if (proved || round >= list.size()) continue;
      Trial* trial = list[round];
      FXS_CHECK(runner.stopped());
      if (runner.timeIsUp()) {
        trial->experiment.proofMessage =
            "not tried on the whole program: the time limit was reached";
        continue;
      }
      const auto module = wholeModule(runner, *trial);
      if (!module) {
        if (module.error().code == ErrorCode::Cancelled)
          return tl::unexpected<Error>(module.error());
        trial->experiment.proof = Proof::Disproved;
        trial->experiment.proofMessage =
            "it cannot be applied to the whole program: " + module.error().message;
        continue;
      }
      groups[{runner.targetOf(trial->entry), trial->backendLegal()}].emplace_back(trial, *module);
    }
    for (auto& [key, group] : groups) {
      runner.context().report({"verifying fixes on the whole program", -1});
      std::vector<std::string> modules;
      for (auto& [trial, module] : group) modules.push_back(std::move(module));
      FXS_TRY(const auto outcomes,
              runner.outcomesOf(modules, runner.optionsFor(key.first, key.second)));
      for (std::size_t i = 0; i < group.size(); ++i) {
        Experiment& x = group[i].first->experiment;
        const bool alone = runner.othersOf(group[i].first->entry).empty();
        if (!outcomes[i].lowers) {
          x.proofMessage = "whether the whole program lowers with it is not known: " +
                           outcomes[i].words.substr(0, outcomes[i].words.find('\n'));
          continue;
        }
        x.proof = *outcomes[i].lowers ? Proof::Proved : Proof::Disproved;
        x.withPlaceholders = !alone;
        x.proofMessage =
            (alone ? std::string("the whole program was run with it")
                   : std::string("the whole program was run with it, with the other blocked "
                                 "operations replaced by placeholders")) +
            (*outcomes[i].lowers
                 ? ", which lowers"
                 : ", which stops: " + outcomes[i].words.substr(0, outcomes[i].words.find('\n')));
      }
    }
  }
  return {};
}

Result<> applyTogether(const TrialRunner& runner, std::vector<Trial>& trials,
                       TargetDiagnosis& target) {
  if (target.lowers || runner.timeIsUp()) return {};
  std::vector<const Trial*> taken = best(runner, trials, target.target);
  for (const auto& chosen :
       {fewest(runner, trials, target.target), proved(runner, trials, target.target)}) {
    if (chosen.empty() || target.fixedLowers.value_or(false)) continue;
    FXS_CHECK(runner.stopped());
    FXS_CHECK(apply(runner, chosen, target));
    if (target.fixedLowers.value_or(false)) taken = chosen;
  }
  // What is all of the changes needs no placeholders.
  if (target.fixedLowers.value_or(false))
    for (Trial& trial : trials)
      if (std::find(taken.begin(), taken.end(), &trial) != taken.end() && isAllOf(trial, target))
        sayProved(trial.experiment);
  if (!runner.options().onFixes) return {};
  std::vector<Fix> fixes;
  for (const Trial* trial : taken)
    fixes.push_back({trial->entry, trial->changes, trial->experiment});
  runner.options().onFixes(target.target, fixes);
  return {};
}

}  // namespace fxs::diagnose
