// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fxs::fx {
namespace {

std::string dumped(std::string_view text) {
  Result<ProgramPtr> program = graphFrom(text);
  return program ? dump(**program) : program.error().message;
}

constexpr std::string_view kEverything = R"(graph():
    %p_w : f32[4] [num_users=1] = placeholder[target=p_w] parameter 'l.weight'
    %b_mean : f32[4] [num_users=0] = placeholder[target=b_mean] buffer 'bn.mean' non_persistent
    %c_k : i64[] [num_users=0] = placeholder[target=c_k] tensor_constant 'lifted_tensor_0'
    %flag : None [num_users=0] = placeholder[target=flag] constant_input = True
    %token : Token [num_users=0] = placeholder[target=token] token
    %obj : CustomObject('__torch__.Foo') [num_users=0] = placeholder[target=obj] custom_obj 'foo'
    %x : f32[s0, 4] [num_users=6] = placeholder[target=x]
    %sym_size_int : Sym(s0) [num_users=2] = call_function[target=torch.ops.aten.sym_size.int](args = (%x, 0), kwargs = {})
    %mul : Sym(2*s0 + 1) [num_users=1] = call_function[target=operator.mul](args = (%sym_size_int, 2), kwargs = {})
    %sym_float : SymFloat(ToFloat(s0)) [num_users=0] = call_function[target=torch.sym_float](args = (%mul,), kwargs = {})
    %add : f32[s0, 4] [num_users=2] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, %p_w), kwargs = {alpha: 2})
    %t : f32[4, s0] stride=[1, 4] [num_users=0] = call_function[target=torch.ops.aten.t.default](args = (%add,), kwargs = {})
    %to : f16[s0, 4] stride=[1, s0] offset=(s0*s1) device=cuda:0 [num_users=0] = call_function[target=torch.ops.aten.to.device](args = (%x, cuda:0, torch.float16), kwargs = {memory_format: torch.channels_last})
    %split : (f32[1, 4], f32[(s0//2), 4], ?) [num_users=1] = call_function[target=torch.ops.aten.split_with_sizes.default](args = (%add, [1, -1]), kwargs = {})
    %getitem : f32[1, 4] [num_users=1] = call_function[target=operator.getitem](args = (%split, 0), kwargs = {})
    %odd : [num_users=0] = call_function[target=torch.ops.mylib.odd.default](args = (None, True, -3, 0.5, 1e-05, 1e+16, inf, -inf, nan, (1+2j), 1.5j, 'it\'s "it"\n', "it's", torch.strided, cpu, device(type='None', index=3), aten.add_.Tensor, operator('x'), [], [%getitem, [None]], {a: 1, 'b c': [2]}, slice(None, %sym_size_int, 2), object('<function f at 0x7f>')), kwargs = {})
    %view : f32[2] [num_users=0] = call_method[target=view](args = (%x, [2]), kwargs = {})
    %layer : [num_users=0] = call_module[target=layers.0](args = (%x,), kwargs = {scale: 2})
    %cond_graph : [num_users=1] = get_attr[target=cond_graph]
    %cond : (f32[2],) [num_users=1] = call_function[target=torch.ops.higher_order.cond](args = (True, %cond_graph, [%x]), kwargs = {})
    %getitem_1 : f32[2] [num_users=1] = call_function[target=operator.getitem](args = (%cond, 0), kwargs = {})
    return (getitem_1, None, 3) buffer_mutation 'bn.mean', user_output, user_output

graph cond_graph():
    %arg0 : f32[s0, 4] [num_users=1] = placeholder[target=arg0]
    %inner : [num_users=0] = get_attr[target=inner]
    %sin : f32[s0, 4] [num_users=1] = call_function[target=torch.ops.aten.sin.default](args = (%arg0,), kwargs = {})
    return (sin,)

graph cond_graph.inner():
    %a : f32[2] [num_users=1] = placeholder[target=a]
    return a

Range constraints: {s0: VR[2, 128], u0: VR[0, int_oo], u1: VR[-int_oo, -1]}
)";

TEST(Text, EveryFormReadsBackToTheSameText) { EXPECT_EQ(dumped(kEverything), kEverything); }

TEST(Text, ShortFormNamesPositionalArgumentsFromTheSchema) {
  Result<ProgramPtr> program = graphFrom(R"(
    p: f32[4] = parameter "l.weight"
    x: f32[2, 4] = placeholder
    y: f32[2, 4] = aten.add.Tensor(x, p, alpha=2)
    g: f32[2, 4] = getitem(y, 0)
    return y, g
  )");
  ASSERT_TRUE(program) << program.error().message;
  const Node& add = *(*program)->findNode("y");
  ASSERT_EQ(add.args.size(), 3u);
  EXPECT_EQ(add.args[0].name, "self");
  EXPECT_EQ(add.args[1].name, "other");
  EXPECT_EQ(add.args[2].name, "alpha");
  EXPECT_TRUE(add.args[2].keyword);
  EXPECT_EQ(dump(**program), R"(graph():
    %p : f32[4] [num_users=1] = placeholder[target=p] parameter 'l.weight'
    %x : f32[2, 4] [num_users=1] = placeholder[target=x]
    %y : f32[2, 4] [num_users=2] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, %p), kwargs = {alpha: 2})
    %g : f32[2, 4] [num_users=1] = call_function[target=operator.getitem](args = (%y, 0), kwargs = {})
    return (y, g)
)");
  const Weight* weight = (*program)->findWeight("l.weight");
  ASSERT_NE(weight, nullptr);
  EXPECT_TRUE(weight->isParameter);
  EXPECT_THAT(weight->sizes, testing::ElementsAre(4));
}

TEST(Text, ShortFormHoldsSubgraphs) {
  EXPECT_EQ(dumped(R"(
    x: f32[2] = placeholder
    t = get_attr
    c: (f32[2],) = higher_order.wrap(t, [x])
    g: f32[2] = getitem(c, 0)
    return g
    graph t():
      a: f32[2] = placeholder
      return a
  )"),
            R"(graph():
    %x : f32[2] [num_users=1] = placeholder[target=x]
    %t : [num_users=1] = get_attr[target=t]
    %c : (f32[2],) [num_users=1] = call_function[target=torch.ops.higher_order.wrap](args = (%t, [%x]), kwargs = {})
    %g : f32[2] [num_users=1] = call_function[target=operator.getitem](args = (%c, 0), kwargs = {})
    return (g,)

graph t():
    %a : f32[2] [num_users=1] = placeholder[target=a]
    return a
)");
}

TEST(Text, ArgumentThatSkipsADefaultGoesByKeyword) {
  // layer_norm(input, normalized_shape, weight=None, bias=None, eps=..): the file gave eps by
  // position without weight and bias.
  Result<ProgramPtr> read = graphFrom("x: f32[4] = placeholder\nreturn x\n");
  ASSERT_TRUE(read);
  Program program = **read;
  Node node = program.nodes[0];
  node.op = NodeOp::CallFunction;
  node.target = "aten.layer_norm.default";
  node.args = {{"input", NodeId::of(0), false},
               {"normalized_shape", ArgumentList{std::int64_t{4}}, false},
               {"eps", 1e-6, false}};
  EXPECT_EQ(
      dumpNode(program, node, 1),
      "%x : f32[4] [num_users=1] = call_function[target=torch.ops.aten.layer_norm.default](args = "
      "(%x, [4]), kwargs = {eps: 1e-06})");
}

TEST(Text, NamesThatReadAsConstantsKeepTheirSigil) {
  EXPECT_EQ(
      dumped("'None': f32[1] = placeholder\n'a b': f32[1] = placeholder\nreturn %None, %'a b'\n"),
      "graph():\n"
      "    %None : f32[1] [num_users=1] = placeholder[target=None]\n"
      "    %'a b' : f32[1] [num_users=1] = placeholder[target='a b']\n"
      "    return (%None, %'a b')\n");
}

struct BadText {
  std::string_view text, message;
};
class Broken : public testing::TestWithParam<BadText> {};
TEST_P(Broken, SaysWhereAndWhat) { EXPECT_EQ(dumped(GetParam().text), GetParam().message); }
INSTANTIATE_TEST_SUITE_P(
    Text, Broken,
    testing::Values(
        BadText{"x: f32[2] = placeholder\ny: f32[2] = aten.relu.default(%z)\nreturn y",
                "line 2: there is no node 'z' before this line"},
        BadText{"x: f32[2] = placeholder\nx: f32[2] = placeholder\nreturn x",
                "line 2: there are two nodes named 'x'"},
        BadText{"x: g32[2] = placeholder\nreturn x", "line 1: 'g32' is not a dtype"},
        BadText{"x: f32[2 = placeholder\nreturn x",
                "line 1: symbolic expression '2 = placeholder' at offset 2: unexpected '='"},
        BadText{"x: f32[s0+] = placeholder\nreturn x",
                "line 1: symbolic expression 's0+' at offset 3: '+' has no operand"},
        BadText{"x: f32[2] stride=[1, 2] = placeholder\nreturn x", "line 1: 2 strides for 1 sizes"},
        BadText{"x: f32[2] = placeholder",
                "graph 'main' has a last node 'x' that is not an output"},
        BadText{"", "graph 'main' has no output"},
        BadText{"x: f32[2] = placeholder\nreturn x y", "line 2: 'y' is not an output kind"},
        BadText{"x: f32[2] = placeholder\ny: f32[2] = aten.relu.default(x, x)\nreturn y",
                "line 2: aten.relu.default: expected 1 positional arguments, got 2"},
        BadText{"graph t():\n", "line 1: no get_attr node 't' holds this graph"},
        BadText{"x: f32[2] = placeholder\ny = aten.foo('a\nreturn x",
                "line 2: unterminated string"},
        BadText{"x: f32[2] = placeholder\ny = aten.relu.default(torch.int128)\nreturn x",
                "line 2: 'torch.int128' is not a dtype, layout or memory format"},
        BadText{"%x : [num_users=1] = call_super[target=x]",
                "line 1: 'call_super' is not a node op; expected placeholder, get_attr, "
                "call_function, call_method or call_module"},
        BadText{"%x : [num_users=1] = call_method[target=x]",
                "line 1: expected '(args = (', got the end of the line"},
        BadText{"x: f32[2] = placeholder\ny = foo.bar.default(slice(1, 2))\nreturn y",
                "line 2: expected ',', got '))'"},
        BadText{"x: f32[2] = placeholder\nreturn x\nz: f32[2] = placeholder\n",
                "graph 'main' has an output 'output' before its last node"}));

TEST(Text, DeepNestingIsRefused) {
  std::string text =
      "y = aten.relu.default(" + std::string(1000, '[') + std::string(1000, ']') + ")\n";
  EXPECT_EQ(dumped(text), "line 1: lists nested deeper than 64 levels");
  EXPECT_EQ(dumped("y: " + std::string(1000, '(') + "\n"),
            "line 1: values nested deeper than 64 levels");
}

}  // namespace
}  // namespace fxs::fx
