// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <QSet>

#include "features/preferences/preferences_state.h"
#include "text/mnemonics.h"

namespace fxs::ui {
namespace {

TEST(Preferences, RowsHaveTheirOwnKeysAndMnemonics) {
  QSet<QString> keys, letters;
  for (const Preference& each : preferences(lower::OutputTypes::builtin())) {
    EXPECT_FALSE(keys.contains(each.key)) << each.key.toStdString();
    keys << each.key;
    const QString letter = each.page + mnemonicOf(each.title);
    EXPECT_FALSE(mnemonicOf(each.title).isNull()) << each.title.toStdString();
    EXPECT_FALSE(letters.contains(letter)) << letter.toStdString();
    letters << letter;
  }
}

TEST(Preferences, AStandardIsAmongTheChoices) {
  for (const Preference& each : preferences(lower::OutputTypes::builtin())) {
    bool isAmong = each.kind != PreferenceKind::Choice;
    for (const auto& [title, value] : each.choices) isAmong = isAmong || value == each.standard;
    EXPECT_TRUE(isAmong) << each.key.toStdString();
    EXPECT_EQ(each.message.endsWith("Used from the next start on."), each.isAtStart);
  }
}

TEST(Preferences, PathsAreOneLine) {
  const QStringList paths{"/a b/c.fxreg", "d.fxreg"};
  EXPECT_EQ(splitPaths(joinedPaths(paths)), paths);
  EXPECT_EQ(splitPaths(" ; x ;"), QStringList{"x"});
}

}  // namespace
}  // namespace fxs::ui
