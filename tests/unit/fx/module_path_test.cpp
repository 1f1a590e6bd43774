// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/module_path.h"

#include <gtest/gtest.h>

namespace fxs::fx {
namespace {

TEST(ModulePath, ItemsAreSplitOutsideBrackets) {
  EXPECT_EQ(parseModuleStack("L__self__,,__main__.M;L__self___l,l,torch.nn.modules.linear.Linear"),
            (std::vector<ModuleFrame>{{"L__self__", "", "__main__.M"},
                                      {"L__self___l", "l", "torch.nn.modules.linear.Linear"}}));
  EXPECT_EQ(parseModuleStack("140,getattr(L['self'], 'a,b'),pkg.Type[int, str]"),
            (std::vector<ModuleFrame>{{"140", "getattr(L['self'], 'a,b')", "pkg.Type[int, str]"}}));
  EXPECT_EQ(parseModuleStack(""), std::vector<ModuleFrame>());
  EXPECT_EQ(parseModuleStack("only"), (std::vector<ModuleFrame>{{"only", "", ""}}));
}

TEST(ModulePath, AModuleMayHaveCommasInItsName) {
  EXPECT_EQ(parseModuleStack("L__self___blk_a,b,blk.a,b,torch.nn.modules.linear.Linear"),
            (std::vector<ModuleFrame>{
                {"L__self___blk_a,b", "blk.a,b", "torch.nn.modules.linear.Linear"}}));
}

TEST(ModulePath, TracebackFramesKeepTheirCode) {
  const auto stack = parseStackTrace(
      "  File \"/home/me/model.py\", line 7, in forward\n    return self.l(x)\n           "
      "^^^^^^^^^\n"
      "  File \"/usr/lib/python3/site-packages/torch/nn/modules/linear.py\", line 125, in "
      "forward\n    return F.linear(input)\n");
  ASSERT_EQ(stack.size(), 2u);
  EXPECT_EQ(stack[0], (StackFrame{"/home/me/model.py", 7, "forward", "return self.l(x)"}));
  EXPECT_EQ(stack[1].line, 125);
  EXPECT_EQ(userFrame(stack), &stack[0]);
}

TEST(ModulePath, ALibrarysModelIsTheUsersLine) {
  const auto stack = parseStackTrace(
      "File \"run.py\", line 1, in forward\n    m(x)\n"
      "File \"site-packages/transformers/models/gpt2/modeling_gpt2.py\", line 66, in attn\n    a @ "
      "b\n"
      "File \"site-packages/torch/nn/functional.py\", line 9, in f\n    x\n");
  EXPECT_EQ(userFrame(stack)->line, 66);
}

TEST(ModulePath, PyTorchsOwnFilesAreNotTheUsersLine) {
  EXPECT_EQ(
      userFrame(parseStackTrace(
          "File \"/x/site-packages/torch/fx/passes/runtime_assert.py\", line 24, in f\n    x\n")),
      nullptr);
}

TEST(ModulePath, TextThatIsNoTracebackHasNoFrames) {
  EXPECT_TRUE(parseStackTrace("nothing here\nFile without quotes, line 3").empty());
  EXPECT_EQ(userFrame({}), nullptr);
  const auto onlyTorch = parseStackTrace("File \"<eval_with_key>.3\", line 4, in forward\n");
  ASSERT_EQ(onlyTorch.size(), 1u);
  EXPECT_EQ(userFrame(onlyTorch), nullptr);
  EXPECT_EQ(onlyTorch[0].code, "");
}

}  // namespace
}  // namespace fxs::fx
