// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/evaluated_text.h"

#include <gtest/gtest.h>

#include <fstream>
#include <vector>

#include "ops/schema.h"

namespace fxs::fx {
namespace {

void expectEach(bool (*is)(std::string_view), const std::vector<std::string>& texts,
                bool expected) {
  for (const std::string& text : texts) EXPECT_EQ(is(text), expected) << text;
}

TEST(EvaluatedText, AnIdentifierIsLettersDigitsAndUnderscores) {
  expectEach(isIdentifier, {"x", "_operator", "p_layer_0_weight", "A9"}, true);
  expectEach(isIdentifier,
             {"", "9a", "a.b", "a b", "x=1", "x\n", std::string("x\0", 2), "caf\xc3\xa9", "x'"},
             false);
  expectEach(isArgumentName, {"x", "caf\xc3\xa9"}, true);
  expectEach(isArgumentName, {"", "1", "x=f()", "*x", "x y", "x\n"}, false);
}

TEST(EvaluatedText, AnUnbackedSymbolHasANumberThatPyTorchCanCountUpTo) {
  expectEach(isSymbolName,
             {"s0", "s27", "u3", "u999999", "zuf12", "zf0", "batch", "unroll", "s12345678"}, true);
  expectEach(isSymbolName,
             {"", "u1000000", "zuf99999999999", "s0'", "s0', eval('1')", "3s", "s-1", "s 1"},
             false);
}

TEST(EvaluatedText, AHeadOfSympyIsOneThatPyTorchWrites) {
  for (const char* head : {"Add", "Mod", "FloorDiv", "OpaqueUnaryFn_log2", "Where", "tanh"})
    EXPECT_TRUE(isSympyHead(head, true)) << head;
  for (const char* head : {"eval", "exec", "exit", "open", "__import__", "lambdify", "test",
                           "Function", "Symbol", "oo", ""})
    EXPECT_FALSE(isSympyHead(head, true)) << head;
  for (const char* constant :
       {"oo", "-oo", "int_oo", "-int_oo", "true", "nan", "123456789012345678901234567890"})
    EXPECT_TRUE(isSympyHead(constant, false)) << constant;
  for (const char* constant : {"Add", "exit", "-", "", "1.5", "12a"})
    EXPECT_FALSE(isSympyHead(constant, false)) << constant;
}

TEST(EvaluatedText, AFileMayHoldTargetsThatArentExported) {
  expectEach(
      isTargetText,
      {"torch.ops.aten.add.Tensor", "_operator.getitem", "#backend:op.v1", "torch.os.system"},
      true);
  expectEach(isTargetText, {"", "#", "add(", "a b", "a\nb", "a'", "f\"", "1x", "a;b"}, false);
}

TEST(EvaluatedText, ATargetIsAnOperatorOrAFunctionThatProgramsCall) {
  expectEach(
      isExportedTarget,
      {"aten.add.Tensor", "aten.__and__.Scalar", "acme.swiglu.default",
       "_c10d_functional.all_reduce.default", "higher_order.cond", "_operator.getitem",
       "math.trunc", "torch.sym_max", "torch._functorch.predispatch._add_batch_dim", "#backend:op"},
      true);
  expectEach(isExportedTarget,
             {"torch.os.system", "torch.ops.load_library", "load_library.x.y",
              "import_module.__call__.x", "math.os.system", "torch.sys.exit",
              "_operator.attrgetter", "_operator.call", "builtins.eval", "aten.add.__class__",
              "aten.__init__.default", "higher_order.__class__", "higher_order.cond.__call__",
              "torchx.os", "print", "aten.add", "aten.add.Tensor.x", "aten..x", ""},
             false);
}

TEST(EvaluatedText, EveryOperatorThatPyTorchHasIsATarget) {
  std::ifstream table(FXS_SOURCE_DIR "/resources/op_schemas/torch-2.13.0.txt");
  std::size_t count = 0;
  for (std::string line; std::getline(table, line);) {
    const ops::Schema* schema =
        line.find(';') == line.npos
            ? nullptr
            : ops::SchemaTable::builtin().find(line.substr(0, line.find(';')));
    if (schema == nullptr) continue;
    EXPECT_TRUE(isExportedTarget(schema->fxName())) << schema->fxName();
    ++count;
  }
  EXPECT_GT(count, 1000u);
}

TEST(EvaluatedText, ANameOfAParameterNeedsNoQuotes) {
  expectEach(isQualifiedName, {"layer.0.weight", "my-key/a b", "\xce\xb1"}, true);
  expectEach(isQualifiedName, {"", "a'b", "a\"b", "a\\b", "a\nb", "a\x7f"}, false);
}

TEST(EvaluatedText, AGuardIsAConditionOnSizes) {
  expectEach(
      isGuard,
      {"L['x'].size()[0] == L['y'].size()[1]", "2 <= L['x'].size()[0] and L['x'].size()[0] <= 64",
       "((L['x']['a b'][3].size()[1] // 2) % 4) != 0", "math.trunc(1.5e3*L['n']) > -3",
       "max(L['a'], L['b']) == 4 or not False", "L['x'].stride()[0] >= L['x'].storage_offset()",
       "Mod(L['n'], 2) < 1"},
      true);
  expectEach(isGuard,
             // clang-format off
             {"", "__import__('os').system('x') == 0", "L['x'].__class__", "(lambda: 0)() == 0", "L['x'] == f''", "L['x'] = 3", "x := 1",
              "True, '')\n  pass", "L['x'].size()[0] == 1) or (1", "open('/etc/passwd')", "L[\"x\"] == 1", "eval('1')", "L['x\\']['", "[1][0]]",
              "L['x", "1.real", "0x41", "a", "{}", "L['x'].size;", "'a'.format(L)", "@L"},
             // clang-format on
             false);
}

TEST(EvaluatedText, AMessageShowsTheBeginningOfALongText) {
  EXPECT_EQ(shownText("s0"), "'s0'");
  EXPECT_EQ(shownText(std::string(100, 'x')), "'" + std::string(60, 'x') + "..'");
}

}  // namespace
}  // namespace fxs::fx
