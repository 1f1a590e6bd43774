// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/normalize.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/nearest.h"
#include "base/number_from.h"
#include "fx/text.h"
#include "normalize/rule.h"
#include "report/json_parts.h"
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

JsonForm<fx::NodeId> normalizedForm(const NormalizeReport* report) {
  using normalize::MetadataChange, normalize::NodeMetadata, normalize::TensorMetadata;
  const auto node = [report](fx::NodeId id) -> auto& {
    return report->normalized.program->node(id);
  };
  const auto meta = [report](fx::NodeId id) -> auto& {
    return report->normalized.nodes[id.index()];
  };
  const auto graph = [report](const fx::Node& each) {
    return report->normalized.program->graph(each.graph).name;
  };
  const auto format = [](const TensorMetadata& t) {
    return t.memoryFormat == "None" ? std::string() : t.memoryFormat;
  };
  const JsonForm<TensorMetadata> tensor = {
      {"shape", [](const TensorMetadata& t) { return sizesOf(t.shape); },
       "numbers, or expressions such as 2*s0 + 1"},
      {"dtype", [](const TensorMetadata& t) { return facts(t.dtype).torchName; }},
      {"requires_grad", &TensorMetadata::requiresGrad},
      {"stride", [](const TensorMetadata& t) { return sizesOf(t.stride); }},
      {"memory_format", format, nullIfEmpty,
       JsonNames{"torch.contiguous_format", "torch.channels_last", "torch.channels_last_3d",
                 "unknown"}},
      {"is_quantized", &TensorMetadata::isQuantized}};
  const JsonForm<fx::ModuleFrame> frame = {{"key", &fx::ModuleFrame::key},
                                           {"path", &fx::ModuleFrame::path},
                                           {"type", &fx::ModuleFrame::type}};
  const auto file = [report](const fx::StackFrame& line) { return report->paths.of(line.file); };
  const JsonForm<fx::StackFrame> line = {{"file", file},
                                         {"line", &fx::StackFrame::line},
                                         {"function", &fx::StackFrame::function},
                                         {"code", &fx::StackFrame::code}};
  const JsonForm<MetadataChange> change = {
      {"key", &MetadataChange::key},
      {"before", &MetadataChange::before, "(absent) when there was no value"},
      {"after", &MetadataChange::after, "unknown when it cannot be known"},
      {"rule", &MetadataChange::rule},
      {"reason", &MetadataChange::reason}};
  const JsonForm<fx::Node> ofNode = {{"name", &fx::Node::name},
                                     {"graph", graph},
                                     {"op", [](const fx::Node& each) { return fx::name(each.op); },
                                      JsonNames{"placeholder", "get_attr", "call_function",
                                                "call_method", "call_module", "output"}},
                                     {"target", &fx::Node::target}};
  const JsonForm<NodeMetadata> ofMeta = {
      {"val", [](const NodeMetadata& m) { return fx::dumpValue(m.val); }, nullIfEmpty,
       "f32[2, s0]; null when the node has no value or it is unknown"},
      {"tensor_meta", &NodeMetadata::tensorMeta, tensor, "one for each tensor of val, in order"},
      {"module_stack", &NodeMetadata::moduleStack, frame, "outermost first"},
      {"user_line", &NodeMetadata::userLine, line},
      {"original_aten", &NodeMetadata::originalAten, nullIfEmpty},
      {"changes", &NodeMetadata::changes, change}};
  return JsonForm<fx::NodeId>{{"index", &fx::NodeId::index, "the node index of locations"}}
      .with(node, ofNode)
      .with(meta, ofMeta);
}

JsonAnswer<NormalizeReport> normalizeAnswer(const NormalizeReport* report) {
  using Rule = std::map<std::string, std::size_t>::value_type;
  const JsonForm<Rule> rule = {{"id", &Rule::first}, {"changes", &Rule::second, atLeast(1)}};
  return {"fxscope-normalize/1",
          "fxscope-cli normalize --json",
          {{"input", &NormalizeReport::input, kInputMessage},
           {"rules", &changesByRule, rule},
           {"nodes", &nodesOf, normalizedForm(report), "every node, or the one of --node"}}};
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
  return normalizeAnswer(&report).text(report);
}
std::string normalizeSchema() { return normalizeAnswer(nullptr).schemaText(); }

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
