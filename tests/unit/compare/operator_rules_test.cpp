// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules that resources/ops/operators.txt names, and which this component applies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "compare/chosen.h"
#include "compare/element_bounds.h"
#include "compare/element_demands.h"
#include "compare/error_functions.h"
#include "compare/error_rules.h"
#include "compare/input_uses.h"
#include "ops/operators.h"
#include "ops/schema.h"

namespace fxs::resource {
std::string_view separatingValues();
}

namespace fxs::compare {
namespace {

using ops::Rule;

/// The rules of one kind that do not fulfil `isKnown`, with their operators.
template <class IsKnown>
std::vector<std::string> unknownRules(Rule rule, IsKnown isKnown) {
  std::vector<std::string> out;
  for (const auto& [packet, row] : ops::OperatorTable::builtin().rows)
    if (const std::string_view name = row.rule(rule);
        !name.empty() && !static_cast<bool>(isKnown(name)))
      out.push_back(std::string(packet) + ": " + std::string(name));
  return out;
}

auto oneOf(std::vector<std::string_view> names) {
  return [names = std::move(names)](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
}

TEST(OperatorRules, EachNameIsThatOfARule) {
  using ::testing::IsEmpty;
  EXPECT_THAT(unknownRules(Rule::Bounds, boundsRule), IsEmpty());
  EXPECT_THAT(unknownRules(Rule::Demands, demandRule), IsEmpty());
  EXPECT_THAT(unknownRules(Rule::Error, errorRule), IsEmpty());
  EXPECT_THAT(unknownRules(Rule::Function, functionNamed), IsEmpty());
  EXPECT_THAT(unknownRules(Rule::Use, isUseRule), IsEmpty());
  EXPECT_THAT(unknownRules(Rule::Chooses, chooserNamed), IsEmpty());
  EXPECT_THAT(unknownRules(Rule::Domain, readDomain), IsEmpty());
  EXPECT_THAT(unknownRules(Rule::Index, readIndexing), IsEmpty());
  EXPECT_THAT(unknownRules(Rule::Terms, oneOf({"filters", "last", "longest"})), IsEmpty());
  EXPECT_THAT(unknownRules(Rule::Random, oneOf({"always", "train", "training", "dropout_p"})),
              IsEmpty());
  EXPECT_THAT(unknownRules(Rule::Parts, oneOf({"positions", "others"})), IsEmpty());
  EXPECT_THAT(unknownRules(Rule::Affine, oneOf({"negated", "plus", "minus", "times", "divided"})),
              IsEmpty());
}

TEST(OperatorRules, SeparatingValuesHaveEachPacketOfPyTorchOnce) {
  std::set<std::string, std::less<>> packets, seen;
  for (const std::string& target : ops::SchemaTable::builtin().names())
    if (target.starts_with("aten.")) packets.insert(target.substr(5, target.rfind('.') - 5));
  std::vector<std::string> wrong;
  std::istringstream lines{std::string(resource::separatingValues())};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream row(line.substr(0, line.find(':')));
    for (std::string packet; row >> packet;)
      if (!seen.insert(packet).second ||
          (!packets.contains(packet) && !packets.contains(packet + "_")))
        wrong.push_back(packet);
  }
  EXPECT_THAT(wrong, testing::IsEmpty());
}

TEST(OperatorRules, RoundBracketsLeaveOutTheEnd) {
  const auto domain = readDomain("(-1,inf)");
  ASSERT_TRUE(domain);
  EXPECT_GT(domain->min, -1);
  EXPECT_LT(domain->min, -0.99);
  EXPECT_EQ(domain->max, std::numeric_limits<double>::infinity());
  EXPECT_EQ(readDomain("[-1,1]")->max, 1);
  EXPECT_FALSE(readDomain(""));
  EXPECT_FALSE(readDomain("(0,most)"));
}

}  // namespace
}  // namespace fxs::compare
