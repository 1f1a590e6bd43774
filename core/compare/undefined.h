// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Where PyTorch itself defines no result for some inputs, so that nothing can be wrong: floats that
// become integers of a type that has no such integer. Such elements are followed through what is
// computed of them one by one: those that a `where` does not choose reach no result. Looks at the
// values of nodes; those of subgraphs are left out.
#include <string>
#include <vector>

#include "compare/error_scales.h"
#include "fx/program.h"

namespace fxs::compare {

struct Undefined {
  std::vector<fx::NodeId> nodes;  ///< have elements that are not defined, in order of the graph
  /// Such elements may reach a result: one line that names the node, "the conversion to uint8 at
  /// to_1 is of -3.5, which PyTorch does not define"; else "".
  std::string message;
};
Undefined undefinedIn(const fx::Program&, const NodeValue&);

}  // namespace fxs::compare
