// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Inlines both branches of torch.cond in place of the call, and selects their results with
// aten.where. Only for branches without side effects that return tensors; both are computed.
#include "rewrite/transcription.h"

namespace fxs::rewrite {

inline constexpr std::string_view kCond = "higher_order.cond";
Result<fx::Program> inlineBranches(const fx::Program&, Report&, const RunContext&);

}  // namespace fxs::rewrite
