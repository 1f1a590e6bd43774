#pragma once
// How the program looks now: the theme in use (light, dark, or as the system says), the two type families in four sizes, and
// icons drawn in a role's colour. One per application, made by main and handed to widgets; `changed` says: paint again.
#include <QFont>
#include <QIcon>
#include <QObject>
#include <optional>

#include "theme/theme.h"

namespace fxs::ui {

enum class ThemeMode : std::uint8_t { System, Light, Dark };
enum class TextSize : std::uint8_t { Small, Body, Title, Display };  ///< 11, 13, 16, 24 px

/// Distances are multiples of it (and of its half inside controls).
inline constexpr int kGrid = 8;
inline constexpr int kRowHeight = 3 * kGrid;  ///< of tables and lists
inline constexpr int kSign = 14;              ///< the icon before a row's text

class Appearance final : public QObject {
  Q_OBJECT
 public:
  explicit Appearance(ThemeMode mode, QObject* parent = nullptr);

  const Theme& theme() const { return theme_; }
  const QColor& color(Role role) const { return theme_.color(role); }
  ThemeMode mode() const { return mode_; }
  void setMode(ThemeMode);

  QFont sans(TextSize, QFont::Weight = QFont::Normal) const;
  QFont mono(TextSize = TextSize::Body) const;
  /// resources/icons/<name>.svg in the role's colour, crisp at any size; follows the theme.
  QIcon icon(const QString& name, Role role = Role::TextMuted) const;
  /// Palette, fonts and style sheet onto the QApplication.
  void apply();

 Q_SIGNALS:
  void changed();

 private:
  Theme theme_;
  ThemeMode mode_;
};

/// "system", "light", "dark".
QString name(ThemeMode);
std::optional<ThemeMode> themeModeFrom(const QString&);

}  // namespace fxs::ui
