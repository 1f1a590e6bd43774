// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaves out assertions on values that are known only at run time, with what is computed for them
// alone: a number read from a tensor (aten.item), and comparisons of it.
#include <algorithm>
#include <vector>

#include "base/counted.h"
#include "diagnose/change.h"
#include "diagnose/static_sizes.h"
#include "rewrite/emit.h"

namespace fxs::diagnose {
namespace {

/// The condition of an assertion on data: "u0 <= 6"; "" for one on sizes of inputs.
std::string checkedBy(const fx::Program& program, const fx::Node& node) {
  const fx::SymExprPtr condition = fx::assertedBy(program, node);
  if (!condition) return {};
  bool ofData = false;
  fx::collectSymbols(*condition, [&](const std::string& s) { ofData |= isUnbacked(s); });
  return ofData ? fx::infix(*condition) : std::string();
}

/// By node: whether it is such an assertion, or is computed for these alone.
std::vector<bool> forAssertions(const fx::Program& program) {
  std::vector<bool> out(program.nodes.size(), false);
  const std::vector<std::vector<fx::NodeId>> users = fx::usersOf(program);
  for (std::size_t i = program.nodes.size(); i-- > 0;) {
    const fx::Node& node = program.nodes[i];
    if (node.op != fx::NodeOp::CallFunction) continue;
    out[i] = users[i].empty() ? !checkedBy(program, node).empty()
                              : std::all_of(users[i].begin(), users[i].end(),
                                            [&](fx::NodeId user) { return out[user.index()]; });
  }
  return out;
}

void proposeAssertions(const BlockedCall& call, std::vector<Change>& out) {
  const fx::Program& program = *call.subject.program;
  const std::vector<bool> only = forAssertions(program);
  if (!only[call.node.id.index()]) return;
  std::vector<std::string> conditions;
  std::vector<fx::NodeId> nodes;
  for (const fx::Node& node : program.nodes)
    if (std::string condition = checkedBy(program, node); !condition.empty()) {
      nodes.push_back(node.origin);
      if (std::find(conditions.begin(), conditions.end(), condition) == conditions.end())
        conditions.push_back(std::move(condition));
    }
  Change change;
  change.id = "without-assertions";
  change.change =
      "leave out " + counted(nodes.size(), "assertion") + " on values known only at run time";
  change.cost = "the program no longer checks " + conditions.front();
  if (conditions.size() > 1)
    change.cost += " and " + counted(conditions.size() - 1, "other condition");
  std::sort(nodes.begin(), nodes.end());
  rewrite::Rule rule{std::string(fx::kAssertScalar), "an assertion computes nothing", false,
                     [nodes](rewrite::Emitter& e) -> rewrite::Results {
                       if (!std::binary_search(nodes.begin(), nodes.end(), e.matched().origin))
                         return std::nullopt;
                       return std::vector<fx::Argument>{fx::None{}};
                     },
                     change.id};
  change.rules = {std::move(rule)};
  change.acrossNodes = change.isOne = true;
  change.snippet = fixCommand(call);
  change.language = "sh";
  out.push_back(std::move(change));
}

}  // namespace

void registerAssertions(Proposals& proposals) { proposals.add(proposeAssertions); }

}  // namespace fxs::diagnose
