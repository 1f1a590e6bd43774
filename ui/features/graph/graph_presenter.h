// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A program as a graph: which groups are expanded, and the resulting layout, which is computed in a
// job.
#include <QObject>
#include <QString>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "layout/graph_layout.h"
#include "session/services.h"
#include "session/task.h"

namespace fxs::ui {

/// A graph that contains others, so that they are drawn in the same places; see layout/part.h.
struct FullGraph {
  fx::ProgramPtr program;
  std::shared_ptr<const layout::GroupTree> tree;  ///< the rest is null before the first layout
  std::shared_ptr<const layout::GraphView> view;
  std::shared_ptr<const layout::GraphLayout> layout;
  layout::ViewOptions options;  ///< of `view`
};

struct LaidOutGraph {
  fx::ProgramPtr program;
  std::shared_ptr<const layout::GroupTree> tree;
  std::shared_ptr<const layout::GraphView> view;
  std::shared_ptr<const layout::GraphLayout> layout;
  std::shared_ptr<const layout::GraphLayout> full;  ///< of the graph that it is part of; else null
};

class GraphPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit GraphPresenter(Services& services);

  /// Shows another program, or none if it is null. With `keepExpanded`, modules that were expanded
  /// before stay so.
  void show(fx::ProgramPtr program, bool keepExpanded = false);

  /// Shows a part of a whole graph. `positionOf`: see layout::partTree(). Another part of the same
  /// whole needs no layout.
  void showPart(fx::ProgramPtr full, fx::ProgramPtr part, std::vector<fx::NodeId> positionOf);

  /// Null until the first layout of the program is done.
  const std::shared_ptr<const layout::GroupTree>& tree() const { return tree_; }
  const fx::ProgramPtr& program() const { return program_; }
  const LaidOutGraph& graph() const { return graph_; }
  bool busy() const { return layingOut_.running(); }

  void toggle(layout::GroupId);
  /// Expands the modules that are expanded in another graph, by path.
  void expandAs(const GraphPresenter& other);
  void openAll();
  void closeAll();
  /// Expands the groups that contain a node, or another group, so that it has a box if its part is
  /// shown.
  void open(fx::NodeId);
  void open(layout::GroupId);
  /// As open(), and shows all if the node is in another part.
  void reveal(fx::NodeId);

  /// Shows only `centre` and the nodes that its values come from and go to in so many steps.
  void showAround(const std::vector<fx::NodeId>& centre, std::size_t steps);
  /// Shows only the nodes on paths from one to the other, in either direction; false, and nothing
  /// changes, if there is none.
  bool showBetween(const std::vector<fx::NodeId>& a, const std::vector<fx::NodeId>& b);
  void showAll();
  /// "12 of 2,369 nodes: 2 steps around add_3"; "" while all nodes are shown.
  const QString& partText() const { return partText_; }

  /// The modules that contain a node, outermost first, without the root. For a group, ends with the
  /// group itself.
  std::vector<layout::GroupId> pathOf(fx::NodeId) const;
  std::vector<layout::GroupId> pathOf(layout::GroupId) const;
  /// Every node in a group and its subgroups.
  std::vector<fx::NodeId> nodesIn(layout::GroupId) const;

 Q_SIGNALS:
  void treeChanged();
  /// The user expanded or collapsed groups.
  void expandedChanged();
  /// partText() changed.
  void partChanged();
  /// graph() changed; `anchor` is the group just expanded or collapsed, if any.
  void graphChanged(fxs::layout::GroupId anchor);
  /// What is in progress, or why there is no graph; "" when a graph is shown.
  void messageChanged(const QString& message);

 private:
  std::set<std::string> expandedPaths() const;
  void begin(fx::ProgramPtr program);
  struct Made {
    std::shared_ptr<const layout::GroupTree> tree;
    std::shared_ptr<const layout::GraphView> view;
    std::shared_ptr<const layout::GraphLayout> layout;
    std::set<layout::GroupId> open;
    FullGraph full;
    std::optional<Error> error;
  };
  struct Subject;
  void relayout(layout::GroupId anchor);
  void openPath(layout::GroupId innermost);
  /// By a box of its own, or as a part of another node's.
  bool isDrawn(fx::NodeId) const;
  void publish(const Made& made, layout::GroupId anchor);
  void sayFailed(const Error& error);
  void showOnly(std::vector<fx::NodeId> nodes, const QString& title);
  QString nameOf(const std::vector<fx::NodeId>& nodes) const;

  CommandRunner& runner_;
  layout::LayoutWorker worker_;
  fx::ProgramPtr program_;
  FullGraph full_;                      ///< without a program if the shown one is not a part
  std::vector<fx::NodeId> positionOf_;  ///< by node of the part
  std::shared_ptr<const layout::GroupTree> tree_;
  std::set<layout::GroupId> open_;
  std::set<std::string> openPaths_;  ///< of modules that show() keeps expanded
  bool everything_ = false;
  std::vector<fx::NodeId> only_;  ///< the nodes shown, ascending; empty for all
  QString partText_;
  /// What was expanded while all nodes were shown.
  std::set<layout::GroupId> openOfAll_;
  bool everythingOfAll_ = false;
  LaidOutGraph graph_;
  Task<Result<Made>> layingOut_;
};

}  // namespace fxs::ui
