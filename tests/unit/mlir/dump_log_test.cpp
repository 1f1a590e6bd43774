// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/logs/dump_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace fxs::mlir {
namespace {

using testing::ElementsAre;

constexpr const char* kLog = R"(loading weights from model.bin (12 MB)
// -----// IR Dump After Inliner: inline{max-iterations=4 } //----- //
#map = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    return %arg0 : tensor<4xf32> loc(#loc1)
  } loc(#loc)
} loc(#loc)
#loc = loc("a.py":1:0)
#loc1 = loc("text with } and { and \" in it")

// -----// IR Dump After Canonicalizer (canonicalize) ('func.func' operation: @main) //----- //
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
fx:3:0: warning: something about %arg0 {
  return %arg0 : tensor<4xf32>
}

fx:4:0: error: failed to legalize operation 'torch.aten.x'
progress.step (2 of 3) {
// -----// IR Dump After Convert Failed: convert //----- //
"builtin.module"() ({
  "func.func"() <{sym_name = "main"}> ({
  }) : () -> ()
}) : () -> ()

{-#
  dialect_resources: { builtin: { w: "0x0400" } }
#-}
the end
)";

std::vector<std::string> shape(const DumpLog& log) {
  std::vector<std::string> out;
  for (const DumpedIr& d : log.dumps)
    out.push_back(d.header.pass + (d.header.failed ? " failed" : "") +
                  (d.complete ? "" : " incomplete") + " at " + std::to_string(d.line) + ", " +
                  std::to_string(std::count(d.ir.begin(), d.ir.end(), '\n')) + " lines");
  return out;
}

TEST(DumpLog, ModulesAreFoundAmongOtherOutput) {
  const DumpLog log = readDumpLog(kLog);
  EXPECT_THAT(shape(log), ElementsAre("inline at 2, 8 lines", "canonicalize at 12, 3 lines",
                                      "convert failed at 20, 7 lines"));
  EXPECT_EQ(log.dumps[1].ir,
            "func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n  return %arg0 : "
            "tensor<4xf32>\n}\n");
  EXPECT_THAT(log.errors, ElementsAre("failed to legalize operation 'torch.aten.x'"));
}

TEST(DumpLog, LineEndsOfWindowsDoNotMatter) {
  std::string windows;
  for (const char c : std::string_view(kLog)) windows += c == '\n' ? "\r\n" : std::string(1, c);
  const DumpLog a = readDumpLog(kLog), b = readDumpLog(windows);
  ASSERT_EQ(a.dumps.size(), b.dumps.size());
  for (std::size_t i = 0; i < a.dumps.size(); ++i) EXPECT_EQ(a.dumps[i].ir, b.dumps[i].ir);
}

TEST(DumpLog, CutOffAnywhereKeepsTheModulesBefore) {
  const std::string_view full = kLog;
  const DumpLog all = readDumpLog(full);
  for (std::size_t length = 0; length < full.size(); ++length) {
    const DumpLog log = readDumpLog(full.substr(0, length));
    for (std::size_t i = 0; i + 1 < log.dumps.size(); ++i)
      EXPECT_EQ(log.dumps[i].ir, all.dumps[i].ir) << length;
    if (log.dumps.empty() || log.dumps.back().complete) continue;
    EXPECT_TRUE(all.dumps[log.dumps.size() - 1].ir.starts_with(log.dumps.back().ir.substr(
                    0, log.dumps.back().ir.rfind('\n', log.dumps.back().ir.size() - 2) + 1)) ||
                log.dumps.back().ir.empty())
        << length;
  }
  EXPECT_THAT(shape(readDumpLog(full.substr(0, full.find("  return %arg0 : tensor<4xf32>\n")))),
              ElementsAre("inline at 2, 8 lines", "canonicalize incomplete at 12, 1 lines"));
}

TEST(DumpLog, AHeaderInTheMiddleOfAModuleBeginsAnotherDump) {
  const DumpLog log = readDumpLog(
      "// -----// IR Dump After A: a //----- //\nmodule {\n  func.func @main() {\n"
      "// -----// IR Dump After B: b //----- //\nmodule {\n}\n");
  EXPECT_THAT(shape(log), ElementsAre("a incomplete at 1, 2 lines", "b at 4, 2 lines"));
}

TEST(DumpLog, AModuleThatDoesNotBeginIsNone) {
  const DumpLog log =
      readDumpLog("// -----// IR Dump After A: a //----- //\nreturn\nfile.cpp (3 MB)\n");
  EXPECT_THAT(shape(log), ElementsAre("a incomplete at 1, 0 lines"));
}

TEST(DumpLog, AHeaderBehindOtherTextOfItsLineIsFound) {
  const DumpLog log =
      readDumpLog("50 % done// -----// IR Dump After A: a //----- //\nmodule {\n}\n");
  EXPECT_THAT(shape(log), ElementsAre("a at 1, 2 lines"));
}

}  // namespace
}  // namespace fxs::mlir
