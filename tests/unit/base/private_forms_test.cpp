// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/private_forms.h"

#include <gtest/gtest.h>

namespace fxs {
namespace {

std::string found(const PrivateForms& forms, std::string_view text) {
  const auto match = forms.find(FormGroup::Key, text, 0);
  return match ? std::string(text.substr(match->begin, match->end - match->begin)) : "";
}

TEST(PrivateForms, EveryGroupHasAPatternThatIsOne) {
  for (std::size_t group = 0; group < kFormGroups; ++group)
    EXPECT_TRUE(privateForms().pattern(static_cast<FormGroup>(group)).ok()) << group;
}

TEST(PrivateForms, FirstRowWhosePartsPassTheirTestsIsTaken) {
  const PrivateForms forms(
      "# keys\n"
      "let digit [0-9]\n"
      "\n"
      "key token a(?P<mixed>[[:alnum:]]{3,})\n"
      "key address (?P<private>ab+){digit}?\n");
  EXPECT_EQ(found(forms, "abb1"), "abb1");
  EXPECT_EQ(found(forms, "abbb"), "abbb");
  EXPECT_EQ(forms.find(FormGroup::Key, "abbb", 0)->kind, PrivateKind::Address);
  EXPECT_EQ(found(forms, "ab1"), "ab");
  EXPECT_EQ(found(forms, "b"), "");
}

}  // namespace
}  // namespace fxs
