// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Problems of the open program, from every step and from its diagnosis: the list by operation, and
// the marks of the nodes.
#include <QObject>
#include <QString>
#include <vector>

#include "features/problems/problem_state.h"
#include "report/diagnose.h"
#include "session/colourings.h"
#include "session/diagnosis_presenter.h"
#include "session/marks.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"

namespace fxs::ui {

class ProblemsPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit ProblemsPresenter(Services& services);

  const std::vector<fx::Finding>& findings() const { return findings_; }
  const std::vector<Problem>& problems() const { return problems_; }
  /// By Problem::operation; null if there is none.
  const Problem* problem(const QString& operation) const;
  /// Number of distinct operations that stop the program.
  std::size_t errors() const { return errors_; }
  /// Whether an operation that stops the program is at the node.
  bool blocks(fx::NodeId) const;
  /// Problems of a node, worst first; valid until changed().
  std::vector<const ProblemPart*> at(fx::NodeId) const;
  /// Index of the first problem of a node, or of an operation; -1 for none.
  int indexAt(fx::NodeId) const;
  int indexOf(const QString& operation) const;
  const DiagnosisPtr& diagnosis() const { return diagnosis_.diagnosis(); }
  /// Why the list is empty, and what was checked; "" if it is not empty.
  QString emptyText() const;
  /// One line: how many operations stop the program, and the progress of the diagnosis.
  QString summary() const;
  /// Conclusions of the diagnosis about the whole program, one line each.
  QStringList conclusions() const;
  /// The whole diagnosis as Markdown; "" if there is none.
  QString markdown() const;
  /// One of diagnosis()->blocked as Markdown, for the Markdown of its node.
  QString markdown(std::size_t blocked) const;

 Q_SIGNALS:
  void changed();
  /// emptyText() or summary() may have changed.
  void textChanged();

 private:
  report::DiagnoseReport diagnoseReport() const;
  void refresh();
  /// A program with problems opens at the first, unless the user has selected something.
  void selectFirst();
  std::vector<std::pair<fx::NodeId, Mark>> marks() const;
  NodeColours colours() const;
  /// The run was cancelled, and stages were not run.
  bool stoppedEarly() const;
  /// The parts of summary(): the operations that stop the target, and the state of the diagnosis;
  /// "" for none.
  QString blockedText() const;
  QString diagnosisText() const;
  SessionPresenter& session_;
  DiagnosisPresenter& diagnosis_;
  SelectionPresenter& selection_;
  std::vector<fx::Finding> findings_;
  std::vector<Problem> problems_;
  std::size_t errors_ = 0;
};

}  // namespace fxs::ui
