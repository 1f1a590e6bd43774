// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "fx/text.h"
#include "opened.h"
#include "pt2_writer.h"
#include "read/read.h"

namespace fxs::test {
namespace {

constexpr std::string_view kReluOutput = R"("outputs": [{"as_tensor": {"name": "relu"}}],
       "meta)";
constexpr std::string_view kNoInts = R"("sym_int_values": {})";

/// The arguments of relu, with its input replaced.
std::string argument(const std::string& argJson) {
  auto capture = opened(Pt2().editModel(
      kReluInput, R"("inputs": [{"name": "self", "kind": 1, "arg": )" + argJson + "}],"));
  return fx::dumpArgument(*capture.program, capture.program->findNode("relu")->args.at(0).value);
}

TEST(Pt2, AProgramReadsAsTorchPrintsIt) {
  auto capture = opened(Pt2());
  EXPECT_EQ(fx::dump(*capture.program),
            "graph():\n"
            "    %p_w : f32[3] [num_users=1] = placeholder[target=p_w] parameter 'w'\n"
            "    %x : f32[2, 3] [num_users=1] = placeholder[target=x]\n"
            "    %add : f32[2, 3] [num_users=1] = "
            "call_function[target=torch.ops.aten.add.Tensor](args = (%x, %p_w), kwargs = {})\n"
            "    %relu : f32[2, 3] [num_users=1] = "
            "call_function[target=torch.ops.aten.relu.default](args = (%add,), kwargs = {})\n"
            "    return (relu,)\n");
  EXPECT_EQ(capture.format, "PyTorch exported program (.pt2, schema 8.20)");
  EXPECT_EQ(capture.program->torchVersion, "2.13.0+cpu");
  EXPECT_EQ(capture.program->dialect, "TRAINING");
  EXPECT_EQ(capture.program->inputNames, std::vector<std::string>{"x"});
  EXPECT_EQ(capture.program->meta(*capture.program->findNode("relu"), "nn_module_stack"),
            "L__self__,,small.Small");
  EXPECT_TRUE(capture.notes.empty());
}

TEST(Pt2, AnArgumentWhoseNameTheOperatorDoesNotHaveHasThatOfItsPosition) {
  const auto nameOf = [](const std::string& name) {
    auto capture = opened(Pt2().editModel(
        kReluInput, R"("inputs": [{"name": ")" + name +
                        R"(", "kind": 1, "arg": {"as_tensor": {"name": "add"}}}],)"));
    return capture.program->findNode("relu")->args.at(0).name;
  };
  for (const char* name : {"self", "input", ""}) EXPECT_EQ(nameOf(name), "self");
}

TEST(Pt2, EveryKindOfArgumentIsRead) {
  EXPECT_EQ(argument(R"({"as_none": true})"), "None");
  EXPECT_EQ(argument(R"({"as_int": -9223372036854775808})"), "-9223372036854775808");
  EXPECT_EQ(argument(R"({"as_ints": [1, 9223372036854775807]})"), "[1, 9223372036854775807]");
  EXPECT_EQ(argument(R"({"as_float": 1e-05})"), "1e-05");
  EXPECT_EQ(argument(R"({"as_float": "-Infinity"})"), "-inf");
  EXPECT_EQ(argument(R"({"as_floats": [2, 0.5]})"), "[2.0, 0.5]");
  EXPECT_EQ(argument(R"({"as_string": "it's"})"), "\"it's\"");
  EXPECT_EQ(argument(R"({"as_strings": ["a", "b"]})"), "['a', 'b']");
  EXPECT_EQ(argument(R"({"as_bool": false})"), "False");
  EXPECT_EQ(argument(R"({"as_bools": [true, false]})"), "[True, False]");
  EXPECT_EQ(argument(R"({"as_tensors": [{"name": "x"}, {"name": "add"}]})"), "[%x, %add]");
  EXPECT_EQ(
      argument(R"({"as_optional_tensors": [{"as_tensor": {"name": "x"}}, {"as_none": true}]})"),
      "[%x, None]");
  EXPECT_EQ(argument(R"({"as_optional_tensor": {"as_none": true}})"), "None");
  EXPECT_EQ(argument(R"({"as_optional_tensor": {"as_tensor": {"name": "x"}}})"), "%x");
  EXPECT_EQ(argument(R"({"as_nested_tensors": [[{"name": "x"}], []]})"), "[[%x], []]");
  EXPECT_EQ(argument(R"({"as_int_lists": [[1, 2], [3]]})"), "[[1, 2], [3]]");
  EXPECT_EQ(argument(R"({"as_float_lists": [[1.5]]})"), "[[1.5]]");
  EXPECT_EQ(argument(R"({"as_sym_int": {"as_int": 4}})"), "4");
  EXPECT_EQ(argument(R"({"as_sym_float": {"as_float": 0.5}})"), "0.5");
  EXPECT_EQ(argument(R"({"as_sym_bool": {"as_bool": true}})"), "True");
  EXPECT_EQ(argument(R"({"as_sym_ints": [{"as_int": 4}, {"as_name": "x"}]})"), "[4, %x]");
  EXPECT_EQ(argument(R"({"as_scalar_type": 13})"), "torch.bfloat16");
  EXPECT_EQ(argument(R"({"as_memory_format": 2})"), "torch.channels_last");
  EXPECT_EQ(argument(R"({"as_layout": 7})"), "torch.strided");
  EXPECT_EQ(argument(R"({"as_device": {"type": "cuda", "index": 1}})"), "cuda:1");
  EXPECT_EQ(argument(R"({"as_complex": {"real": 1.0, "imag": -2.0}})"), "(1-2j)");
  EXPECT_EQ(argument(R"({"as_operator": "torch.ops.aten.add_.Tensor"})"), "aten.add_.Tensor");
  EXPECT_EQ(
      argument(
          R"({"as_string_to_argument": {"k": {"as_int": 1}, "t": {"as_tensor": {"name": "x"}}}})"),
      "{k: 1, t: %x}");
}

TEST(Pt2, PartsOfATupleAreGetitemNodes) {
  Pt2 file;
  const std::string meta =
      R"({"dtype": 7, "sizes": [], "requires_grad": false, "device": {"type": "cpu", "index": null}, "strides": [], "storage_offset": {"as_int": 0}, "layout": 7})";
  file.editModel(R"("tensor_values": {)", R"("tensor_values": {"first": )" + meta + R"(, "b0": )" +
                                              meta + R"(, "b1": )" + meta + ",");
  file.editModel(kNoInts, R"("sym_int_values": {"n": {"as_int": 4}})");
  file.editModel(R"("target": "torch.ops.aten.relu.default")",
                 R"("target": "torch.ops.my.many.default")");
  file.editModel(R"("is_hop_single_tensor_return": null, "name": "relu")",
                 R"("is_hop_single_tensor_return": null, "name": "many")");
  file.editModel(
      kReluOutput,
      R"("outputs": [{"as_tensor": {"name": "first"}}, {"as_none": true}, {"as_tensors": [{"name": "b0"}, {"name": "b1"}]}, {"as_sym_int": {"as_name": "n"}}, {"as_tensor": {"name": "relu"}}],
       "meta)");
  auto capture = opened(file);
  EXPECT_EQ(fx::dump(*capture.program),
            "graph():\n"
            "    %p_w : f32[3] [num_users=1] = placeholder[target=p_w] parameter 'w'\n"
            "    %x : f32[2, 3] [num_users=1] = placeholder[target=x]\n"
            "    %add : f32[2, 3] [num_users=1] = "
            "call_function[target=torch.ops.aten.add.Tensor](args = (%x, %p_w), kwargs = {})\n"
            "    %many : (f32[], None, (f32[], f32[]), Sym(4), f32[2, 3]) [num_users=5] = "
            "call_function[target=torch.ops.my.many.default](args = (%add,), kwargs = {})\n"
            "    %first : f32[] [num_users=0] = call_function[target=operator.getitem](args = "
            "(%many, 0), kwargs = {})\n"
            "    %as_none : None [num_users=0] = call_function[target=operator.getitem](args = "
            "(%many, 1), kwargs = {})\n"
            "    %getitem : (f32[], f32[]) [num_users=2] = "
            "call_function[target=operator.getitem](args = (%many, 2), kwargs = {})\n"
            "    %b0 : f32[] [num_users=0] = call_function[target=operator.getitem](args = "
            "(%getitem, 0), kwargs = {})\n"
            "    %b1 : f32[] [num_users=0] = call_function[target=operator.getitem](args = "
            "(%getitem, 1), kwargs = {})\n"
            "    %n : Sym(4) [num_users=0] = call_function[target=operator.getitem](args = (%many, "
            "3), kwargs = {})\n"
            "    %relu : f32[2, 3] [num_users=1] = call_function[target=operator.getitem](args = "
            "(%many, 4), kwargs = {})\n"
            "    return (relu,)\n");
}

TEST(Pt2, ANodeWithoutAValueMakesRoomForOthers) {
  Pt2 file;
  file.editModel(
      R"("nodes": [)",
      R"("nodes": [{"target": "torch.ops.aten._assert_async.msg", "inputs": [], "outputs": [{"as_none": true}], "metadata": {}, "name": "relu"},
    {"target": "torch.ops.aten.sym_constrain_range.default", "inputs": [], "outputs": [], "metadata": {}, "name": "range_1"},)");
  auto capture = opened(file);
  EXPECT_EQ(dumpOf(capture, "_assert_async_msg_unused"),
            "%_assert_async_msg_unused : None [num_users=0] = "
            "call_function[target=torch.ops.aten._assert_async.msg](args = (), kwargs = {})");
  EXPECT_TRUE(capture.program->findNode("range_1"));
}

TEST(Pt2, ASubgraphIsHeldByAGetAttrNode) {
  Pt2 file;
  file.editModel(R"("target": "torch.ops.aten.relu.default")",
                 R"("target": "torch.ops.higher_order.wrap_with_set_grad_enabled")");
  file.editModel(
      kReluInput,
      R"("inputs": [{"name": "", "kind": 1, "arg": {"as_bool": false}}, {"name": "", "kind": 1, "arg": {"as_graph": {"name": "submod_1", "graph": {
    "inputs": [{"as_tensor": {"name": "y"}}], "outputs": [{"as_tensor": {"name": "y"}}], "nodes": [], "sym_int_values": {}, "sym_bool_values": {}, "is_single_tensor_return": true,
    "tensor_values": {"y": {"dtype": 7, "sizes": [], "requires_grad": false, "device": {"type": "cpu", "index": null}, "strides": [], "storage_offset": {"as_int": 0}, "layout": 7}}}}}},
    {"name": "", "kind": 1, "arg": {"as_tensor": {"name": "add"}}}],)");
  file.editModel(R"("is_hop_single_tensor_return": null, "name": "relu")",
                 R"("is_hop_single_tensor_return": true, "name": "relu")");
  auto capture = opened(file);
  ASSERT_EQ(capture.program->graphs.size(), 2u);
  EXPECT_EQ(capture.program->graphs[1].name, "submod_1");
  EXPECT_TRUE(capture.program->graphs[1].isSingleTensorReturn);
  EXPECT_EQ(
      dumpOf(capture, "relu"),
      "%relu : f32[2, 3] [num_users=1] = "
      "call_function[target=torch.ops.higher_order.wrap_with_set_grad_enabled](args = (False, "
      "%submod_1, %add), kwargs = {})");
  const fx::Node& holder = *capture.program->findNode("submod_1");
  EXPECT_EQ(fx::name(holder.op), "get_attr");
  EXPECT_EQ(capture.program->meta(holder, "nn_module_stack"), "L__self__,,small.Small");
}

TEST(Pt2, AHigherOrderOpThatReturnsATupleOfOneHasAGetitem) {
  Pt2 file;
  file.editModel(R"("target": "torch.ops.aten.relu.default")",
                 R"("target": "torch.ops.higher_order.cond")");
  file.editModel(R"("is_hop_single_tensor_return": null, "name": "relu")",
                 R"("is_hop_single_tensor_return": false, "name": "cond")");
  auto capture = opened(file);
  EXPECT_EQ(dumpOf(capture, "cond"),
            "%cond : (f32[2, 3],) [num_users=1] = "
            "call_function[target=torch.ops.higher_order.cond](args = (%add,), kwargs = {})");
  EXPECT_EQ(dumpOf(capture, "relu"),
            "%relu : f32[2, 3] [num_users=1] = call_function[target=operator.getitem](args = "
            "(%cond, 0), kwargs = {})");
}

TEST(Pt2, ArgumentsPassedByKeywordStayKeywords) {
  auto capture = opened(Pt2().editModel(
      R"({"name": "other", "arg": {"as_tensor": {"name": "p_w"}}, "kind": 1}])",
      R"({"name": "other", "arg": {"as_tensor": {"name": "p_w"}}, "kind": 1}, {"name": "alpha", "arg": {"as_int": 2}, "kind": 2}])"));
  EXPECT_EQ(dumpOf(capture, "add"),
            "%add : f32[2, 3] [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args "
            "= (%x, %p_w), kwargs = {alpha: 2})");
}

TEST(Pt2, FilesThatDoNotSayHowArgumentsWerePassedFollowTheSchema) {
  auto capture = opened(Pt2().editModel(
      R"({"name": "other", "arg": {"as_tensor": {"name": "p_w"}}, "kind": 1}])",
      R"({"name": "other", "arg": {"as_tensor": {"name": "p_w"}}}, {"name": "alpha", "arg": {"as_int": 2}}])"));
  EXPECT_EQ(dumpOf(capture, "add"),
            "%add : f32[2, 3] [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args "
            "= (%x, %p_w), kwargs = {alpha: 2})");
}

TEST(Pt2, NodesWithoutANameTakeTheirResultsNameOrTheTargets) {
  Pt2 file;
  file.editModel(R"("is_hop_single_tensor_return": null, "name": "add")", R"("old": 1)");
  file.editModel(R"("is_hop_single_tensor_return": null, "name": "relu")", R"("old": 1)");
  file.editModel(R"("target": "torch.ops.aten.relu.default")",
                 R"("target": "torch.ops.aten.split.Tensor")");
  file.editModel(kReluOutput, R"("outputs": [{"as_tensors": [{"name": "relu"}]}],
       "meta)");
  auto capture = opened(file);
  EXPECT_EQ(dumpOf(capture, "split_tensor"),
            "%split_tensor : (f32[2, 3],) [num_users=1] = "
            "call_function[target=torch.ops.aten.split.Tensor](args = (%add,), kwargs = {})");
}

TEST(Pt2, SymbolicSizesKeepTheirExpressionsHintsAndRanges) {
  Pt2 file;
  file.editModel(
      R"("x": {"dtype": 7, "sizes": [{"as_int": 2})",
      R"e("x": {"dtype": 7, "sizes": [{"as_expr": {"expr_str": "Symbol('s77', positive=True, integer=True)", "hint": {"as_int": 2}}})e");
  file.editModel(
      R"("add": {"dtype": 7, "sizes": [{"as_int": 2})",
      R"e("add": {"dtype": 7, "sizes": [{"as_expr": {"expr_str": "Integer(2)", "hint": null}})e");
  file.editModel(
      R"("range_constraints": {})",
      R"("range_constraints": {"s77": {"min_val": 2, "max_val": null}, "s1": {"min_val": null, "max_val": 9223372036854775807}})");
  file.editModel(R"("guards_code": [])", R"e("guards_code": ["L['x'].size()[0] >= 2"])e");
  auto capture = opened(file);
  const fx::TensorMeta& x = *capture.program->findNode("x")->val.tensor();
  EXPECT_EQ(x.text(), "f32[s77, 3]");
  EXPECT_EQ(x.sizes[0].hint(), 2);
  EXPECT_EQ(capture.program->findNode("add")->val.tensor()->text(), "f32[2, 3]");
  ASSERT_EQ(capture.program->ranges.size(), 2u);
  EXPECT_EQ(capture.program->ranges[0].symbol, "s1");
  EXPECT_EQ(capture.program->ranges[0].min, std::nullopt);
  EXPECT_EQ(capture.program->ranges[0].max, 9223372036854775807);
  EXPECT_EQ(capture.program->ranges[1].min, 2);
  EXPECT_EQ(capture.program->guards, std::vector<std::string>{"L['x'].size()[0] >= 2"});
}

TEST(Pt2, ConstantTokenAndObjectInputsAreInputsToo) {
  Pt2 file;
  file.editModel(
      R"("inputs": [{"as_tensor": {"name": "p_w"}}, {"as_tensor": {"name": "x"}}])",
      R"("inputs": [{"as_tensor": {"name": "token"}}, {"as_tensor": {"name": "p_w"}}, {"as_custom_obj": {"name": "obj", "class_fqn": "C"}}, {"as_tensor": {"name": "x"}}, {"as_int": 3}, {"as_string": "sum"}, {"as_none": true}])");
  file.editModel(R"("custom_obj_values": {})",
                 R"("custom_obj_values": {"obj": {"name": "obj", "class_fqn": "__torch__.C"}})");
  file.editModel(
      R"("tensor_values": {)",
      R"("tensor_values": {"token": {"dtype": 7, "sizes": [], "requires_grad": false, "device": {"type": "cpu", "index": null}, "strides": [], "storage_offset": {"as_int": 0}, "layout": 7},)");
  file.editModel(
      R"({"user_input": {"arg": {"as_tensor": {"name": "x"}}}})",
      R"({"custom_obj": {"arg": {"name": "obj", "class_fqn": "C"}, "custom_obj_name": "o"}}, {"user_input": {"arg": {"as_tensor": {"name": "x"}}}},
                    {"constant_input": {"name": "max", "value": {"as_int": 3}}}, {"constant_input": {"name": "mode", "value": {"as_string": "sum"}}}, {"user_input": {"arg": {"as_none": true}}})");
  file.editModel(R"("input_specs": [)",
                 R"("input_specs": [{"token": {"arg": {"name": "token"}}}, )");
  auto capture = opened(file);
  const fx::Program& program = *capture.program;
  std::string kinds;
  for (const fx::InputSpec& input : program.inputs)
    kinds += program.node(input.node).name + " " + std::string(fx::name(input.kind)) + " " +
             fx::dumpArgument(program, input.constant) + "\n";
  EXPECT_EQ(kinds,
            "token token None\np_w parameter None\nobj custom_obj None\nx user_input None\nmax_1 "
            "constant_input 3\nmode constant_input "
            "'sum'\narg6 user_input None\n");
  EXPECT_TRUE(std::holds_alternative<fx::Token>(program.findNode("token")->val));
  EXPECT_EQ(std::get<fx::CustomObject>(program.findNode("obj")->val).classFqn, "__torch__.C");
  EXPECT_EQ(program.findNode("max_1")->target, "max");
}

TEST(Pt2, MutationsSayWhatTheyWrite) {
  Pt2 file;
  file.editModel(R"("outputs": [{"as_tensor": {"name": "relu"}}],
    "nodes")",
                 R"("outputs": [{"as_tensor": {"name": "add"}}, {"as_tensor": {"name": "relu"}}],
    "nodes")");
  file.editModel(
      R"("output_specs": [)",
      R"("output_specs": [{"user_input_mutation": {"arg": {"name": "add"}, "user_input_name": "x"}}, )");
  auto capture = opened(file);
  ASSERT_EQ(capture.program->outputs.size(), 2u);
  EXPECT_EQ(capture.program->outputs[0].kind, fx::OutputKind::UserInputMutation);
  EXPECT_EQ(capture.program->outputs[0].target, "x");
}

TEST(Pt2, AnArchiveOfSeveralModelsOpensTheOneAskedFor) {
  Pt2 file;
  for (const char* name : {"decoder", "encoder"}) {
    file.set("models/" + std::string(name) + ".json", file.text("models/model.json"));
    file.set("data/weights/" + std::string(name) + "_weights_config.json",
             file.text("data/weights/model_weights_config.json"));
    file.set("data/constants/" + std::string(name) + "_constants_config.json", R"({"config": {}})");
  }
  EXPECT_EQ(opened(file.bytes()).models, (std::vector<std::string>{"model", "decoder", "encoder"}));
  EXPECT_EQ(opened(file.bytes(), "encoder").models,
            (std::vector<std::string>{"encoder", "model", "decoder"}));
  EXPECT_EQ(opened(file).notes,
            std::vector<std::string>{"the archive holds 3 models; 'model' was opened; choose "
                                     "another with --model: decoder, encoder"});
  file.remove("models/model.json");
  EXPECT_EQ(opened(file.bytes()).models.front(), "decoder");
}

TEST(Pt2, TheLayoutOfPyTorch28IsReadWithPicklesThatSayNothing) {
  Pt2 file;
  file.rename("data/weights/model_weights_config.json", "data/weights/model.pt")
      .set("data/weights/model.pt", "a pickle");
  file.rename("data/constants/model_constants_config.json", "data/constants/model.pt")
      .set("data/constants/model.pt", "a pickle");
  file.editModel(R"("minor": 20)", R"("minor": 8)");
  auto capture = opened(file);
  EXPECT_EQ(capture.format, "PyTorch exported program (.pt2 of PyTorch 2.8, schema 8.8)");
  ASSERT_EQ(capture.program->weights.size(), 1u);
  const fx::Weight& w = capture.program->weights[0];
  EXPECT_EQ(w.fqn, "w");
  EXPECT_EQ(w.sizes, std::vector<std::int64_t>{3});
  EXPECT_FALSE(w.readable);
  EXPECT_EQ(w.reason,
            "data/weights/model.pt is not a zip archive; save the program again with PyTorch 2.9 "
            "or later");
  EXPECT_EQ(
      capture.notes,
      std::vector<std::string>{
          "data/weights/model.pt is not a zip archive; the values of its weights, and which of "
          "them share memory, are not known; save the program again with PyTorch 2.9 or later"});
}

TEST(Pt2, TheLayoutOfPyTorch27IsReadWithPicklesThatSayNothing) {
  Pt2 file;
  std::vector<ZipMember> members;
  for (const auto& [name, bytes] :
       {std::pair<std::string, std::string>{"version", "8.2"},
        {"serialized_exported_program.json",
         replaced(file.text("models/model.json"), R"("minor": 20)", R"("minor": 2)")},
        {"serialized_state_dict.pt", "pickle"},
        {"serialized_constants.pt", "pickle"},
        {"serialized_example_inputs.pt", "pickle"}}) {
    ZipMember member;
    member.name = name;
    member.bytes = bytes;
    members.push_back(member);
  }
  auto capture = opened(writeZip(members));
  EXPECT_EQ(capture.format,
            "PyTorch exported program (.pt2 of PyTorch 2.7 or earlier, schema 8.2)");
  EXPECT_EQ(capture.program->nodes.size(), 5u);
  EXPECT_EQ(capture.program->weights.at(0).file, "serialized_state_dict.pt");
  EXPECT_EQ(capture.weightBytes, 12u);
  EXPECT_EQ(
      capture.notes.back(),
      "the sample inputs in serialized_example_inputs.pt were not read: it is not a zip archive");
}

TEST(Pt2, TheRootFolderMayHaveAnyName) {
  Pt2 file;
  file.root = "my model.v1 (copy)";
  EXPECT_EQ(opened(file).program->nodes.size(), 5u);
}

TEST(Pt2, AStopIsObeyed) {
  std::stop_source source;
  source.request_stop();
  RunContext context;
  context.stop = source.get_token();
  ErrorCode code = ErrorCode::Internal;
  try {
    if (const auto capture = read::readCapture(memorySource(Pt2().bytes()), "t.pt2", {}, context);
        !capture)
      code = capture.error().code;
  } catch (const Abandoned& abandoned) {
    code = abandoned.error.code;
  }
  EXPECT_EQ(code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace fxs::test
