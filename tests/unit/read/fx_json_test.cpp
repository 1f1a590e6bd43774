// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// "fxscope-fx/1": what each kind of value and argument becomes, and one clear error for each way to
// write it wrong.
#include <gtest/gtest.h>

#include "fx/text.h"
#include "read/read.h"

namespace fxs::test {
namespace {

Result<read::Capture> openJson(const std::string& text) {
  return read::readCapture(memorySource(text), "g.json", {}, {});
}

read::Capture openedJson(const std::string& text) {
  auto capture = openJson(text);
  if (!capture) throw std::runtime_error(toString(capture.error()));
  return *capture;
}

/// A file with these nodes in main, and more members.
std::string file(const std::string& nodes, const std::string& more = "") {
  return R"({"schema": "fxscope-fx/1", "torch": "2.13.0", "graphs": [{"name": "main", "nodes": [)" +
         nodes + "]}]" + more + "}";
}

const std::string kX =
    R"({"op": "placeholder", "name": "x", "target": "x", "meta": {"val": {"kind": "Tensor", "shape": [2, 3], "stride": [3, 1], "dtype": "float32", "device": "cpu"}}},)";
const std::string kOutput =
    R"({"op": "output", "name": "output", "target": "output", "args": [{"tuple": [{"node": "x"}]}]})";

TEST(FxJson, AGraphOfDynamoReadsAsTorchPrintsIt) {
  const read::Capture capture = openedJson(R"({
  "schema": "fxscope-fx/1", "kind": "Dynamo graph", "torch": "2.13.0",
  "graph_break": {"reason": "Failed to trace builtin operator\n  Explanation: print", "where": "m.py:4 in forward"},
  "notes": ["there is no aten form"],
  "graphs": [{"name": "main", "nodes": [)" +
                                           kX + R"(
    {"op": "get_attr", "name": "weight", "target": "weight",
     "meta": {"val": {"kind": "Tensor", "shape": [3], "stride": [1], "dtype": "float32", "device": "cpu", "requires_grad": true}}},
    {"op": "call_method", "name": "view", "target": "view", "args": [{"node": "x"}, {"const": -1}], "meta": {}},
    {"op": "call_module", "name": "act", "target": "layers.0", "args": [{"node": "view"}], "meta": {"module_type": "torch.nn.ReLU"}},
    {"op": "call_function", "name": "add", "target": "torch.add", "args": [{"node": "act"}, {"node": "weight"}], "kwargs": {"alpha": {"const": 2}},
     "meta": {"val": {"kind": "tuple", "elements": [{"kind": "FakeTensor", "shape": [{"sym": "2*s0", "hint": 8}], "stride": [1], "dtype": "bfloat16", "device": "cuda:1"},
              {"kind": "NoneType"}, {"kind": "SymInt", "expr": "s0", "hint": 4}]}}},
    {"op": "output", "name": "output", "target": "output", "args": [{"node": "add"}], "meta": {}}]}],
  "attributes": [{"name": "weight", "kind": "parameter", "val": {"kind": "Tensor", "shape": [3], "stride": [1], "dtype": "float32", "device": "cpu"}}],
  "ranges": [{"symbol": "s0", "min": 2, "max": null}]
})");
  EXPECT_EQ(
      fx::dump(*capture.program),
      "graph():\n"
      "    %x : f32[2, 3] [num_users=1] = placeholder[target=x]\n"
      "    %weight : f32[3] [num_users=1] = get_attr[target=weight]\n"
      "    %view : [num_users=1] = call_method[target=view](args = (%x, -1), kwargs = {})\n"
      "    %act : [num_users=1] = call_module[target=layers.0](args = (%view,), kwargs = {})\n"
      "    %add : (bf16[2*s0] device=cuda:1, None, Sym(s0)) [num_users=1] = "
      "call_function[target=torch.add](args = (%act, %weight), "
      "kwargs = {alpha: 2})\n"
      "    return add\n"
      "\n"
      "Range constraints: {s0: VR[2, int_oo]}\n");
  EXPECT_EQ(capture.format, "FX graph (fxscope-fx/1, Dynamo graph, torch 2.13.0)");
  EXPECT_EQ(capture.notes, (std::vector<std::string>{
                               "graph break: Failed to trace builtin operator (m.py:4 in forward)",
                               "there is no aten form"}));
  EXPECT_EQ(capture.program->findNode("x")->val.tensor()->kind, fx::TensorKind::Concrete);
  EXPECT_EQ((*capture.program->findNode("add")->val.list())[0].tensor()->kind,
            fx::TensorKind::Fake);
  EXPECT_EQ((*capture.program->findNode("add")->val.list())[0].tensor()->sizes[0].hint(), 8);
  EXPECT_EQ(capture.program->meta(*capture.program->findNode("act"), "module_type"),
            "torch.nn.ReLU");
  ASSERT_EQ(capture.program->weights.size(), 1u);
  EXPECT_EQ(capture.program->weights[0].reason,
            "the capture contains no tensor data; capture again with data=True to store it");
}

struct Kind {
  const char *json, *text;
};
class FxJsonArgument : public testing::TestWithParam<Kind> {};
TEST_P(FxJsonArgument, IsPythonsOwn) {
  const read::Capture capture =
      openedJson(file(kX + R"({"op": "call_function", "name": "f", "target": "my.f", "args": [)" +
                      GetParam().json + "]}," + kOutput));
  EXPECT_EQ(fx::dumpArgument(*capture.program, capture.program->findNode("f")->args.at(0).value),
            GetParam().text);
}
INSTANTIATE_TEST_SUITE_P(
    Read, FxJsonArgument,
    testing::Values(
        Kind{R"({"node": "x"})", "%x"}, Kind{R"({"const": null})", "None"},
        Kind{R"({"const": true})", "True"},
        Kind{R"({"const": -9223372036854775808})", "-9223372036854775808"},
        Kind{R"({"const": 2.0})", "2.0"}, Kind{R"({"const": "it's"})", "\"it's\""},
        Kind{R"({"float": "inf"})", "inf"}, Kind{R"({"float": "-inf"})", "-inf"},
        Kind{R"({"float": "nan"})", "nan"}, Kind{R"({"complex": [1, "inf"]})", "(1+infj)"},
        Kind{R"({"list": [{"const": 1}, {"node": "x"}]})", "[1, %x]"},
        Kind{R"({"tuple": []})", "[]"}, Kind{R"({"dict": {"a": {"const": 1}}})", "{a: 1}"},
        Kind{R"({"slice": [{"const": null}, {"node": "x"}, {"const": 2}]})", "slice(None, %x, 2)"},
        Kind{R"({"dtype": "torch.int64"})", "torch.int64"},
        Kind{R"({"device": "cuda:0"})", "cuda:0"},
        Kind{R"({"layout": "sparse_coo"})", "torch.sparse_coo"},
        Kind{R"({"memory_format": "channels_last"})", "torch.channels_last"},
        Kind{R"({"operator": "aten.add_.Tensor"})", "aten.add_.Tensor"},
        Kind{R"({"function": "torch.relu"})", "object('torch.relu')"},
        Kind{R"({"sym": "s0"})", "object('s0')"},
        Kind{R"({"opaque": "<my.Thing object>"})", "object('<my.Thing object>')"}));

TEST(FxJson, ASubgraphIsHeldByItsGetAttr) {
  const read::Capture capture = openedJson(R"({"schema": "fxscope-fx/1", "graphs": [
  {"nodes": [)" + kX + R"(
    {"op": "get_attr", "name": "body", "target": "body", "graph": 1},
    {"op": "call_function", "name": "hop", "target": "higher_order.wrap", "args": [{"node": "body"}, {"node": "x"}]},
    {"op": "output", "name": "output", "target": "output", "args": [{"tuple": [{"node": "hop"}]}]}]},
  {"nodes": [{"op": "placeholder", "name": "a", "target": "a"}, {"op": "output", "name": "output", "target": "output", "args": [{"node": "a"}]}]}]})");
  EXPECT_EQ(fx::dump(*capture.program),
            "graph():\n"
            "    %x : f32[2, 3] [num_users=1] = placeholder[target=x]\n"
            "    %body : [num_users=1] = get_attr[target=body]\n"
            "    %hop : [num_users=1] = call_function[target=torch.ops.higher_order.wrap](args = "
            "(%body, %x), kwargs = {})\n"
            "    return (hop,)\n"
            "\n"
            "graph body():\n"
            "    %a : [num_users=1] = placeholder[target=a]\n"
            "    return a\n");
}

TEST(FxJson, ASignatureMakesAnExportedProgram) {
  const read::Capture capture = openedJson(file(
      R"({"op": "placeholder", "name": "p_w", "target": "p_w", "meta": {"val": {"kind": "FakeTensor", "shape": [2], "dtype": "int32"}}},)" +
          kX +
          R"({"op": "output", "name": "output", "target": "output", "args": [{"tuple": [{"node": "p_w"}, {"node": "x"}]}]})",
      R"(, "dialect": "ATEN", "input_names": ["x"], "guards": ["L['x'].size()[0] == 2"],
      "signature": {"inputs": [{"kind": "parameter", "node": "p_w", "target": "w"}, {"kind": "user_input", "node": "x"}],
                    "outputs": [{"kind": "parameter_mutation", "value": {"node": "p_w"}, "target": "w"}, {"kind": "user_output", "value": {"node": "x"}}]},
      "attributes": [{"name": "w", "kind": "parameter", "val": {"kind": "Tensor", "shape": [2], "dtype": "int32"}, "data": "AQAAAP////8="}])"));
  EXPECT_EQ(fx::dump(*capture.program),
            "graph():\n"
            "    %p_w : i32[2] [num_users=1] = placeholder[target=p_w] parameter 'w'\n"
            "    %x : f32[2, 3] [num_users=1] = placeholder[target=x]\n"
            "    return (p_w, x) parameter_mutation 'w', user_output\n");
  EXPECT_EQ(capture.program->dialect, "ATEN");
  EXPECT_EQ(capture.program->inputNames, std::vector<std::string>{"x"});
  const auto bytes = capture.weights->read(*capture.program->findWeight("w"), 100);
  ASSERT_TRUE(bytes) << toString(bytes.error());
  EXPECT_EQ(*bytes, std::string("\1\0\0\0\xff\xff\xff\xff", 8));
  EXPECT_EQ(capture.weights->read(*capture.program->findWeight("w"), 4).error().message,
            "g.json: weight 'w' is larger than the limit of 4 bytes");
}

TEST(FxJson, ArgumentsTakeTheNamesOfTheSchema) {
  const read::Capture capture = openedJson(file(
      kX +
      R"({"op": "call_function", "name": "s", "target": "aten.sum.dim_IntList", "args": [{"node": "x"}, {"list": [{"const": 1}]}],
               "kwargs": {"dtype": {"dtype": "float64"}, "keepdim": {"const": true}}},)" +
      kOutput));
  std::string names;
  for (const fx::NodeArgument& a : capture.program->findNode("s")->args)
    names += a.name + (a.keyword ? "= " : " ");
  EXPECT_EQ(names, "self dim keepdim= dtype= ");
}

struct BrokenJson {
  std::string text, message;
};
class FxJsonBroken : public testing::TestWithParam<BrokenJson> {};
TEST_P(FxJsonBroken, SaysWhereAndWhat) {
  const auto capture = openJson(GetParam().text);
  ASSERT_FALSE(capture);
  EXPECT_EQ(capture.error().message, GetParam().message);
}

std::string call(const std::string& argument) {
  return file(kX + R"({"op": "call_function", "name": "f", "target": "my.f", "args": [)" +
              argument + "]}," + kOutput);
}
std::string val(const std::string& value) {
  return file(R"({"op": "placeholder", "name": "x", "target": "x", "meta": {"val": )" + value +
              "}}," + kOutput);
}
std::string deep(int levels) {
  std::string out = "{\"schema\": \"fxscope-fx/1\", \"graphs\": [";
  for (int i = 0; i < levels; ++i)
    out +=
        R"({"nodes": [{"op": "get_attr", "name": "g", "target": "g", "graph": )" +
        std::to_string(i + 1) +
        R"(}, {"op": "output", "name": "output", "target": "output", "args": [{"const": null}]}]},)";
  return out +
         R"({"nodes": [{"op": "output", "name": "output", "target": "output", "args": [{"const": null}]}]}]})";
}
INSTANTIATE_TEST_SUITE_P(
    Read, FxJsonBroken,
    testing::Values(
        BrokenJson{R"({"schema": "fxscope-fx/2"})",
                   "g.json: schema: 'fxscope-fx/2' is not a supported version; fxscope reads "
                   "fxscope-fx/1"},
        BrokenJson{R"({"schema": "fxscope-fx/1"})", "g.json: member 'graphs' is missing"},
        BrokenJson{R"({"schema": "fxscope-fx/1", "graphs": []})",
                   "g.json: graphs: a program requires a main graph"},
        BrokenJson{R"({"schema": "fxscope-fx/1", "graphs": [{"nodes": []}]})",
                   "g.json: graph 'main' has no output"},
        BrokenJson{file(kX + kX + kOutput),
                   "g.json: graphs[0].nodes[1]: two nodes of this graph are named 'x'"},
        BrokenJson{file(R"({"op": "call", "name": "x", "target": "x"},)" + kOutput),
                   "g.json: graphs[0].nodes[0].op: 'call' is not an op of torch.fx; expected "
                   "placeholder, get_attr, call_function, call_method, "
                   "call_module or output"},
        BrokenJson{file(R"({"op": "placeholder", "name": "", "target": "x"},)" + kOutput),
                   "g.json: graphs[0].nodes[0].name: expected a name, got an empty string"},
        BrokenJson{file(kX + R"({"op": "placeholder", "name": "y", "target": "y", "graph": 1},)" +
                        kOutput),
                   "g.json: graphs[0].nodes[1].graph: only a get_attr node may refer to a graph"},
        BrokenJson{
            file(kX + R"({"op": "get_attr", "name": "y", "target": "y", "graph": 1},)" + kOutput),
            "g.json: graphs[0].nodes[1].graph: there is no graph 1; the file has 1"},
        BrokenJson{
            file(kX + R"({"op": "get_attr", "name": "y", "target": "y", "graph": 0},)" + kOutput),
            "g.json: graphs[0].nodes[1].graph: graph 0 already belongs to another node: it is "
            "main"},
        BrokenJson{R"({"schema": "fxscope-fx/1", "graphs": [{"nodes": [)" + kX + kOutput +
                       R"(]}, {"nodes": []}]})",
                   "g.json: graphs[1]: no get_attr node refers to this graph"},
        BrokenJson{deep(70), "g.json: graphs[65]: subgraphs are nested deeper than 64 levels"},
        BrokenJson{
            file(kX + R"({"op": "output", "name": "output", "target": "output", "args": []})"),
            "g.json: graphs[0].nodes[1]: expected an output with one argument, got 0"},
        BrokenJson{call(R"({"node": "y"})"),
                   "g.json: graphs[0].nodes[1].args[0].node: no node named 'y' is in this graph"},
        BrokenJson{call(R"({"node": "f"})"),
                   "g.json: graphs[0].nodes[1].args[0].node: node 'f' is used before it is "
                   "defined: the graph has a cycle, or its nodes are "
                   "out of order"},
        BrokenJson{call(R"({"const": []})"),
                   "g.json: graphs[0].nodes[1].args[0].const: expected a constant: null, a bool, a "
                   "number or a string"},
        BrokenJson{call(R"({"const": 18446744073709551615})"),
                   "g.json: graphs[0].nodes[1].args[0].const: integer 18446744073709551615 does "
                   "not fit into a signed 64-bit integer"},
        BrokenJson{call(R"({"float": "huge"})"),
                   "g.json: graphs[0].nodes[1].args[0].float: 'huge' is not a number; expected "
                   "inf, -inf or nan"},
        BrokenJson{
            call(R"({"complex": [1]})"),
            "g.json: graphs[0].nodes[1].args[0].complex: a complex number has 2 parts, not 1"},
        BrokenJson{call(R"({"slice": [{"const": 1}]})"),
                   "g.json: graphs[0].nodes[1].args[0].slice: a slice has 3 parts, not 1"},
        BrokenJson{call(R"({"dtype": "float9"})"),
                   "g.json: graphs[0].nodes[1].args[0].dtype: 'float9' is not a dtype of PyTorch "
                   "2.13 that fxscope knows"},
        BrokenJson{call(R"({"device": "cuda:x"})"),
                   "g.json: graphs[0].nodes[1].args[0].device: 'cuda:x' is not a device"},
        BrokenJson{call(R"({"layout": "dense"})"),
                   "g.json: graphs[0].nodes[1].args[0].layout: 'dense' is not a layout"},
        BrokenJson{call(R"({"memory_format": "x"})"),
                   "g.json: graphs[0].nodes[1].args[0].memory_format: 'x' is not a memory format"},
        BrokenJson{call(R"({"tensor": 1})"),
                   "g.json: graphs[0].nodes[1].args[0].tensor: is not a kind of argument"},
        BrokenJson{
            call(R"({})"),
            "g.json: graphs[0].nodes[1].args[0]: expected one member that names the kind, got 0"},
        BrokenJson{
            file(
                kX +
                R"({"op": "call_function", "name": "f", "target": "aten.add.Tensor", "args": [{"node": "x"}],
                        "kwargs": {"self": {"node": "x"}}},)" +
                kOutput),
            "g.json: graphs[0].nodes[1].kwargs.self: argument 'self' is given twice"},
        BrokenJson{val(R"({"kind": "Matrix"})"),
                   "g.json: graphs[0].nodes[0].meta.val.kind: 'Matrix' is not a kind of value"},
        BrokenJson{val(R"({"kind": "Tensor", "dtype": "float32", "shape": [2], "stride": []})"),
                   "g.json: graphs[0].nodes[0].meta.val: 1 sizes but 0 strides"},
        BrokenJson{val(R"({"kind": "Tensor", "dtype": "float32", "shape": [-1]})"),
                   "g.json: graphs[0].nodes[0].meta.val: size -1 of dimension 0 is negative"},
        BrokenJson{val(R"({"kind": "Tensor", "dtype": "float32", "shape": [{"sym": "s0 +"}]})"),
                   "g.json: graphs[0].nodes[0].meta.val.shape[0].sym: symbolic expression 's0 +' "
                   "at offset 4: '+' has no operand"},
        BrokenJson{val(R"({"kind": "SymInt", "expr": "s0", "srepr": "Symbol("})"),
                   "g.json: graphs[0].nodes[0].meta.val.srepr: symbolic expression 'Symbol(' at "
                   "offset 7: expected an expression, got the "
                   "end of the text"},
        BrokenJson{file(kX + kOutput, R"(, "signature": {"inputs": [], "outputs": []})"),
                   "g.json: signature.inputs: 0 specs for 1 inputs of the graph"},
        BrokenJson{
            file(
                kX + kOutput,
                R"(, "signature": {"inputs": [{"kind": "user_input", "node": "y"}], "outputs": []})"),
            "g.json: signature.inputs[0].node: names 'y', but the graph's input at this place is "
            "'x'"},
        BrokenJson{
            file(kX + kOutput,
                 R"(, "signature": {"inputs": [{"kind": "weight", "node": "x"}], "outputs": []})"),
            "g.json: signature.inputs[0].kind: 'weight' is not one of user_input, parameter, "
            "buffer, tensor_constant, constant_input, "
            "custom_obj, token"},
        BrokenJson{
            file(
                kX + kOutput,
                R"(, "signature": {"inputs": [{"kind": "user_input", "node": "x"}], "outputs": []})"),
            "g.json: signature.outputs: 0 specs for 1 outputs of the graph"},
        BrokenJson{
            file(kX + kOutput, R"(, "attributes": [{"name": "w", "kind": "weight"}])"),
            "g.json: attributes[0].kind: 'weight' is not one of parameter, buffer, constant"},
        BrokenJson{file(kX + kOutput, R"(, "graph_break": {"where": "m.py:1"})"),
                   "g.json: graph_break: member 'reason' is missing"}));

TEST(FxJson, DataThatIsNotWhatItsShapeAsksForIsFoundWhenItIsRead) {
  const auto reading = [](const std::string& data) {
    const read::Capture capture = openedJson(file(
        kX + kOutput,
        R"(, "attributes": [{"name": "w", "kind": "buffer", "val": {"kind": "Tensor", "shape": [1], "dtype": "int32"}, "data": ")" +
            data + "\"}]"));
    return capture.weights->read(capture.program->weights[0], 100).error().message;
  };
  EXPECT_EQ(reading("AQ=="), "g.json: weight 'w' has 1 bytes; its shape requires 4");
  EXPECT_EQ(reading("*QAA"), "g.json: weight 'w' is not valid base64");
}

}  // namespace
}  // namespace fxs::test
