// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>

#include "lowered_text.h"

namespace fxs::registry {
namespace {

using test::body;
using ::testing::HasSubstr;

DirectOptions linalg() {
  DirectOptions options;
  options.primary = "linalg";
  options.fallbacks = {};
  return options;
}

/// Which constant a maximum of this type begins with.
std::string firstMaximum(const std::string& dtype) {
  const std::string text = body("x: " + dtype + "[4] = placeholder\ny: " + dtype +
                                    "[] = aten.amax.default(x, [0])\nreturn y\n",
                                linalg());
  const std::size_t at = text.find("\"arith.constant\"");
  const std::size_t begin = text.find("value = ", at);
  return begin == std::string::npos ? text
                                    : text.substr(begin + 8, text.find('}', begin) - begin - 8);
}

TEST(Linalg, AMaximumBeginsWithTheLeastValueOfItsType) {
  EXPECT_EQ(firstMaximum("u8"), "0 : i8");
  EXPECT_EQ(firstMaximum("u16"), "0 : i16");
  EXPECT_EQ(firstMaximum("u32"), "0 : i32");
  EXPECT_EQ(firstMaximum("u64"), "0 : i64");
  EXPECT_EQ(firstMaximum("i8"), "-128 : i8");
  EXPECT_EQ(firstMaximum("i16"), "-32768 : i16");
  EXPECT_EQ(firstMaximum("i64"), "-9223372036854775808 : i64");
}

TEST(Linalg, AMaximumOfUnsignedValuesComparesThemAsSuch) {
  EXPECT_THAT(
      body("x: u32[4] = placeholder\ny: u32[] = aten.amax.default(x, [0])\nreturn y\n", linalg()),
      HasSubstr("\"arith.maxui\""));
}

}  // namespace
}  // namespace fxs::registry
