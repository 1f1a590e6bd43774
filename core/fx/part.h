#pragma once
// A program written from parts of another: what cutting nodes out, leaving some out, and shortening have in common. Nodes keep their
// names, values and origins; what the parts take from elsewhere becomes inputs.
#include <functional>
#include <vector>

#include "fx/builder.h"

namespace fxs::fx {

class Part {
 public:
  /// Ranges, versions and dialect are the source's; `original` is the program that the source's origins point into.
  explicit Part(const ProgramPtr& source);

  const Program& source() const { return source_; }
  Builder& builder() { return builder_; }
  Program& program() { return builder_.program(); }
  /// The new node of one of the source's; invalid when it was not written.
  NodeId at(NodeId old) const { return newId_[old.index()]; }

  /// A node as an input of main. A placeholder keeps its kind, and its weight comes along; any other node is a user input.
  void input(const Node&);
  /// A call, or a get_attr with its whole subgraph; what it takes must have been written. `standIn`: the node to take in place of
  /// one of the source's main graph.
  void copy(GraphId into, const Node&, const std::function<NodeId(NodeId)>& standIn = {});
  /// The output of main, with the origin of the output of the source's graph `of`.
  void output(ArgumentList values, GraphId of);

  Result<ProgramPtr> finish() && { return std::move(builder_).finish(); }

 private:
  NodeId originOf(const Node& node) const { return source_.original ? node.origin : node.id; }

  const Program& source_;
  Builder builder_;
  std::vector<NodeId> newId_;  // by node of the source
};

}  // namespace fxs::fx
