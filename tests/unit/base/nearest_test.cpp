// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/nearest.h"

#include <gtest/gtest.h>

#include <array>

namespace fxs {
namespace {

TEST(EditDistance, CountsInsertDeleteReplaceAndSwap) {
  EXPECT_EQ(editDistance("relu", "relu", 9), 0u);
  EXPECT_EQ(editDistance("relu", "relu6", 9), 1u);
  EXPECT_EQ(editDistance("relu", "elu", 9), 1u);
  EXPECT_EQ(editDistance("relu", "selu", 9), 1u);
  EXPECT_EQ(editDistance("relu", "rleu", 9), 1u);
  EXPECT_EQ(editDistance("", "abc", 9), 3u);
  EXPECT_EQ(editDistance("kitten", "sitting", 9), 3u);
}

TEST(EditDistance, StopsPastTheLimit) {
  EXPECT_EQ(editDistance("kitten", "sitting", 2), 3u);
  EXPECT_EQ(editDistance("a", std::string(100000, 'b'), 2), 3u);
}

TEST(Nearest, NamesTheClosestFirstThenByName) {
  constexpr std::array<std::string_view, 5> kTypes{"raw", "torch", "linalg-on-tensors", "tosa",
                                                   "stablehlo"};
  EXPECT_EQ(nearest("tosca", kTypes, 3), (std::vector<std::string>{"tosa"}));
  EXPECT_EQ(nearest("linlag-on-tensor", kTypes, 1),
            (std::vector<std::string>{"linalg-on-tensors"}));
  EXPECT_EQ(nearest("xyz", kTypes, 3), std::vector<std::string>{});
  constexpr std::array<std::string_view, 4> kTies{"bat", "cat", "bat", "at"};
  EXPECT_EQ(nearest("hat", kTies, 9), (std::vector<std::string>{"at", "bat", "cat"}));
  EXPECT_EQ(nearest("hat", kTies, 1), (std::vector<std::string>{"at"}));
}

}  // namespace
}  // namespace fxs
