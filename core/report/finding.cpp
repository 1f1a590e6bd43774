#include "report/finding.h"

#include <algorithm>

#include "fx/module_path.h"

namespace fxs::report {
namespace {

/// Nodes of one cause that are listed; the rest are counted.
constexpr std::size_t kListedNodes = 5;

struct Place {
  std::string module;  ///< innermost module path
  std::optional<fx::StackFrame> line;
};

Place placeOf(const fx::Finding& finding, const fx::Program& program) {
  Place place;
  if (!finding.node.valid() || finding.node.index() >= program.nodes.size()) return place;
  const fx::Node& node = program.node(finding.node);
  const std::vector<fx::ModuleFrame> modules = fx::modulesOf(program, node);
  if (!modules.empty()) place.module = modules.back().path;
  const std::vector<fx::StackFrame> stack = fx::stackOf(program, node);
  if (const fx::StackFrame* frame = fx::userFrame(stack)) place.line = *frame;
  return place;
}

void optionalMember(JsonWriter& json, std::string_view key, const std::string& value) {
  if (value.empty()) json.key(key).null();
  else json.member(key, value);
}

std::string fileName(const std::string& path) { return path.substr(path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1); }

}  // namespace

void writeFinding(JsonWriter& json, const fx::Finding& finding, const fx::Program& program) {
  const Place place = placeOf(finding, program);
  json.beginObject().member("severity", fx::name(finding.severity));
  optionalMember(json, "node", finding.nodeName);
  optionalMember(json, "target", finding.target);
  optionalMember(json, "op", finding.op);
  optionalMember(json, "stage", finding.stage);
  optionalMember(json, "pass", finding.pass);
  json.member("kind", finding.kind).member("message", finding.message).key("source");
  if (place.line) {
    json.beginObject().member("file", place.line->file).member("line", place.line->line);
    optionalMember(json, "code", place.line->code);
    json.endObject();
  } else {
    json.null();
  }
  optionalMember(json, "module", place.module);
  json.member("count", static_cast<std::uint64_t>(finding.count));
  json.key("tried").beginArray().endArray().key("experiments").beginArray().endArray().endObject();
}

void writeFindings(JsonWriter& json, const std::vector<fx::Finding>& findings, const fx::Program& program) {
  json.beginArray();
  for (const fx::Finding& finding : findings) writeFinding(json, finding, program);
  json.endArray();
}

std::string findingsText(const std::vector<fx::Finding>& findings, const fx::Program& program) {
  struct Cause {
    const fx::Finding* first;
    std::vector<const fx::Finding*> all;
  };
  std::vector<Cause> causes;
  for (const fx::Finding& f : findings) {
    const auto same = std::find_if(causes.begin(), causes.end(), [&](const Cause& c) {
      return c.first->severity == f.severity && c.first->kind == f.kind && c.first->op == f.op && c.first->target == f.target &&
             c.first->stage == f.stage && c.first->message == f.message;
    });
    if (same == causes.end()) causes.push_back({&f, {&f}});
    else same->all.push_back(&f);
  }
  std::string out;
  for (const Cause& cause : causes) {
    out += std::string(fx::name(cause.first->severity)) + " at " + (cause.first->stage.empty() ? std::string("?") : cause.first->stage) +
           ": " + cause.first->message + "\n";
    std::size_t listed = 0;
    for (const fx::Finding* f : cause.all) {
      if (f->nodeName.empty()) continue;
      if (listed == kListedNodes) {
        out += "    and " + std::to_string(cause.all.size() - listed) + " more\n";
        break;
      }
      ++listed;
      const Place place = placeOf(*f, program);
      out += "    " + f->nodeName;
      if (!place.module.empty()) out += "  in " + place.module;
      if (place.line) {
        out += "  " + fileName(place.line->file) + ":" + std::to_string(place.line->line);
        if (!place.line->code.empty()) out += "  " + place.line->code;
      }
      out += "\n";
    }
  }
  return out;
}

}  // namespace fxs::report
