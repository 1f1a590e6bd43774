// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "features/graph/graph_pair.h"
#include "window/feature.h"

namespace fxs::ui {

/// Adds what is done with the graph that was used last: which part of it is shown, its colours, and
/// saving it as a picture.
void addGraphActions(Host& host, GraphPair* graphs);

}  // namespace fxs::ui
