#pragma once
// A program as text. `dump` prints each graph as print(graph_module.graph) does and adds what is needed to read it back:
// the value before "[num_users=..]", the kind of an input, quotes around strings. graphFrom reads that form, so that a test
// writes its program instead of building it, and dump(graphFrom(dump(p))) == dump(p). Module stacks, stack traces, guards
// and hints are left out.
//
//   graph():
//       %p_w : f32[4] [num_users=1] = placeholder[target=p_w] parameter 'l.weight'
//       %x : f32[s0, 4] [num_users=1] = placeholder[target=x]
//       %add : f32[s0, 4] [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, %p_w), kwargs = {alpha: 2})
//       %cond_graph : [num_users=1] = get_attr[target=cond_graph]
//       return (add,)
//
//   graph cond_graph():
//       ..
//
//   Range constraints: {s0: VR[2, 128], u0: VR[0, int_oo]}
//
// The grammar (lines; names and targets that are not plain words are quoted):
//   header      "graph():" for main; "graph A.B():" is held by the get_attr node B of the graph of get_attr node A
//   node        "%NAME : [VALUE] [num_users=N] = " then one of
//               "placeholder[target=T]" [KIND ['TARGET'] [non_persistent] [= CONSTANT]]     KIND as name(InputKind); none: a user input
//               "get_attr[target=T]"
//               "call_function[target=T](args = (ARG, ..), kwargs = {NAME: ARG, ..})"       one positional argument: "(ARG,)"
//               "call_method[target=NAME](..)", "call_module[target=PATH](..)"             likewise
//   return      "return (VALUE, ..)", "return VALUE" where a subgraph returns a bare value; VALUE names a node without '%';
//               a constant as an ARG; then "KIND ['TARGET'], .." (as name(OutputKind)) when not all are user outputs
//   T           "torch.ops.aten.add.Tensor" for target "aten.add.Tensor", "torch.ops.higher_order.cond", "operator.getitem" for
//               "_operator.getitem", and any other target as it is
//   ARG         %NAME, None, True, 5, 0.5, 1e-05, inf, nan, (1+2j), 'text', torch.float32, torch.strided, torch.channels_last, cpu,
//               cuda:0 (device(type='..', index=0) for odd ones), aten.add_.Tensor (an operator), [ARG, ..], {NAME: ARG, ..},
//               slice(ARG, ARG, ARG), object('..') (any other Python object, by its repr)
//   VALUE       DTYPE[SIZE, ..] and, where they differ from a contiguous CPU tensor at offset 0, " stride=[..]", " offset=N" (an expression
//   in brackets),
//               " device=cuda:0", " layout=sparse_coo"; Sym(EXPR), SymFloat(EXPR), SymBool(EXPR); None; (VALUE, ..); Token;
//               CustomObject('class'); ? inside a tuple when not known
#include <string>
#include <string_view>

#include "fx/program.h"

namespace fxs::fx {

/// One line a node, subgraphs after main. Deterministic.
std::string dump(const Program&);
/// One node's line of that dump, without its indent.
std::string dumpNode(const Program&, const Node&, std::size_t users);
/// An argument as in the dump: `%x`, `[1, 2]`, `torch.float32`, `None`.
std::string dumpArgument(const Program&, const Argument&);
/// A value as in the dump: `f32[2, s0]`, `(f32[2], i64[2])`; "" when unknown.
std::string dumpValue(const Value&);
/// A target as in the dump: "torch.ops.aten.add.Tensor" of "aten.add.Tensor".
std::string dumpTarget(std::string_view target);

/// Reads the dump's form, and a short form for tests:
///   p: f32[4] = parameter "l.weight"
///   x: f32[2, 4] = placeholder
///   y: f32[2, 4] = aten.add.Tensor(x, p, alpha=2)
///   g: f32[2] = getitem(y, 0)
///   t = get_attr                      (its graph follows under "graph t():")
///   return y, g
/// Short form: arguments by position take their names from the schema; a bare name is a node; buffer, tensor_constant,
/// constant_input declare inputs like parameter; " requires_grad" may follow a tensor. The header of main may be left out.
/// A parameter, buffer or constant gets a Weight whose bytes cannot be read. The dialect is "TRAINING".
/// InvalidInput with the line.
Result<ProgramPtr> graphFrom(std::string_view text);

}  // namespace fxs::fx
