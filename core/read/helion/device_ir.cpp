// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/helion/device_ir.h"

#include <algorithm>

#include "read/fx_json/graphs.h"
#include "read/fx_json/value.h"
#include "read/helion/extra_arguments.h"
#include "read/pt2/one_of.h"

namespace fxs::read::helion {
namespace {

using pt2::invalid;
using pt2::present;

constexpr int kMaxSubgraphDepth = 64;
constexpr std::size_t kMaxGraphs = 1 << 16;

}  // namespace

std::vector<std::size_t> graphArguments(std::string_view target) {
  if (target.ends_with("_tracing_ops._for_loop") || target.ends_with("_tracing_ops._for_loop_step"))
    return {0};
  if (target.ends_with("_tracing_ops._if")) return {1, 2};
  if (target.ends_with("_tracing_ops._while_loop")) return {0, 1};
  return {};
}

Result<> DeviceIrReader::read(const Json& top) {
  FXS_TRY(const Json graphs, top.arrayAt("graphs"));
  if (graphs.size() == 0) return invalid(graphs, "a kernel requires a root graph");
  if (graphs.size() > kMaxGraphs)
    return invalid(graphs, std::to_string(graphs.size()) + " graphs; the limit is " +
                               std::to_string(kMaxGraphs));
  for (const Json graph : graphs) {
    FXS_TRY(const Json idMember, graph.at("graph_id"));
    FXS_TRY(const std::int64_t id, idMember.asInt());
    if (id != static_cast<std::int64_t>(graphs_.size()))
      return invalid(idMember, "expected " + std::to_string(graphs_.size()) +
                                   ": graphs must be in the order of their numbers");
    graphs_.push_back({graph});
  }
  FXS_TRY(const Json roots, top.arrayAt("root_ids"));
  if (roots.size() == 0) return invalid(roots, "a kernel requires at least one root graph");
  const Json first = *roots.begin();
  FXS_TRY(const std::int64_t main, first.asInt());
  if (main < 0 || static_cast<std::size_t>(main) >= graphs_.size())
    return invalid(first, "there is no graph " + std::to_string(main) + "; the file has " +
                              std::to_string(graphs_.size()));
  main_ = static_cast<std::size_t>(main);
  graphNames_.assign(graphs_.size(), "main");
  if (roots.size() > 1)
    notes_.push_back("the kernel has " + std::to_string(roots.size()) + " root graphs; graph " +
                     std::to_string(main) + " is main, the others are referenced at its start");
  FXS_CHECK(findNamed());
  graphs_[main_].held = true;
  FXS_CHECK(readGraph(main_, builder_.main(), 0));
  for (std::size_t i = 0; i < graphs_.size(); ++i)
    if (!graphs_[i].held)
      return invalid(graphs_[i].graph, "this graph is referenced only by its own subgraphs");
  return {};
}

Result<> DeviceIrReader::findNamed() {
  for (const GraphJson& at : graphs_) {
    FXS_TRY(const Json nodes, at.graph.arrayAt("nodes"));
    for (const Json node : nodes) {
      FXS_TRY(const std::string_view target, fx_json::nameOf(node, "target"));
      const std::vector<std::size_t> positions = graphArguments(target);
      const auto args = positions.empty() ? std::nullopt : present(node, "args");
      std::size_t position = 0;
      if (args)
        for (const Json argument : *args) {
          const auto constant = argument.find("const");
          if (std::find(positions.begin(), positions.end(), position++) == positions.end() ||
              !constant)
            continue;
          const auto number = constant->asInt();
          if (number && *number >= 0 && static_cast<std::size_t>(*number) < graphs_.size())
            graphs_[static_cast<std::size_t>(*number)].named = true;
        }
    }
  }
  return {};
}

Result<> DeviceIrReader::hold(std::size_t index, fx::GraphId into, const fx_json::Names& names,
                              int depth, fx::NodeId* holder) {
  std::string name = "graph_" + std::to_string(index);
  while (names.all.contains(name)) {
    context_.spend(Resource::Values, 1 + name.size() / 8,
                   name);  // a file may use name_, name__ .. to make this slow
    name += "_";
  }
  const fx::GraphId graph = builder_.addSubgraph(into, name, holder);
  graphNames_[index] = builder_.program().graphs[graph.index()].name;
  graphs_[index].held = true;
  if (auto type = present(graphs_[index].graph, "type"); type && type->isString()) {
    const fx::NodeId at = builder_.program().graphs[graph.index()].parent;
    builder_.node(at).meta.push_back(
        {builder_.intern("helion_graph"), builder_.intern(*type->asString())});
  }
  return readGraph(index, graph, depth + 1);
}

Result<> DeviceIrReader::holdTheRest(const fx_json::Names& names, int depth) {
  restHeld_ = true;
  for (std::size_t i = 0; i < graphs_.size(); ++i)
    if (!graphs_[i].held && !graphs_[i].named)
      FXS_CHECK(hold(i, builder_.main(), names, depth, nullptr));
  return {};
}

Result<> DeviceIrReader::readGraph(std::size_t index, fx::GraphId into, int depth) {
  const Json graph = graphs_[index].graph;
  if (depth > kMaxSubgraphDepth)
    return invalid(
        graph, "graphs are nested deeper than " + std::to_string(kMaxSubgraphDepth) + " levels");
  if (context_.stop.stop_requested()) return fail(ErrorCode::Cancelled, "reading was cancelled");
  fx_json::Names names;
  FXS_TRY(const Json nodes, graph.at("nodes"));
  for (const Json node : nodes) {
    FXS_TRY(const std::string_view name, fx_json::nameOf(node, "name"));
    if (!names.all.emplace(name, node).second)
      return invalid(node, "two nodes of this graph are named '" + std::string(name) + "'");
  }
  for (const Json node : nodes) FXS_CHECK(readNode(node, into, names, depth));
  return {};
}

Result<> DeviceIrReader::readNode(const Json& node, fx::GraphId into, fx_json::Names& names,
                                  int depth) {
  FXS_TRY(const fx::NodeOp op, fx_json::opOf(node));
  if (into == builder_.main() && op != fx::NodeOp::Placeholder && !restHeld_)
    FXS_CHECK(holdTheRest(names, depth));
  if (op != fx::NodeOp::CallFunction)
    return fx_json::readPlainNode(node, op, builder_, into, names);
  FXS_TRY(const std::string_view name, fx_json::nameOf(node, "name"));
  FXS_TRY(const std::string_view target, fx_json::nameOf(node, "target"));
  FXS_TRY(std::vector<fx::NodeArgument> args, fx_json::arguments(node, target, names));
  for (const std::size_t position : graphArguments(target)) {
    const std::int64_t* number = position < args.size() ? args[position].value.integer() : nullptr;
    if (number == nullptr) continue;
    if (*number < 0 || static_cast<std::size_t>(*number) >= graphs_.size())
      return invalid(node.find("args").value_or(node),
                     "there is no graph " + std::to_string(*number) + "; the file has " +
                         std::to_string(graphs_.size()));
    const auto index = static_cast<std::size_t>(*number);
    if (graphs_[index].held) continue;
    fx::NodeId holder;
    FXS_CHECK(hold(index, into, names, depth, &holder));
    args[position].value = holder;
  }
  const fx::NodeId id =
      builder_.call(into, std::string(name), std::string(target), std::move(args), fx::Unknown{});
  FXS_CHECK(fx_json::readMeta(node, builder_, id));
  names.defined.emplace(name, id);
  const Undo undo = undoExtraArguments(builder_, id);
  const auto keep = [&](std::string_view key, std::string_view text) {
    builder_.node(id).meta.push_back({builder_.intern(key), builder_.intern(text)});
  };
  if (undo.outcome != Rewritten::No) keep("helion_args", undo.found);
  if (undo.outcome == Rewritten::Unsure) {
    keep("helion_args_unsure", undo.reason);
    notes_.push_back("'" + std::string(name) +
                     "' has arguments rewritten by Helion, and cannot be lowered: " + undo.reason);
  }
  return {};
}

Result<> readSizes(const Json& top, fx::Builder& builder, std::vector<std::string>& notes) {
  fx::Program& program = builder.program();
  if (const auto blocks = present(top, "block_sizes")) {
    FXS_CHECK(blocks->asArray());
    for (const Json block : *blocks) {
      FXS_TRY(const std::string_view symbol, fx_json::nameOf(block, "var"));
      program.ranges.push_back({std::string(symbol), 1, {}});
      const auto size = present(block, "size");
      std::string text = std::string(symbol) + " is a block size";
      if (const auto names = present(block, "debug_names");
          names && names->isArray() && names->size() > 0) {
        FXS_TRY(const std::string_view first, (*names->begin()).asString());
        text += " of '" + std::string(first) + "'";
      }
      if (size && !size->isString()) {
        FXS_TRY(const fx::SymInt of, fx_json::symInt(*size, builder.context()));
        text += ", over " + of.text();
      }
      notes.push_back(std::move(text));
    }
    std::stable_sort(program.ranges.begin(), program.ranges.end(),
                     [](const auto& a, const auto& b) { return a.symbol < b.symbol; });
  }
  if (const auto origins = present(top, "expr_to_origin")) {
    FXS_CHECK(origins->asObject());
    for (const Json origin : *origins)
      if (const auto host = origin.isObject() ? present(origin, "host_str") : std::nullopt;
          host && host->isString())
        notes.push_back(std::string(origin.key()) + " is '" + std::string(*host->asString()) +
                        "' of the host function");
  }
  return {};
}

}  // namespace fxs::read::helion
