#pragma once
// The one selection of the window. A node, a line of a stage, a problem and a module are views of the same nodes: whoever is
// clicked sets it, everybody else follows. Back and forward walk through what was selected.
#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "fx/argument.h"
#include "layout/graph_view.h"
#include "session/shown_text.h"

namespace fxs::ui {

/// Who set it; a pane does not scroll itself for its own click.
enum class Place : std::uint8_t { Graph, Tree, List, Stage, Problem, Inspector, Command };

struct Selection {
  std::vector<fx::NodeId> nodes;  ///< of the user's program; the first is the one the inspector shows
  layout::GroupId group;          ///< the module selected, when a module was
  QString problem;                ///< Problem::operation of the problem selected, when one was
  int part = -1;                  ///< which of its parts, when one of several was
  ShownText stage;                ///< where the line is, when a line was clicked
  std::uint32_t line = 0;
  Place place = Place::Command;

  fx::NodeId node() const { return nodes.empty() ? fx::NodeId{} : nodes.front(); }
  bool empty() const { return nodes.empty() && !group.valid() && problem.isEmpty(); }
  bool sameAs(const Selection& other) const {
    return nodes == other.nodes && group == other.group && problem == other.problem && part == other.part;
  }
};

class SelectionPresenter final : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  const Selection& current() const { return current_; }
  void select(Selection selection);
  void selectNode(fx::NodeId node, Place place);
  /// A module, with the nodes in it.
  void selectGroup(layout::GroupId group, std::vector<fx::NodeId> nodes, Place place);
  void clear();
  /// Another program: nothing is selected and there is no way back.
  void reset();

  bool canGoBack() const { return at_ > 0; }
  bool canGoForward() const { return at_ + 1 < history_.size(); }
  void back();
  void forward();

  /// Whether panes scroll to what is selected elsewhere.
  bool following() const { return following_; }
  void setFollowing(bool on) { following_ = on; }

 Q_SIGNALS:
  void changed(const fxs::ui::Selection& selection);
  void historyChanged();

 private:
  void show(const Selection& selection);
  Selection current_;
  std::vector<Selection> history_;
  std::size_t at_ = 0;
  bool following_ = true;
};

}  // namespace fxs::ui
