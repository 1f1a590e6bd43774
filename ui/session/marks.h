// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What features say of nodes with a sign: a problem, a value that differs, a bookmark. A feature
// registers a MarkSource; graph, lists, tree, inspector and texts draw the marks of all of them
// alike, and know none of the features.
#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "fx/argument.h"

namespace fxs::ui {

/// From the least to the most important. It decides the colour, and in the graph the shape. Up to
/// Note, a sign stands beside the node; from Changed on, the node has its colour, too.
enum class Emphasis : std::uint8_t { None, Flag, Note, Changed, Removed, Added, Warning, Error };

struct Mark {
  Emphasis emphasis = Emphasis::None;
  QString icon;  ///< "comment"
  QString tip;   ///< lines of the node's tool tip; "" for none
};

/// The marks of one node: the strongest that colours it, and the strongest beside it, each with the
/// tips of all.
struct NodeMarks {
  Mark status, flag;
  void add(const Mark& mark);
  /// The strongest of both, without tips: for what contains several nodes.
  void raise(const NodeMarks& other);
  QString tip() const;
};
/// By NodeId index; nodes past the end have none.
using MarksByNode = std::vector<NodeMarks>;
/// Of lines of a text, 0-based and ascending, without tips.
using MarksByLine = std::vector<std::pair<std::uint32_t, NodeMarks>>;

struct MarkSource {
  int rank = 0;  ///< sort key of its lines in tool tips
  /// Of the nodes of the open program that it marks, in any order.
  std::function<std::vector<std::pair<fx::NodeId, Mark>>()> marks;
};

class Marks final : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  void add(MarkSource source);
  /// Asks every source again: to be called when a source changed.
  void refresh();
  /// Of the nodes of the user's program.
  const MarksByNode& all() const { return all_; }
  const NodeMarks& at(fx::NodeId node) const;

 Q_SIGNALS:
  void changed();

 private:
  std::vector<MarkSource> sources_;
  MarksByNode all_;
};

}  // namespace fxs::ui

Q_DECLARE_METATYPE(const fxs::ui::NodeMarks*)
