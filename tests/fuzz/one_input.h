// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The budget of one input, which bounds what a fuzzer looks at.
#include <memory>

#include "base/budget.h"
#include "base/run_context.h"

namespace fxs::fuzz {

inline BudgetLimits limitsOfOneInput() {
  BudgetLimits limits;
  limits[Resource::Nodes] = 20'000;
  limits[Resource::Values] = 2'000'000;
  limits[Resource::Text] = std::uint64_t{64} << 20;
  limits[Resource::Seconds] = 5;
  return limits;
}

inline RunContext contextOfOneInput(const BudgetLimits& limits = limitsOfOneInput()) {
  RunContext context;
  context.budget = std::make_shared<const Budget>(limits);
  return context;
}

}  // namespace fxs::fuzz
