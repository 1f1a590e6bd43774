// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Prints and parses programs. `dump` prints each graph like print(graph_module.graph), and adds
// what is needed to parse it: the value before "[num_users=..]", the kind of an input, quotes
// around strings. graphFrom parses that form, so that tests can write programs as text;
// dump(graphFrom(dump(p))) == dump(p). Module stacks, stack traces, guards and hints are left out.
//
//   graph():
//       %p_w : f32[4] [num_users=1] = placeholder[target=p_w] parameter 'l.weight'
//       %x : f32[s0, 4] [num_users=1] = placeholder[target=x]
//       %add : f32[s0, 4] [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args =
//       (%x, %p_w), kwargs = {alpha: 2}) %cond_graph : [num_users=1] = get_attr[target=cond_graph]
//       return (add,)
//
//   graph cond_graph():
//       ..
//
//   Range constraints: {s0: VR[2, 128], u0: VR[0, int_oo]}
//
// The grammar, by lines; names and targets that are not plain words are quoted:
//   header      "graph():" for main; "graph A.B():" is the subgraph of get_attr node B in the
//   subgraph of get_attr node A node        "%NAME : [VALUE] [num_users=N] = " then one of
//               "placeholder[target=T]" [KIND ['TARGET'] [non_persistent] [= CONSTANT]]     KIND is
//               a name(InputKind); default: user input "get_attr[target=T]"
//               "call_function[target=T](args = (ARG, ..), kwargs = {NAME: ARG, ..})"       one
//               positional argument: "(ARG,)" "call_method[target=NAME](..)",
//               "call_module[target=PATH](..)"             likewise
//   return      "return (VALUE, ..)", or "return VALUE" if a subgraph returns a single value; VALUE
//   is a node without '%' or a
//               constant ARG; then "KIND ['TARGET'], .." (KIND is a name(OutputKind)) unless all
//               are user outputs
//   T           "torch.ops.aten.add.Tensor" for target "aten.add.Tensor",
//   "torch.ops.higher_order.cond", "operator.getitem" for
//               "_operator.getitem"; other targets unchanged
//   ARG         %NAME, None, True, 5, 0.5, 1e-05, inf, nan, (1+2j), 'text', torch.float32,
//   torch.strided, torch.channels_last, cpu,
//               cuda:0 (device(type='..', index=0) for unusual ones), aten.add_.Tensor (an
//               operator), [ARG, ..], {NAME: ARG, ..}, slice(ARG, ARG, ARG), object('..') (any
//               other Python object, by its repr)
//   VALUE       DTYPE[SIZE, ..] and, unless as in a contiguous CPU tensor at offset 0, "
//   stride=[..]", " offset=N" (expressions in
//               parentheses), " device=cuda:0", " layout=sparse_coo"; Sym(EXPR), SymFloat(EXPR),
//               SymBool(EXPR); None; (VALUE, ..); Token; CustomObject('class'); ? for an unknown
//               element of a tuple
#include <string>
#include <string_view>

#include "fx/program.h"

namespace fxs::fx {

/// One line per node, subgraphs after main. Deterministic.
std::string dump(const Program&);
/// The line of one node without indentation; `users` is the number to print.
std::string dumpNode(const Program&, const Node&, std::size_t users);
/// An argument as in the dump: `%x`, `[1, 2]`, `torch.float32`, `None`.
std::string dumpArgument(const Program&, const Argument&);
/// The arguments of a node: `(%x, [1, 2], alpha=2)`.
std::string dumpArguments(const Program&, const Node&);
/// A value as in the dump: `f32[2, s0]`, `(f32[2], i64[2])`; "" when unknown.
std::string dumpValue(const Value&);
/// A target as in the dump: "torch.ops.aten.add.Tensor" for "aten.add.Tensor".
std::string dumpTarget(std::string_view target);

/// Parses a dump, or a short form for tests:
///   p: f32[4] = parameter "l.weight"
///   x: f32[2, 4] = placeholder
///   y: f32[2, 4] = aten.add.Tensor(x, p, alpha=2)
///   g: f32[2] = getitem(y, 0)
///   t = get_attr                      (its subgraph follows under "graph t():")
///   return y, g
/// In the short form, positional arguments get their names from the schema; a bare name is a node;
/// buffer, tensor_constant and constant_input declare inputs like parameter; " requires_grad" may
/// follow a tensor. The header of main is optional. A parameter, buffer or constant gets a Weight
/// that is not readable. The dialect is "TRAINING". InvalidInput; syntax errors give the 1-based
/// line.
Result<ProgramPtr> graphFrom(std::string_view text);

}  // namespace fxs::fx
