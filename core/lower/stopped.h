// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A stop request ends a lowering: the stages that were not run say so, and nothing is known of
// them.
#include <string_view>

#include "lower/lower.h"

namespace fxs::lower {

/// StageResult::why of a stage that a stop request kept from running.
inline constexpr std::string_view kStopped = "cancelled";

/// Whether a stop request ended it.
bool wasStopped(const Lowering&);

}  // namespace fxs::lower
