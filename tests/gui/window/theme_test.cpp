// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "theme/theme.h"

#include <gtest/gtest.h>

#include <QFile>
#include <array>
#include <cmath>

namespace fxs::ui {
namespace {

QByteArray themeFile(const QString& name) {
  QFile file(QString(FXS_SOURCE_DIR) + "/resources/themes/" + name + ".json");
  EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name.toStdString();
  return file.readAll();
}

/// In CIE Lab, where 2.3 is a difference that is just seen.
double difference(const QColor& one, const QColor& other) {
  const auto lab = [](const QColor& color) {
    const auto linear = [](double c) {
      return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const double r = linear(color.redF()), g = linear(color.greenF()), b = linear(color.blueF());
    const double x = std::cbrt((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
    const double y = std::cbrt(0.2126 * r + 0.7152 * g + 0.0722 * b);
    const double z = std::cbrt((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
    return std::array{116 * y - 16, 500 * (x - y), 200 * (y - z)};
  };
  const auto first = lab(one), second = lab(other);
  return std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}

TEST(Theme, EveryInkStandsOutFromItsGround) {
  for (const QString name : {"light", "dark"}) {
    const auto theme = themeFrom(themeFile(name), name);
    ASSERT_TRUE(theme) << theme.error().message;
    EXPECT_EQ(theme->name, name);
    EXPECT_EQ(theme->dark, name == "dark");
    for (const auto& [ink, ground, least] : contrastPairs())
      EXPECT_GE(contrast(theme->color(ink), theme->color(ground)), least)
          << name.toStdString() << ": " << ui::name(ink).toStdString() << " on "
          << ui::name(ground).toStdString();
  }
}

TEST(Theme, ADifferenceIsToldFromTheSelection) {
  for (const QString name : {"light", "dark"}) {
    const auto theme = themeFrom(themeFile(name), name);
    ASSERT_TRUE(theme) << theme.error().message;
    for (const Role each : {Role::DiffAdded, Role::DiffRemoved, Role::DiffChanged, Role::DiffMoved})
      EXPECT_GE(difference(theme->color(each), theme->color(Role::LineRelated)), 10)
          << name.toStdString() << ": " << ui::name(each).toStdString();
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
