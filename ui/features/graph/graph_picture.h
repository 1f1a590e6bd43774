// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// An immutable laid-out graph: what to draw and where.
#include <memory>

#include "layout/graph_layout.h"
#include "session/colourings.h"

namespace fxs::ui {

struct GraphPicture {
  fx::ProgramPtr program;
  std::shared_ptr<const layout::GroupTree> tree;
  std::shared_ptr<const layout::GraphView> view;
  std::shared_ptr<const layout::GraphLayout> layout;
  std::shared_ptr<const layout::GraphLayout> full = nullptr;  ///< see LaidOutGraph
  bool empty() const { return !program || !tree || !view || !layout || layout->boxes.empty(); }
};

}  // namespace fxs::ui
