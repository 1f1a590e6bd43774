// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The current look: theme (light, dark, or the system's), fonts, and icons in the colour of a role.
// One per application, created by main and passed to widgets, which repaint on changed().
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QSize>
#include <optional>

#include "theme/theme.h"

namespace fxs::ui {

enum class ThemeMode : std::uint8_t { System, Light, Dark };
enum class TextSize : std::uint8_t {
  Small,
  Body,
  Title,
  Display
};  ///< 11, 13, 16, 24 px, times Appearance::textScale()

/// Distances are multiples of it, in pixels (inside controls, of half of it).
inline constexpr int kGrid = 8;
inline constexpr int kRowHeight = 3 * kGrid;  ///< of tables and lists, at least
inline constexpr int kSign =
    14;  ///< side of the icon before a row's text, times Appearance::textScale()

class Appearance final : public QObject {
  Q_OBJECT
 public:
  explicit Appearance(ThemeMode mode, QObject* parent = nullptr);

  const Theme& theme() const { return theme_; }
  const QColor& color(Role role) const { return theme_.color(role); }
  ThemeMode mode() const { return mode_; }
  void setMode(ThemeMode);

  /// Of the system's text: 2 for 200 %. At first from the font size of the system, at least 1.
  double textScale() const { return textScale_; }
  void setTextScale(double scale);
  /// Pixels at a text scale of 1 as pixels at textScale(): of what holds text, or is next to it.
  int scaled(double pixels) const;

  QFont sans(TextSize, QFont::Weight = QFont::Normal) const;
  QFont mono(TextSize = TextSize::Body) const;
  /// Of texts; "" for the standard one. Before apply().
  void setMonoFamily(const QString& family) { monoFamily_ = family; }
  /// resources/icons/<name>.svg in the role's colour, rendered at any size.
  QIcon icon(const QString& name, Role role = Role::TextMuted) const;
  /// Of an icon in a button: 16 pixels a side, times textScale().
  QSize iconSize() const;
  /// Sets palette, fonts and style sheet of the QApplication.
  void apply();

 Q_SIGNALS:
  void changed();

 private:
  Theme theme_;
  ThemeMode mode_;
  double textScale_;
  QString monoFamily_;
};

/// "system", "light", "dark".
QString name(ThemeMode);
std::optional<ThemeMode> themeModeFrom(const QString&);

}  // namespace fxs::ui
