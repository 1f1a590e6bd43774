#pragma once
// The picture of the graph: which groups are open, and the layout of what is then to be seen, made by a job.
#include <QObject>
#include <QString>
#include <memory>
#include <set>
#include <vector>

#include "layout/graph_layout.h"
#include "session/session_presenter.h"

namespace fxs::ui {

struct LaidOutGraph {
  fx::ProgramPtr program;
  std::shared_ptr<const layout::GroupTree> tree;
  std::shared_ptr<const layout::GraphView> view;
  std::shared_ptr<const layout::GraphLayout> layout;
};

class GraphPresenter final : public QObject {
  Q_OBJECT
 public:
  GraphPresenter(SessionPresenter& session, JobQueue& jobs, CommandRunner& runner, layout::LayoutWorker worker, QObject* parent = nullptr);

  /// Null until the first layout of this program is there.
  const std::shared_ptr<const layout::GroupTree>& tree() const { return tree_; }
  const LaidOutGraph& graph() const { return graph_; }
  bool busy() const { return busy_; }

  void toggle(layout::GroupId);
  void openAll();
  void closeAll();
  /// Opens the groups around a node, so that it has a box of its own.
  void reveal(fx::NodeId);

  /// The modules around a node, outermost first, the root left out; of a group: itself last.
  std::vector<layout::GroupId> pathOf(fx::NodeId) const;
  std::vector<layout::GroupId> pathOf(layout::GroupId) const;
  /// Every node in a group and below.
  std::vector<fx::NodeId> nodesIn(layout::GroupId) const;

 Q_SIGNALS:
  void treeChanged();
  /// A new picture; `anchor` is the group just opened or closed.
  void graphChanged(fxs::layout::GroupId anchor);
  /// What the graph is busy with, or why there is none; "" when it shows a picture.
  void messageChanged(const QString& message);

 private:
  void programChanged();
  void relayout(layout::GroupId anchor);

  SessionPresenter& session_;
  JobQueue& jobs_;
  CommandRunner& runner_;
  layout::LayoutWorker worker_;
  std::shared_ptr<const layout::GroupTree> tree_;
  std::set<layout::GroupId> open_;
  bool everything_ = false;
  bool busy_ = false;
  LaidOutGraph graph_;
};

}  // namespace fxs::ui
