// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the inspector shows of a node, a section for each feature that knows something of it.
#include <QObject>
#include <QString>
#include <QWidget>
#include <functional>
#include <vector>

#include "fx/argument.h"

namespace fxs::ui {

struct NodeSection {
  int rank = 0;   ///< sort key, below 100; below 50: above the arguments of the node
  QString title;  ///< of its heading; "" for none
  QString note;   ///< beside the heading
  /// Null if there is nothing to show. `node`: invalid for the whole program.
  std::function<QWidget*(fx::NodeId node, QWidget* parent)> make;
  /// A widget that make() returns for every node, and that outlives what the inspector shows.
  QWidget* kept = nullptr;
};

class NodeSections final : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  void add(NodeSection section);
  /// By place.
  const std::vector<NodeSection>& all() const { return all_; }

 Q_SIGNALS:
  /// A feature emits it when its section has to be made again.
  void changed();
  /// A feature emits it to show a part of its section, `top` pixels below its upper edge.
  void wanted(QWidget* part, int top);

 private:
  std::vector<NodeSection> all_;
};

}  // namespace fxs::ui
