// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Going from node to node through some of a program's nodes.
#include <algorithm>
#include <vector>

#include "fx/program.h"

namespace fxs::ui {

/// The node after `from` (1) or before it (-1), round at the ends; without `from`, the first or the
/// last. Invalid if there are none. `nodes`: ascending.
inline fx::NodeId nextNode(const std::vector<fx::NodeId>& nodes, fx::NodeId from, int direction) {
  if (nodes.empty()) return {};
  if (!from.valid()) return direction > 0 ? nodes.front() : nodes.back();
  if (direction > 0) {
    const auto after = std::upper_bound(nodes.begin(), nodes.end(), from);
    return after == nodes.end() ? nodes.front() : *after;
  }
  const auto at = std::lower_bound(nodes.begin(), nodes.end(), from);
  return at == nodes.begin() ? nodes.back() : *(at - 1);
}

}  // namespace fxs::ui
