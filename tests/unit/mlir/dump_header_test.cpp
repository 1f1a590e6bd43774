// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/logs/dump_header.h"

#include <gtest/gtest.h>

namespace fxs::mlir {
namespace {

std::string header(std::string_view line) {
  const auto h = parseDumpHeader(line);
  if (!h) return "none";
  return std::string(h->before ? "before " : "after ") + h->passClass + "|" + h->pass + "|" +
         h->options + "|" + h->anchor + "|" + h->symbol + (h->failed ? "|failed" : "");
}

TEST(DumpHeader, IsReadInAllSpellings) {
  EXPECT_EQ(
      header(
          "// -----// IR Dump After DecomposeComplexOps: torch-decompose-complex-ops{} //----- //"),
      "after DecomposeComplexOps|torch-decompose-complex-ops|||");
  EXPECT_EQ(
      header("// -----// IR Dump After ConvertTorchToTosa Failed: convert-torch-to-tosa{  "
             "require-full-tosa-conversion=true} //----- //\r"),
      "after ConvertTorchToTosa|convert-torch-to-tosa|require-full-tosa-conversion=true|||failed");
  EXPECT_EQ(header("// -----// IR Dump Before Canonicalizer (canonicalize) ('func.func' operation: "
                   "@main) //----- //"),
            "before Canonicalizer|canonicalize||func.func|main");
  EXPECT_EQ(
      header("// -----// IR Dump After CSE Failed (cse) ('builtin.module' operation) //----- //"),
      "after CSE|cse||builtin.module||failed");
  EXPECT_EQ(header("// -----// IR Dump After Canonicalizer //----- //"), "after Canonicalizer||||");
  EXPECT_EQ(header("// -----// IR Dump After Inliner: inline{default-pipeline=canonicalize   "
                   "max-iterations=4 } ('builtin.module' operation) "
                   "//----- //"),
            "after Inliner|inline|default-pipeline=canonicalize max-iterations=4|builtin.module|");
  EXPECT_EQ(header("// -----// IR Dump After (anonymous namespace)::Mine //----- //"),
            "after (anonymous namespace)::Mine||||");
}

TEST(DumpHeader, OtherLinesAreNone) {
  EXPECT_EQ(header("module {"), "none");
  EXPECT_EQ(header("// -----// IR Dump After Canonica"), "none");
  EXPECT_EQ(header("// -----// IR Dump Between X //----- //"), "none");
  EXPECT_EQ(header("// -----// IR Dump After  //----- //"), "none");
}

}  // namespace
}  // namespace fxs::mlir
