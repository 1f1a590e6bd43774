// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Builds a program from parts of another; shared by code that extracts, drops or shortens. Nodes
// keep their names, values and origins; operands from outside the parts become inputs.
#include <functional>
#include <vector>

#include "fx/builder.h"

namespace fxs::fx {

class Part {
 public:
  /// Copies ranges, versions and dialect from `source`; Program::original is the program that the
  /// source's origins refer to.
  explicit Part(const ProgramPtr& source);

  const Program& source() const { return source_; }
  Builder& builder() { return builder_; }
  Program& program() { return builder_.program(); }
  /// The copy of a node of the source; invalid if it was not copied.
  NodeId at(NodeId old) const { return newId_[old.index()]; }

  /// Adds a node as an input of main. A placeholder keeps its kind and its weight; any other node
  /// becomes a user input.
  void input(const Node&);
  /// Copies a call, or a get_attr with its whole subgraph; its operands must have been added.
  /// `standIn` gives the source node to use in place of one of the source's main graph.
  void copy(GraphId into, const Node&, const std::function<NodeId(NodeId)>& standIn = {});
  /// Adds the output of main; its origin is that of the output of the source's graph `of`.
  void output(ArgumentList values, GraphId of);

  Result<ProgramPtr> finish() && { return std::move(builder_).finish(); }

 private:
  NodeId originOf(const Node& node) const { return source_.original ? node.origin : node.id; }

  const Program& source_;
  Builder builder_;
  std::vector<NodeId> newId_;  // by node of the source
};

}  // namespace fxs::fx
