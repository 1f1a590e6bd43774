// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/listing_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mlir/text/document.h"

namespace fxs::mlir {
namespace {

using testing::ElementsAre;

/// "1 fadd (in 0) of 3" for an operation on the 0-based line 1, inside of operation 0, at node 3.
std::vector<std::string> opsOf(std::string_view text, TextForm form) {
  const Document document(text, {}, form);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < document.module.ops.size(); ++i) {
    const Op& op = document.module.ops[i];
    std::string one =
        std::to_string(op.firstLine) + " " + std::string(document.module.nameOf(OpId::of(i)));
    if (op.parent.valid()) one += " (in " + std::to_string(op.parent.value) + ")";
    for (const fx::NodeId node : document.nodesOf(OpId::of(i)))
      one += " of " + std::to_string(node.value);
    out.push_back(std::move(one));
  }
  return out;
}

constexpr std::string_view kIr = R"(; ModuleID = 'LLVMDialectModule'
@w = external constant [4 x float], align 64

declare !dbg !3 ptr @malloc(i64)

define float @main(ptr %0, i64 %1) !dbg !6 {
  %3 = load float, ptr %0, align 4, !dbg !8
  br label %4, !dbg !9

4:                                                ; preds = %2
  %5 = fadd float %3, %7, !dbg !10
  %7 = fmul float %5, 2.0, !dbg !11
  switch i64 %1, label %4 [
    i64 1, label %8
  ], !dbg !8

8:
  ret float %5
}

!llvm.dbg.cu = !{!0}
!1 = !DIFile(filename: "<stdin>", directory: "")
!6 = distinct !DISubprogram(name: "main", scope: !7, file: !7, line: 9)
!7 = !DIFile(filename: "fx", directory: "")
!8 = !DILocation(line: 3, scope: !6)
!9 = !DILocation(line: 0, scope: !6)
!10 = !DILocation(line: 4, column: 2, scope: !12)
!11 = !DILocation(line: 5, scope: !13)
!12 = distinct !DILexicalBlock(scope: !6, file: !7, line: 1)
!13 = !DILexicalBlockFile(scope: !6, file: !1, discriminator: 0)
)";

TEST(ListingReader, InstructionsOfLlvmIrAreOperationsLocatedByTheirDebugLine) {
  EXPECT_THAT(
      opsOf(kIr, TextForm::LlvmIr),
      ElementsAre("1 constant", "3 declare", "5 define", "6 load (in 2) of 3", "7 br (in 2)",
                  "10 fadd (in 2) of 4", "11 fmul (in 2)", "12 switch (in 2)", "17 ret (in 2)"));
}

TEST(ListingReader, ValuesOfLlvmIrHaveTheirUsesAlsoBeforeTheirDefinition) {
  const Module module(kIr, TextForm::LlvmIr);
  std::vector<std::string> uses;
  for (std::uint32_t v = 0; v < module.values.size(); ++v)
    for (const OperandId use : module.usesOf(ValueId{v}))
      uses.push_back(std::string(module.values[v].name.of(kIr)) + " by " +
                     std::string(module.nameOf(module.operands[use.index()].user)));
  EXPECT_THAT(uses, ElementsAre("%3 by fadd", "%5 by fmul", "%5 by ret", "%7 by fadd"));
}

TEST(ListingReader, InstructionsOfAssemblyAreLocatedByTheDirectiveBeforeThem) {
  constexpr std::string_view kAssembly =
      "\t.text\n\t.type\tmain,@function\nmain:                                   # "
      "@main\n.Lfunc_begin0:\n"
      "\t.file\t1 \"fx\"\n\t.file\t2 \"\" \"other.c\"\n\t.loc\t1 0 0\n\tpushq\t%rbx\n\t.loc\t1 28 "
      "0 prologue_end\n\tmulss\t(%rdi), %xmm0\n"
      ".LBB0_1:\n\taddss\t%xmm1, %xmm0\n\t.loc\t2 7 0\n\tnop\n\tretq\n.Lfunc_end0:\n\t.size\tmain, "
      ".Lfunc_end0-main\n"
      "\t.section\t.debug_str\n\t.asciz\t\"fx\"\n";
  EXPECT_THAT(opsOf(kAssembly, TextForm::Assembly),
              ElementsAre("2 function", "7 pushq (in 0)", "9 mulss (in 0) of 28",
                          "11 addss (in 0) of 28", "13 nop (in 0)", "14 retq (in 0)"));
}

TEST(ListingReader, InstructionsOfAmdGpusHaveOtherComments) {
  constexpr std::string_view kAssembly =
      "; To reproduce, run:\n\t.text\n\t.type\tmain,@function\nmain:\n\t.file\t1 \"fx\"\n\t.loc\t1 "
      "5 0 "
      "prologue_end\n\ts_endpgm\n; %bb.1:\n\t; implicit-def: $vgpr0\n.Lfunc_end0:\n";
  EXPECT_THAT(opsOf(kAssembly, TextForm::Assembly),
              ElementsAre("3 function", "6 s_endpgm (in 0) of 5"));
}

TEST(ListingReader, InstructionsOfPtxAreLocatedByTheDirectiveBeforeThem) {
  constexpr std::string_view kPtx =
      "//\n.version 7.6\n.target sm_80\n.extern .func  (.param .b32 r) f\n(\n\t.param .b32 "
      "a\n)\n;\n\n\t// .globl\tmain\n.visible .entry main(\n\t.param .u64 .ptr .global .align 16 "
      "main_param_0\n)\n.maxntid 32, 8, 1\n{\n\t.reg .b32 \t%r<4>;\n$L__func_begin0:\n\n\t.loc\t1 "
      "5 "
      "0\n\tmov.u32 \t%r2, %tid.y;\n\t@%p1 bra \t$L__BB0_2;\n\t.loc\t1 0 0\n\t{ // callseq "
      "0\n\tcall.uni (r), \n\tf, \n\t(\n\tparam0\n\t);\n\t}\n$L__BB0_2:\n\t.loc\t1 6 0, "
      "function_name $L__info0, inlined_at 1 5 0\n\tret;\n}\n\t.file\t1 \"fx\"\n";
  EXPECT_THAT(opsOf(kPtx, TextForm::Ptx),
              ElementsAre("10 function", "19 mov.u32 (in 0) of 5", "20 bra (in 0) of 5",
                          "23 call.uni (in 0)", "31 ret (in 0) of 6"));
}

TEST(ListingReader, OtherTextsHaveLinesOnly) {
  const Module module("a\nb\n", TextForm::Plain);
  EXPECT_TRUE(module.ops.empty());
  EXPECT_EQ(module.lineStarts.size(), 3u);
}

TEST(ListingReader, CutTextsAreReadAsFarAsTheyGo) {
  for (const TextForm form : {TextForm::LlvmIr, TextForm::Assembly, TextForm::Ptx})
    for (std::size_t end = 0; end <= kIr.size(); ++end) {
      const Module module(kIr.substr(0, end), form);
      for (const Op& op : module.ops) EXPECT_LE(op.text.end, end);
    }
}

}  // namespace
}  // namespace fxs::mlir
