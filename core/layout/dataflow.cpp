// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/dataflow.h"

#include <algorithm>
#include <limits>

#include "layout/subgraph_calls.h"

namespace fxs::layout {
namespace {

std::vector<fx::NodeId> nodesWhere(std::size_t count, auto&& holds) {
  std::vector<fx::NodeId> out;
  for (std::size_t i = 0; i < count; ++i)
    if (holds(i)) out.push_back(fx::NodeId::of(i));
  return out;
}

}  // namespace

Dataflow::Dataflow(const fx::Program& program) {
  const SubgraphCalls calls = subgraphCalls(program);
  std::vector<std::pair<fx::NodeId, fx::NodeId>> edges;
  std::vector<fx::NodeId> bound;
  for (const fx::Node& node : program.nodes) {
    bound.clear();
    const std::vector<fx::NodeId> operands = operandsOf(node);
    for (const fx::NodeId operand : operands) {
      const fx::GraphId subgraph = program.node(operand).subgraph;
      if (!subgraph.valid()) continue;
      edges.emplace_back(program.output(subgraph).id, node.id);
      if (calls.callerOf[subgraph.index()] != node.id) continue;
      for (const SubgraphCalls::Binding& binding : calls.bindings[subgraph.index()]) {
        edges.emplace_back(binding.operand, binding.placeholder);
        bound.push_back(binding.operand);
      }
    }
    std::sort(bound.begin(), bound.end());
    for (const fx::NodeId operand : operands)
      if (!program.node(operand).subgraph.valid() &&
          !std::binary_search(bound.begin(), bound.end(), operand))
        edges.emplace_back(operand, node.id);
  }
  users_ = endsOf(program.nodes.size(), edges, false);
  operands_ = endsOf(program.nodes.size(), edges, true);
}

Dataflow::Ends Dataflow::endsOf(std::size_t nodes,
                                const std::vector<std::pair<fx::NodeId, fx::NodeId>>& edges,
                                bool incoming) {
  Ends ends;
  ends.begin.assign(nodes + 1, 0);
  for (const auto& [from, to] : edges) ++ends.begin[(incoming ? to : from).index() + 1];
  for (std::size_t i = 0; i < nodes; ++i) ends.begin[i + 1] += ends.begin[i];
  ends.others.resize(edges.size());
  std::vector<std::uint32_t> next(ends.begin.begin(), ends.begin.end() - 1);
  for (const auto& [from, to] : edges)
    ends.others[next[(incoming ? to : from).index()]++] = incoming ? from : to;
  return ends;
}

std::vector<bool> Dataflow::reached(const Ends& ends, std::span<const fx::NodeId> centre,
                                    std::size_t steps) {
  std::vector<bool> seen(ends.begin.size() - 1, false);
  std::vector<fx::NodeId> row, next;
  for (const fx::NodeId node : centre)
    if (!seen[node.index()]) seen[node.index()] = true, row.push_back(node);
  for (; steps > 0 && !row.empty(); --steps) {
    next.clear();
    for (const fx::NodeId node : row)
      for (std::uint32_t i = ends.begin[node.index()]; i < ends.begin[node.index() + 1]; ++i)
        if (const fx::NodeId other = ends.others[i]; !seen[other.index()])
          seen[other.index()] = true, next.push_back(other);
    row.swap(next);
  }
  return seen;
}

std::vector<fx::NodeId> Dataflow::around(std::span<const fx::NodeId> centre,
                                         std::size_t steps) const {
  const std::vector<bool> below = reached(users_, centre, steps),
                          above = reached(operands_, centre, steps);
  return nodesWhere(below.size(), [&](std::size_t i) { return below[i] || above[i]; });
}

std::vector<fx::NodeId> Dataflow::between(std::span<const fx::NodeId> from,
                                          std::span<const fx::NodeId> to) const {
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  const std::vector<bool> below = reached(users_, from, kAll), above = reached(operands_, to, kAll);
  return nodesWhere(below.size(), [&](std::size_t i) { return below[i] && above[i]; });
}

}  // namespace fxs::layout
