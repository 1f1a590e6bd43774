// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Replaces an engine's curve by a single bend where it crosses no node: it leaves and arrives
// downwards and is monotonic in y. Engines route through boxes between rows and overshoot at steep
// turns.
#include "layout/flat_layout.h"

namespace fxs::layout {

void smoothCurves(const FlatGraph&, FlatPlacement&);

}  // namespace fxs::layout
