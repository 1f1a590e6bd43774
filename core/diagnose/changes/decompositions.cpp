// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native decompositions of the operation that were not requested.
#include <algorithm>

#include "base/safe_text.h"
#include "diagnose/change.h"

namespace fxs::diagnose {
namespace {

void proposeDecompositions(const BlockedCall& call, std::vector<Change>& out) {
  for (const rewrite::Rule& rule : rewrite::builtinRules().rules()) {
    if ((rule.essential && !call.isDecomposed) ||
        (rule.target != call.node.target && rule.target != call.blocked.fxTarget))
      continue;
    if (std::any_of(out.begin(), out.end(),
                    [&](const Change& c) { return c.decompose.contains(rule.target); }))
      continue;
    Change change;
    change.id = "decompose";
    change.change = "decompose " + rule.target + ": it " + rule.reason;
    change.decompose = {rule.target};
    change.snippet = "fxscope-cli lower " + shellWord(call.file) + " " +
                     lower::shellOptionsFor(call.blocked.target) + " --decompose " + rule.target;
    change.language = "sh";
    out.push_back(std::move(change));
  }
}

}  // namespace

void registerDecompositions(Proposals& proposals) { proposals.add(proposeDecompositions); }

}  // namespace fxs::diagnose
