// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The graphs of the open program: its own, and those of the operations of two texts, side by side,
// with what each is coloured by.
#include "features/graph/colour_presenter.h"
#include "features/graph/graph_pair_presenter.h"
#include "features/graph/graph_presenter.h"
#include "features/graph/op_graph_presenter.h"

namespace fxs::ui {

struct Graphs {
  explicit Graphs(Services& services);

  GraphPresenter program;
  OpGraphPresenter first, second;
  GraphPairPresenter pair;
  ColourPresenter colours, secondColours;
};

}  // namespace fxs::ui
