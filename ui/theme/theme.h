#pragma once
// Colours by role. A widget asks for what a colour means, never for its value; the values are in resources/themes/*.json, and
// a test holds every pair that carries text to a contrast of 4.5:1.
#include <QByteArray>
#include <QColor>
#include <QString>
#include <array>
#include <vector>

#include "base/result.h"

namespace fxs::ui {

enum class Role : std::uint8_t {
  Window,
  Surface,
  Raised,
  Sunken,
  Hover,
  Border,
  BorderStrong,
  Text,
  TextMuted,
  Accent,
  AccentHover,
  AccentSoft,
  OnAccent,  ///< selected, and what can be pressed
  Error,
  ErrorSoft,
  Warning,
  WarningSoft,
  Success,
  SuccessSoft,
  Skipped,  ///< blocked, suspicious, done, not run
  CodeText,
  CodeGutter,
  CodeValue,
  CodeBlock,
  CodeSymbol,
  CodeType,
  CodeAttribute,
  CodeOperation,
  CodeKeyword,
  CodeNumber,
  CodeString,
  CodeComment,
  CodePunctuation,
  LineCurrent,
  LineRelated,
  FindMatch,
  FindCurrent,
  Occurrence,  ///< the value under the cursor, wherever it stands
  DiffAdded,
  DiffRemoved,
  DiffChanged,
  DiffMoved,
  DiffWord,
  GraphBackground,
  GraphNode,
  GraphNodeBorder,
  GraphGroup,
  GraphGroupBorder,
  GraphFrame,
  GraphInput,
  GraphOutput,
  GraphChip,
  GraphEdge,
  GraphEdgeLabel,
  GraphStub,
  Count,
};
inline constexpr std::size_t kRoleCount = static_cast<std::size_t>(Role::Count);
/// As theme files spell it: "textMuted".
QString name(Role);

struct Theme {
  QString name;
  bool dark = false;
  std::array<QColor, kRoleCount> colors;
  const QColor& color(Role role) const { return colors[static_cast<std::size_t>(role)]; }
  QString hex(Role role) const { return color(role).name(); }
};

/// InvalidInput naming the role when one is missing, unknown or no colour.
Result<Theme> themeFrom(const QByteArray& json, const QString& label);

/// Text or a sign in `ink` stands on `ground` somewhere in the window.
struct ContrastPair {
  Role ink;
  Role ground;
};
std::vector<ContrastPair> contrastPairs();
/// WCAG 2 contrast ratio, 1..21.
double contrast(const QColor&, const QColor&);

}  // namespace fxs::ui
