// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native decompositions of the operation that were not requested.
#include <algorithm>

#include "base/safe_text.h"
#include "diagnose/change.h"
#include "rewrite/inline_control_flow.h"

namespace fxs::diagnose {
namespace {

/// Whether a number is computed only to choose a branch: without the call, nothing uses it.
bool choosesBranches(const fx::Program& program, const fx::Node& number) {
  if (number.val.symbol() == nullptr) return false;
  std::vector<bool> chooses(program.nodes.size(), false);
  const std::vector<std::vector<fx::NodeId>> users = fx::usersOf(program);
  for (std::size_t i = program.nodes.size(); i-- > number.id.index();) {
    const fx::Node& node = program.nodes[i];
    chooses[i] = node.target == rewrite::kCond;
    if (node.val.symbol() != nullptr && !users[i].empty())
      chooses[i] = std::all_of(users[i].begin(), users[i].end(),
                               [&](fx::NodeId user) { return chooses[user.index()]; });
  }
  return chooses[number.id.index()];
}

void proposeDecompositions(const BlockedCall& call, std::vector<Change>& out) {
  const bool isPredicate = choosesBranches(*call.subject.program, call.node);
  for (const rewrite::Rule& rule : rewrite::builtinRules().rules()) {
    if ((rule.essential && !call.isDecomposed) ||
        (rule.target != call.node.target && rule.target != call.blocked.fxTarget &&
         !(isPredicate && rule.target == rewrite::kCond)))
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
