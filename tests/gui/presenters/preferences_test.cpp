// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <QSet>
#include <map>

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

TEST(Preferences, OptionsOfLoweringAreThoseOfTheCommandLine) {
  std::map<QString, QVariant> set{{"importMode", "frozen"},
                                  {"functionName", " forward "},
                                  {"embedWeights", "true"},
                                  {"decompose", "aten.gelu, aten.silu.default ,"},
                                  {"backendLegalOps", "aten.softmax.int"},
                                  {"extraLibrary", "/x.mlir"},
                                  {"nonFinites", false},
                                  {"timeLimit", "600"},
                                  {"memoryLimit", 16}};
  const LoweringChoices made = choicesFrom([&](const QString& key) { return set[key]; });
  EXPECT_EQ(made.import.mode, import::Mode::Frozen);
  EXPECT_EQ(made.import.functionName, "forward");
  EXPECT_TRUE(made.import.embedWeights);
  EXPECT_FALSE(made.import.symbolicShapes);
  EXPECT_EQ(made.decompose, (std::set<std::string>{"aten.gelu", "aten.silu.default"}));
  EXPECT_EQ(made.backendLegalOps, std::set<std::string>{"aten.softmax.int"});
  EXPECT_EQ(made.extraLibrary, "/x.mlir");
  EXPECT_FALSE(made.allowNonFinites);
  EXPECT_EQ(made.limits.timeout, std::chrono::minutes(10));
  EXPECT_EQ(made.limits.memory, std::uint64_t{16} << 30);
}

TEST(Preferences, WithoutSettingsLoweringIsAsEver) {
  for (const QVariant& value : {QVariant(), QVariant("no choice")}) {
    const LoweringChoices made = choicesFrom([&](const QString& key) {
      return key == "importMode" || key == "timeLimit" || key == "memoryLimit" ? value : QVariant();
    });
    EXPECT_EQ(made.import, import::ImportChoices());
    EXPECT_EQ(made.limits, lower::Limits());
    EXPECT_TRUE(made.allowNonFinites && made.decompose.empty() && made.extraLibrary.empty());
  }
}

TEST(Preferences, PathsAreOneLine) {
  const QStringList paths{"/a b/c.fxreg", "d.fxreg"};
  EXPECT_EQ(splitPaths(joinedPaths(paths)), paths);
  EXPECT_EQ(splitPaths(" ; x ;"), QStringList{"x"});
}

}  // namespace
}  // namespace fxs::ui
