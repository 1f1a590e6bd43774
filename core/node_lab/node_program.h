#pragma once
// One call node as a program of its own: a placeholder for each distinct value that it takes, scalars kept, several results through
// getitem nodes; nothing else of the program. Weights become placeholders like any other tensor. Nodes of subgraphs are taken likewise,
// and a node that takes subgraphs brings them along. Normalized metadata is expected: what a value is must be known.
#include <set>
#include <vector>

#include "fx/program.h"

namespace fxs::node_lab {

/// A value of the source program: a node's, or one part of its tuple or list.
struct PartOf {
  fx::NodeId node;
  std::size_t part = 0;  ///< of a tuple or list; 0 otherwise
  friend auto operator<=>(const PartOf&, const PartOf&) = default;
};

struct NodeProgram {
  fx::ProgramPtr program;            ///< main: placeholders, the call, getitems, output; origins lead to the user's nodes
  std::vector<PartOf> operands;      ///< of the source: what placeholder i stands for
  std::vector<std::size_t> results;  ///< which part each returned value is; {0} of a node with one value
};

struct AloneOptions {
  const std::set<std::size_t>* parts = nullptr;           ///< of a tuple or list, those that are returned; null: all
  const std::set<fx::NodeId>* constantsInside = nullptr;  ///< weights that stay weights; null: none
};

/// InvalidInput when the node is no call, or when what it takes or gives cannot be told (a value that is unknown, Helion's rewritten
/// arguments, a Python object): the message names the node and says which, and why.
Result<NodeProgram> programOf(const fx::ProgramPtr& source, fx::NodeId node, const AloneOptions& options = {});

/// What a graph returns as a program: a placeholder for each distinct value, and the same output. Mutated values are plain results.
Result<NodeProgram> outputProgramOf(const fx::ProgramPtr& source, const AloneOptions& options = {});
/// The arguments of the program, each returned as it is: what a lowering makes of their types. No operands of its own.
Result<NodeProgram> argumentProgramOf(const fx::ProgramPtr& source);
/// A parameter, buffer or constant as a program without arguments that returns it.
Result<NodeProgram> constantProgramOf(const fx::ProgramPtr& source, fx::NodeId placeholder);
/// Whether an input of the program is an argument of its function: a tensor or a scalar that is no constant.
bool isArgument(const fx::InputSpec&, const fx::Node&);
/// Whether it is a parameter, buffer or constant tensor.
bool isWeight(const fx::InputSpec&);

}  // namespace fxs::node_lab
