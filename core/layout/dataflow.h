// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which nodes a node's value comes from and goes to, along the edges that a GraphView draws: into
// the subgraphs of higher-order ops and out of them again. For looking at a part of a graph: a
// node's neighbourhood, and the paths between two nodes. Linear in the graph.
#include <span>
#include <vector>

#include "fx/program.h"

namespace fxs::layout {

class Dataflow {
 public:
  explicit Dataflow(const fx::Program&);

  /// `centre`, and the nodes that at most `steps` edges lead to, or from which at most `steps`
  /// edges lead to it; ascending.
  std::vector<fx::NodeId> around(std::span<const fx::NodeId> centre, std::size_t steps) const;
  /// The nodes on paths from a node of `from` to one of `to`, including both ends, ascending; empty
  /// if there is no path.
  std::vector<fx::NodeId> between(std::span<const fx::NodeId> from,
                                  std::span<const fx::NodeId> to) const;

 private:
  /// By node, in the form of compressed rows: the nodes at the other ends of its edges.
  struct Ends {
    std::vector<std::uint32_t> begin;
    std::vector<fx::NodeId> others;
  };
  static Ends endsOf(std::size_t nodes, const std::vector<std::pair<fx::NodeId, fx::NodeId>>& edges,
                     bool incoming);
  /// By node: whether at most `steps` edges lead to it from a node of `centre`.
  static std::vector<bool> reached(const Ends&, std::span<const fx::NodeId> centre,
                                   std::size_t steps);

  Ends users_, operands_;
};

}  // namespace fxs::layout
