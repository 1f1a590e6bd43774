// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "theme/theme.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <cmath>

namespace fxs::ui {
namespace {

constexpr std::array<const char*, kRoleCount> kNames = {
    "window",
    "surface",
    "raised",
    "sunken",
    "hover",
    "border",
    "borderStrong",
    "text",
    "textMuted",
    "accent",
    "accentHover",
    "accentSoft",
    "onAccent",
    "error",
    "errorSoft",
    "warning",
    "warningSoft",
    "success",
    "successSoft",
    "moved",
    "skipped",
    "codeText",
    "codeGutter",
    "codeValue",
    "codeBlock",
    "codeSymbol",
    "codeType",
    "codeAttribute",
    "codeOperation",
    "codeKeyword",
    "codeNumber",
    "codeString",
    "codeComment",
    "codePunctuation",
    "lineCurrent",
    "lineRelated",
    "findMatch",
    "findCurrent",
    "occurrence",
    "diffAdded",
    "diffRemoved",
    "diffChanged",
    "diffMoved",
    "diffWord",
    "graphBackground",
    "graphNode",
    "graphNodeBorder",
    "graphGroup",
    "graphGroupBorder",
    "graphFrame",
    "graphInput",
    "graphOutput",
    "graphChip",
    "graphEdge",
    "graphEdgeLabel",
    "graphStub",
    "graphLevel1",
    "graphLevel2",
    "graphLevel3",
    "graphLevel4",
    "graphLevel5",
    "graphClass1",
    "graphClass2",
    "graphClass3",
    "graphClass4",
    "graphClass5",
    "graphClass6",
    "graphClass7",
    "graphClass8",
    "graphClass9",
    "graphClass10",
};

double luminance(const QColor& color) {
  const auto channel = [](double c) {
    return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF()) +
         0.0722 * channel(color.blueF());
}

}  // namespace

QString name(Role role) { return QString::fromLatin1(kNames[static_cast<std::size_t>(role)]); }

std::vector<ContrastPair> contrastPairs() {
  using enum Role;
  using Roles = std::vector<Role>;
  const Roles code{CodeText,   CodeValue,     CodeBlock,     CodeSymbol,
                   CodeType,   CodeAttribute, CodeOperation, CodeKeyword,
                   CodeNumber, CodeString,    CodeComment,   CodePunctuation};
  const Roles boxes{GraphNode, GraphGroup, GraphFrame, GraphInput, GraphOutput, GraphChip};
  const std::pair<Roles, Roles> stands[] = {
      {code,
       {Surface, LineRelated, DiffAdded, DiffRemoved, DiffChanged, DiffMoved, DiffWord,
        Occurrence}},
      {{CodeText}, {LineCurrent, FindMatch}},
      {{CodeGutter}, {Surface}},
      {{Text, TextMuted}, boxes},
      {{Text, TextMuted}, {Window, Surface, Raised, Sunken, Hover, AccentSoft}},
      {{Text}, {ErrorSoft, WarningSoft, SuccessSoft, FindCurrent, FindMatch}},
      {{Text}, {GraphLevel1, GraphLevel2, GraphLevel3, GraphLevel4, GraphLevel5}},
      {{Text},
       {GraphClass1, GraphClass2, GraphClass3, GraphClass4, GraphClass5, GraphClass6, GraphClass7,
        GraphClass8, GraphClass9, GraphClass10}},
      {{TextMuted}, {DiffAdded, DiffRemoved, DiffChanged, DiffMoved, LineRelated}},
      {{Accent}, {Window, Surface, Raised, AccentSoft}},
      {{OnAccent}, {Accent, AccentHover}},
      {{Error}, {Window, Surface, ErrorSoft, DiffRemoved}},
      {{Warning}, {Window, Surface, WarningSoft, DiffChanged}},
      {{Success}, {Surface, SuccessSoft, DiffAdded}},
      {{Moved}, {Surface, DiffMoved}},
      {{Skipped}, {Surface, Sunken}},
      {{GraphEdgeLabel}, {GraphBackground, GraphFrame}},
      {{GraphStub}, {GraphBackground}},
  };
  const Roles graph{GraphBackground, GraphGroup, GraphFrame};
  const std::pair<Roles, Roles> outlines[] = {
      {{GraphEdge, GraphNodeBorder}, graph},
      {{GraphNodeBorder}, {GraphNode, GraphInput, GraphOutput}},
      {{GraphGroupBorder}, {GraphBackground, GraphGroup}},
      {{BorderStrong}, {Window, Surface, Raised, Sunken}},
  };
  constexpr double kLeastOfOutlines = 3;
  std::vector<ContrastPair> all;
  const auto add = [&all](const auto& pairs, double least) {
    for (const auto& [inks, grounds] : pairs)
      for (const Role ink : inks)
        for (const Role ground : grounds) all.push_back({ink, ground, least});
  };
  add(stands, ContrastPair().least);
  add(outlines, kLeastOfOutlines);
  return all;
}

double contrast(const QColor& a, const QColor& b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Result<Theme> themeFrom(const QByteArray& json, const QString& label) {
  const auto wrong = [&](const QString& message) {
    return fail(ErrorCode::InvalidInput, (label + ": " + message).toStdString());
  };
  QJsonParseError problem;
  const QJsonDocument document = QJsonDocument::fromJson(json, &problem);
  if (!document.isObject()) return wrong("not a JSON object: " + problem.errorString());
  const QJsonObject colors = document["colors"].toObject();
  Theme theme;
  theme.name = document["name"].toString();
  theme.dark = document["dark"].toBool();
  for (std::size_t i = 0; i < kRoleCount; ++i) {
    const QString role = QString::fromLatin1(kNames[i]);
    const QString value = colors[role].toString();
    if (value.isEmpty()) return wrong("colors." + role + ": missing");
    const QColor color(value);
    if (!color.isValid())
      return wrong("colors." + role + ": expected a colour such as #3b55d9, got '" + value + "'");
    theme.colors[i] = color;
  }
  for (const QString& key : colors.keys())
    if (std::none_of(kNames.begin(), kNames.end(),
                     [&](const char* n) { return key == QLatin1String(n); }))
      return wrong("colors." + key + ": unknown role");
  return theme;
}

}  // namespace fxs::ui
