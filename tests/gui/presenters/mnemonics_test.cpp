// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/mnemonics.h"

#include <gtest/gtest.h>

namespace fxs::ui {
namespace {

std::string assigned(const QStringList& entries, const QString& taken = {}) {
  return withMnemonics(entries, taken).join('|').toStdString();
}

TEST(Mnemonics, InitialsOfWordsComeFirst) {
  EXPECT_EQ(assigned({"Copy", "Copy as Markdown", "Select all"}),
            "&Copy|Copy &as Markdown|&Select all");
  EXPECT_EQ(assigned({"Next match", "Next stage", "Next change"}),
            "&Next match|Next &stage|Next &change");
  EXPECT_EQ(assigned({"Stage 1", "Stage 2", "Stage 3"}), "&Stage 1|Stage &2|Stage &3");
}

TEST(Mnemonics, AnEntryThatHasOneKeepsIt) {
  EXPECT_EQ(assigned({"Copy", "&Cut"}), "C&opy|&Cut");
  EXPECT_EQ(assigned({"Copy", "&Cut"}), assigned(withMnemonics({"Copy", "&Cut"})));
}

TEST(Mnemonics, LettersThatAreOtherKeysAreNotUsed) {
  EXPECT_EQ(assigned({"File", "Zoom"}, "fz"), "F&ile|Z&oom");
}

TEST(Mnemonics, EarlierEntriesGiveWayToLaterOnes) {
  EXPECT_EQ(assigned({"ab", "a"}), "a&b|&a");
  EXPECT_EQ(assigned({"abc", "ab", "a"}), "ab&c|a&b|&a");
  EXPECT_EQ(assigned({"a", "A", "…", ""}), "&a|A|…|");
}

TEST(Mnemonics, KeysAndDoubledAmpersandsAreNoLetters) {
  EXPECT_EQ(assigned({"Run\tEsc", "R\tX"}), "R&un\tEsc|&R\tX");
  EXPECT_EQ(assigned({"a && b", "a"}), "a && &b|&a");
  EXPECT_EQ(mnemonicOf("a && &b"), QChar('b'));
  EXPECT_TRUE(mnemonicOf("a && b &").isNull());
}

}  // namespace
}  // namespace fxs::ui
