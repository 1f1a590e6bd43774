// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow by data flow.
#include "rewrite/inline_branches.h"
#include "rewrite/rule.h"

namespace fxs::rewrite {

void registerControlFlow(RewriteRules& rules) {
  rules.add(
      {std::string(kCond), "becomes both branches, and aten.where of their results", false, {}});
}

}  // namespace fxs::rewrite
