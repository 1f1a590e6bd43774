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

/// Whether changes of the whole program that a trial has make another one's operation lower, too.
bool includes(const Trial& trial, const Trial& other) {
  if (other.experiment.outcome != Outcome::Passed) return false;
  return std::ranges::all_of(other.changes, [&](const Change& change) {
    return change.isOne &&
           std::ranges::find(trial.changes, change.change, &Change::change) != trial.changes.end();
  });
}

/// The user's nodes that are still blocked with a trial's changes: of other entries.
std::set<fx::NodeId> stillBlocked(const TrialRunner& runner, const Trial& trial,
                                  const std::vector<Trial>& trials) {
  std::set<fx::NodeId> out = runner.othersOf(trial.entry);
  for (const Trial& other : trials)
    if (runner.targetOf(other.entry) == runner.targetOf(trial.entry) && includes(trial, other))
      for (const fx::NodeId node : runner.entry(other.entry).blocked.nodes) out.erase(node);
  return out;
}

/// The whole program with a trial's changes, and without the nodes of other entries.
Result<std::string> wholeModule(const TrialRunner& runner, const Trial& trial,
                                const std::set<fx::NodeId>& blocked) {
  const std::vector<const Change*> changes = changesOf(trial);
  FXS_TRY(fx::ProgramPtr program, changedProgram(runner.options().base, changes, runner.context()));
  if (const std::set<fx::NodeId> others = callsFrom(*program, blocked); !others.empty()) {
    FXS_TRY(program, replaceWithInputs(program, others));
  }
  return runner.moduleOf(*program, changes);
}

/// Whether a trial works, as far as is known.
bool isFix(const Trial& trial) {
  return trial.experiment.outcome == Outcome::Passed && trial.experiment.proof != Proof::Disproved;
}

/// The fix of an open entry whose change fixes most of them; null if there is none.
const Trial* mostUseful(std::vector<const Trial*> fixes, const std::set<std::size_t>& open) {
  std::erase_if(fixes, [&](const Trial* fix) { return !open.contains(fix->entry); });
  std::map<std::string, int> count;
  for (const Trial* fix : fixes) ++count[fix->experiment.id];
  const auto order = [&](const Trial* fix) {
    return std::pair(-count[fix->experiment.id], rank(fix->experiment));
  };
  const auto found =
      std::min_element(fixes.begin(), fixes.end(),
                       [&](const Trial* a, const Trial* b) { return order(a) < order(b); });
  return found == fixes.end() ? nullptr : *found;
}

/// Trials that together fix every entry of a target; empty if an entry has none. Prefers changes
/// without cost, then few distinct changes.
std::vector<const Trial*> fewest(const TrialRunner& runner, const std::vector<Trial>& trials,
                                 const lower::OutputType& target) {
  std::set<std::size_t> open, openToFree;
  for (std::size_t e = 0; e < runner.size(); ++e)
    if (runner.targetOf(e) == target) open.insert(e);
  std::vector<const Trial*> fixes, free;
  for (const Trial& trial : trials) {
    if (!open.contains(trial.entry) || !isFix(trial)) continue;
    fixes.push_back(&trial);
    if (!trial.experiment.cost.empty()) continue;
    free.push_back(&trial);
    openToFree.insert(trial.entry);
  }
  const std::vector<const Trial*>& preferred = openToFree == open ? free : fixes;
  std::vector<const Trial*> out;
  while (!open.empty()) {
    const Trial* best = mostUseful(preferred, open);
    if (best == nullptr) return {};
    for (const Trial* fix : preferred)
      if (fix->experiment.id == best->experiment.id && open.erase(fix->entry) > 0)
        out.push_back(fix);
  }
  return out;
}
/// The best trial of each entry of a target that was not disproved, where there is one.
std::vector<const Trial*> best(const TrialRunner& runner, const std::vector<Trial>& trials,
                               const lower::OutputType& target) {
  std::vector<const Trial*> byEntry(runner.size(), nullptr);
  for (const Trial& trial : trials) {
    const Experiment& x = trial.experiment;
    if (runner.targetOf(trial.entry) != target || !isFix(trial)) continue;
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
    return runner.moduleOf(*program, together.changes);
  }();
  if (!module) {
    if (endsAll(module.error())) return tl::unexpected<Error>(module.error());
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
  const std::vector<const Change*> changes = changesOf(trial);
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

/// The passed trials of each entry, best first.
std::vector<std::vector<Trial*>> candidatesOf(const TrialRunner& runner,
                                              std::vector<Trial>& trials) {
  std::vector<std::vector<Trial*>> out(runner.size());
  std::map<std::pair<lower::OutputType, std::string>, int> helped;
  for (Trial& trial : trials) {
    if (trial.experiment.outcome != Outcome::Passed) continue;
    out[trial.entry].push_back(&trial);
    ++helped[{runner.targetOf(trial.entry), trial.experiment.id}];
  }
  // Of changes of equal cost, prefer the one that fixes most operations.
  const auto order = [&](const Trial* t) {
    return std::pair(rank(t->experiment), -helped[{runner.targetOf(t->entry), t->experiment.id}]);
  };
  for (std::vector<Trial*>& list : out)
    std::stable_sort(list.begin(), list.end(),
                     [&](const Trial* a, const Trial* b) { return order(a) < order(b); });
  return out;
}

/// Trials that are lowered with the same options, and the program of each.
struct ProofBatch {
  std::vector<Trial*> trials;
  std::vector<bool> alone;  // without placeholders
  std::vector<std::string> modules;
};
using ProofBatches = std::map<std::pair<lower::OutputType, std::set<std::string>>, ProofBatch>;

/// Of each entry that is not proved, the candidate of this round.
Result<ProofBatches> batchesOf(const TrialRunner& runner, const std::vector<Trial>& trials,
                               const std::vector<std::vector<Trial*>>& candidates,
                               std::size_t round) {
  ProofBatches out;
  for (const std::vector<Trial*>& list : candidates) {
    const bool isProved = std::any_of(list.begin(), list.end(), [](const Trial* t) {
      return t->experiment.proof == Proof::Proved;
    });
    if (isProved || round >= list.size()) continue;
    Trial* trial = list[round];
    FXS_CHECK(runner.stopped());
    if (runner.timeIsUp()) {
      trial->experiment.proofMessage = "not tried on the whole program: the time limit was reached";
      continue;
    }
    const std::set<fx::NodeId> blocked = stillBlocked(runner, *trial, trials);
    const auto module = wholeModule(runner, *trial, blocked);
    if (!module) {
      if (endsAll(module.error())) return tl::unexpected<Error>(module.error());
      trial->experiment.proof = Proof::Disproved;
      trial->experiment.proofMessage =
          "it cannot be applied to the whole program: " + module.error().message;
      continue;
    }
    ProofBatch& batch = out[{runner.targetOf(trial->entry), trial->backendLegal()}];
    batch.trials.push_back(trial);
    batch.alone.push_back(blocked.empty());
    batch.modules.push_back(*module);
  }
  return out;
}

void setProof(Trial& trial, const TrialOutcome& outcome, bool alone) {
  Experiment& x = trial.experiment;
  const std::string message = outcome.message.substr(0, outcome.message.find('\n'));
  if (!outcome.lowers) {
    x.proofMessage = "whether the whole program lowers with it is not known: " + message;
    return;
  }
  x.proof = *outcome.lowers ? Proof::Proved : Proof::Disproved;
  x.withPlaceholders = !alone;
  x.proofMessage = (alone ? std::string("the whole program was run with it")
                          : std::string("the whole program was run with it, with the other blocked "
                                        "operations replaced by placeholders")) +
                   (*outcome.lowers ? ", which lowers" : ", which stops: " + message);
}

}  // namespace

Result<> prove(const TrialRunner& runner, std::vector<Trial>& trials) {
  const std::vector<std::vector<Trial*>> candidates = candidatesOf(runner, trials);
  for (std::size_t round = 0; round < kMaxProofs; ++round) {
    FXS_TRY(const ProofBatches batches, batchesOf(runner, trials, candidates, round));
    for (const auto& [key, batch] : batches) {
      runner.context().report({"verifying fixes on the whole program", -1});
      FXS_TRY(const auto outcomes,
              runner.outcomesOf(batch.modules, runner.optionsFor(key.first, key.second)));
      for (std::size_t i = 0; i < batch.trials.size(); ++i)
        setProof(*batch.trials[i], outcomes[i], batch.alone[i]);
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
