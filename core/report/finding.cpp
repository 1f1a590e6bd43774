// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/finding.h"

#include <algorithm>

#include "report/json_parts.h"
#include "report/line.h"
#include "report/source_location.h"

namespace fxs::report {
namespace {

/// Number of nodes listed per cause; the rest are counted.
constexpr std::size_t kNodesInText = 5;

bool isSameCause(const fx::Finding& a, const fx::Finding& b) {
  return a.severity == b.severity && a.kind == b.kind && a.op == b.op && a.target == b.target &&
         a.stage == b.stage && a.message == b.message;
}

std::string nodeLine(const fx::Finding& finding, const fx::Program& program) {
  const SourceLocation place = sourceLocationOf(program, finding.node);
  std::string out = line("    {}", finding.nodeName);
  if (!place.module.empty()) out += line("  in {}", place.module);
  if (place.line) {
    out += line("  {}:{}", fileNameOf(place.line->file), place.line->line);
    if (!place.line->code.empty()) out += line("  {}", place.line->code);
  }
  return out + "\n";
}

/// Findings of one cause.
std::string causeText(const std::vector<const fx::Finding*>& findings, const fx::Program& program) {
  const fx::Finding& first = *findings.front();
  std::string out = line("{} at {}: {}\n", fx::name(first.severity),
                         first.stage.empty() ? "?" : first.stage, first.message);
  std::size_t listed = 0;
  for (const fx::Finding* finding : findings) {
    if (finding->nodeName.empty()) continue;
    if (listed == kNodesInText)
      return out + "    and " + std::to_string(findings.size() - listed) + " more\n";
    ++listed;
    out += nodeLine(*finding, program);
  }
  return out;
}

}  // namespace

void writeFindings(JsonWriter& json, const std::vector<fx::Finding>& findings,
                   const fx::Program& program, const Paths& paths) {
  json_form::writeValue(json, findings, findingForm({&program, &paths}));
}

std::string findingsText(const std::vector<fx::Finding>& findings, const fx::Program& program) {
  std::vector<std::vector<const fx::Finding*>> causes;
  for (const fx::Finding& f : findings) {
    const auto same = std::find_if(causes.begin(), causes.end(), [&](const auto& cause) {
      return isSameCause(*cause.front(), f);
    });
    if (same == causes.end()) causes.push_back({&f});
    else same->push_back(&f);
  }
  std::string out;
  for (const auto& cause : causes) out += causeText(cause, program);
  return out;
}

}  // namespace fxs::report
