// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow by data flow.
#include "rewrite/inline_control_flow.h"
#include "rewrite/rule.h"

namespace fxs::rewrite {

void registerControlFlow(RewriteRules& rules) {
  rules.add(
      {std::string(kCond), "becomes both branches, and aten.where of their results", false, {}});
  for (const std::string_view loop : {kScan, kMap})
    rules.add({std::string(loop), "becomes its steps, one after the other", true, {}});
}

}  // namespace fxs::rewrite
