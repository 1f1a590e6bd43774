// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What can be done with an operation of a text, in the context menus of texts and of their graphs,
// and with a node, in that of the program's graph.
// A feature registers its commands; texts and graphs know none of the features.
#include <QString>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "fx/argument.h"
#include "session/shown_text.h"

namespace fxs::ui {

/// The operation that begins on a line, or spans it.
struct TextOp {
  ShownText text;
  std::uint32_t line = 0;  ///< 0-based
};

struct OpCommand {
  int rank = 0;  ///< sort key in the menu
  QString title;
  std::function<bool(const TextOp&)> canRun;
  std::function<void(const TextOp&)> run;
};

struct NodeCommand {
  QString title;
  std::function<void(fx::NodeId)> run;
};

class OpCommands {
 public:
  void add(OpCommand command) {
    const auto after = std::find_if(
        all_.begin(), all_.end(), [&](const OpCommand& each) { return each.rank > command.rank; });
    all_.insert(after, std::move(command));
  }
  void addForNodes(NodeCommand command) { forNodes_.push_back(std::move(command)); }
  /// By rank.
  const std::vector<OpCommand>& all() const { return all_; }
  const std::vector<NodeCommand>& forNodes() const { return forNodes_; }

 private:
  std::vector<OpCommand> all_;
  std::vector<NodeCommand> forNodes_;
};

}  // namespace fxs::ui
