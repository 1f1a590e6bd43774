// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Colours by role. Widgets name the meaning of a colour, never its value; the values are in
// resources/themes/*.json. A test requires the contrast of every pair in contrastPairs().
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
  BorderStrong,  ///< of controls
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
  Moved,    ///< in another place than in the text beside
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
  Occurrence,  ///< uses of the value under the cursor
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
  GraphLevel1,  ///< GraphLevel1 to GraphLevel5: a scale, low to high, whose lightness says it
                ///< without the hue
  GraphLevel2,
  GraphLevel3,
  GraphLevel4,
  GraphLevel5,
  GraphClass1,  ///< GraphClass1 to GraphClass10: of texts, without an order; the last is grey
  GraphClass2,
  GraphClass3,
  GraphClass4,
  GraphClass5,
  GraphClass6,
  GraphClass7,
  GraphClass8,
  GraphClass9,
  GraphClass10,
  Count,
};
inline constexpr std::size_t kRoleCount = static_cast<std::size_t>(Role::Count);
/// As in theme files: "textMuted".
QString name(Role);

struct Theme {
  QString name;
  bool dark = false;
  std::array<QColor, kRoleCount> colors;
  const QColor& color(Role role) const { return colors[static_cast<std::size_t>(role)]; }
  QString hex(Role role) const { return color(role).name(); }
};

/// Parses a theme file. InvalidInput if a role is missing, unknown or not a colour; the message
/// names it.
Result<Theme> themeFrom(const QByteArray& json, const QString& label);

/// `ink` is drawn on `ground` somewhere in the window.
struct ContrastPair {
  Role ink;
  Role ground;
  double least = 4.5;  ///< contrast of text and icons; of edges and outlines, 3
};
std::vector<ContrastPair> contrastPairs();
/// WCAG 2 contrast ratio, 1..21.
double contrast(const QColor&, const QColor&);

}  // namespace fxs::ui
