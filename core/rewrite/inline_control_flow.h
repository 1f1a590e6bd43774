// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Inlines control flow in place of the call: both branches of torch.cond, whose results aten.where
// selects, and each step of scan and map over a short static dimension. Only subgraphs without side
// effects that return tensors.
#include <set>
#include <string_view>

#include "rewrite/transcription.h"

namespace fxs::rewrite {

inline constexpr std::string_view kCond = "higher_order.cond";
inline constexpr std::string_view kScan = "higher_order.scan";
inline constexpr std::string_view kMap = "higher_order.map_impl";
/// Inlines calls of these of the above.
Result<fx::Program> inlineControlFlow(const fx::Program&, std::set<std::string_view> targets,
                                      Report&, const RunContext&);

}  // namespace fxs::rewrite
