// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/inline_contexts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "rewrite/autocast.h"

namespace fxs::rewrite {
namespace {

constexpr std::string_view kGrad = "higher_order.wrap_with_set_grad_enabled";
constexpr std::string_view kAutocast = "higher_order.wrap_with_autocast";
/// Limit for nested regions.
constexpr std::size_t kMaxNesting = 64;
/// Limit for the growth of a program: a region that is called twice is copied twice.
constexpr std::size_t kMaxInlinedGrowth = 32;

/// The position of the subgraph among the arguments: after those of the context.
std::size_t graphPosition(const fx::Node& call) { return call.target == kGrad ? 1 : 4; }

/// The subgraph of a context call, if it has the form that the exporter writes.
const fx::Graph* regionOf(const fx::Program& program, const fx::Node& call) {
  if (call.op != fx::NodeOp::CallFunction || !isContextRegion(call.target)) return nullptr;
  const std::size_t position = graphPosition(call);
  if (call.args.size() <= position) return nullptr;
  const fx::NodeId* attribute = call.args[position].value.node();
  if (!attribute || !program.node(*attribute).subgraph.valid()) return nullptr;
  const fx::Graph& graph = program.graph(program.node(*attribute).subgraph);
  // Placeholders come first, so that a large region shared by many calls is not scanned for each.
  const auto past = std::find_if(graph.nodes.begin(), graph.nodes.end(), [&](fx::NodeId id) {
    return program.node(id).op != fx::NodeOp::Placeholder;
  });
  return static_cast<std::size_t>(past - graph.nodes.begin()) == call.args.size() - position - 1
             ? &graph
             : nullptr;
}

/// A graph being read: main, a subgraph that is kept, or a region inlined at its call.
struct Frame {
  const fx::Graph* graph;
  std::size_t next = 0;
  const fx::Node* call = nullptr;  ///< of a region
  AutocastState autocast;
};

class Inliner {
 public:
  Inliner(const fx::Program& source, Report& report, const RunContext& run)
      : step_(source, report, run), source_(source) {
    findKeptSubgraphs();
  }

  Result<fx::Program> run(const RunContext& run) {
    graphs_.push_back({&source_.main(), step_.draft().main()});
    for (std::size_t g = 0; g < graphs_.size(); ++g) {
      writing_ = graphs_[g].second;
      frames_.assign(1, Frame{graphs_[g].first, 0, nullptr, {}});
      while (!frames_.empty()) {
        if (run.stop.stop_requested())
          return fail(ErrorCode::Cancelled, "cancelled while inlining context regions");
        Frame& frame = frames_.back();
        if (frame.next == frame.graph->nodes.size()) {
          frames_.pop_back();
          continue;
        }
        visit(source_.node(frame.graph->nodes[frame.next++]));
      }
    }
    return std::move(step_).take();
  }

 private:
  /// Finds subgraphs that some call needs; those of regions are inlined.
  void findKeptSubgraphs() {
    kept_.assign(source_.nodes.size(), false);
    for (const fx::Node& node : source_.nodes) {
      if (regionOf(source_, node)) continue;
      for (const fx::NodeArgument& argument : node.args)
        fx::forEachNode(argument.value, [&](fx::NodeId id) { kept_[id.index()] = true; });
    }
  }

  void visit(const fx::Node& node) {
    Frame& frame = frames_.back();
    step_.at(node, writing_);
    if (node.subgraph.valid()) return visitSubgraph(node);
    if (frame.call) {
      if (node.op == fx::NodeOp::Placeholder) return;  // bound when the region was entered
      if (node.op == fx::NodeOp::Output) return leave(node, frame);
    }
    if (step_.takePart()) return;
    if (node.op == fx::NodeOp::CallFunction && isContextRegion(node.target)) {
      if (const fx::Graph* region = regionOf(source_, node)) return enter(node, *region);
      step_.finding("not-inlined",
                    "its subgraph and operands do not match, so the region is not inlined");
    }
    if (node.op == fx::NodeOp::CallFunction && frame.autocast.active())
      return autocast(node, frame.autocast);
    step_.copy();
  }

  void visitSubgraph(const fx::Node& node) {
    if (!kept_[node.id.index()]) return;
    const fx::GraphId made = step_.draft().addGraph(source_, source_.graph(node.subgraph));
    graphs_.emplace_back(&source_.graph(node.subgraph), made);
    step_.draft().node(step_.copy()).subgraph = made;
  }

  void enter(const fx::Node& call, const fx::Graph& region) {
    if (frames_.size() >= kMaxNesting) {
      step_.finding(
          "not-inlined",
          fmt::format(
              "context regions are nested more than {} deep; only that many levels are inlined",
              kMaxNesting));
      step_.copy();
      return;
    }
    if (step_.draft().program().nodes.size() > kMaxInlinedGrowth * source_.nodes.size()) {
      step_.finding(
          "not-inlined",
          fmt::format(
              "with its regions inlined, the program would become more than {} times as large",
              kMaxInlinedGrowth));
      step_.copy();
      return;
    }
    Frame inner{&region, 0, &call, frames_.back().autocast};
    if (call.target == kAutocast) inner.autocast = stateOf(call, inner.autocast);
    std::size_t position = graphPosition(call) + 1;
    for (fx::NodeId id : region.nodes) {
      if (source_.node(id).op != fx::NodeOp::Placeholder) break;
      step_.setValue(id, step_.mapped(call.args[position++].value));
    }
    step_.applied("inline-context");
    frames_.push_back(inner);
  }

  void leave(const fx::Node& output, const Frame& frame) {
    fx::ArgumentList values;
    if (!output.args.empty()) {
      const fx::Argument all = step_.mapped(output.args[0].value);
      if (const fx::ArgumentList* list = all.list()) values = *list;
      else values.push_back(all);
    }
    if (frame.call->val.list() || values.size() != 1)
      step_.setValue(frame.call->id, std::move(values));
    else step_.setValue(frame.call->id, std::move(values.front()));
  }

  void autocast(const fx::Node& node, const AutocastState& state) {
    AutocastPlan plan = planAutocast(step_, node, state);
    if (!plan.finding.empty()) {
      step_.finding("not-inlined", std::move(plan.finding));
      step_.copy();
      return;
    }
    step_.copyWith(std::move(plan.args));
  }

  Transcription step_;
  const fx::Program& source_;
  std::vector<bool> kept_;
  std::vector<std::pair<const fx::Graph*, fx::GraphId>> graphs_;
  std::vector<Frame> frames_;
  fx::GraphId writing_;
};

}  // namespace

bool isContextRegion(std::string_view target) { return target == kGrad || target == kAutocast; }

bool hasContextRegions(const fx::Program& program) {
  return std::any_of(program.nodes.begin(), program.nodes.end(),
                     [&](const fx::Node& node) { return regionOf(program, node) != nullptr; });
}

Result<fx::Program> inlineContexts(const fx::Program& source, Report& report,
                                   const RunContext& run) {
  return Inliner(source, report, run).run(run);
}

}  // namespace fxs::rewrite
