// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/readable_metadata.h"

#include <gtest/gtest.h>

namespace fxs::fx {
namespace {

using Text = std::optional<std::string>;

TEST(ReadableMetadata, WhatPyTorchTakesApartStaysAsItIs) {
  for (const auto& [key, text] : std::initializer_list<std::pair<const char*, const char*>>{
           {"nn_module_stack",
            "L__self__,,__main__.M;L__self___l,l,torch.nn.modules.linear.Linear"},
           {"nn_module_stack", "140,getattr(L['self'], 'a,b'),pkg.Type[int, str]"},
           {"source_fn_stack", "relu,torch.nn.functional.relu;relu_1,torch.relu"},
           {"custom", "{\"a\": 1}"},
           {"from_node", "[{\"name\": \"x\", \"action\": \"create\", \"from_node\": []}]"},
           {"stack_trace", "File \"a,b;c\", line 1"},
           {"torch_fn", "a,b;c"}})
    EXPECT_EQ(readableMetadata(key, text), Text(text)) << key;
}

TEST(ReadableMetadata, SeparatorsInNamesOfModulesBecomeUnderscores) {
  EXPECT_EQ(
      readableMetadata("nn_module_stack", "L__self__,,M;L__self___blk_a,b,blk.a,b,torch.nn.Linear"),
      Text("L__self__,,M;L__self___blk_a_b,blk.a_b,torch.nn.Linear"));
}

TEST(ReadableMetadata, AFrameThatNoCommaDividesIsLeftOut) {
  EXPECT_EQ(readableMetadata("nn_module_stack", "L__self__,,M;L__self___a;b,a;b,torch.nn.Linear"),
            Text("L__self__,,M"));
  EXPECT_EQ(readableMetadata("nn_module_stack", "L__self__,,M;L__self___a(b,a(b,torch.nn.Linear"),
            Text("L__self__,,M"));
  EXPECT_EQ(readableMetadata("nn_module_stack", "a)b"), Text());
}

TEST(ReadableMetadata, WhatPyTorchWouldStopAtIsLeftOut) {
  EXPECT_EQ(readableMetadata("source_fn_stack", "a,b,c"), Text());
  EXPECT_EQ(readableMetadata("custom", "{"), Text());
  EXPECT_EQ(readableMetadata("from_node", "{}"), Text());
  EXPECT_EQ(readableMetadata("from_node", "[{\"action\": 3}]"), Text());
}

}  // namespace
}  // namespace fxs::fx
