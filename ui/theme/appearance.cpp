// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "theme/appearance.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QFontInfo>
#include <QPalette>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "theme/icon.h"
#include "theme/plain_labels.h"

// The linker drops resources of a static library that nothing references. The macro must be used in
// the global namespace.
static void keepResources() { Q_INIT_RESOURCE(resources); }

namespace fxs::ui {
namespace {

constexpr int kPixels[] = {11, 13, 16, 24};

/// Evaluated once, before our palette replaces the system's.
bool systemIsDark() {
  static const bool dark = QApplication::palette().color(QPalette::Window).lightness() < 128;
  return dark;
}

QByteArray resource(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Evaluated once, before our font replaces the system's. Quarters, so that common sizes from 9 to
/// 11 points are 1.
double systemTextScale() {
  static const double scale =
      std::clamp(std::floor(QFontInfo(QApplication::font()).pixelSize() / 13.0 * 4) / 4, 1.0, 3.0);
  return scale;
}

/// Replaces @role in the style sheet by its colour, and distances by those at the text scale;
/// longer names first, so that @accentSoft is not taken for @accent.
QString styleSheet(const Appearance& appearance) {
  const Theme& theme = appearance.theme();
  QString text = QString::fromUtf8(resource(":/themes/style.qss"));
  std::vector<Role> roles;
  for (std::size_t i = 0; i < kRoleCount; ++i) roles.push_back(static_cast<Role>(i));
  std::sort(roles.begin(), roles.end(),
            [](Role a, Role b) { return name(a).size() > name(b).size(); });
  for (const Role role : roles) text.replace("@" + name(role), theme.hex(role));
  for (const auto& [word, pixels] :
       {std::pair{"@smallText", kPixels[0]}, {"@sign", kSign}, {"@arrow", 20}})
    text.replace(word, QString::number(appearance.scaled(pixels)) + "px");
  text.replace("@scheme", theme.dark ? "dark" : "light");
  return text;
}

QPalette palette(const Theme& t) {
  QPalette p;
  p.setColor(QPalette::Window, t.color(Role::Window));
  p.setColor(QPalette::WindowText, t.color(Role::Text));
  p.setColor(QPalette::Base, t.color(Role::Surface));
  p.setColor(QPalette::AlternateBase, t.color(Role::Sunken));
  p.setColor(QPalette::Text, t.color(Role::Text));
  p.setColor(QPalette::PlaceholderText, t.color(Role::TextMuted));
  p.setColor(QPalette::Button, t.color(Role::Raised));
  p.setColor(QPalette::ButtonText, t.color(Role::Text));
  p.setColor(QPalette::BrightText, t.color(Role::OnAccent));
  p.setColor(QPalette::ToolTipBase, t.color(Role::Raised));
  p.setColor(QPalette::ToolTipText, t.color(Role::Text));
  p.setColor(QPalette::Highlight, t.color(Role::AccentSoft));
  p.setColor(QPalette::HighlightedText, t.color(Role::Text));
  p.setColor(QPalette::Link, t.color(Role::Accent));
  p.setColor(QPalette::LinkVisited, t.color(Role::Accent));
  p.setColor(QPalette::Light, t.color(Role::Surface));
  p.setColor(QPalette::Midlight, t.color(Role::Hover));
  p.setColor(QPalette::Mid, t.color(Role::Border));
  p.setColor(QPalette::Dark, t.color(Role::BorderStrong));
  p.setColor(QPalette::Shadow, t.color(Role::BorderStrong));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    p.setColor(QPalette::Disabled, role, t.color(Role::Skipped));
  return p;
}

Theme builtin(bool dark) {
  const QString path = dark ? ":/themes/dark.json" : ":/themes/light.json";
  Result<Theme> theme = themeFrom(resource(path), path);
  if (!theme) qFatal("%s", theme.error().message.c_str());  // the file is built in and tested
  return *std::move(theme);
}

}  // namespace

QString name(ThemeMode mode) {
  if (mode == ThemeMode::Light) return "light";
  return mode == ThemeMode::Dark ? "dark" : "system";
}

std::optional<ThemeMode> themeModeFrom(const QString& text) {
  for (const ThemeMode mode : {ThemeMode::System, ThemeMode::Light, ThemeMode::Dark})
    if (name(mode) == text) return mode;
  return std::nullopt;
}

Appearance::Appearance(ThemeMode mode, QObject* parent) : QObject(parent), mode_(mode) {
  keepResources();
  new PlainLabels(this);
  systemIsDark();
  textScale_ = systemTextScale();
  QApplication::setStyle("Fusion");
  theme_ = builtin(mode == ThemeMode::Dark || (mode == ThemeMode::System && systemIsDark()));
}

void Appearance::setMode(ThemeMode mode) {
  mode_ = mode;
  theme_ = builtin(mode == ThemeMode::Dark || (mode == ThemeMode::System && systemIsDark()));
  apply();
}

void Appearance::setTextScale(double scale) {
  textScale_ = scale;
  apply();
}

int Appearance::scaled(double pixels) const {
  return static_cast<int>(std::lround(pixels * textScale_));
}

QFont Appearance::sans(TextSize size, QFont::Weight weight) const {
  QFont font;
  font.setFamilies({"Inter", "DejaVu Sans", "Noto Sans", "sans-serif"});
  font.setPixelSize(scaled(kPixels[static_cast<int>(size)]));
  font.setWeight(weight);
  return font;
}

QFont Appearance::mono(TextSize size) const {
  QFont font;
  QStringList families{"DejaVu Sans Mono", "Noto Sans Mono", "monospace"};
  if (!monoFamily_.isEmpty()) families.prepend(monoFamily_);
  font.setFamilies(families);
  font.setStyleHint(QFont::Monospace);
  font.setFixedPitch(true);
  // DejaVu Sans Mono is large: one pixel less matches the sans text next to it.
  font.setPixelSize(scaled(kPixels[static_cast<int>(size)] - (size == TextSize::Small ? 0 : 1)));
  return font;
}

QIcon Appearance::icon(const QString& name, Role role) const { return svgIcon(name, color(role)); }

QSize Appearance::iconSize() const { return {scaled(16), scaled(16)}; }

void Appearance::apply() {
  QApplication::setPalette(palette(theme_));
  QApplication::setFont(sans(TextSize::Body));
  QToolTip::setPalette(palette(theme_));
  qApp->setStyleSheet(styleSheet(*this));
  Q_EMIT changed();
}

}  // namespace fxs::ui
