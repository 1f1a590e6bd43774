// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// slice with its first index written out.
#include "rewrite/emit.h"
#include "rewrite/rule.h"

namespace fxs::rewrite {
namespace {

/// x[:3] has no start; TOSA's pattern takes only a constant one.
Results withStart(Emitter& e) {
  const fx::Node& node = e.matched();
  if (!e.argument("start").isNone()) return std::nullopt;
  std::vector<fx::NodeArgument> args;
  for (const fx::NodeArgument& argument : node.args)
    if (argument.name != "start") args.push_back(argument);
  args.push_back({"start", std::int64_t{0}, true});
  return e.call(node.target, std::move(args), node.val);
}

}  // namespace

void registerSlices(RewriteRules& rules) {
  rules.add(
      {"aten.slice.Tensor", "writes out where it starts: TOSA requires a constant", true, withStart,
       "explicit-start",
       "    return NotImplemented if start is not None else aten.slice.Tensor(self, dim, 0, end, "
       "step)\n"});
}

}  // namespace fxs::rewrite
