// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/lowered_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "report/document.h"
#include "report/json_parts.h"
#include "trace/node_changes.h"

namespace fxs::report {
namespace {

struct LoweredNode {
  fx::NodeId id;
  std::string name, target, module;
  std::vector<fx::StackFrame> frames;  ///< outside PyTorch, innermost first
  std::vector<std::string> became;
};

/// The last text of a lowering.
struct LastText {
  std::string stage;  ///< "" if there is none
  bool failed = false;
  std::vector<LoweredNode> nodes;
};

std::vector<fx::StackFrame> framesOutsidePyTorch(const fx::Program& program, const fx::Node& node) {
  std::vector<fx::StackFrame> out;
  std::vector<fx::StackFrame> stack = fx::stackOf(program, node);
  while (const fx::StackFrame* frame = fx::userFrame(stack)) {
    out.push_back(*frame);
    stack.resize(static_cast<std::size_t>(frame - stack.data()));
  }
  return out;
}

bool computesSomething(const fx::Node& node) {
  return node.op != fx::NodeOp::Placeholder && node.op != fx::NodeOp::GetAttr &&
         node.op != fx::NodeOp::Output;
}

LastText lastTextOf(const LoweredNodesReport& report) {
  LastText out;
  std::map<fx::NodeId, std::vector<std::string>> became;
  for (std::size_t i = report.lowering.stages.size(); i-- > 0;) {
    const lower::StageResult& stage = report.lowering.stages[i];
    if (stage.ir().empty()) continue;
    out.stage = stage.id;
    out.failed = stage.text.empty();
    const auto origins = i < report.origins.size() ? report.origins[i] : nullptr;
    const auto text = trace::openText(stage.ir(), origins, stage.irForm());
    became = trace::opNamesByNode(*text);
    break;
  }
  for (const fx::Node& node : report.program.nodes) {
    if (!computesSomething(node)) continue;
    out.nodes.push_back({node.id, node.name, node.target,
                         sourceLocationOf(report.program, node.id).module,
                         framesOutsidePyTorch(report.program, node), std::move(became[node.id])});
  }
  return out;
}

std::string placeOfNode(const LoweredNode& node, const Paths& paths) {
  if (node.frames.empty()) return "";
  return fmt::format("{}:{}", paths.of(node.frames.front().file), node.frames.front().line);
}

struct NodesAnswer {
  const LoweredNodesReport& report;
  LastText last;
};

JsonAnswer<NodesAnswer> loweredNodesAnswer(const LoweredNodesReport* report) {
  const NodeContext context = contextOf(report);
  const JsonForm<LoweredNode> node = {
      {"name", &LoweredNode::name},
      {"index", [](const LoweredNode& n) { return n.id.index(); },
       "in the program, as in locations"},
      {"target", &LoweredNode::target, "the node's own: aten.diff.default"},
      {"module", &LoweredNode::module, nullIfEmpty, "path of the innermost module"},
      {"lines", &LoweredNode::frames, sourceForm(context.paths),
       "of Python outside PyTorch, the innermost first"},
      {"became", &LoweredNode::became,
       "its operations in the text, those that do the work first: linalg.generic x4"}};
  const auto text = [](auto get) {
    return [get](const NodesAnswer& answer) { return get(answer.report); };
  };
  using R = LoweredNodesReport;
  return {"fxscope-lower-nodes/1",
          "fxscope-cli lower --nodes --json",
          {{"input", text([](const R& r) { return r.input; }), kInputMessage},
           {"target", text([](const R& r) { return lower::name(r.lowering.target); }),
            isOutputType(), kOutputTypeMessage},
           {"stage", [](const NodesAnswer& a) { return a.last.stage; }, nullIfEmpty,
            "whose text it is, the last one that there is; null: there is none"},
           {"failed", [](const NodesAnswer& a) { return a.last.failed; },
            "the text is that at the failure of the stage"},
           {"nodes", [](const NodesAnswer& a) { return a.last.nodes; }, node,
            "those that compute something"},
           {"findings", text([](const R& r) { return r.findings; }), findingForm(context)}}};
}

}  // namespace

std::string loweredNodesText(const LoweredNodesReport& report, const TextLayout& layout) {
  const LastText last = lastTextOf(report);
  const std::string what = last.stage.empty() ? std::string("there is no text") : last.stage;
  Document out{fmt::format("{} to {}: {}{}", report.input, lower::name(report.lowering.target),
                           what, last.failed ? ", at the failure" : "")};
  Table table{{{"line"}, {"node"}, {"operator"}, {"became"}}, {}};
  for (const LoweredNode& node : last.nodes)
    table.rows.push_back({{placeOfNode(node, report.paths), node.name, node.target,
                           node.became.empty() ? "-" : trace::shownNames(node.became)}});
  out.blocks.push_back(std::move(table));
  return renderText(out, layout);
}

std::string loweredNodesJson(const LoweredNodesReport& report) {
  return loweredNodesAnswer(&report).text({report, lastTextOf(report)});
}
std::string loweredNodesSchema() { return loweredNodesAnswer(nullptr).schemaText(); }

}  // namespace fxs::report
