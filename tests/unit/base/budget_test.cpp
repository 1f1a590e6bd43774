// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/budget.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <vector>

#include "base/run_context.h"

namespace fxs {
namespace {

Budget of(Resource resource, std::uint64_t limit) {
  BudgetLimits limits;
  limits[resource] = limit;
  return Budget(limits);
}

TEST(Budget, SpendingMoreThanTheLimitNamesTheThingAndTheOption) {
  const Budget budget = of(Resource::Nodes, 1000);
  const auto spend = [&](std::uint64_t n) -> Result<> {
    try {
      budget.spend(Resource::Nodes, n, "a.pt2: node 'unbind_1'");
      return {};
    } catch (...) {
      return abandoned("x");
    }
  };
  EXPECT_TRUE(spend(1000));
  const auto more = spend(1);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(more.error().message,
            "a.pt2: node 'unbind_1': exceeds the limit of 1,000 nodes for one input; if you trust "
            "it, raise the limit with --limit nodes=..");
  EXPECT_FALSE(spend(std::numeric_limits<std::uint64_t>::max()));
  EXPECT_EQ(budget.spent(Resource::Nodes), 1000u);
}

TEST(Budget, ABudgetGoesOnFromAMarkByItself) {
  const Budget budget = of(Resource::Nodes, 10);
  budget.spend(Resource::Nodes, 4, "a");
  const Budget::Mark mark = budget.mark();
  budget.spend(Resource::Nodes, 6, "a");
  EXPECT_FALSE(budget.wasExceeded());
  EXPECT_THROW(budget.spend(Resource::Nodes, 1, "a"), Abandoned);
  EXPECT_TRUE(budget.wasExceeded());
  const Budget other(budget, mark);
  EXPECT_FALSE(other.wasExceeded());
  EXPECT_EQ(other.left(Resource::Nodes), 6u);
  other.spend(Resource::Nodes, 6, "a");
  EXPECT_THROW(other.spend(Resource::Nodes, 1, "a"), Abandoned);
}

TEST(Budget, ProcessorTimeEndsALoopThatSpendsAlmostNothing) {
  const Budget budget = of(Resource::Seconds, 0);
  EXPECT_THROW(for (int i = 0; i < 10'000; ++i) budget.spend(Resource::Values, 1, "x"), Abandoned);
}

TEST(Budget, MemoryThatThereIsNotIsAnError) {
  if (std::getenv("ASAN_OPTIONS") != nullptr || std::getenv("TSAN_OPTIONS") != nullptr)
    GTEST_SKIP() << "a sanitizer ends the program where memory is missing";
  const auto reserve = [](std::size_t bytes) -> Result<> {
    try {
      std::vector<char> v;
      v.reserve(bytes);
      [[maybe_unused]] const char* volatile seen =
          v.data();  // else clang leaves the allocation out
      return {};
    } catch (...) {
      return abandoned("a.pt2");
    }
  };
  EXPECT_EQ(reserve(std::numeric_limits<std::ptrdiff_t>::max()).error().message,
            "a.pt2: not enough memory; close other programs and try again");
  EXPECT_EQ(reserve(std::numeric_limits<std::size_t>::max()).error().message,
            "a.pt2: requires more memory than can be addressed");
}

TEST(Budget, AStopEndsWhateverSpends) {
  std::stop_source source;
  RunContext context;
  context.stop = source.get_token();
  source.request_stop();
  try {
    context.spend(Resource::Values, 1, "x");
    FAIL() << "it went on";
  } catch (...) {
    EXPECT_EQ(abandoned("x").value().code, ErrorCode::Cancelled);
  }
}

TEST(Budget, AmountsAreReadAndPrinted) {
  EXPECT_EQ(*limitAmountFrom(Resource::Unpacked, "64G"), std::uint64_t{64} << 30);
  EXPECT_EQ(*limitAmountFrom(Resource::Nodes, "4M"), 4'000'000u);
  EXPECT_EQ(*limitAmountFrom(Resource::Seconds, "90"), 90u);
  for (const char* text : {"", "G", "-1", "4 ", "1.5G", "99999999999T", "4GB"})
    EXPECT_FALSE(limitAmountFrom(Resource::Disk, text)) << text;
  EXPECT_EQ(
      limitAmountFrom(Resource::Nodes, "many").error().message,
      "'many' is not an amount of nodes; expected a number, optionally followed by K, M, G or T");
  EXPECT_EQ(limitAmountText(Resource::Disk, std::uint64_t{32} << 30), "32 GiB");
  EXPECT_EQ(limitAmountText(Resource::Text, 1536), "1,536 bytes");
  EXPECT_EQ(limitAmountText(Resource::Nodes, 4'000'000), "4,000,000");
  EXPECT_EQ(limitAmountText(Resource::Seconds, 1800), "1,800 s");
  for (std::size_t i = 0; i < kResources; ++i)
    EXPECT_EQ(resourceFrom(name(static_cast<Resource>(i))), static_cast<Resource>(i));
}

}  // namespace
}  // namespace fxs
