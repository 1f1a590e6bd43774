// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Structural diff of two programs: nodes added, removed, changed, moved. Nodes are matched by what
// they call, with what, and where, whatever their names are: the graphs are compared as modules
// (mlir/compare/diff.h). Names of symbolic sizes do not count (size_names.h). Values of weights are
// not compared, nor are stack traces and modules.
#include <string>
#include <vector>

#include "fx/program.h"
#include "mlir/compare/diff.h"

namespace fxs::graph_diff {

/// What is compared of a node, as texts that do not depend on names: "" where it has none.
struct Facts {
  std::string target;     ///< "aten.add.Tensor"; of an input its kind and target
  std::string arguments;  ///< "(%, %, alpha=2)": % is any node
  std::string value;      ///< "f32[2, x.size(1)]"
};

/// One node of either side. `a` is invalid when added, `b` when removed.
struct NodePair {
  fx::NodeId a, b;
  mlir::OpChange change = mlir::OpChange::Same;
  bool otherOperands = false;  ///< an argument is another node, which is in both programs
};

/// A symbolic size of either program: the range of the dimension, or "" if it has none there.
struct SizeChange {
  std::string size;  ///< "x.size(1)", "aten.nonzero.size(0)"
  std::string a, b;  ///< "2..128", "2..": unbounded
};

struct GraphDiff {
  std::vector<NodePair> pairs;  ///< every node of both sides once, in order of `b`; removed ones
                                ///< follow their predecessor in `a`
  std::vector<Facts> factsA, factsB;  ///< by NodeId
  std::vector<SizeChange> sizes;      ///< those that differ
  std::size_t added = 0, removed = 0, changed = 0,
              moved = 0;  ///< a node that is moved and changed counts in both
  bool empty() const { return added + removed + changed + moved + sizes.size() == 0; }
};
/// Both programs as they are, subgraphs included.
GraphDiff graphDiff(const fx::Program& a, const fx::Program& b);

}  // namespace fxs::graph_diff
