// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/problems/problems_presenter.h"

#include <algorithm>

#include "report/diagnose.h"
#include "text/words.h"

namespace fxs::ui {

ProblemsPresenter::ProblemsPresenter(SessionPresenter& session, DiagnosisPresenter& diagnosis,
                                     QObject* parent)
    : QObject(parent), session_(session), diagnosis_(diagnosis) {
  connect(&session, &SessionPresenter::snapshotChanged, this, &ProblemsPresenter::refresh);
  connect(&session, &SessionPresenter::stateChanged, this, &ProblemsPresenter::textChanged);
  connect(&diagnosis, &DiagnosisPresenter::changed, this, &ProblemsPresenter::refresh);
  connect(&diagnosis, &DiagnosisPresenter::stateChanged, this, &ProblemsPresenter::textChanged);
}

void ProblemsPresenter::refresh() {
  findings_.clear();
  problems_.clear();
  standings_.clear();
  reasons_.clear();
  if (const fx::ProgramPtr program = session_.program()) {
    standings_.resize(program->nodes.size());
    reasons_.resize(program->nodes.size());
    findings_ = session_.snapshot()->findings();
    problems_ = groupProblems(findings_, diagnosis().get(), session_.target());
  }
  errors_ = 0;
  for (const Problem& problem : problems_) {
    errors_ += problem.severity() == fx::Severity::Error;
    for (const ProblemPart& part : problem.parts) mark(part);
  }
  Q_EMIT changed();
  Q_EMIT textChanged();
}

void ProblemsPresenter::mark(const ProblemPart& part) {
  if (part.severity == fx::Severity::Note) return;
  const Standing standing =
      part.severity == fx::Severity::Error ? Standing::Blocked : Standing::Suspicious;
  for (const fx::NodeId node : part.nodes) {
    if (node.index() >= standings_.size()) continue;
    standings_[node.index()] = std::max(standings_[node.index()], standing);
    if (reasons_[node.index()].isEmpty()) reasons_[node.index()] = part.message;
  }
}

Standing ProblemsPresenter::standing(fx::NodeId node) const {
  return node.valid() && node.index() < standings_.size() ? standings_[node.index()]
                                                          : Standing::Neutral;
}

const Problem* ProblemsPresenter::problem(const QString& operation) const {
  const int index = indexOf(operation);
  return index < 0 ? nullptr : &problems_[static_cast<std::size_t>(index)];
}

int ProblemsPresenter::indexOf(const QString& operation) const {
  const auto found = std::find_if(problems_.begin(), problems_.end(),
                                  [&](const Problem& each) { return each.operation == operation; });
  return found == problems_.end() ? -1 : static_cast<int>(found - problems_.begin());
}

int ProblemsPresenter::indexAt(fx::NodeId node) const {
  const auto found = std::find_if(problems_.begin(), problems_.end(), [&](const Problem& each) {
    return std::binary_search(each.nodes.begin(), each.nodes.end(), node);
  });
  return found == problems_.end() ? -1 : static_cast<int>(found - problems_.begin());
}

std::vector<const ProblemPart*> ProblemsPresenter::at(fx::NodeId node) const {
  std::vector<const ProblemPart*> parts;
  for (const Problem& problem : problems_)
    for (const ProblemPart& part : problem.parts)
      if (std::binary_search(part.nodes.begin(), part.nodes.end(), node)) parts.push_back(&part);
  return parts;
}

QString ProblemsPresenter::emptyText() const {
  if (!problems_.empty()) return {};
  if (!session_.hasProgram()) return "Open a program to see its problems";
  if (session_.state().activity != Activity::Idle)
    return "No problems so far; " + session_.state().what + " …";
  const session::SnapshotPtr& snapshot = session_.snapshot();
  if (session_.state().cancelled) return "The run was cancelled before every stage was checked";
  if (!snapshot->lowering)
    return "No problems in reading, normalizing, rewriting and importing; later stages were not "
           "run";
  return QString(
             "No problems. Checked: reading, normalizing, rewriting, importing, and %1 up to %2")
      .arg(counted(snapshot->lowering->stages.size(), "stage"),
           text(lower::name(snapshot->lowering->target)));
}

QString ProblemsPresenter::blockedText() const {
  if (errors_ == 0) return {};
  std::size_t nodes = 0;
  for (const Problem& problem : problems_)
    if (problem.severity() == fx::Severity::Error) nodes += problem.count;
  return QString("%1 (%2) %3 %4")
      .arg(counted(errors_, "operation"), counted(nodes, "node"), errors_ == 1 ? "stops" : "stop",
           text(lower::name(session_.target())));
}

QString ProblemsPresenter::diagnosisText() const {
  const WorkState& state = diagnosis_.state();
  if (state.running) return state.what + " …";
  if (state.cancelled) return "diagnosis cancelled; these results are valid";
  if (!state.why.isEmpty()) return "no diagnosis: " + state.why;
  if (!diagnosis()) return {};
  return diagnosis()->complete
             ? counted(diagnosis()->distinct, "operation") + " lowered by themselves"
             : QString("diagnosis incomplete: time limit reached");
}

QString ProblemsPresenter::summary() const {
  QStringList parts{blockedText(), diagnosisText()};
  const diagnose::TargetDiagnosis* target = diagnosis_.of(session_.target());
  if (!diagnosis_.state().running && target && target->fixedLowers)
    parts << (*target->fixedLowers ? "lowers with the fixes"
                                   : "does not lower even with the fixes");
  parts.removeAll(QString());
  return parts.join("  ·  ");
}

QString ProblemsPresenter::markdown() const {
  if (!diagnosis() || !session_.hasProgram()) return {};
  return lines(report::diagnoseMarkdown(
      {session_.snapshot()->request.file, *diagnosis(), *session_.program()}));
}

QStringList ProblemsPresenter::conclusions() const {
  QStringList lines;
  if (!diagnosis()) return lines;
  for (const diagnose::TargetDiagnosis& each : diagnosis()->targets) {
    const QString target = text(lower::name(each.target));
    if (each.lowers) {
      lines << target + ": the program lowers as it is";
      continue;
    }
    if (each.exceedsBudget()) {
      lines << target + ": not known; " + ui::lines(each.restMessage);
      continue;
    }
    if (!each.isKnown) {
      lines << QString("%1: not known; it reached a limit in the %2 stage")
                   .arg(target, text(each.stoppedAt));
      continue;
    }
    lines << QString("%1: stops in the %2 stage; %3 blocked")
                 .arg(target, text(each.stoppedAt),
                      counted(diagnosis()->of(each.target).size(), "distinct operation"));
    if (!each.restMessage.empty()) lines << target + ": " + ui::lines(each.restMessage);
    else if (each.restLowers)
      lines << target + (*each.restLowers
                             ? ": without them the rest of the program lowers"
                             : ": without them the rest of the program does not lower either");
    if (!each.fixedLowers) continue;
    lines << QString("%1: with %2 the program %3")
                 .arg(target, listed(each.changes),
                      *each.fixedLowers ? "lowers" : "still does not lower");
  }
  for (const std::string& note : diagnosis()->notes) lines << ui::lines(note);
  if (!diagnosis()->python.empty())
    lines << "decompositions of PyTorch: " + text(diagnosis()->python);
  return lines;
}

}  // namespace fxs::ui
