// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// An immutable laid-out graph: what to draw and where.
#include <memory>

#include "features/graph/shade_state.h"
#include "features/notes/note_state.h"
#include "layout/graph_layout.h"

namespace fxs::ui {

/// From the least to the most important. Added, Removed and Changed: an operation, compared with
/// the other side of a difference.
enum class NodeStatus : std::uint8_t { Neutral, Changed, Removed, Added, Suspicious, Blocked };

struct GraphPicture {
  fx::ProgramPtr program;
  std::shared_ptr<const layout::GroupTree> tree;
  std::shared_ptr<const layout::GraphView> view;
  std::shared_ptr<const layout::GraphLayout> layout;
  std::shared_ptr<const layout::GraphLayout> whole = nullptr;  ///< see LaidOutGraph
  bool empty() const { return !program || !tree || !view || !layout || layout->boxes.empty(); }
};

}  // namespace fxs::ui
