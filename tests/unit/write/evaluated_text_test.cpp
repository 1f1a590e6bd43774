// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No program makes a .pt2 with a text that PyTorch would run as Python, wherever the program came
// from.
#include <gtest/gtest.h>

#include "fx/text.h"
#include "read/read.h"
#include "write/pt2.h"

namespace fxs::test {
namespace {

fx::Program base() {
  auto parsed = fx::graphFrom(
      "x: f32[s0, 4] = placeholder\n"
      "y: f32[s0, 4] = aten.relu.default(x)\n"
      "return y");
  if (!parsed) throw std::runtime_error(toString(parsed.error()));
  return **parsed;
}

fx::SymInt sizeOf(fx::SymExprPtr expr) { return fx::SymInt(std::move(expr)); }
fx::TensorMeta metaWith(fx::SymInt size) {
  fx::TensorMeta meta{
      DType::Float32, {std::move(size)}, {fx::SymInt(1)}, {}, false, {"cpu", {}}, {}};
  return meta;
}

struct Hostile {
  const char* name;
  void (*edit)(fx::Program&);
  const char* error;
};

const std::vector<Hostile>& hostilePrograms() {
  static const std::vector<Hostile> programs{
      {"SymbolWhoseNameEndsItsQuotes",
       [](fx::Program& p) {
         p.nodes[1].val = metaWith(sizeOf(fx::SymExpr::symbol("s0', eval('1'), z='1")));
       },
       "node 'y' cannot be written to a .pt2, whose strings PyTorch evaluates: a symbol of its "
       "sizes is named 's0', eval('1'), z='1'"},
      {"SymbolInsideAnExpression",
       [](fx::Program& p) {
         p.nodes[1].val = metaWith(sizeOf(
             fx::SymExpr::call("Add", {fx::SymExpr::integerOf(1), fx::SymExpr::symbol("a b")})));
       },
       "node 'y' cannot be written to a .pt2, whose strings PyTorch evaluates: a symbol of its "
       "sizes is named 'a b'"},
      {"FunctionOfPython",
       [](fx::Program& p) {
         p.nodes[1].val = metaWith(sizeOf(fx::SymExpr::call("exec", {fx::SymExpr::symbol("s0")})));
       },
       "node 'y' cannot be written to a .pt2, whose strings PyTorch evaluates: its sizes use "
       "'exec', which is not a function of sympy that "
       "PyTorch writes"},
      {"ConstantThatIsCode",
       [](fx::Program& p) { p.nodes[1].val = metaWith(sizeOf(fx::SymExpr::call("exit()", {}))); },
       "node 'y' cannot be written to a .pt2, whose strings PyTorch evaluates: its sizes use "
       "'exit()', which is not a function of sympy "
       "that "
       "PyTorch writes"},
      {"SymbolOfAScalar",
       [](fx::Program& p) {
         p.nodes[1].val = fx::SymValue{fx::SymKind::Int, fx::SymExpr::symbol("u1234567"), {}};
       },
       "node 'y' cannot be written to a .pt2, whose strings PyTorch evaluates: a symbol of its "
       "sizes is named 'u1234567'"},
      {"NameOfANode", [](fx::Program& p) { p.nodes[1].name = "y=f()"; },
       "node 'y=f()' cannot be written to a .pt2, whose strings PyTorch evaluates: its name has "
       "characters other than letters, digits and "
       "'_'"},
      {"TargetOfAnInput", [](fx::Program& p) { p.nodes[0].target = "x=f()"; },
       "node 'x' cannot be written to a .pt2, whose strings PyTorch evaluates: its target is "
       "'x=f()', which has characters other than "
       "letters, digits and '_'"},
      {"FunctionOfAModule", [](fx::Program& p) { p.nodes[1].target = "torch.os.system"; },
       "node 'y' cannot be written to a .pt2, whose strings PyTorch evaluates: 'torch.os.system' "
       "is neither an operator nor a function "
       "that an exported program can call"},
      {"OperatorAsArgument",
       [](fx::Program& p) {
         p.nodes[1].args.push_back(
             {"", fx::ArgumentList{fx::OperatorName{"builtins.eval"}}, false});
       },
       "node 'y' cannot be written to a .pt2, whose strings PyTorch evaluates: 'builtins.eval' is "
       "neither an operator nor a function that "
       "an exported program can call"},
      {"NameOfAnArgument",
       [](fx::Program& p) { p.nodes[1].args.push_back({"k)\nf(", std::int64_t{1}, true}); },
       "node 'y' cannot be written to a .pt2, whose strings PyTorch evaluates: one of its "
       "arguments is named 'k)\nf(', which has "
       "characters other than letters, digits and '_'"},
      {"DeviceOfAValue",
       [](fx::Program& p) {
         fx::TensorMeta meta = metaWith(fx::SymInt(2));
         meta.device.type = "cpu'";
         p.nodes[1].val = meta;
       },
       "node 'y' cannot be written to a .pt2, whose strings PyTorch evaluates: 'cpu'' is not a "
       "kind of device"},
      {"ClassOfAnObject", [](fx::Program& p) { p.nodes[1].val = fx::CustomObject{"a b"}; },
       "node 'y' cannot be written to a .pt2, whose strings PyTorch evaluates: its class 'a b' is "
       "not a name"},
      {"ParameterOfAnInput", [](fx::Program& p) { p.inputs[0].target = "w\")"; },
       "input 'x' cannot be written to a .pt2, whose strings PyTorch evaluates: the name 'w\")' "
       "has quotes, backslashes or control "
       "characters"},
      {"MutatedBuffer", [](fx::Program& p) { p.outputs[0].target = "b\n"; },
       "an output cannot be written to a .pt2, whose strings PyTorch evaluates: the name 'b\n' has "
       "quotes, backslashes or control "
       "characters"},
      {"NameOfAWeight",
       [](fx::Program& p) {
         p.weights.emplace_back();
         p.weights[0].fqn = "w'";
       },
       "a weight cannot be written to a .pt2, whose strings PyTorch evaluates: the name 'w'' has "
       "quotes, backslashes or control "
       "characters"},
      {"Range", [](fx::Program& p) { p.ranges.push_back({"exit('1')", 0, {}}); },
       "a range constraint cannot be written to a .pt2, whose strings PyTorch evaluates: "
       "'exit('1')' is neither a symbol nor an expression "
       "of "
       "symbols"},
  };
  return programs;
}

class HostileProgram : public testing::TestWithParam<Hostile> {};

TEST_P(HostileProgram, IsNotWritten) {
  fx::Program program = base();
  ASSERT_TRUE(write::pt2Bytes(program, {}, {}));
  GetParam().edit(program);
  const auto bytes = write::pt2Bytes(program, {}, {});
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(bytes.error().message, GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(Programs, HostileProgram, testing::ValuesIn(hostilePrograms()),
                         [](const auto& instance) { return std::string(instance.param.name); });

fx::Program readBack(const fx::Program& program) {
  const auto bytes = write::pt2Bytes(program, {}, {});
  if (!bytes) throw std::runtime_error(toString(bytes.error()));
  const auto capture = read::readCapture(memorySource(*bytes), "t.pt2", {}, {});
  if (!capture) throw std::runtime_error(toString(capture.error()));
  return *capture->program;
}

TEST(WrittenTexts, GuardsThatAreNoConditionsOnSizesAreLeftOut) {
  fx::Program program = base();
  program.inputNames = {"x"};
  program.guards = {"L['x'].size()[0] <= 8", "eval('1') == 1", "(lambda: 1)() == 1"};
  EXPECT_EQ(readBack(program).guards, std::vector<std::string>{"L['x'].size()[0] <= 8"});
}

TEST(WrittenTexts, NamesOfForwardThatAreCodeAreLeftOutAndTheirGuardsToo) {
  fx::Program program = base();
  program.inputNames = {"x=f()"};
  program.guards = {"L['x'].size()[0] <= 8"};
  EXPECT_TRUE(readBack(program).inputNames.empty());
  EXPECT_TRUE(readBack(program).guards.empty());
}

}  // namespace
}  // namespace fxs::test
