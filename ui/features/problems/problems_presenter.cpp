// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/problems/problems_presenter.h"

#include <algorithm>
#include <map>

#include "lower/stopped.h"
#include "report/diagnose_words.h"
#include "report/source_location.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr int kProblemMarks = 10;  ///< their place among the marks of a node

/// What was checked; never a step or stage that did not run.
QString checkedText(const session::Snapshot& snapshot) {
  QStringList done{"reading"};
  if (snapshot.normalized) done << "normalizing";
  if (snapshot.rewritten) done << "rewriting";
  if (snapshot.imported) done << "importing";
  if (!snapshot.lowering) return done.join(", ") + "; later stages were not run";
  const auto& stages = snapshot.lowering->stages;
  const auto ran = static_cast<std::size_t>(std::count_if(
      stages.begin(), stages.end(),
      [](const lower::StageResult& stage) { return stage.status != lower::StageStatus::Skipped; }));
  const QString of = ran < stages.size() ? QString(" of %1").arg(stages.size()) : QString();
  return QString("%1, and %2%3 up to %4")
      .arg(done.join(", "), counted(ran, "stage"), of,
           text(lower::name(snapshot.lowering->target)));
}

}  // namespace

ProblemsPresenter::ProblemsPresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      diagnosis_(services.get<DiagnosisPresenter>()),
      selection_(services.get<SelectionPresenter>()) {
  auto& marks = services.get<Marks>();
  auto& colourings = services.get<Colourings>();
  connect(&session_, &SessionPresenter::runFinished, this, &ProblemsPresenter::selectFirst);
  marks.add({kProblemMarks, [this] { return this->marks(); }});
  connect(this, &ProblemsPresenter::changed, &marks, &Marks::refresh);
  colourings.add({30, "problem", "Problems", {}, {}, [this] { return colours(); }});
  connect(this, &ProblemsPresenter::changed, &colourings, &Colourings::changed);
  connect(&session_, &SessionPresenter::snapshotChanged, this, &ProblemsPresenter::refresh);
  connect(&session_, &SessionPresenter::stateChanged, this, &ProblemsPresenter::textChanged);
  connect(&diagnosis_, &DiagnosisPresenter::changed, this, &ProblemsPresenter::refresh);
  connect(&diagnosis_, &DiagnosisPresenter::stateChanged, this, &ProblemsPresenter::textChanged);
}

void ProblemsPresenter::refresh() {
  findings_.clear();
  problems_.clear();
  if (session_.hasProgram()) {
    findings_ = session_.snapshot()->findings();
    problems_ = groupProblems(findings_, diagnosis().get(), session_.target());
  }
  errors_ = static_cast<std::size_t>(std::count_if(
      problems_.begin(), problems_.end(),
      [](const Problem& problem) { return problem.severity() == fx::Severity::Error; }));
  Q_EMIT changed();
  Q_EMIT textChanged();
}

void ProblemsPresenter::selectFirst() {
  if (!selection_.untouched() || errors() == 0) return;
  Selection first;
  first.problem = problems_.front().operation;
  first.nodes = problems_.front().nodes;
  first.origin = Origin::Problem;
  selection_.select(first);
}

/// Of each node the worst problem, with the message of the first.
std::vector<std::pair<fx::NodeId, Mark>> ProblemsPresenter::marks() const {
  std::map<fx::NodeId, Mark> out;
  for (const Problem& problem : problems_)
    for (const ProblemPart& part : problem.parts) {
      if (part.severity == fx::Severity::Note) continue;
      const bool isError = part.severity == fx::Severity::Error;
      for (const fx::NodeId node : part.nodes) {
        Mark& mark = out[node];
        if (mark.tip.isEmpty()) mark.tip = part.message;
        if (mark.emphasis == Emphasis::Error) continue;
        mark.emphasis = isError ? Emphasis::Error : Emphasis::Warning;
        mark.icon = isError ? "error" : "warning";
      }
    }
  return {out.begin(), out.end()};
}

NodeColours ProblemsPresenter::colours() const {
  NodeColours out{{}, Shade::Dimmed, {}, {}};
  out.legend = {{Shade::Blocked, "stops the program"}, {Shade::Suspicious, "warning"}};
  for (const auto& [node, mark] : marks()) {
    if (node.index() >= out.shades.size()) out.shades.resize(node.index() + 1, out.least);
    out.shades[node.index()] =
        mark.emphasis == Emphasis::Error ? Shade::Blocked : Shade::Suspicious;
  }
  return out;
}

bool ProblemsPresenter::blocks(fx::NodeId node) const {
  const std::vector<const ProblemPart*> parts = at(node);
  return std::any_of(parts.begin(), parts.end(),
                     [](const ProblemPart* part) { return part->severity == fx::Severity::Error; });
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
    return "No problems so far; " + session_.state().step + " …";
  const session::SnapshotPtr& snapshot = session_.snapshot();
  if (stoppedEarly()) return "The run was cancelled before every stage was checked";
  if (session_.showsTraceFile()) return "The trace has no errors; nothing was lowered here";
  return "No problems. Checked: " + checkedText(*snapshot);
}

bool ProblemsPresenter::stoppedEarly() const {
  const session::SnapshotPtr& snapshot = session_.snapshot();
  return snapshot && session_.state().cancelled &&
         (!snapshot->lowering || lower::wasStopped(*snapshot->lowering));
}

QString ProblemsPresenter::blockedText() const {
  if (errors_ == 0) return {};
  if (const diagnose::TargetDiagnosis* target = diagnosis_.of(session_.target());
      target && !report::sizesBlock(*diagnosis(), *target).empty())
    return text(lower::name(target->target)) + ": " +
           text(report::blockersText(*diagnosis(), *target));
  std::size_t nodes = 0;
  for (const Problem& problem : problems_)
    if (problem.severity() == fx::Severity::Error) nodes += problem.count;
  return QString("%1 (%2) %3 %4")
      .arg(counted(errors_, "operation"), counted(nodes, "node"), errors_ == 1 ? "stops" : "stop",
           text(lower::name(session_.target())));
}

QString ProblemsPresenter::diagnosisText() const {
  const WorkState& state = diagnosis_.state();
  if (state.running) return state.step + " …";
  const bool isComplete = diagnosis() && diagnosis()->complete;
  if (state.cancelled && !isComplete)
    return diagnosis() ? "diagnosis cancelled; these results are valid" : "diagnosis cancelled";
  if (!state.message.isEmpty()) return "no diagnosis: " + state.message;
  if (!diagnosis()) return {};
  return isComplete ? counted(diagnosis()->distinct, "operation") + " lowered by themselves"
                    : QString("diagnosis incomplete: time limit reached");
}

QString ProblemsPresenter::summary() const {
  QStringList parts{blockedText(), diagnosisText()};
  if (stoppedEarly() && !problems_.empty())
    parts << "the run was cancelled before every stage was checked";
  const diagnose::TargetDiagnosis* target = diagnosis_.of(session_.target());
  if (!diagnosis_.state().running && target && target->fixedLowers)
    parts << (*target->fixedLowers ? "lowers with the fixes"
                                   : "does not lower even with the fixes");
  parts.removeAll(QString());
  return parts.join("  ·  ");
}

report::DiagnoseReport ProblemsPresenter::diagnoseReport() const {
  return {report::fileNameOf(session_.snapshot()->request.file), *diagnosis(), *session_.program()};
}

QString ProblemsPresenter::markdown() const {
  if (!diagnosis() || !session_.hasProgram()) return {};
  return lines(report::diagnoseMarkdown(diagnoseReport()));
}

QString ProblemsPresenter::markdown(std::size_t blocked) const {
  return lines(report::blockedMarkdown(diagnoseReport(), diagnosis()->blocked[blocked]));
}

QStringList ProblemsPresenter::conclusions() const {
  if (!diagnosis() || !session_.hasProgram()) return {};
  QStringList out =
      lines(report::diagnoseConclusions(diagnoseReport())).split('\n', Qt::SkipEmptyParts);
  if (!diagnosis()->python.empty())
    out << "decompositions of PyTorch: " + text(diagnosis()->python);
  return out;
}

}  // namespace fxs::ui
