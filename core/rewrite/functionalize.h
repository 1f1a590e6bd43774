#pragma once
// Writes become values. Every tensor of the program is a view of one storage: of itself, or reached from another value by view
// steps. A write to a value makes a new one with the functional variant of the operator, carries it up the steps to the storage's
// root by their inverses (slice -> slice_scatter, permute -> the inverse permute), and marks every other view of that storage
// out of date; a view that is out of date is taken anew when it is next used. What the inputs hold at the end becomes leading
// outputs. A write that cannot be expressed so is a finding "not-functionalized" at its node, which stays as it was.
#include "rewrite/transcription.h"

namespace fxs::rewrite {

/// Whether any node writes, or is an alias that only matters beside writes (detach_, lift_fresh_copy).
bool needsFunctionalization(const fx::Program&);
Result<fx::Program> functionalize(const fx::Program&, Report&, const RunContext&);

}  // namespace fxs::rewrite
