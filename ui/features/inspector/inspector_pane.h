// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The inspector: details of the selected node (see NodePresenter) or module.
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>

#include "features/graph/graphs_presenter.h"
#include "features/inspector/metadata_model.h"
#include "features/inspector/node_presenter.h"
#include "session/marks.h"
#include "widgets/controls.h"
#include "widgets/node_sections.h"

namespace fxs::ui {

class InspectorPane final : public QScrollArea {
  Q_OBJECT
 public:
  InspectorPane(Appearance& appearance, Services& services, QWidget* parent = nullptr);

  /// Constant, so that a new selection does not move the docks.
  QSize sizeHint() const override { return {50 * kGrid, 30 * kGrid}; }
  /// All shown text, line by line, for tests.
  QString plainText() const;

 Q_SIGNALS:
  void copyMarkdownRequested();
  void openPythonRequested(const QString& file, int line);
  /// The pane must be visible, because a section of it is wanted.
  void opened();

 private:
  void rebuild();
  void rebuildSigns();
  QWidget* rescueKept();
  /// Those whose place is between `from` and `to`, which is the first that is left out.
  void buildSections(fx::NodeId node, int from, int to);
  void scrollTo(QWidget* part, int top);
  void buildEmpty();
  void buildModule(layout::GroupId group);
  void buildNode(const NodeState& state);
  void heading(const QString& title, const QString& count = {});
  LinkButton* link(const QString& shown, fx::NodeId node);
  void buildArguments(const NodeState& state);
  /// Its position and the line itself; and the lines around it.
  void buildPython(const PythonLine& python);
  void buildPythonAround(const PythonLine& python);
  void buildMetadata(const NodeState& state);
  void buildUsers(const NodeState& state);

  Appearance& appearance_;
  NodePresenter& node_;
  GraphPresenter& graph_;
  SelectionPresenter& selection_;
  Marks& marks_;
  NodeSections& sections_;
  MetadataModel metadata_;
  QWidget* body_ = nullptr;
  QVBoxLayout* column_ = nullptr;
  QWidget* signs_ = nullptr;  ///< of the marks of the node
};

}  // namespace fxs::ui
