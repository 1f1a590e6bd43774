#pragma once
// wrap_with_set_grad_enabled and wrap_with_autocast hold a region of the program as a subgraph that takes what it uses as
// operands. The region is written in the place of the call. Gradients do not matter to a lowered program; autocast does: its
// subgraph has no casts, so the policy of PyTorch says which operand is cast for which operator (autocast_policy.h).
#include "rewrite/transcription.h"

namespace fxs::rewrite {

bool hasContextRegions(const fx::Program&);
Result<fx::Program> inlineContexts(const fx::Program&, Report&, const RunContext&);

}  // namespace fxs::rewrite
