// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files with a text that PyTorch would run as Python, each with the whole text of its error; and
// what is read of others without running.
#include <gtest/gtest.h>

#include "pt2_writer.h"
#include "read/read.h"

namespace fxs::test {
namespace {

constexpr std::string_view kFirstSize = R"("x": {"dtype": 7, "sizes": [{"as_int": 2})";
constexpr std::string_view kRelu = R"("target": "torch.ops.aten.relu.default",
       "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "add"}}, "kind": 1}],)";

std::string sized(std::string_view exprStr) {
  return Pt2()
      .editModel(kFirstSize, R"("x": {"dtype": 7, "sizes": [{"as_expr": {"expr_str": ")" +
                                 std::string(exprStr) + R"(", "hint": null}})")
      .bytes();
}
std::string relu(std::string_view targetAndInputs) {
  return Pt2().editModel(kRelu, targetAndInputs).bytes();
}

struct Hostile {
  const char* name;
  std::string (*bytes)();
  const char* error;
};

const std::vector<Hostile>& hostileFiles() {
  static const std::vector<Hostile> files{
      {"SymbolWhoseNameEndsItsQuotes",
       [] { return sized(R"(Symbol(\"s0', eval('1'), z='1\", integer=True))"); },
       "hostile.pt2: models/model.json: "
       "graph_module.graph.tensor_values.x.sizes[0].as_expr.expr_str: symbolic expression "
       "'Symbol(\"s0', eval('1'), z='1\", integer=True)' at offset 44: 's0', eval('1'), z='1' is "
       "not the name of a symbol, such as s0 or "
       "u3"},
      {"SymbolWithACall", [] { return sized("Symbol('s0', eval('1'), z='1')"); },
       "hostile.pt2: models/model.json: "
       "graph_module.graph.tensor_values.x.sizes[0].as_expr.expr_str: symbolic expression "
       "'Symbol('s0', eval('1'), z='1')' at offset 21: a string is allowed in Symbol and Float, "
       "not in 'eval'"},
      {"SymbolWithAnExpression", [] { return sized("Symbol('s0', exit(Integer(1)))"); },
       "hostile.pt2: models/model.json: "
       "graph_module.graph.tensor_values.x.sizes[0].as_expr.expr_str: symbolic expression "
       "'Symbol('s0', exit(Integer(1)))' at offset 30: a Symbol has only a name and assumptions"},
      {"SymbolWithATextAsAssumption", [] { return sized("Symbol('s0', z='1')"); },
       "hostile.pt2: models/model.json: "
       "graph_module.graph.tensor_values.x.sizes[0].as_expr.expr_str: symbolic expression "
       "'Symbol('s0', z='1')' at offset 15: expected the value of a keyword"},
      {"HeadWithADot", [] { return sized("os.system(Symbol('s0'))"); },
       "hostile.pt2: models/model.json: "
       "graph_module.graph.tensor_values.x.sizes[0].as_expr.expr_str: symbolic expression "
       "'os.system(Symbol('s0'))' at offset 9: 'os.system' is not the name of a function of sympy"},
      {"ConstantWithADot", [] { return sized("Add(Symbol('s0'), os.environ)"); },
       "hostile.pt2: models/model.json: "
       "graph_module.graph.tensor_values.x.sizes[0].as_expr.expr_str: symbolic expression "
       "'Add(Symbol('s0'), os.environ)' at offset 28: 'os.environ' is not a constant of sympy"},
      {"CallOfACall", [] { return sized("__import__('os').system('x')"); },
       "hostile.pt2: models/model.json: "
       "graph_module.graph.tensor_values.x.sizes[0].as_expr.expr_str: symbolic expression "
       "'__import__('os').system('x')' at offset 15: a string is allowed in Symbol and Float, not "
       "in '__import__'"},
      {"SymbolThatPyTorchWouldCountUpTo",
       [] { return sized("Symbol('u99999999999', integer=True)"); },
       "hostile.pt2: models/model.json: "
       "graph_module.graph.tensor_values.x.sizes[0].as_expr.expr_str: symbolic expression "
       "'Symbol('u99999999999', integer=True)' at offset 36: 'u99999999999' is not the name of a "
       "symbol, such as s0 or u3"},
      {"RangeOfACall",
       [] {
         return Pt2()
             .editModel(R"("range_constraints": {})",
                        R"j("range_constraints": {"exit('1')": {"min_val": 0}})j")
             .bytes();
       },
       "hostile.pt2: models/model.json: range_constraints.exit('1'): is neither a symbol such as "
       "s0 or u3 nor an expression of symbols"},
      {"InputWithADefault",
       [] {
         return Pt2()
             .editModel(
                 R"({"as_tensor": {"name": "p_w"}}, {"as_tensor": {"name": "x"}}])",
                 R"j({"as_tensor": {"name": "p_w"}}, {"as_tensor": {"name": "x=eval('1')"}}])j")
             .bytes();
       },
       "hostile.pt2: models/model.json: graph_module.graph.inputs[1].as_tensor.name: 'x=eval('1')' "
       "is not a name of letters, digits and "
       "'_'; "
       "PyTorch would run it as Python"},
      {"NodeWithALine",
       [] {
         return Pt2()
             .editModel(R"("name": "relu"}
    ],)",
                        R"("name": "a\nb"}
    ],)")
             .bytes();
       },
       "hostile.pt2: models/model.json: graph_module.graph.nodes[1].name: 'a\\nb' is not a name of "
       "letters, digits and '_'; PyTorch would "
       "run it as Python"},
      {"ArgumentWithALine",
       [] {
         return relu(R"("target": "torch.ops.higher_order.wrap",
       "inputs": [{"name": "k=1)\nf(", "arg": {"as_tensor": {"name": "add"}}, "kind": 2}],)");
       },
       "hostile.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0].name: 'k=1)\\nf(' is "
       "not a name of letters, digits and '_'; "
       "PyTorch would run it as Python"},
      {"SubgraphWithALine",
       [] {
         return relu(R"j("target": "torch.ops.higher_order.wrap",
       "inputs": [{"name": "", "arg": {"as_graph": {"name": "g\nf()", "graph": {}}}, "kind": 1}],)j");
       },
       "hostile.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0].arg.as_graph.name: "
       "'g\\nf()' is not a name of letters, "
       "digits "
       "and '_'; PyTorch would run it as Python"},
      {"TargetWithACall",
       [] { return relu(R"("target": "torch.ops.aten.relu(1).x", "inputs": [],)"); },
       "hostile.pt2: models/model.json: graph_module.graph.nodes[1].target: "
       "'torch.ops.aten.relu(1).x' is not a name of letters, digits "
       "and "
       "'_' with dots between"},
      {"OperatorAsArgumentWithACall",
       [] {
         return relu(R"j("target": "torch.ops.higher_order.wrap",
       "inputs": [{"name": "", "arg": {"as_operator": "eval('1')"}, "kind": 1}],)j");
       },
       "hostile.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0].arg.as_operator: "
       "'eval('1')' is not a name of letters, "
       "digits "
       "and '_' with dots between"},
      {"ParameterWithAQuote",
       [] {
         return Pt2()
             .editModel(R"("parameter_name": "w")", R"j("parameter_name": "w\"); f(\"")j")
             .bytes();
       },
       "hostile.pt2: models/model.json: "
       "graph_module.signature.input_specs[0].parameter.parameter_name: 'w\"); f(\"' has quotes, "
       "backslashes "
       "or control characters; PyTorch would run it as Python"},
      {"ArgumentOfForwardWithADefault",
       [] {
         return Pt2()
             .editModel(R"("forward_arg_names": ["x"])",
                        R"j("forward_arg_names": ["x=eval('1')"])j")
             .bytes();
       },
       "hostile.pt2: models/model.json: "
       "graph_module.module_call_graph[0].signature.forward_arg_names[0]: 'x=eval('1')' is not a "
       "name; "
       "PyTorch "
       "would run it as Python"},
      {"DeviceWithALine",
       [] {
         return Pt2()
             .editModel(
                 R"("x": {"dtype": 7, "sizes": [{"as_int": 2}, {"as_int": 3}], "requires_grad": false, "device": {"type": "cpu")",
                 R"("x": {"dtype": 7, "sizes": [{"as_int": 2}, {"as_int": 3}], "requires_grad": false, "device": {"type": "cpu'\n")")
             .bytes();
       },
       "hostile.pt2: models/model.json: graph_module.graph.tensor_values.x.device.type: is not a "
       "device name"},
      {"WeightWithAQuote",
       [] {
         return Pt2()
             .edit("data/weights/model_weights_config.json", R"({"config": {"w":)",
                   R"({"config": {"w\"":)")
             .bytes();
       },
       "hostile.pt2: data/weights/model_weights_config.json: config.w\": contains quotes, "
       "backslashes or control characters"},
  };
  return files;
}

class HostileFile : public testing::TestWithParam<Hostile> {};

TEST_P(HostileFile, IsRefused) {
  auto capture = read::readCapture(memorySource(GetParam().bytes()), "hostile.pt2", {}, {});
  ASSERT_FALSE(capture) << "it opens, with " << capture->program->nodes.size() << " nodes";
  EXPECT_EQ(toString(capture.error()), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(Files, HostileFile, testing::ValuesIn(hostileFiles()),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(EvaluatedTextOfAFile, AGuardThatIsNoConditionIsShownAndSaidToBeWrittenNowhere) {
  const auto capture = read::readCapture(
      memorySource(Pt2()
                       .editModel(R"("guards_code": [])",
                                  R"("guards_code": ["L['x'].size()[0] >= 2", "eval('1') == 1"])")
                       .bytes()),
      "hostile.pt2", {}, {});
  ASSERT_TRUE(capture) << toString(capture.error());
  EXPECT_EQ(capture->program->guards,
            (std::vector<std::string>{"L['x'].size()[0] >= 2", "eval('1') == 1"}));
  EXPECT_EQ(
      capture->notes,
      (std::vector<std::string>{
          "the guard 'eval('1') == 1' is not a condition on input sizes, and PyTorch would run "
          "it as Python; fxscope shows it but never writes it"}));
}

TEST(EvaluatedTextOfAFile, AnUnknownFunctionOfSizesAndAnUnknownTargetAreShown) {
  const auto capture = read::readCapture(
      memorySource(sized("SomethingNew(Symbol('s0', integer=True))")), "new.pt2", {}, {});
  ASSERT_TRUE(capture) << toString(capture.error());
  EXPECT_EQ(capture->program->findNode("x")->val.tensor()->text(), "f32[SomethingNew(s0), 3]");
  const auto other = read::readCapture(
      memorySource(relu(R"("target": "torch.os.system", "inputs": [],)")), "new.pt2", {}, {});
  ASSERT_TRUE(other) << toString(other.error());
  EXPECT_EQ(other->program->findNode("relu")->target, "torch.os.system");
}

TEST(EvaluatedTextOfAFile, ARangeMayBeOfAnExpression) {
  const auto capture = read::readCapture(
      memorySource(Pt2()
                       .editModel(R"("range_constraints": {})",
                                  R"("range_constraints": {"2*s0": {"min_val": 4, "max_val": 8}})")
                       .bytes()),
      "t.pt2", {}, {});
  ASSERT_TRUE(capture) << toString(capture.error());
  EXPECT_EQ(capture->program->ranges.at(0).symbol, "2*s0");
}

TEST(EvaluatedTextOfAFile, AnArgumentOfForwardMayHaveLettersOfAnyScript) {
  const auto capture =
      read::readCapture(memorySource(Pt2()
                                         .editModel(R"("forward_arg_names": ["x"])",
                                                    "\"forward_arg_names\": [\"\xce\xb1\"]")
                                         .bytes()),
                        "t.pt2", {}, {});
  ASSERT_TRUE(capture) << toString(capture.error());
  EXPECT_EQ(capture->program->inputNames, std::vector<std::string>{"\xce\xb1"});
}

}  // namespace
}  // namespace fxs::test
