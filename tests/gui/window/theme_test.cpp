// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "theme/theme.h"

#include <gtest/gtest.h>

#include <QFile>

namespace fxs::ui {
namespace {

QByteArray themeFile(const QString& name) {
  QFile file(QString(FXS_SOURCE_DIR) + "/resources/themes/" + name + ".json");
  EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name.toStdString();
  return file.readAll();
}

TEST(Theme, EveryTextHasAContrastOfAtLeastFourAndAHalf) {
  for (const QString name : {"light", "dark"}) {
    const auto theme = themeFrom(themeFile(name), name);
    ASSERT_TRUE(theme) << theme.error().message;
    EXPECT_EQ(theme->name, name);
    EXPECT_EQ(theme->dark, name == "dark");
    for (const auto& [ink, ground] : contrastPairs())
      EXPECT_GE(contrast(theme->color(ink), theme->color(ground)), 4.5)
          << name.toStdString() << ": " << ui::name(ink).toStdString() << " on "
          << ui::name(ground).toStdString();
  }
}

TEST(Theme, ContrastIsThatOfWcag) {
  EXPECT_NEAR(contrast(Qt::black, Qt::white), 21, 0.01);
  EXPECT_NEAR(contrast(QColor("#777777"), Qt::white), 4.48, 0.01);
}

TEST(Theme, AWrongFileIsNamedWithItsRole) {
  const auto error = [](QByteArray json) {
    const auto theme = themeFrom(json, "mine.json");
    return theme ? std::string("none") : theme.error().message;
  };
  EXPECT_EQ(error("{"), "mine.json: not a JSON object: unterminated object");
  EXPECT_EQ(error(themeFile("light").replace("\"textMuted\"", "\"textMute\"")),
            "mine.json: colors.textMuted: missing");
  EXPECT_EQ(error(themeFile("light").replace("\"#3b55d9\"", "\"bluish\"")),
            "mine.json: colors.accent: expected a colour such as #3b55d9, got 'bluish'");
  EXPECT_EQ(
      error(themeFile("light").replace("\"colors\": {", "\"colors\": { \"extra\": \"#000000\",")),
      "mine.json: colors.extra: unknown role");
}

}  // namespace
}  // namespace fxs::ui
