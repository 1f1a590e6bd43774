// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules that resources/ops/operators.txt names, and which this component applies.
#include <gtest/gtest.h>

#include <set>

#include "ops/operators.h"
#include "rewrite/autocast.h"
#include "rewrite/view_ops.h"
#include "rewrite/view_steps.h"

namespace fxs::rewrite {
namespace {

using ops::Rule;

TEST(OperatorRules, EachNameIsThatOfARule) {
  const std::set<std::string_view> types{"", "double", "floating", "promoted", "truth"};
  const std::set<std::string_view> flags{"", "training", "use_input_stats"};
  for (const auto& [packet, row] : ops::OperatorTable::builtin().rows) {
    EXPECT_TRUE(types.contains(row.rule(Rule::Type))) << packet;
    EXPECT_TRUE(flags.contains(row.rule(Rule::Statistics))) << packet;
    const std::string_view shares = row.rule(Rule::Shares), view = row.rule(Rule::View);
    EXPECT_TRUE(shares.empty() || isSharesRule(shares)) << packet;
    for (const Rule device : {Rule::Cpu, Rule::Cuda}) {
      const std::string_view policy = row.rule(device);
      EXPECT_TRUE(policy.empty() || castPolicyNamed(policy)) << packet;
    }
    EXPECT_TRUE(view.empty() || isViewKind(view)) << packet;
  }
}

}  // namespace
}  // namespace fxs::rewrite
