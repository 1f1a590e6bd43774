// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Inlines the subgraphs of wrap_with_set_grad_enabled and wrap_with_autocast in place of the calls.
// The gradient mode does not matter for lowering. Autocast does: its subgraph contains no casts, so
// they are inserted by PyTorch's policy (autocast.h).
#include "rewrite/transcription.h"

namespace fxs::rewrite {

bool hasContextRegions(const fx::Program&);
/// Whether calls of it have such a subgraph. PyTorch inlines them where it decomposes a program.
bool isContextRegion(std::string_view target);
Result<fx::Program> inlineContexts(const fx::Program&, Report&, const RunContext&);

}  // namespace fxs::rewrite
