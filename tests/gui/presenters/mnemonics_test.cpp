// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/mnemonics.h"

#include <gtest/gtest.h>

namespace fxs::ui {
namespace {

std::string made(const QStringList& entries, const QString& taken = {}) {
  return withMnemonics(entries, taken).join('|').toStdString();
}

TEST(Mnemonics, InitialsOfWordsComeFirst) {
  EXPECT_EQ(made({"Copy", "Copy as Markdown", "Select all"}),
            "&Copy|Copy &as Markdown|&Select all");
  EXPECT_EQ(made({"Next match", "Next stage", "Next change"}),
            "&Next match|Next &stage|Next &change");
  EXPECT_EQ(made({"Stage 1", "Stage 2", "Stage 3"}), "&Stage 1|Stage &2|Stage &3");
}

TEST(Mnemonics, AnEntryThatHasOneKeepsIt) {
  EXPECT_EQ(made({"Copy", "&Cut"}), "C&opy|&Cut");
  EXPECT_EQ(made({"Copy", "&Cut"}), made(withMnemonics({"Copy", "&Cut"})));
}

TEST(Mnemonics, LettersThatAreOtherKeysAreNotUsed) {
  EXPECT_EQ(made({"File", "Zoom"}, "fz"), "F&ile|Z&oom");
}

TEST(Mnemonics, EarlierEntriesGiveWayToLaterOnes) {
  EXPECT_EQ(made({"ab", "a"}), "a&b|&a");
  EXPECT_EQ(made({"abc", "ab", "a"}), "ab&c|a&b|&a");
  EXPECT_EQ(made({"a", "A", "…", ""}), "&a|A|…|");
}

TEST(Mnemonics, KeysAndDoubledAmpersandsAreNoLetters) {
  EXPECT_EQ(made({"Run\tEsc", "R\tX"}), "R&un\tEsc|&R\tX");
  EXPECT_EQ(made({"a && b", "a"}), "a && &b|&a");
  EXPECT_EQ(mnemonicOf("a && &b"), QChar('b'));
  EXPECT_TRUE(mnemonicOf("a && b &").isNull());
}

}  // namespace
}  // namespace fxs::ui
