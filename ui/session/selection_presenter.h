// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The selection shared by all panes, with a history. Nodes, lines of a stage, problems and modules
// all select FX nodes: the pane that was clicked sets the selection, the others follow.
#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "fx/argument.h"
#include "fx/program.h"
#include "layout/graph_view.h"
#include "session/services.h"
#include "session/shown_text.h"

namespace fxs::ui {

/// The source of a selection; a pane does not scroll for its own click.
enum class Origin : std::uint8_t { Graph, Tree, List, Stage, Problem, Inspector, Command };

struct Selection {
  std::vector<fx::NodeId> nodes;  ///< of the user's program; the inspector shows the first
  layout::GroupId group;          ///< the selected module, if a module was selected
  QString problem;                ///< Problem::operation, if a problem was selected
  int part = -1;                  ///< index into Problem::parts, if a part was selected
  ShownText stage;                ///< the text, if a line was clicked
  std::uint32_t line = 0;         ///< of `stage`, 0-based
  Origin origin = Origin::Command;

  fx::NodeId node() const { return nodes.empty() ? fx::NodeId{} : nodes.front(); }
  /// What the inspector shows: invalid for a module.
  fx::NodeId inspected() const { return group.valid() ? fx::NodeId{} : node(); }
  bool empty() const { return nodes.empty() && !group.valid() && problem.isEmpty(); }
  bool sameAs(const Selection& other) const {
    return nodes == other.nodes && group == other.group && problem == other.problem &&
           part == other.part;
  }
};

class SessionPresenter;

class SelectionPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit SelectionPresenter(Services& services);

  const Selection& current() const { return current_; }
  /// The nodes that were selected before the current ones; empty if there are none.
  std::vector<fx::NodeId> previousNodes() const {
    return at_ > 0 ? history_[at_ - 1].nodes : std::vector<fx::NodeId>{};
  }
  /// Nothing has been selected since reset().
  bool untouched() const { return history_.empty(); }
  void select(const Selection& selection);
  /// False if the program has no node with this name.
  bool selectByName(const QString& name, Origin origin = Origin::Command);
  /// Selects the node with this name in the program that is opened next, if it has one.
  void selectOnceOpened(const QString& name) { wanted_ = {name.toStdString()}; }
  void selectNode(fx::NodeId node, Origin origin);
  /// Selects a module and the nodes in it.
  void selectGroup(layout::GroupId group, std::vector<fx::NodeId> nodes, Origin origin);
  void clear();
  /// Clears the selection and its history, for another program.
  void reset();

  bool canGoBack() const { return at_ > 0; }
  bool canGoForward() const { return at_ + 1 < history_.size(); }
  void back();
  void forward();

  /// Whether panes scroll to a selection made elsewhere.
  bool following() const { return following_; }
  void setFollowing(bool on) { following_ = on; }

 Q_SIGNALS:
  void changed(const fxs::ui::Selection& selection);
  void historyChanged();

 private:
  void show(const Selection& selection);
  void selectWanted();
  SessionPresenter& session_;
  fx::ProgramPtr program_;           ///< that the selection is of
  std::vector<std::string> wanted_;  ///< names of nodes to select
  Selection current_;
  std::vector<Selection> history_;
  std::size_t at_ = 0;
  bool following_ = true;
};

}  // namespace fxs::ui
