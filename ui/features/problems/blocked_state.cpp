// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/problems/blocked_state.h"

#include <algorithm>

#include "features/problems/problem_state.h"
#include "report/diagnose_words.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

using diagnose::Outcome;
using diagnose::Proof;

QString outcomeIcon(Outcome outcome, Proof proof) {
  if (outcome == Outcome::NotRun) return "minus";
  if (outcome == Outcome::Failed) return "close";
  return proof == Proof::Disproved ? "warning" : "done";
}

ExperimentRow rowOf(const diagnose::Experiment& experiment) {
  ExperimentRow row;
  row.change = text(experiment.change);
  row.outcome = experiment.outcome;
  row.proof = experiment.proof;
  row.verified = diagnose::verifiedBy(experiment);
  row.icon = outcomeIcon(experiment.outcome, experiment.proof);
  row.verdict = text(report::verdictOf(experiment));
  row.cost = text(experiment.cost);
  row.message =
      lines(experiment.outcome == Outcome::Passed ? experiment.proofMessage : experiment.message)
          .trimmed();
  const bool inPython = !experiment.python.empty();
  row.snippet = lines(inPython ? experiment.python : experiment.snippet);
  row.language = inPython ? QStringLiteral("python") : text(experiment.language);
  return row;
}

QString sizesOf(const diagnose::Diagnosis& diagnosis, const diagnose::Blocked& blocked) {
  if (!blocksForSizes(diagnosis, blocked)) {
    const QString other = text(report::dependenceText(diagnosis, blocked));
    return other.isEmpty() ? other : "It " + other;
  }
  const bool lowers = blocked.sizes->withNumbers == diagnose::WithNumbers::Lowers;
  return text(report::titleOf(diagnosis.sizeSources[blocked.sizes->source])) +
         (lowers ? ". With numbers in their place it lowers by itself." : "");
}

QString noteOf(const std::vector<ExperimentRow>& rows) {
  if (rows.empty()) return {};
  const auto count = [&](auto&& which) {
    return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), which));
  };
  const std::size_t notRun =
      count([](const ExperimentRow& row) { return row.outcome == Outcome::NotRun; });
  const std::size_t helps = count([](const ExperimentRow& row) { return row.helps(); });
  const std::size_t run = rows.size() - notRun;
  QStringList parts;
  if (run > 0 && helps > 0)
    parts << QString("%1 of %2 tried %3").arg(helps).arg(run).arg(helps == 1 ? "works" : "work");
  else if (run > 0) parts << QString("none of the %1 fixes tried works").arg(run);
  if (notRun > 0) parts << QString("%1 not run").arg(notRun);
  return parts.join(", ");
}

}  // namespace

BlockedState blockedState(const diagnose::Diagnosis& diagnosis, const diagnose::Blocked& blocked) {
  BlockedState state;
  state.target = text(lower::name(blocked.target));
  state.className = className(blocked.kind);
  state.title = text(diagnose::title(blocked.kind));
  state.icon = iconOf(blocked.kind);
  state.message = text(blocked.message);
  // The pass first: the rest may be cut.
  QStringList where;
  if (!blocked.pass.empty()) where << "pass " + text(blocked.pass);
  if (!blocked.stage.empty()) where << text(blocked.stage) + " stage";
  state.where = where.join(", ");
  state.operation = text(blocked.op);
  if (!blocked.types.empty())
    state.operation += (state.operation.isEmpty() ? "" : "  ") + text(blocked.types);
  state.engineMessage = lines(blocked.engineMessage).trimmed();
  for (const std::string& pattern : diagnose::triedOf(blocked)) state.tried << text(pattern);
  if (blocked.agreement != diagnose::Agreement::Confirmed)
    state.agreement = text(blocked.agreementMessage);
  state.sizes = sizesOf(diagnosis, blocked);
  state.nodes = blocked.nodes;
  for (const diagnose::Experiment& experiment : blocked.experiments)
    state.experiments.push_back(rowOf(experiment));
  state.experimentsNote = noteOf(state.experiments);
  return state;
}

}  // namespace fxs::ui
