#pragma once
// Replaces an engine's curve by one plain bend where nothing is in the way: it leaves downwards, arrives downwards and never turns
// back. Engines route through boxes between rows and overshoot at steep turns.
#include "layout/flat_layout.h"

namespace fxs::layout {

void smoothCurves(const FlatGraph&, FlatPlacement&);

}  // namespace fxs::layout
