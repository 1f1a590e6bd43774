// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/finding.h"

#include <algorithm>

#include "report/json_members.h"
#include "report/line.h"
#include "report/source_location.h"

namespace fxs::report {
namespace {

/// Number of nodes listed per cause; the rest are counted.
constexpr std::size_t kNodesInText = 5;

}  // namespace

void writeFinding(JsonWriter& json, const fx::Finding& finding, const fx::Program& program,
                  const Paths& paths) {
  const SourceLocation place = sourceLocationOf(program, finding.node);
  json.beginObject().member("severity", fx::name(finding.severity));
  orNull(json, "node", finding.nodeName);
  orNull(json, "target", finding.target);
  orNull(json, "op", finding.op);
  orNull(json, "stage", finding.stage);
  orNull(json, "pass", finding.pass);
  json.member("kind", finding.kind).member("message", paths.in(finding.message)).key("source");
  if (place.line) {
    json.beginObject().member("file", paths.of(place.line->file)).member("line", place.line->line);
    orNull(json, "code", place.line->code);
    json.endObject();
  } else {
    json.null();
  }
  orNull(json, "module", place.module);
  json.member("count", static_cast<std::uint64_t>(finding.count));
  json.key("tried").null().key("experiments").beginArray().endArray().endObject();
}

void writeFindings(JsonWriter& json, const std::vector<fx::Finding>& findings,
                   const fx::Program& program, const Paths& paths) {
  json.beginArray();
  for (const fx::Finding& finding : findings) writeFinding(json, finding, program, paths);
  json.endArray();
}

std::string findingsText(const std::vector<fx::Finding>& findings, const fx::Program& program) {
  struct Group {
    const fx::Finding* first;
    std::vector<const fx::Finding*> all;
  };
  std::vector<Group> causes;
  for (const fx::Finding& f : findings) {
    const auto same = std::find_if(causes.begin(), causes.end(), [&](const Group& c) {
      return c.first->severity == f.severity && c.first->kind == f.kind && c.first->op == f.op &&
             c.first->target == f.target && c.first->stage == f.stage &&
             c.first->message == f.message;
    });
    if (same == causes.end()) causes.push_back({&f, {&f}});
    else same->all.push_back(&f);
  }
  std::string out;
  for (const Group& cause : causes) {
    out += line("{} at {}: {}\n", fx::name(cause.first->severity),
                cause.first->stage.empty() ? "?" : cause.first->stage, cause.first->message);
    std::size_t listed = 0;
    for (const fx::Finding* f : cause.all) {
      if (f->nodeName.empty()) continue;
      if (listed == kNodesInText) {
        out += "    and " + std::to_string(cause.all.size() - listed) + " more\n";
        break;
      }
      ++listed;
      const SourceLocation place = sourceLocationOf(program, f->node);
      out += line("    {}", f->nodeName);
      if (!place.module.empty()) out += line("  in {}", place.module);
      if (place.line) {
        out += line("  {}:{}", fileNameOf(place.line->file), place.line->line);
        if (!place.line->code.empty()) out += line("  {}", place.line->code);
      }
      out += "\n";
    }
  }
  return out;
}

}  // namespace fxs::report
