// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of dispatches in IREE's text, as further results and as modules of their own.
#include "split/dispatches.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace fxs::test {
namespace {

using split::DispatchCall;
using split::Dispatches;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kText =
    R"(module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "elf", {cpu = "znver4", cpu_features = "+avx"}>]> : !hal.device
  util.global private @w = #flow.parameter.named<"model"::"a\22b"> : tensor<16x8xf32>
  util.global private @hoisted : tensor<8x16xf32>
  flow.executable private @init_dispatch_0 {
    flow.executable.export public @init_dispatch_0_transpose
  }
  util.initializer {
    %w = util.global.load immutable @w : tensor<16x8xf32>
    %0 = flow.dispatch @init_dispatch_0::@init_dispatch_0_transpose(%w) : (tensor<16x8xf32>) -> tensor<8x16xf32>
    util.global.store %0, @hoisted : tensor<8x16xf32>
    util.return
  }
  flow.executable private @main_dispatch_0 {
    flow.executable.export public @main_dispatch_0_matmul
  }
  flow.executable private @main_dispatch_1 {
    flow.executable.export public @main_dispatch_1_argmax
  }
  flow.executable private @main_dispatch_2 {
    flow.executable.export public @main_dispatch_2_update
  }
  util.func public @main(%arg0: !hal.buffer_view, %arg1: i64) -> !hal.buffer_view attributes {iree.abi.stub} {
    %c8 = arith.constant 8 : index
    %0 = arith.index_cast %arg1 : i64 to index
    %1 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<?x16xf32>{%0}
    %h = util.global.load immutable @hoisted : tensor<8x16xf32>
    %2 = flow.dispatch @main_dispatch_0::@main_dispatch_0_matmul[%0](%1, %h, %c8, %0) : (tensor<?x16xf32>{%0}, tensor<8x16xf32>, index, index) -> tensor<?x8xf32>{%0}
    %3:2 = flow.dispatch @main_dispatch_1::@main_dispatch_1_argmax(%h) : (tensor<8x16xf32>) -> (tensor<8xf32>, tensor<8xi64>)
    %4 = flow.dispatch @main_dispatch_2::@main_dispatch_2_update[%0](%2) : (tensor<?x8xf32>{%0}) -> %2{%0}
    %5 = scf.if %c -> (tensor<8xf32>) {
      %7 = flow.dispatch @main_dispatch_1::@main_dispatch_1_argmax(%h) : (tensor<8x16xf32>) -> (tensor<8xf32>)
      scf.yield %7 : tensor<8xf32>
    }
    %6 = hal.tensor.export %4 "output0" : tensor<?x8xf32>{%0} -> !hal.buffer_view
    util.return %6 : !hal.buffer_view
  }
}
)";

class DispatchesInText : public testing::Test {
 protected:
  std::vector<const DispatchCall*> taken() const {
    std::vector<const DispatchCall*> out;
    for (const DispatchCall& call : dispatches.calls)
      if (call.untaken.empty()) out.push_back(&call);
    return out;
  }

  const mlir::Module module{kText};
  const Dispatches dispatches = split::dispatchesIn(module, "main");
};

TEST_F(DispatchesInText, AreExecutablesAndTheirCalls) {
  EXPECT_THAT(dispatches.executables, ElementsAre("init_dispatch_0", "main_dispatch_0",
                                                  "main_dispatch_1", "main_dispatch_2"));
  ASSERT_EQ(dispatches.calls.size(), 5);
  const DispatchCall& matmul = dispatches.calls[1];
  EXPECT_EQ(matmul.executable, "main_dispatch_0");
  EXPECT_EQ(matmul.function, "main_dispatch_0_matmul");
  EXPECT_EQ(matmul.untaken, "");
  EXPECT_THAT(
      matmul.operands,
      ElementsAre(split::DispatchValue{"%1", "tensor<?x16xf32>", {"%0"}, ""},
                  split::DispatchValue{"%h", "tensor<8x16xf32>", {}, ""},
                  split::DispatchValue{"%c8", "index", {}, "%c8 = arith.constant 8 : index"},
                  split::DispatchValue{"%0", "index", {}, ""}));
  EXPECT_THAT(matmul.results,
              ElementsAre(split::DispatchValue{"%2", "tensor<?x8xf32>", {"%0"}, ""}));
  EXPECT_THAT(dispatches.calls[2].results,
              ElementsAre(split::DispatchValue{"%3#0", "tensor<8xf32>", {}, ""},
                          split::DispatchValue{"%3#1", "tensor<8xi64>", {}, ""}));
  // A result in the memory of an operand has its type.
  EXPECT_THAT(dispatches.calls[3].results,
              ElementsAre(split::DispatchValue{"%4", "tensor<?x8xf32>", {"%0"}, ""}));
  EXPECT_EQ(dispatches.calls[4].untaken, "it is called in a branch or a loop");
}

TEST_F(DispatchesInText, AreCalledByTheFunctionThatIsRun) {
  const Dispatches other = split::dispatchesIn(module, "other");
  EXPECT_EQ(other.calls[0].untaken, "");  // of what is computed before any function is called
  EXPECT_EQ(other.calls[1].untaken, "it is called by another function than the one that is run");
}

TEST_F(DispatchesInText, GiveTheirValuesAsFurtherResults) {
  const auto with = split::withValuesOf(module, "main", taken());
  ASSERT_TRUE(with) << with.error().message;
  EXPECT_EQ(with->ownResults, 1);
  std::vector<std::string> names;
  for (const split::CallValue& each : with->values) names.push_back(each.value.name);
  EXPECT_THAT(names, ElementsAre("%w", "%0", "%1", "%h", "%0", "%2", "%3#0", "%3#1", "%4"));
  EXPECT_THAT(with->text,
              HasSubstr("  util.global private mutable @fxscope_value_0 : tensor<16x8xf32>\n"
                        "  util.global private mutable @fxscope_value_1 : tensor<8x16xf32>\n"
                        "  util.initializer {"));
  EXPECT_THAT(with->text,
              HasSubstr("    util.global.store %w, @fxscope_value_0 : tensor<16x8xf32>\n"
                        "    util.global.store %0, @fxscope_value_1 : tensor<8x16xf32>\n"
                        "    util.return\n  }"));
  EXPECT_THAT(
      with->text,
      HasSubstr("-> (!hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, "
                "!hal.buffer_view, i64, !hal.buffer_view, !hal.buffer_view, "
                "!hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub} {"));
  EXPECT_THAT(with->text, HasSubstr("    %fxscope_2 = hal.tensor.export %1 \"value2\" : "
                                    "tensor<?x16xf32>{%0} -> !hal.buffer_view\n"));
  EXPECT_THAT(with->text, HasSubstr("    %fxscope_4 = arith.index_cast %0 : index to i64\n"));
  EXPECT_THAT(with->text, HasSubstr("    util.return %6, %fxscope_0, %fxscope_1, %fxscope_2, "
                                    "%fxscope_3, %fxscope_4, %fxscope_5, %fxscope_6, %fxscope_7, "
                                    "%fxscope_8 : !hal.buffer_view, !hal.buffer_view,"));
}

TEST_F(DispatchesInText, CannotGiveValuesOfAFunctionThatIsNotThere) {
  const auto with = split::withValuesOf(module, "other", {});
  ASSERT_FALSE(with);
  EXPECT_EQ(with.error().message, "the module has no function 'other'");
}

TEST_F(DispatchesInText, AreModulesOfTheirOwn) {
  const auto text = split::callAlone(module, dispatches.calls[1]);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text,
            R"(module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "elf", {cpu = "host", cpu_features = "host"}>]> : !hal.device
  flow.executable private @main_dispatch_0 {
    flow.executable.export public @main_dispatch_0_matmul
  }
  util.func public @main(%a0: !hal.buffer_view, %a1: !hal.buffer_view, %a2: i64) -> (!hal.buffer_view) attributes {iree.abi.stub} {
    %v2 = arith.constant 8 : index
    %v3 = arith.index_cast %a2 : i64 to index
    %v0 = hal.tensor.import %a0 "input0" : !hal.buffer_view -> tensor<?x16xf32>{%v3}
    %v1 = hal.tensor.import %a1 "input1" : !hal.buffer_view -> tensor<8x16xf32>
    %r = flow.dispatch @main_dispatch_0::@main_dispatch_0_matmul[%v3](%v0, %v1, %v2, %v3) : (tensor<?x16xf32>{%v3}, tensor<8x16xf32>, index, index) -> tensor<?x8xf32>{%v3}
    %e0 = hal.tensor.export %r "output0" : tensor<?x8xf32>{%v3} -> !hal.buffer_view
    util.return %e0 : !hal.buffer_view
  }
}
)");
}

TEST_F(DispatchesInText, KeepAResultInTheMemoryOfAnOperandThere) {
  const auto text = split::callAlone(module, dispatches.calls[3]);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_THAT(*text, HasSubstr("[%v1](%v0) : (tensor<?x8xf32>{%v1}) -> %v0{%v1}\n"));
}

TEST_F(DispatchesInText, OfSeveralResultsHaveThemAll) {
  const auto text = split::callAlone(module, dispatches.calls[2]);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_THAT(*text, HasSubstr("    %r:2 = flow.dispatch @main_dispatch_1::"));
  EXPECT_THAT(*text, HasSubstr("    %e1 = hal.tensor.export %r#1 \"output1\" : tensor<8xi64>"));
  EXPECT_THAT(*text, Not(HasSubstr("main_dispatch_0")));
}

TEST_F(DispatchesInText, TakeTheFunctionsArguments) {
  EXPECT_THAT(split::argumentTypes(module, "main"), ElementsAre("!hal.buffer_view", "i64"));
  EXPECT_THAT(split::argumentTypes(module, "other"), ElementsAre());
}

TEST(ModuleParameters, AreNamesWithoutEscapes) {
  const auto parameters = split::parametersIn(kText);
  ASSERT_TRUE(parameters);
  EXPECT_EQ(parameters->scope, "model");
  EXPECT_THAT(parameters->names, ElementsAre("a\"b"));
  const auto several = split::parametersIn(
      "#flow.parameter.named<\"a\"::\"x\"> #flow.parameter.named<\"b\"::\"x\">");
  ASSERT_FALSE(several);
  EXPECT_EQ(several.error().message, "the module's parameters are of several files");
}

/// Whatever the text is cut to, nothing is read beyond it.
TEST(DispatchText, MayEndAnywhere) {
  const std::string_view text = kText;
  for (std::size_t end = 0; end < text.size(); end += 3) {
    const std::string part(text.substr(0, end));
    const mlir::Module module(part);
    const Dispatches dispatches = split::dispatchesIn(module, "main");
    std::vector<const DispatchCall*> calls;
    for (const DispatchCall& call : dispatches.calls) calls.push_back(&call);
    (void)split::withValuesOf(module, "main", calls);
    for (const DispatchCall* call : calls) (void)split::callAlone(module, *call);
    (void)split::parametersIn(part);
  }
}

}  // namespace
}  // namespace fxs::test
