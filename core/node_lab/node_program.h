// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Extracts one call node as a program: a placeholder for each distinct operand, constant scalars as
// they are, and getitem nodes for several results. Weights become placeholders like any other
// tensor. This also works for nodes of subgraphs, and a node with subgraph operands includes them.
// Requires normalized metadata: the types of all values must be known.
#include <set>
#include <vector>

#include "fx/program.h"

namespace fxs::node_lab {

/// A value of the source program: a node's value, or an element of its tuple or list.
struct PartOf {
  fx::NodeId node;
  std::size_t part = 0;  ///< index into a tuple or list; 0 otherwise
  friend auto operator<=>(const PartOf&, const PartOf&) = default;
};

struct NodeProgram {
  fx::ProgramPtr program;  ///< main: placeholders, the call, getitems, output; origins refer to the
                           ///< user's nodes
  std::vector<PartOf> operands;  ///< operands[i]: the value of placeholder i in the source program
  std::vector<std::size_t> results;  ///< the index of each returned value in the node's tuple; {0}
                                     ///< for a node with one value
};

struct NodeProgramOptions {
  const std::set<std::size_t>* parts =
      nullptr;  ///< the elements of a tuple or list to return; null: all
  const std::set<fx::NodeId>* constantsInside = nullptr;  ///< weights that stay weights; null: none
};

/// InvalidInput if the node is not a call of an operator, or if the type of an operand or result is
/// unknown (an unknown value, Helion's rewritten arguments, a Python object); the message names the
/// node and the reason.
Result<NodeProgram> programOf(const fx::ProgramPtr& source, fx::NodeId node,
                              const NodeProgramOptions& options = {});

/// The output node as a program: a placeholder for each distinct value, and the same output.
/// Mutations become plain results.
Result<NodeProgram> outputProgramOf(const fx::ProgramPtr& source,
                                    const NodeProgramOptions& options = {});
/// A program that returns the arguments unchanged, to see how a lowering converts their types.
/// NodeProgram::operands is empty.
Result<NodeProgram> argumentProgramOf(const fx::ProgramPtr& source);
/// A parameter, buffer or constant as a program without arguments that returns it.
Result<NodeProgram> constantProgramOf(const fx::ProgramPtr& source, fx::NodeId placeholder);
/// Whether an input of the program is an argument of its function: a tensor, or a scalar that is
/// not a constant.
bool isArgument(const fx::InputSpec&, const fx::Node&);

}  // namespace fxs::node_lab
