// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/normalize.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/json.h"
#include "base/nearest.h"
#include "base/number_from.h"
#include "fx/text.h"
#include "normalize/rule.h"
#include "report/line.h"

namespace fxs::report {
namespace {

std::vector<fx::NodeId> nodesOf(const NormalizeReport& report) {
  if (report.only) return {*report.only};
  std::vector<fx::NodeId> out;
  for (const fx::Node& node : report.normalized.program->nodes) out.push_back(node.id);
  return out;
}

/// Rule id -> how many changes it made.
std::map<std::string, std::size_t> changesByRule(const NormalizeReport& report) {
  std::map<std::string, std::size_t> out;
  for (fx::NodeId id : nodesOf(report))
    for (const normalize::MetadataChange& c : report.normalized.nodes[id.index()].changes)
      ++out[c.rule];
  return out;
}

std::string onOneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string heading(const fx::Program& program, const fx::Node& node) {
  std::string out = line("{} {}", node.id.index(), node.name);
  if (node.graph.index() != 0) out += line(" (in {})", program.graph(node.graph).name);
  out += node.op == fx::NodeOp::CallFunction ? line(" = {}", node.target)
                                             : line(" = {}", fx::name(node.op));
  return out;
}

void writeTuple(JsonWriter& json, std::string_view key, const std::vector<fx::SymInt>& sizes) {
  json.key(key).beginArray();
  for (const fx::SymInt& size : sizes)
    size.isStatic() ? json.value(size.value()) : json.value(size.text());
  json.endArray();
}

void writeNode(JsonWriter& json, const fx::Program& program, const fx::Node& node,
               const normalize::NodeMetadata& meta, const Paths& paths) {
  json.beginObject().member("index", node.id.index()).member("name", node.name);
  json.member("graph", program.graph(node.graph).name)
      .member("op", fx::name(node.op))
      .member("target", node.target);
  const std::string value = fx::dumpValue(meta.val);
  json.textOrNull("val", value).key("tensor_meta").beginArray();
  for (const normalize::TensorMetadata& t : meta.tensorMeta) {
    json.beginObject();
    writeTuple(json, "shape", t.shape);
    json.member("dtype", std::string(facts(t.dtype).torchName))
        .member("requires_grad", t.requiresGrad);
    writeTuple(json, "stride", t.stride);
    json.key("memory_format");
    t.memoryFormat == "None" ? json.null() : json.value(t.memoryFormat);
    json.member("is_quantized", t.isQuantized).endObject();
  }
  json.endArray().key("module_stack").beginArray();
  for (const fx::ModuleFrame& frame : meta.moduleStack)
    json.beginObject()
        .member("key", frame.key)
        .member("path", frame.path)
        .member("type", frame.type)
        .endObject();
  json.endArray().key("user_line");
  if (meta.userLine)
    json.beginObject()
        .member("file", paths.of(meta.userLine->file))
        .member("line", meta.userLine->line)
        .member("function", meta.userLine->function)
        .member("code", meta.userLine->code)
        .endObject();
  else json.null();
  json.textOrNull("original_aten", meta.originalAten).key("changes").beginArray();
  for (const normalize::MetadataChange& c : meta.changes)
    json.beginObject()
        .member("key", c.key)
        .member("before", c.before)
        .member("after", c.after)
        .member("rule", c.rule)
        .member("reason", c.reason)
        .endObject();
  json.endArray().endObject();
}

}  // namespace

std::string normalizeText(const NormalizeReport& report) {
  const fx::Program& program = *report.normalized.program;
  std::string out;
  std::size_t unknown = 0, total = 0;
  for (fx::NodeId id : nodesOf(report)) {
    const normalize::NodeMetadata& meta = report.normalized.nodes[id.index()];
    if (meta.changes.empty() && !report.only) continue;
    out += heading(program, program.node(id)) + "\n";
    std::size_t width = 0;
    for (const normalize::MetadataChange& c : meta.changes) width = std::max(width, c.key.size());
    for (const normalize::MetadataChange& c : meta.changes) {
      out += line("  {:<{}}  {} -> {}  [{}]\n", c.key, width, onOneLine(c.before),
                  onOneLine(c.after), c.rule);
      unknown += c.after == "unknown";
      ++total;
    }
    if (meta.changes.empty()) out += "  nothing to normalize\n";
    if (meta.userLine && !meta.userLine->code.empty() && report.only)
      out += line("  Python: {}\n", meta.userLine->code);
    out += "\n";
  }
  out += line("{}, {} of them unknown\n", counted(total, "change"), unknown);
  normalize::NormalizeRules rules;
  normalize::registerAllNormalizeRules(rules);
  const std::map<std::string, std::size_t> counts = changesByRule(report);
  for (const normalize::Rule& rule : rules.rules())
    if (counts.contains(rule.id))
      out += line("  {:<16} {:>6}  {}\n", rule.id, counts.at(rule.id), rule.reason);
  return out;
}

std::string normalizeJson(const NormalizeReport& report) {
  const fx::Program& program = *report.normalized.program;
  JsonWriter json;
  json.beginObject().member("schema", "fxscope-normalize/1").member("input", report.input);
  json.key("rules").beginArray();
  for (const auto& [rule, changes] : changesByRule(report))
    json.beginObject().member("id", rule).member("changes", changes).endObject();
  json.endArray().key("nodes").beginArray();
  for (fx::NodeId id : nodesOf(report))
    writeNode(json, program, program.node(id), report.normalized.nodes[id.index()], report.paths);
  json.endArray().endObject();
  return json.take();
}

Result<fx::NodeId> nodeCalled(const fx::Program& program, const std::string& nameOrIndex) {
  if (const fx::Node* node = program.findNode(nameOrIndex)) return node->id;
  if (const auto index = numberFrom<std::size_t>(nameOrIndex)) {
    if (*index < program.nodes.size()) return fx::NodeId::of(*index);
    return fail(ErrorCode::Usage,
                fmt::format("there is no node {}; the program has {} nodes, from 0", *index,
                            program.nodes.size()));
  }
  std::vector<std::string_view> names;
  for (const fx::Node& node : program.nodes) names.push_back(node.name);
  const std::vector<std::string> close = nearest(nameOrIndex, names, 1);
  return fail(ErrorCode::Usage,
              fmt::format("there is no node '{}'; {}", nameOrIndex,
                          close.empty() ? "`fxscope-cli inspect --graph` lists them"
                                        : "did you mean '" + close[0] + "'?"));
}

}  // namespace fxs::report
