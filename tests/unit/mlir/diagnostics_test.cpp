// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/logs/diagnostics.h"

#include <gtest/gtest.h>

namespace fxs::mlir {
namespace {

TEST(EngineLog, FailedConversionNamesNodeOperationAndPass) {
  const EngineLog log = parseEngineLog(
      "fx:24:0: error: failed to legalize operation 'torch.operator' that was explicitly marked "
      "illegal: %8 = \"torch.operator\"(%6) "
      "<{name = "
      "\"torch.aten.fft_irfft\"}> : () -> ()\n"
      "fx:24:0: note: see current operation: %8 = \"torch.operator\"(%6)\n"
      "// -----// IR Dump After ReduceOpVariants Failed: torch-reduce-op-variants{extra-library=} "
      "//----- //\n"
      "func.func @main() {\n"
      "  return\n"
      "}\n"
      "\n"
      "<stdin>:0:0: error: Failures have been detected while processing an MLIR pass pipeline\n"
      "<stdin>:0:0: note: Pipeline failed while executing [`ReduceOpVariants` on 'func.func' "
      "operation: @main]: reproducer generated at "
      "`-`\n");
  ASSERT_EQ(log.diagnostics.size(), 1u);
  const EngineDiagnostic& d = log.diagnostics[0];
  EXPECT_EQ(d.severity, "error");
  EXPECT_EQ(d.node, fx::NodeId{24});
  EXPECT_EQ(d.op, "torch.operator");
  EXPECT_TRUE(d.message.starts_with("failed to legalize operation 'torch.operator'"));
  ASSERT_EQ(d.notes.size(), 1u);
  EXPECT_EQ(log.failingPass, "torch-reduce-op-variants");
  ASSERT_EQ(log.dumps.size(), 1u);
  EXPECT_EQ(log.dumps[0].header.passClass, "ReduceOpVariants");
  EXPECT_TRUE(log.dumps[0].header.failed);
  EXPECT_EQ(log.dumps[0].ir, "func.func @main() {\n  return\n}\n");
  EXPECT_FALSE(log.crashed);
}

TEST(EngineLog, RecoveredCrashNamesItsPass) {
  const EngineLog log = parseEngineLog(
      "<stdin>:0:0: error: Failures have been detected while processing an MLIR pass pipeline\n"
      "<stdin>:0:0: note: Pipeline failed while executing [`ConvertTorchToTosa` on 'func.func' "
      "operation: @main]: reproducer generated at "
      "`-`\n");
  EXPECT_TRUE(log.crashed);
  EXPECT_TRUE(log.diagnostics.empty());
  EXPECT_EQ(log.failingPass, "ConvertTorchToTosa");
}

TEST(EngineLog, CrashAfterAnErrorIsACrash) {
  const std::string error = "fx:1:0: error: unimplemented: for conversion to byte or char type\n",
                    abort = "LLVM ERROR: Failed to infer result type(s):\n",
                    dump =
                        "// -----// IR Dump After ConvertTorchToLinalg Failed "
                        "(convert-torch-to-linalg) //----- //\n"
                        "func.func @main() {\n  return\n}\n\n",
                    end =
                        "<stdin>:1:1: error: Failures have been detected while processing an "
                        "MLIR pass pipeline\n"
                        "<stdin>:1:1: note: Pipeline failed while executing "
                        "[`ConvertTorchToLinalg` on 'func.func' operation: @main]: reproducer "
                        "generated at `-`\n";
  const EngineLog log = parseEngineLog(error + end);
  EXPECT_TRUE(log.crashed);
  EXPECT_EQ(log.failingPass, "ConvertTorchToLinalg");
  EXPECT_TRUE(parseEngineLog(error + abort + dump + end).crashed);
  EXPECT_FALSE(parseEngineLog(error + dump + end).crashed);
}

TEST(EngineLog, OutOfMemory) {
  const EngineLog log = parseEngineLog(
      "LLVM ERROR: out of memory\nAllocation failed\n"
      "<stdin>:0:0: error: Failures have been detected while processing an MLIR pass pipeline\n"
      "<stdin>:0:0: note: Pipeline failed while executing `ConvertTorchToStablehlo` on 'func.func' "
      "operation: @main: reproducer generated "
      "at `-`\n");
  EXPECT_EQ(log.fatal, "LLVM ERROR: out of memory");
  EXPECT_EQ(log.failingPass, "ConvertTorchToStablehlo");
}

TEST(EngineLog, FramesOfACrashAreNoDiagnostics) {
  const EngineLog log = parseEngineLog(
      "PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/ and include the "
      "crash backtrace\n"
      "Stack dump:\n"
      "0.\tProgram arguments: torch-mlir-opt -\n"
      " #0 0x0000000001a2a0ab llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) "
      "(torch-mlir-opt+0x1a2a0ab)\n"
      "#10 0x0000000001458d4e applyConversion(llvm::ArrayRef<mlir::Operation*>) "
      "(torch-mlir-opt+0x1)\n");
  EXPECT_TRUE(log.diagnostics.empty());
}

TEST(EngineLog, LocationForms) {
  const EngineLog log = parseEngineLog(
      "<unknown>:0: error: loc(\"kron\"): no lowering\n"
      "<unknown>:0: error: loc(\"a b\"(\"fx\":7:0)): bad 'tensor.cast' op\n"
      "<stdin>:3:10: error: use of undeclared SSA value name\n"
      "  return %5 : i1\n"
      "         ^\n"
      "dir/my file.mlir:4:1: warning: careful\n"
      "MLIR Textual PassPipeline Parser:1:1: error: 'foo-pass' does not refer to a registered pass "
      "or pass pipeline\n"
      "foo-pass\n"
      "^\n");
  ASSERT_EQ(log.diagnostics.size(), 5u);
  EXPECT_EQ(log.diagnostics[0].nodeName, "kron");
  EXPECT_EQ(log.diagnostics[0].message, "no lowering");
  EXPECT_FALSE(log.diagnostics[0].node.valid());
  EXPECT_EQ(log.diagnostics[1].node, fx::NodeId{7});
  EXPECT_EQ(log.diagnostics[1].nodeName, "a b");
  EXPECT_EQ(log.diagnostics[1].op, "tensor.cast");
  EXPECT_EQ(log.diagnostics[2].message,
            "use of undeclared SSA value name\n  return %5 : i1\n         ^");
  EXPECT_EQ(log.diagnostics[3].severity, "warning");
  EXPECT_EQ(log.diagnostics[4].message,
            "'foo-pass' does not refer to a registered pass or pass pipeline\nfoo-pass\n^");
}

TEST(EngineLog, OlderHeaderForm) {
  const EngineLog log = parseEngineLog(
      "// -----// IR Dump After ConvertTorchToTosa Failed (convert-torch-to-tosa) ('func.func' "
      "operation: @main) //----- //\nx\n");
  ASSERT_EQ(log.dumps.size(), 1u);
  EXPECT_EQ(log.dumps[0].header.pass, "convert-torch-to-tosa");
  EXPECT_EQ(log.failingPass, "convert-torch-to-tosa");
}

TEST(EngineLog, AMessageInTheMiddleOfADumpIsADiagnostic) {
  const EngineLog log = parseEngineLog(
      "// -----// IR Dump After CSE Failed: cse{} //----- //\n"
      "module {\n"
      "fx:3:0: error: failed to legalize operation 'torch.aten.diff'\n"
      "  x.y\n"
      "}\n"
      "LLVM ERROR: out of memory\n");
  ASSERT_EQ(log.dumps.size(), 1u);
  EXPECT_EQ(log.dumps[0].ir, "module {\n  x.y\n}\n");
  ASSERT_EQ(log.diagnostics.size(), 1u);
  EXPECT_EQ(log.diagnostics[0].node, fx::NodeId{3});
  EXPECT_EQ(log.fatal, "LLVM ERROR: out of memory");
  EXPECT_EQ(log.failingPass, "cse");
}

TEST(EngineLog, AnythingElseIsNoDiagnostic) {
  for (const char* text : {"", "\n\n", "error", ": error: ", "x: error",
                           "torch-mlir-opt: Unknown command line argument '--foo'.\n", "\xff\xfe"})
    EXPECT_TRUE(parseEngineLog(text).diagnostics.empty()) << text;
}

}  // namespace
}  // namespace fxs::mlir
