// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/lost_types.h"

#include <gtest/gtest.h>

#include "fx/text.h"
#include "real_engine.h"

namespace fxs::diagnose {
namespace {

TEST(IncompleteTypes, AreWithoutElementTypeOrRank) {
  EXPECT_TRUE(
      hasIncompleteType("%0 = torch.aten.relu %a : !torch.vtensor<[3],f32> -> !torch.vtensor"));
  EXPECT_TRUE(hasIncompleteType("%0 = torch.aten.relu %a : !torch.vtensor, !torch.int"));
  EXPECT_TRUE(hasIncompleteType("-> !torch.vtensor<*,f32>"));
  EXPECT_TRUE(hasIncompleteType("-> !torch.vtensor<[2,3],unk>"));
  EXPECT_TRUE(hasIncompleteType("-> !torch.tensor"));
  EXPECT_FALSE(hasIncompleteType(
      "%0 = torch.aten.relu %a : !torch.vtensor<[3,?],f32> -> !torch.vtensor<[],si64>"));
  EXPECT_FALSE(hasIncompleteType(
      "%0 = torch.vtensor.literal(dense<1> : tensor<si64>) : !torch.vtensor<[],si64>"));
}

constexpr const char* kLost =
    "func.func @main(%a: !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32> {\n"
    "  %0 = torch.aten.relu %a : !torch.vtensor<[3],f32> -> !torch.vtensor loc(\"r\"(\"fx\":1:0))\n"
    "  %1 = torch.aten.tanh %0 : !torch.vtensor -> !torch.vtensor<[3],f32> loc(\"t\"(\"fx\":2:0))\n"
    "  return %1 : !torch.vtensor<[3],f32>\n}\n";

TEST(IncompleteTypes, AreOfTheNamedOperation) {
  EXPECT_TRUE(losesType(kLost, "torch.aten.relu"));
  EXPECT_FALSE(losesType("  %0 = torch.aten.relu6 %a : !torch.vtensor -> !torch.vtensor\n",
                         "torch.aten.relu"));
  EXPECT_FALSE(losesType(kLost, "torch.aten.add.Tensor"));
}

TEST(LostTypes, OfTheProgramItselfAreSaidToBe) {
  const auto program =
      fx::graphFrom("x: f32[3] = placeholder\nr: f32[3] = aten.relu.default(x)\nreturn r");
  ASSERT_TRUE(program.has_value());
  PosixCommandRunner runner;
  Subject subject;
  subject.program = *program;
  subject.user = program->get();
  subject.runner = &runner;
  std::vector<BlockedEntry> entries(1);
  entries[0].blocked.fxTarget = "aten.relu.default";
  entries[0].blocked.op = "torch.aten.relu";
  entries[0].blocked.kind = Kind::IllegalOp;
  entries[0].forms.push_back({{}, *program, kLost, {}});
  entries[0].forms[0].result.lastGood = kLost;
  ASSERT_TRUE(findLostTypes(subject, entries, {}).has_value());
  EXPECT_EQ(entries[0].blocked.kind, Kind::TypesLost);
  EXPECT_EQ(entries[0].blocked.message,
            "aten.relu.default: the program does not record its element type or rank; export it "
            "again with a current torch.export");
}

TEST(LostTypes, PassIsTheFirstAfterWhichTheyAreMissing) {
  const auto engine = test::realEngine();
  if (!engine) GTEST_SKIP() << test::kNoEngine;
  const auto program =
      fx::graphFrom("x: f32[3] = placeholder\nr: f32[3] = aten.relu.default(x)\nreturn r");
  ASSERT_TRUE(program.has_value());
  PosixCommandRunner runner;
  Subject subject;
  subject.program = *program;
  subject.user = program->get();
  subject.runner = &runner;
  subject.engine = *engine;
  std::vector<BlockedEntry> entries(1);
  Blocked& b = entries[0].blocked;
  b.fxTarget = "aten.instance_norm.default";
  b.op = "torch.aten.mean.dim";
  b.stage = "tosa";
  b.kind = Kind::IllegalOp;
  // The engine takes std apart, and gives the parts what types the operation itself had.
  BlockedForm form;
  form.raw =
      "func.func @main(%a: !torch.vtensor<[3,4],f32>) -> !torch.vtensor {\n  %t = "
      "torch.constant.bool true\n"
      "  %0 = torch.aten.std %a, %t : !torch.vtensor<[3,4],f32>, !torch.bool -> !torch.vtensor "
      "loc(\"r\"(\"fx\":1:0))\n"
      "  return %0 : !torch.vtensor\n}\n";
  form.result.lastGood = "  %2 = torch.aten.sqrt %1 : !torch.vtensor -> !torch.vtensor\n";
  b.op = "torch.aten.sqrt";
  entries[0].forms.push_back(form);
  ASSERT_TRUE(findLostTypes(subject, entries, {}).has_value());
  EXPECT_EQ(b.kind, Kind::TypesLost);
  EXPECT_EQ(b.pass, "torch-decompose-complex-ops");
}

}  // namespace
}  // namespace fxs::diagnose
