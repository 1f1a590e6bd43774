// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/finding.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/json_parts.h"
#include "report/source_location.h"

namespace fxs::report {
namespace {

/// Number of nodes listed per cause; the rest are counted.
constexpr std::size_t kNodesInText = 5;

/// A warning is of what is left in the text, whichever operator it comes from.
bool isSameCause(const fx::Finding& a, const fx::Finding& b) {
  return a.severity == b.severity && a.kind == b.kind && a.op == b.op &&
         (a.target == b.target || a.severity == fx::Severity::Warning) && a.stage == b.stage &&
         a.message == b.message;
}

std::vector<std::vector<const fx::Finding*>> byCause(const std::vector<fx::Finding>& findings) {
  std::vector<std::vector<const fx::Finding*>> out;
  for (const fx::Finding& f : findings) {
    const auto same = std::find_if(
        out.begin(), out.end(), [&](const auto& cause) { return isSameCause(*cause.front(), f); });
    if (same == out.end()) out.push_back({&f});
    else same->push_back(&f);
  }
  return out;
}

Inline nodeLine(const fx::Finding& finding, const fx::Program& program) {
  const SourceLocation location = sourceLocationOf(program, finding.node);
  Span node{finding.nodeName, Tone::Code};
  if (finding.node.valid()) node.nodes = {finding.node};
  Inline out(std::move(node));
  if (!location.module.empty()) out += Inline("  in ") + Inline(location.module, Tone::Code);
  if (!location.line) return out;
  out += Inline("  ") +
         Inline(fmt::format("{}:{}", fileNameOf(location.line->file), location.line->line),
                Tone::Code);
  return location.line->code.empty() ? out : out + "  " + Inline(location.line->code, Tone::Code);
}

Tone toneOf(fx::Severity severity) {
  if (severity == fx::Severity::Note) return Tone::Muted;
  return severity == fx::Severity::Error ? Tone::Bad : Tone::Warning;
}

/// Findings of one cause.
Item itemOf(const std::vector<const fx::Finding*>& findings, const fx::Program& program) {
  const fx::Finding& first = *findings.front();
  Item out{Inline(fx::name(first.severity), toneOf(first.severity)) +
           fmt::format(" at {}: {}", first.stage.empty() ? "?" : first.stage, first.message)};
  for (const fx::Finding* finding : findings) {
    if (finding->nodeName.empty()) continue;
    if (out.lines.size() == kNodesInText) {
      out.lines.emplace_back(fmt::format("and {} more", findings.size() - kNodesInText));
      break;
    }
    out.lines.push_back(nodeLine(*finding, program));
  }
  return out;
}

}  // namespace

void writeFindings(JsonWriter& json, const std::vector<fx::Finding>& findings,
                   const fx::Program& program, const Paths& paths) {
  json_form::writeValue(json, findings, findingForm({&program, &paths}));
}

List findingsList(const std::vector<fx::Finding>& findings, const fx::Program& program) {
  List out;
  for (const auto& cause : byCause(findings)) out.items.push_back(itemOf(cause, program));
  return out;
}

std::size_t countCauses(const std::vector<fx::Finding>& findings, fx::Severity severity) {
  const auto causes = byCause(findings);
  return static_cast<std::size_t>(
      std::count_if(causes.begin(), causes.end(),
                    [severity](const auto& cause) { return cause.front()->severity == severity; }));
}

std::string findingsText(const std::vector<fx::Finding>& findings, const fx::Program& program) {
  return renderText(Block(findingsList(findings, program)));
}

}  // namespace fxs::report
