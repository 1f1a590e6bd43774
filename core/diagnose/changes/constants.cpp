// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants in place of computed scalars: the values recorded at export.
#include <map>

#include "diagnose/change.h"
#include "diagnose/static_sizes.h"
#include "rewrite/emit.h"

namespace fxs::diagnose {
namespace {

using Constants = std::map<fx::NodeId, std::vector<fx::NodeArgument>>;  // by user node: arguments
                                                                        // that contain a number

std::optional<fx::Argument> numberOf(const fx::Node& node,
                                     const std::map<std::string, std::int64_t>& sizes) {
  const fx::SymValue* symbol = node.val.symbol();
  if (symbol == nullptr || !symbol->expr || symbol->kind != fx::SymKind::Int) return std::nullopt;
  bool known = true;
  fx::collectSymbols(*symbol->expr, [&](const std::string& name) { known &= !isUnbacked(name); });
  const auto value = known ? fx::evaluate(*symbol->expr, sizes) : std::nullopt;
  return value ? std::optional<fx::Argument>(*value) : std::nullopt;
}

Constants constantsFor(const BlockedCall& call, const std::map<std::string, std::int64_t>& sizes) {
  const fx::Program& program = *call.subject.program;
  Constants out;
  for (const fx::Node& node : program.nodes) {
    if (!isOf(call, node)) continue;
    for (const fx::NodeArgument& argument : node.args) {
      bool changed = false;
      fx::Argument value = fx::mapNodes(argument.value, [&](fx::NodeId used) -> fx::Argument {
        const auto number = numberOf(program.node(used), sizes);
        changed |= number.has_value();
        return number ? *number : fx::Argument(used);
      });
      // Skip lists that also contain tensors, because their node ids would refer to another
      // program.
      bool mixed = false;
      fx::forEachNode(value, [&](fx::NodeId) { mixed = true; });
      if (changed && !mixed)
        out[node.origin].push_back({argument.name, std::move(value), argument.keyword});
    }
  }
  return out;
}

rewrite::Results withConstants(rewrite::Emitter& e, const Constants& constants) {
  const fx::Node& node = e.matched();
  const auto known = constants.find(node.origin);
  if (known == constants.end()) return std::nullopt;
  std::vector<fx::NodeArgument> args = node.args;
  bool changed = false;
  for (fx::NodeArgument& argument : args)
    for (const fx::NodeArgument& constant : known->second)
      if (constant.name == argument.name && !(argument.value == constant.value)) {
        argument.value = constant.value;
        changed = true;
      }
  if (!changed || node.val.list() != nullptr) return std::nullopt;
  return e.call(node.target, std::move(args), node.val);
}

void proposeConstants(const BlockedCall& call, std::vector<Change>& out) {
  const auto sizes = chosenSizes(*call.subject.user);
  if (sizes.empty()) return;
  const Constants constants = constantsFor(call, sizes);
  if (constants.empty()) return;
  Change change;
  change.id = "constant-arguments";
  change.change = "give " + call.blocked.fxTarget + " constants instead of computed sizes";
  change.cost = "the operation is fixed to these sizes";
  change.sameResult = false;
  change.rules = {ruleFor(call, change.id, [constants](rewrite::Emitter& e) -> rewrite::Results {
    return withConstants(e, constants);
  })};
  out.push_back(std::move(change));
}

}  // namespace

void registerConstants(Proposals& proposals) { proposals.add(proposeConstants); }

}  // namespace fxs::diagnose
