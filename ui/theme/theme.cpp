#include "theme/theme.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <cmath>

namespace fxs::ui {
namespace {

constexpr std::array<const char*, kRoleCount> kNames = {
    "window",      "surface",         "raised",      "sunken",          "hover",           "border",           "borderStrong",
    "text",        "textMuted",       "accent",      "accentHover",     "accentSoft",      "onAccent",         "error",
    "errorSoft",   "warning",         "warningSoft", "success",         "successSoft",     "skipped",          "codeText",
    "codeGutter",  "codeValue",       "codeBlock",   "codeSymbol",      "codeType",        "codeAttribute",    "codeOperation",
    "codeKeyword", "codeNumber",      "codeString",  "codeComment",     "codePunctuation", "lineCurrent",      "lineRelated",
    "findMatch",   "findCurrent",     "occurrence",  "diffAdded",       "diffRemoved",     "diffChanged",      "diffMoved",
    "diffWord",    "graphBackground", "graphNode",   "graphNodeBorder", "graphGroup",      "graphGroupBorder", "graphFrame",
    "graphInput",  "graphOutput",     "graphChip",   "graphEdge",       "graphEdgeLabel",  "graphStub",
};

constexpr ContrastPair kPairs[] = {
    {Role::Text, Role::Window},
    {Role::Text, Role::Surface},
    {Role::Text, Role::Raised},
    {Role::Text, Role::Sunken},
    {Role::Text, Role::Hover},
    {Role::Text, Role::AccentSoft},
    {Role::Text, Role::ErrorSoft},
    {Role::Text, Role::WarningSoft},
    {Role::Text, Role::SuccessSoft},
    {Role::TextMuted, Role::Window},
    {Role::TextMuted, Role::Surface},
    {Role::TextMuted, Role::Raised},
    {Role::TextMuted, Role::Sunken},
    {Role::TextMuted, Role::Hover},
    {Role::TextMuted, Role::AccentSoft},
    {Role::Accent, Role::Window},
    {Role::Accent, Role::Surface},
    {Role::Accent, Role::Raised},
    {Role::Accent, Role::AccentSoft},
    {Role::OnAccent, Role::Accent},
    {Role::OnAccent, Role::AccentHover},
    {Role::Error, Role::Surface},
    {Role::Error, Role::ErrorSoft},
    {Role::Error, Role::Window},
    {Role::Warning, Role::Surface},
    {Role::Warning, Role::Window},
    {Role::Warning, Role::WarningSoft},
    {Role::Success, Role::Surface},
    {Role::Success, Role::SuccessSoft},
    {Role::Skipped, Role::Surface},
    {Role::Skipped, Role::Sunken},
    {Role::CodeText, Role::Surface},
    {Role::CodeGutter, Role::Surface},
    {Role::CodeValue, Role::Surface},
    {Role::CodeBlock, Role::Surface},
    {Role::CodeSymbol, Role::Surface},
    {Role::CodeType, Role::Surface},
    {Role::CodeAttribute, Role::Surface},
    {Role::CodeOperation, Role::Surface},
    {Role::CodeKeyword, Role::Surface},
    {Role::CodeNumber, Role::Surface},
    {Role::CodeString, Role::Surface},
    {Role::CodeComment, Role::Surface},
    {Role::CodePunctuation, Role::Surface},
    {Role::CodeText, Role::LineCurrent},
    {Role::CodeText, Role::LineRelated},
    {Role::CodeValue, Role::LineRelated},
    {Role::CodeType, Role::LineRelated},
    {Role::CodeAttribute, Role::LineRelated},
    {Role::CodeOperation, Role::LineRelated},
    {Role::CodeString, Role::LineRelated},
    {Role::CodeNumber, Role::LineRelated},
    {Role::CodeComment, Role::LineRelated},
    {Role::CodePunctuation, Role::LineRelated},
    {Role::CodeText, Role::FindMatch},
    {Role::CodeText, Role::DiffAdded},
    {Role::CodeValue, Role::DiffAdded},
    {Role::CodeBlock, Role::DiffAdded},
    {Role::CodeSymbol, Role::DiffAdded},
    {Role::CodeType, Role::DiffAdded},
    {Role::CodeAttribute, Role::DiffAdded},
    {Role::CodeOperation, Role::DiffAdded},
    {Role::CodeKeyword, Role::DiffAdded},
    {Role::CodeNumber, Role::DiffAdded},
    {Role::CodeString, Role::DiffAdded},
    {Role::CodeComment, Role::DiffAdded},
    {Role::CodePunctuation, Role::DiffAdded},
    {Role::CodeText, Role::DiffRemoved},
    {Role::CodeValue, Role::DiffRemoved},
    {Role::CodeBlock, Role::DiffRemoved},
    {Role::CodeSymbol, Role::DiffRemoved},
    {Role::CodeType, Role::DiffRemoved},
    {Role::CodeAttribute, Role::DiffRemoved},
    {Role::CodeOperation, Role::DiffRemoved},
    {Role::CodeKeyword, Role::DiffRemoved},
    {Role::CodeNumber, Role::DiffRemoved},
    {Role::CodeString, Role::DiffRemoved},
    {Role::CodeComment, Role::DiffRemoved},
    {Role::CodePunctuation, Role::DiffRemoved},
    {Role::CodeText, Role::DiffChanged},
    {Role::CodeValue, Role::DiffChanged},
    {Role::CodeBlock, Role::DiffChanged},
    {Role::CodeSymbol, Role::DiffChanged},
    {Role::CodeType, Role::DiffChanged},
    {Role::CodeAttribute, Role::DiffChanged},
    {Role::CodeOperation, Role::DiffChanged},
    {Role::CodeKeyword, Role::DiffChanged},
    {Role::CodeNumber, Role::DiffChanged},
    {Role::CodeString, Role::DiffChanged},
    {Role::CodeComment, Role::DiffChanged},
    {Role::CodePunctuation, Role::DiffChanged},
    {Role::CodeText, Role::DiffMoved},
    {Role::CodeValue, Role::DiffMoved},
    {Role::CodeBlock, Role::DiffMoved},
    {Role::CodeSymbol, Role::DiffMoved},
    {Role::CodeType, Role::DiffMoved},
    {Role::CodeAttribute, Role::DiffMoved},
    {Role::CodeOperation, Role::DiffMoved},
    {Role::CodeKeyword, Role::DiffMoved},
    {Role::CodeNumber, Role::DiffMoved},
    {Role::CodeString, Role::DiffMoved},
    {Role::CodeComment, Role::DiffMoved},
    {Role::CodePunctuation, Role::DiffMoved},
    {Role::CodeText, Role::DiffWord},
    {Role::CodeValue, Role::DiffWord},
    {Role::CodeBlock, Role::DiffWord},
    {Role::CodeSymbol, Role::DiffWord},
    {Role::CodeType, Role::DiffWord},
    {Role::CodeAttribute, Role::DiffWord},
    {Role::CodeOperation, Role::DiffWord},
    {Role::CodeKeyword, Role::DiffWord},
    {Role::CodeNumber, Role::DiffWord},
    {Role::CodeString, Role::DiffWord},
    {Role::CodeComment, Role::DiffWord},
    {Role::CodePunctuation, Role::DiffWord},
    {Role::CodeText, Role::Occurrence},
    {Role::CodeValue, Role::Occurrence},
    {Role::CodeBlock, Role::Occurrence},
    {Role::CodeSymbol, Role::Occurrence},
    {Role::CodeType, Role::Occurrence},
    {Role::CodeAttribute, Role::Occurrence},
    {Role::CodeOperation, Role::Occurrence},
    {Role::CodeKeyword, Role::Occurrence},
    {Role::CodeNumber, Role::Occurrence},
    {Role::CodeString, Role::Occurrence},
    {Role::CodeComment, Role::Occurrence},
    {Role::CodePunctuation, Role::Occurrence},
    {Role::Success, Role::DiffAdded},
    {Role::Error, Role::DiffRemoved},
    {Role::Warning, Role::DiffChanged},
    {Role::Accent, Role::DiffMoved},
    {Role::TextMuted, Role::DiffAdded},
    {Role::TextMuted, Role::DiffRemoved},
    {Role::TextMuted, Role::DiffChanged},
    {Role::TextMuted, Role::DiffMoved},
    {Role::TextMuted, Role::LineRelated},
    {Role::CodeBlock, Role::LineRelated},
    {Role::CodeSymbol, Role::LineRelated},
    {Role::CodeKeyword, Role::LineRelated},
    {Role::Text, Role::FindCurrent},
    {Role::Text, Role::GraphNode},
    {Role::Text, Role::GraphGroup},
    {Role::Text, Role::GraphFrame},
    {Role::Text, Role::GraphInput},
    {Role::Text, Role::GraphOutput},
    {Role::Text, Role::GraphChip},
    {Role::TextMuted, Role::GraphNode},
    {Role::TextMuted, Role::GraphGroup},
    {Role::TextMuted, Role::GraphFrame},
    {Role::TextMuted, Role::GraphInput},
    {Role::TextMuted, Role::GraphOutput},
    {Role::TextMuted, Role::GraphChip},
    {Role::GraphEdgeLabel, Role::GraphBackground},
    {Role::GraphEdgeLabel, Role::GraphFrame},
    {Role::GraphStub, Role::GraphBackground},
};

double luminance(const QColor& color) {
  const auto channel = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF()) + 0.0722 * channel(color.blueF());
}

}  // namespace

QString name(Role role) { return QString::fromLatin1(kNames[static_cast<std::size_t>(role)]); }
std::span<const ContrastPair> contrastPairs() { return kPairs; }

double contrast(const QColor& a, const QColor& b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Result<Theme> themeFrom(const QByteArray& json, const QString& label) {
  const auto wrong = [&](const QString& what) { return fail(ErrorCode::InvalidInput, (label + ": " + what).toStdString()); };
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
    if (!color.isValid()) return wrong("colors." + role + ": expected a colour such as #3b55d9, got '" + value + "'");
    theme.colors[i] = color;
  }
  for (const QString& key : colors.keys())
    if (std::none_of(kNames.begin(), kNames.end(), [&](const char* n) { return key == QLatin1String(n); }))
      return wrong("colors." + key + ": no such role");
  return theme;
}

}  // namespace fxs::ui
