// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The inspector: details of the selected node (see NodePresenter) or module.
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>

#include "features/alone/alone_presenter.h"
#include "features/graph/graphs_presenter.h"
#include "features/inspector/metadata_model.h"
#include "features/inspector/node_presenter.h"
#include "features/numbers/numbers_presenter.h"
#include "features/numbers/times_presenter.h"
#include "features/passes/history_presenter.h"
#include "features/passes/pattern_presenter.h"
#include "features/problems/problems_presenter.h"
#include "widgets/controls.h"

namespace fxs::ui {

class BlockedSection;
class NoteSection;

class InspectorPane final : public QScrollArea {
  Q_OBJECT
 public:
  InspectorPane(Appearance& appearance, Services& services, QWidget* parent = nullptr);

  /// Constant, so that a new selection does not move the docks.
  QSize sizeHint() const override { return {50 * kGrid, 30 * kGrid}; }
  void showHistory();
  /// Scrolls to the fixes tried for the node's operation.
  void showHelp();
  /// Puts the cursor into the note of the node.
  void editNote();
  /// All shown text, line by line, for tests.
  QString plainText() const;

 Q_SIGNALS:
  void copyMarkdownRequested();
  void openPythonRequested(const QString& file, int line);
  /// A stage was clicked in the list of what the node becomes.
  void stageRequested(const fxs::ui::ShownText& stage);
  /// A pass was clicked in the history.
  void passRequested(int pass);
  void rewritesRequested();
  /// Asks for the pane with the single-node lowering.
  void aloneRequested();
  void copyRequested(const QString& text);
  void fixRequested();
  void bookmarkRequested();

 private:
  void rebuild();
  void rebuildBecomes();
  void rebuildHistory();
  void buildPatterns(QVBoxLayout* list);
  void buildEmpty();
  void buildConclusions();
  void buildProblems(const NodeState& state);
  void buildModule(layout::GroupId group);
  void buildNode(const NodeState& state);
  QVBoxLayout* section(const QString& title, const QString& count = {});
  LinkButton* link(const QString& shown, fx::NodeId node);
  void buildArguments(const NodeState& state);
  void buildPython(const PythonLine& python);
  void buildMetadata(const NodeState& state);
  void buildUsers(const NodeState& state);

  Appearance& appearance_;
  NodePresenter& node_;
  ProblemsPresenter& problems_;
  DiagnosisPresenter& diagnosis_;
  HistoryPresenter& history_;
  PatternPresenter& patterns_;
  AlonePresenter& alone_;
  NumbersPresenter& numbers_;
  TimesPresenter& times_;
  GraphPresenter& graph_;
  SelectionPresenter& selection_;
  MetadataModel metadata_;
  QWidget* body_ = nullptr;
  QVBoxLayout* column_ = nullptr;
  QWidget* becomes_ = nullptr;
  QWidget* passes_ = nullptr;
  BlockedSection* blocked_ = nullptr;
  NoteSection* note_;  ///< moves into each new body, with what is being typed
};

}  // namespace fxs::ui
