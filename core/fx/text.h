#pragma once
// A program as text. `dump` prints each graph as print(graph_module.graph) does; graphFrom reads that form, so that a
// test writes its program instead of building it, and graphFrom(dump(p)) dumps the same again.
//
//   graph main():
//       %x : f32[2, s0] = placeholder[target=x]
//       %add : f32[2, s0] [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, 1), kwargs = {alpha: 2})
//       return (add,)
#include <string>
#include <string_view>

#include "fx/program.h"

namespace fxs::fx {

/// One line a node, subgraphs after main. Deterministic.
std::string dump(const Program&);
/// One node's line of that dump.
std::string dumpNode(const Program&, const Node&, std::size_t users);
/// An argument as Python prints it: `%x`, `[1, 2]`, `torch.float32`, `None`.
std::string dumpArgument(const Program&, const Argument&);

/// Reads the dump's form, and a short form for tests:
///   x: f32[2, 4] = placeholder
///   y: f32[2, 4] = aten.relu.default(x)
///   return y
/// Short form: arguments by position take their names from the schema; `p: f32[4] = parameter "l.weight"` and
/// `b: f32[4] = buffer "running_mean"` declare inputs with a weight. InvalidInput with the line.
Result<ProgramPtr> graphFrom(std::string_view text);

}  // namespace fxs::fx
