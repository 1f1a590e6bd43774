// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/lexer.h"

#include <gtest/gtest.h>

#include <string>

namespace fxs::mlir {
namespace {

/// "V:%0 P:= O:torch.aten.relu .."
std::string shown(std::string_view line) {
  static constexpr char kLetters[] = "VBSTAOKNQCLP";
  std::string out;
  for (const Token& t : lexLine(line)) {
    if (!out.empty()) out += ' ';
    out += kLetters[static_cast<std::size_t>(t.kind)];
    out += ':';
    out += t.range.of(line);
  }
  return out;
}

TEST(Lexer, CustomForm) {
  EXPECT_EQ(shown("    %0 = torch.aten.add.Tensor %arg0, %1#0 : !torch.vtensor<[2,3],f32>, "
                  "!torch.int -> !torch.vtensor<[?],f32>"),
            "V:%0 P:= O:torch.aten.add.Tensor V:%arg0 P:, V:%1#0 P:: T:!torch.vtensor<[2,3],f32> "
            "P:, T:!torch.int P:-> "
            "T:!torch.vtensor<[?],f32>");
  EXPECT_EQ(
      shown("  func.func @main(%arg0: tensor<2x?xf32>) -> f32 attributes {a = 1.5e-3 : f64} {"),
      "O:func.func S:@main P:( V:%arg0 P:: T:tensor<2x?xf32> P:) P:-> T:f32 K:attributes P:{ K:a "
      "P:= N:1.5e-3 P:: T:f64 P:} P:{");
}

TEST(Lexer, GenericFormStringsBlocksAndComments) {
  EXPECT_EQ(shown("%1:2 = \"torch.x\"(%0) <{name = \"a \\\" b\"}> : () -> () // note"),
            "V:%1 P:: N:2 P:= O:\"torch.x\" P:( V:%0 P:) P:< P:{ K:name P:= Q:\"a \\\" b\" P:} P:> "
            "P:: P:( P:) P:-> P:( P:) C:// note");
  EXPECT_EQ(shown("^bb0(%in: f32):"), "B:^bb0 P:( V:%in P:: T:f32 P:) P::");
  EXPECT_EQ(shown("#map = affine_map<(d0) -> (d0)> loc(\"x\")"),
            "A:#map P:= O:affine_map P:< P:( K:d0 P:) P:-> P:( K:d0 P:) P:> L:loc(\"x\")");
}

TEST(Lexer, TokensAreOrderedAndInsideTheLine) {
  for (const std::string line : {"\"", "!", "!<<<", "%", "loc(", "-", "->", "a<b>c", "\xff\xfe\x80",
                                 "@\"unterminated", "dense<\"0xAB"}) {
    std::size_t last = 0;
    for (const Token& t : lexLine(line)) {
      EXPECT_LE(last, t.range.begin) << line;
      EXPECT_LT(t.range.begin, t.range.end) << line;
      EXPECT_LE(t.range.end, line.size()) << line;
      last = t.range.end;
    }
  }
}

}  // namespace
}  // namespace fxs::mlir
