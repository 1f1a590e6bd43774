#pragma once
// One call node as a program of its own, as helion-mlir's node importer makes it: a placeholder for each distinct node that it
// takes, scalars kept, several results through getitem nodes; nothing else of the program. Normalized metadata is expected.
#include <vector>

#include "fx/program.h"

namespace fxs::node_lab {

struct NodeProgram {
  fx::ProgramPtr program;            ///< main: placeholders, the call, getitems, output; origins lead to `source`'s nodes
  std::vector<fx::NodeId> operands;  ///< of the source: what placeholder i stands for
  std::size_t results = 0;           ///< values returned: 1, or the parts of a tuple or list
};

/// InvalidInput when the node is no call, or when what it takes or gives cannot be told (a value that is unknown, Helion's rewritten
/// arguments, a Python object): the message says which, and why.
Result<NodeProgram> programOf(const fx::ProgramPtr& source, fx::NodeId node);

}  // namespace fxs::node_lab
