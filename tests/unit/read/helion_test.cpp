// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helion's Device IR: files of Helion 1.5.1 (helion/*.json, recorded on the CPU), and small ones
// for each way to be wrong.
#include <gtest/gtest.h>

#include "fx/text.h"
#include "opened.h"
#include "read/read.h"

namespace fxs::test {
namespace {

read::Capture recorded(const std::string& name) {
  auto capture =
      read::openCapture(std::string(FXS_SOURCE_DIR) + "/tests/unit/read/helion/" + name, {}, {});
  if (!capture) throw std::runtime_error(toString(capture.error()));
  return *capture;
}

TEST(Helion, ABranchHoldsItsGraphs) {
  const read::Capture capture = recorded("add_if.json");
  EXPECT_EQ(capture.format,
            "Helion Device IR (helion-device-ir/1, kernel add_if, helion 1.5.1, torch 2.13.0+cpu)");
  EXPECT_EQ(capture.notes, std::vector<std::string>{"u0 is a block size of 'tile', over 100"});
  const std::string text = fx::dump(*capture.program);
  EXPECT_EQ(
      dumpOf(capture, "_if"),
      "%_if : (f32[u0], f32[u0]) [num_users=2] = "
      "call_function[target=helion.language._tracing_ops._if](args = (%eq, %graph_1, %graph_0, "
      "[%v], []), kwargs = {})");
  EXPECT_EQ(
      text.substr(text.find("\ngraph graph_1")),
      "\ngraph graph_1():\n"
      "    %arg0_1 : f32[u0] [num_users=1] = placeholder[target=arg0_1]\n"
      "    %_new_var : f32[u0] [num_users=1] = "
      "call_function[target=helion.language._tracing_ops._new_var](args = (%arg0_1,), kwargs = "
      "{})\n"
      "    %v : f32[u0] [num_users=1] = call_function[target=torch.ops.aten.sigmoid.default](args "
      "= (%_new_var,), kwargs = {})\n"
      "    return (v,)\n"
      "\n"
      "graph graph_0():\n"
      "    return ()\n"
      "\n"
      "Range constraints: {u0: VR[1, int_oo]}\n");
  EXPECT_EQ(capture.program->meta(*capture.program->findNode("graph_1"), "helion_graph"),
            "IfGraphInfo");
  EXPECT_EQ(capture.program->findNode("tile_begin")->val.symbol()->constant,
            (decltype(fx::SymValue::constant)(std::int64_t{8192})));
}

TEST(Helion, RewrittenArgumentsAreUndone) {
  const read::Capture capture = recorded("layer_norm.json");
  EXPECT_EQ(dumpOf(capture, "var_mean"),
            "%var_mean : (f32[u0, 1], f32[u0, 1]) [num_users=2] = "
            "call_function[target=torch.ops.aten.var_mean.correction](args = (%load, [-1]), "
            "kwargs = {correction: 0, keepdim: True})");
  EXPECT_EQ(capture.program->meta(*capture.program->findNode("var_mean"), "helion_args"),
            "(None, [-1], correction=0, keepdim=True, _extra_args=[None, None, %var_mean_extra_2], "
            "_extra_deps=[%var_mean_extra_1])");
  EXPECT_EQ(capture.notes.back(), "zuf0 is 'eps' of the host function");
  EXPECT_EQ(capture.program->graphs.size(), 4u);
}

TEST(Helion, ItsOwnDumpIsShownAndNotLowered) {
  const read::Capture capture = recorded("add_if.irgraph.json");
  EXPECT_EQ(capture.format, "Device IR of a Helion kernel (.irgraph.json)");
  EXPECT_EQ(capture.notes,
            std::vector<std::string>{
                "this format lacks constant arguments: the graph is shown but cannot be lowered"});
  EXPECT_EQ(dumpOf(capture, "mul"),
            "%mul : f32[u0] [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = "
            "(%load_1, object('constant arguments are not "
            "in the file')), kwargs = {})");
  EXPECT_EQ(dumpOf(capture, "eq"),
            "%eq : SymBool(Eq(u1, 0)) [num_users=1] = call_function[target=operator.eq](args = "
            "(%tile_begin, object('constant arguments are not "
            "in the file')), kwargs = {})");
}

// -- small ones
// --------------------------------------------------------------------------------------------------------------------

Result<read::Capture> openKernel(const std::string& text) {
  return read::readCapture(memorySource(text), "k.json", {}, {});
}

std::string kernel(const std::string& graphs, const std::string& roots = "[0]") {
  return R"({"schema": "helion-device-ir/1", "root_ids": )" + roots + R"(, "graphs": [)" + graphs +
         "]}";
}
std::string graph(int id, const std::string& nodes) {
  return R"({"graph_id": )" + std::to_string(id) + R"(, "type": "RootGraphInfo", "nodes": [)" +
         nodes +
         R"({"op": "output", "name": "output", "target": "output", "args": [{"const": null}], "kwargs": {}, "meta": {}}]})";
}
std::string node(const std::string& name, const std::string& target, const std::string& args,
                 const std::string& kwargs = "") {
  return R"({"op": "call_function", "name": ")" + name + R"(", "target": ")" + target +
         R"(", "args": [)" + args + R"(], "kwargs": {)" + kwargs +
         R"(}, "meta": {"val": {"kind": "FakeTensor", "shape": [4], "dtype": "float32"}}},)";
}
const std::string kLoad = node("a", "helion.language.memory_ops.load", "") +
                          node("b", "helion.language.memory_ops.load", "");
const std::string kExtra = "helion.language._tracing_ops._inductor_lowering_extra";

std::string undone(const std::string& nodes) {
  auto capture = openKernel(kernel(graph(0, kLoad + nodes)));
  if (!capture) throw std::runtime_error(toString(capture.error()));
  const std::string line = dumpOf(*capture, "f");
  std::string out = line.substr(line.find("](") + 1);
  if (const auto reason =
          capture->program->meta(*capture->program->findNode("f"), "helion_args_unsure"))
    out += " " + std::string(*reason);
  return out;
}

TEST(Helion, ArgumentsStayAsFoundWhereWhatTheyWereIsNotCertain) {
  const std::string extra = node("e", kExtra, R"({"list": [{"node": "a"}]})");
  const std::string kwargs = R"("_extra_args": {"list": [{"node": "e"}]})";
  EXPECT_EQ(undone(extra + node("f", "aten.exp.default", R"({"const": null})", kwargs)),
            "(args = (%a,), kwargs = {})");
  EXPECT_EQ(
      undone(extra + node("f", "aten.add.Tensor", R"({"const": null}, {"node": "b"})", kwargs)),
      "(args = (%a, %b), kwargs = {})");
  EXPECT_EQ(undone(extra + node("f", "aten.add.Tensor", R"({"node": "a"}, {"node": "b"})", kwargs)),
            "(args = (%a, %b), kwargs = {})");
  EXPECT_EQ(
      undone(extra + node("f", "aten.add.Tensor", R"({"const": null}, {"const": null})", kwargs)),
      "(args = (None, None), kwargs = {_extra_args: [%e]}) 2 tensors were extracted from its "
      "arguments");
  EXPECT_EQ(undone(node("e", kExtra, R"({"list": [{"node": "a"}, {"node": "b"}]})") +
                   node("f", "aten.exp.default", R"({"const": null})", kwargs)),
            "(args = (None,), kwargs = {_extra_args: [%e]}) its extra arguments come from 2 "
            "values, so its tensor is unknown");
  EXPECT_EQ(undone(extra + node("f", "aten.nothing.default", R"({"const": null})", kwargs)),
            "(args = (None,), kwargs = {_extra_args: [%e]}) PyTorch has no operator "
            "'aten.nothing.default'");
}

TEST(Helion, ARepeatedArgumentIsPutBackWhereItIsCertain) {
  EXPECT_EQ(undone(node("f", "aten.mul.Tensor", R"({"node": "a"}, {"const": null})")),
            "(args = (%a, %a), kwargs = {})");
  EXPECT_EQ(
      undone(node("f", "aten.where.self", R"({"node": "a"}, {"node": "b"}, {"const": null})")),
      "(args = (%a, %b, None), kwargs = {}) a None stands for an argument that is there "
      "before, and which one is unknown");
  // It may not read its tensor.
  EXPECT_EQ(undone(node("f", "aten.zeros_like.default", R"({"const": null})")),
            "(args = (None,), kwargs = {})");
}

struct BrokenKernel {
  std::string text, message;
};
class HelionBroken : public testing::TestWithParam<BrokenKernel> {};
TEST_P(HelionBroken, SaysWhereAndWhat) {
  const auto capture = openKernel(GetParam().text);
  ASSERT_FALSE(capture);
  EXPECT_EQ(capture.error().message, GetParam().message);
}
std::string loop(int id) {
  return node("loop" + std::to_string(id), "helion.language._tracing_ops._for_loop",
              R"({"const": )" + std::to_string(id) + "}");
}
INSTANTIATE_TEST_SUITE_P(
    Read, HelionBroken,
    testing::Values(
        BrokenKernel{R"({"schema": "helion-device-ir/2"})",
                     "k.json: schema: 'helion-device-ir/2' is not a supported version; fxscope "
                     "reads helion-device-ir/1"},
        BrokenKernel{kernel(""), "k.json: graphs: a kernel requires a root graph"},
        BrokenKernel{
            kernel(graph(1, "")),
            "k.json: graphs[0].graph_id: expected 0: graphs must be in the order of their numbers"},
        BrokenKernel{kernel(graph(0, ""), "[]"),
                     "k.json: root_ids: a kernel requires at least one root graph"},
        BrokenKernel{kernel(graph(0, ""), "[2]"),
                     "k.json: root_ids[0]: there is no graph 2; the file has 1"},
        BrokenKernel{kernel(graph(0, loop(7))),
                     "k.json: graphs[0].nodes[0].args: there is no graph 7; the file has 1"},
        BrokenKernel{
            kernel(graph(
                0,
                R"({"op": "call_function", "name": "f", "target": "helion.language._tracing_ops._for_loop",
                                      "kwargs": {"graph_id": {"const": 7}}, "meta": {}},)")),
            "k.json: graphs[0].nodes[0]: there is no graph 7; the file has 1"},
        BrokenKernel{kernel(graph(0, "") + "," + graph(1, loop(2)) + "," + graph(2, loop(1))),
                     "k.json: graphs[1]: this graph is referenced only by its own subgraphs"}));

TEST(Helion, AGraphThatIsNamedTwiceIsHeldOnce) {
  auto capture =
      openKernel(kernel(graph(0, loop(1) + node("again", "helion.language._tracing_ops._for_loop",
                                                R"({"const": 1})")) +
                        "," + graph(1, "") + "," + graph(2, "")));
  ASSERT_TRUE(capture) << toString(capture.error());
  EXPECT_EQ(
      fx::dump(*capture->program),
      "graph():\n"
      "    %graph_2 : [num_users=0] = get_attr[target=graph_2]\n"
      "    %graph_1 : [num_users=1] = get_attr[target=graph_1]\n"
      "    %loop1 : f32[4] [num_users=0] = "
      "call_function[target=helion.language._tracing_ops._for_loop](args = (%graph_1,), kwargs = "
      "{})\n"
      "    %again : f32[4] [num_users=0] = "
      "call_function[target=helion.language._tracing_ops._for_loop](args = (1,), kwargs = {})\n"
      "    return (None,)\n"
      "\n"
      "graph graph_2():\n"
      "    return (None,)\n"
      "\n"
      "graph graph_1():\n"
      "    return (None,)\n");
}

}  // namespace
}  // namespace fxs::test
