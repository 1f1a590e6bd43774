// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The central widget: above the graph, a choice of what it shows (the program, or the operations of
// a stage), breadcrumbs and zoom controls.
#include <QComboBox>
#include <QWidget>
#include <array>

#include "features/graph/colour_presenter.h"
#include "features/graph/graph_legend.h"
#include "features/graph/graph_pane.h"
#include "features/graph/graph_presenter.h"
#include "features/graph/op_graph_presenter.h"
#include "features/graph/path_bar.h"
#include "session/marks.h"
#include "session/op_commands.h"
#include "session/selection_presenter.h"
#include "widgets/controls.h"

namespace fxs::ui {

class GraphArea final : public QWidget {
  Q_OBJECT
 public:
  GraphArea(Appearance& appearance, GraphPresenter& graph, OpGraphPresenter& operations,
            ColourPresenter& colours, Marks& marks, SelectionPresenter& selection,
            const OpCommands& commands, QWidget* parent = nullptr);
  GraphPane* pane() const { return pane_; }
  /// "h.3 › attn", as the breadcrumbs show it.
  QString pathText() const;
  QComboBox* chooser() const { return chooser_; }

  /// The graph that is shown: of the program, or of operations.
  GraphPresenter& shown() const { return operations_.chosen() ? operations_.graph() : graph_; }
  OpGraphPresenter& operations() const { return operations_; }
  /// Expands the modules that contain the selected node, and scrolls to it.
  void reveal();
  /// Selects the next match of the marked query, or the previous one for -1, and scrolls to it.
  void stepMatch(int direction);
  /// Shows only what is at most kSteps above and below the selected nodes, one step more each time.
  void showAround();
  /// Shows only what is on paths between the selected nodes and `from`; says so if there is no
  /// path.
  void showBetween(const std::vector<fx::NodeId>& from);
  GraphLegend* legend() const { return legend_; }
  /// The title of the pane: breadcrumbs and buttons.
  QWidget* bar() const { return path_->parentWidget(); }
  /// Whether another graph is beside it, which leaves less width for the bar.
  void setBeside(bool on);
  /// Adds a button before the one that maximizes.
  void addToBar(const QString& icon, const QString& title, const std::function<void()>& run);

 Q_SIGNALS:
  void maximizeRequested();
  void messageShown(const QString& message);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void listen(GraphPresenter& graph);
  void fitBar();
  void showPicture(layout::GroupId anchor);
  void refreshChooser();
  void selectNode(fx::NodeId node);
  void selectGroup(layout::GroupId group, Origin origin);
  /// The nodes of shown() for those of the user's program, and the module of shown() for one of the
  /// program's graph.
  std::vector<fx::NodeId> shownNodes(const std::vector<fx::NodeId>& nodes) const;
  layout::GroupId shownGroup(layout::GroupId group) const;
  void restyle();
  void mark();
  MarksByNode marksOfOperations() const;
  void follow(const Selection& selection);
  /// Expands what hides the selection.
  void openSelection();
  void showMenu(fx::NodeId node, const QPoint& globalPosition);
  void rebuildPath();
  Appearance& appearance_;
  GraphPresenter& graph_;
  OpGraphPresenter& operations_;
  ColourPresenter& colours_;
  Marks& marks_;
  SelectionPresenter& selection_;
  const OpCommands& commands_;
  GraphPane* pane_;
  GraphLegend* legend_;
  QComboBox* chooser_;
  PathBar* path_;
  QLabel* zoom_;
  std::optional<ShownText> picture_;  ///< the text that the picture shows
  fx::NodeId match_;                  ///< the last one that stepMatch() went to
  std::vector<fx::NodeId> centre_;    ///< of the neighbourhood that is shown
  std::size_t steps_ = 0;             ///< of that neighbourhood
  std::vector<fx::NodeId> marked_;    ///< the selected nodes of the picture
  std::array<QWidget*, 3> zoomButtons_ = {};
  std::array<QWidget*, 2> groupButtons_ = {};
  bool beside_ = false;
  bool selecting_ = false;  ///< a click in this graph
};

}  // namespace fxs::ui
