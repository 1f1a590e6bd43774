// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engines/bisect.h"

#include <gtest/gtest.h>

#include <set>

namespace fxs::engines {
namespace {

TEST(Bisect, FindsEveryPlaceWithFewCallsAndNoneTwice) {
  for (std::size_t count = 2; count <= 33; ++count)
    for (std::size_t position = 1; position <= count; ++position) {  // `count`: nothing differs
      std::set<std::size_t> asked;
      const auto found = firstThatDiffers(count, [&](std::size_t i) -> Result<bool> {
        EXPECT_TRUE(asked.insert(i).second) << i << " twice";
        return i >= position;
      });
      ASSERT_TRUE(found.has_value());
      EXPECT_EQ(*found, position == count ? std::nullopt : std::optional(position)) << count;
      EXPECT_LE(asked.size(), 7u);
      EXPECT_FALSE(asked.contains(0));
      EXPECT_TRUE(position < count || asked == std::set<std::size_t>{count - 1});
    }
}

TEST(Bisect, AnErrorEndsTheSearch) {
  int calls = 0;
  const auto found = firstThatDiffers(9, [&](std::size_t i) -> Result<bool> {
    if (++calls == 2)
      return fail(ErrorCode::EngineFailed, "engine " + std::to_string(i) + " is gone");
    return true;
  });
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().message, "engine 4 is gone");
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace fxs::engines
