// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/finding.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "report/source_location.h"

namespace fxs::report {
namespace {

/// Number of nodes listed per cause; the rest are counted.
constexpr std::size_t kNodesInText = 5;

bool isSameCause(const fx::Finding& a, const fx::Finding& b) {
  return a.severity == b.severity && a.kind == b.kind && a.op == b.op && a.target == b.target &&
         a.stage == b.stage && a.message == b.message;
}

Inline nodeLine(const fx::Finding& finding, const fx::Program& program) {
  const SourceLocation place = sourceLocationOf(program, finding.node);
  Span node{finding.nodeName, Tone::Code};
  if (finding.node.valid()) node.nodes = {finding.node};
  Inline out(std::move(node));
  if (!place.module.empty()) out += Inline("  in ") + Inline(place.module, Tone::Code);
  if (!place.line) return out;
  out += Inline("  ") +
         Inline(fmt::format("{}:{}", fileNameOf(place.line->file), place.line->line), Tone::Code);
  return place.line->code.empty() ? out : out + "  " + Inline(place.line->code, Tone::Code);
}

/// Findings of one cause.
Item itemOf(const std::vector<const fx::Finding*>& findings, const fx::Program& program) {
  const fx::Finding& first = *findings.front();
  Item out{fmt::format("{} at {}: {}", fx::name(first.severity),
                       first.stage.empty() ? "?" : first.stage, first.message)};
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

void writeFinding(JsonWriter& json, const fx::Finding& finding, const fx::Program& program,
                  const Paths& paths) {
  const SourceLocation place = sourceLocationOf(program, finding.node);
  json.beginObject().member("severity", fx::name(finding.severity));
  json.textOrNull("node", finding.nodeName).textOrNull("target", finding.target);
  json.textOrNull("op", finding.op).textOrNull("stage", finding.stage);
  json.textOrNull("pass", finding.pass);
  json.member("kind", finding.kind).member("message", paths.in(finding.message)).key("source");
  if (place.line) {
    json.beginObject().member("file", paths.of(place.line->file)).member("line", place.line->line);
    json.textOrNull("code", place.line->code).endObject();
  } else {
    json.null();
  }
  json.textOrNull("module", place.module).member("count", finding.count);
  json.key("tried").null().key("experiments").beginArray().endArray().endObject();
}

void writeFindings(JsonWriter& json, const std::vector<fx::Finding>& findings,
                   const fx::Program& program, const Paths& paths) {
  json.beginArray();
  for (const fx::Finding& finding : findings) writeFinding(json, finding, program, paths);
  json.endArray();
}

List findingsList(const std::vector<fx::Finding>& findings, const fx::Program& program) {
  std::vector<std::vector<const fx::Finding*>> causes;
  for (const fx::Finding& f : findings) {
    const auto same = std::find_if(causes.begin(), causes.end(), [&](const auto& cause) {
      return isSameCause(*cause.front(), f);
    });
    if (same == causes.end()) causes.push_back({&f});
    else same->push_back(&f);
  }
  List out;
  for (const auto& cause : causes) out.items.push_back(itemOf(cause, program));
  return out;
}

std::string findingsText(const std::vector<fx::Finding>& findings, const fx::Program& program) {
  return renderText(Block(findingsList(findings, program)));
}

}  // namespace fxs::report
