// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/minimize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace fxs::diagnose {
namespace {

using Predicate = std::function<bool(const Subset&)>;

struct Search {
  Minimized result;
  std::size_t items = 0;  ///< of all candidates together
  std::size_t largestBatch = 0;
};

Search search(std::size_t count, const Predicate& passes, std::size_t perBatch = 1000,
              std::size_t stopAfter = 1'000'000) {
  Search out;
  Subset start(count);
  std::iota(start.begin(), start.end(), 0U);
  std::size_t calls = 0;
  const auto test =
      [&](const std::vector<Subset>& candidates) -> Result<std::optional<std::vector<bool>>> {
    if (calls++ == stopAfter) return std::optional<std::vector<bool>>();
    std::vector<bool> answer;
    std::size_t batch = 0;
    for (const Subset& candidate : candidates) {
      answer.push_back(passes(candidate));
      batch += candidate.size();
    }
    out.items += batch;
    if (candidates.size() > 1) out.largestBatch = std::max(out.largestBatch, batch);
    return std::optional(answer);
  };
  out.result = minimize(start, perBatch, test).value();
  return out;
}

Predicate has(const Subset& needed) {
  return [needed](const Subset& kept) {
    return std::includes(kept.begin(), kept.end(), needed.begin(), needed.end());
  };
}

TEST(Minimize, FindsWhatIsNeededWhereverItLies) {
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same cases every time
  for (int i = 0; i < 200; ++i) {
    const std::size_t count = 1 + random() % 300;
    Subset needed;
    for (std::size_t k = random() % 5; k > 0; --k) needed.push_back(random() % count);
    std::sort(needed.begin(), needed.end());
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    const Search found = search(count, has(needed));
    ASSERT_TRUE(found.result.complete);
    // A test that everything passes leaves one item: an empty list is no program.
    if (needed.empty()) ASSERT_LE(found.result.kept.size(), 1U);
    else ASSERT_EQ(found.result.kept, needed) << "of " << count;
  }
}

TEST(Minimize, OfTwoThatStandForEachOtherOneStays) {
  const Predicate either = [](const Subset& kept) {
    return std::count(kept.begin(), kept.end(), 3U) + std::count(kept.begin(), kept.end(), 90U) >
               0 &&
           std::count(kept.begin(), kept.end(), 50U) > 0;
  };
  const Search found = search(100, either);
  EXPECT_TRUE(found.result.complete);
  EXPECT_EQ(found.result.kept.size(), 2U);
  EXPECT_TRUE(either(found.result.kept));
}

TEST(Minimize, NoSingleItemOfTheResultCanGo) {
  // Even or odd: nothing that ever grows by one.
  const Predicate even = [](const Subset& kept) {
    return kept.size() % 2 == 0 && kept.size() >= 6;
  };
  const Search found = search(64, even);
  EXPECT_TRUE(found.result.complete);
  EXPECT_TRUE(even(found.result.kept));
  for (std::size_t i = 0; i < found.result.kept.size(); ++i) {
    Subset less = found.result.kept;
    less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(even(less));
  }
}

TEST(Minimize, WhatNeedsEverythingStays) {
  const Search found = search(40, [](const Subset& kept) { return kept.size() == 40; });
  EXPECT_TRUE(found.result.complete);
  EXPECT_EQ(found.result.kept.size(), 40U);
}

TEST(Minimize, TestsFewItemsForFewNeededOnesOfMany) {
  const Search found = search(2000, has({17, 1001, 1990}), 5000);
  EXPECT_EQ(found.result.kept, (Subset{17, 1001, 1990}));
  EXPECT_LT(found.items, 2000U * 16);
  EXPECT_LE(found.largestBatch, 5000U);
}

TEST(Minimize, WhenStoppedItSaysSoAndKeepsWhatPasses) {
  for (std::size_t after = 0; after < 12; ++after) {
    const Search found = search(500, has({7, 400}), 1000, after);
    EXPECT_TRUE(has({7, 400})(found.result.kept));
    EXPECT_FALSE(found.result.complete && found.result.kept.size() > 2) << after;
  }
}

TEST(Minimize, AnErrorOfTheTestEndsIt) {
  const auto broken = [](const std::vector<Subset>&) -> Result<std::optional<std::vector<bool>>> {
    return fail(ErrorCode::EngineFailed, "gone");
  };
  const auto result = minimize({0, 1, 2}, 10, broken);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().message, "gone");
}

}  // namespace
}  // namespace fxs::diagnose
