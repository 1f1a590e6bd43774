// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/normalize.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "fx/text.h"

namespace fxs::report {
namespace {

std::shared_ptr<const normalize::NormalizedProgram> normalized(std::string_view text) {
  Result<fx::ProgramPtr> program = fx::graphFrom(text);
  EXPECT_TRUE(program) << (program ? "" : program.error().message);
  auto out = normalize::normalize(*program, {});
  EXPECT_TRUE(out);
  return *out;
}

constexpr std::string_view kSmall =
    "x: f32[s0, 2] = placeholder\ny: (f32[1, 2], ?) = aten.split.Tensor(x, 1)\nreturn x\nRange "
    "constraints: {s0: VR[2, 9]}\n";

TEST(NormalizeReport, TextListsChangesByNodeAndRule) {
  const auto all = normalized(kSmall);
  EXPECT_EQ(normalizeText({"a.pt2", *all, std::nullopt}),
            R"(0 x = placeholder
  val                        float32, sizes [s0, 2], strides [2, 1], cpu -> FakeTensor(dtype=torch.float32, shape=(s0, 2), stride=(2, 1), device='cpu', layout=torch.strided)  [fake-tensor]
  tensor_meta.shape          (absent) -> (s0, 2)  [tensor-meta]
  tensor_meta.dtype          (absent) -> torch.float32  [tensor-meta]
  tensor_meta.requires_grad  (absent) -> False  [tensor-meta]
  tensor_meta.stride         (absent) -> (2, 1)  [tensor-meta]
  tensor_meta.memory_format  (absent) -> torch.contiguous_format  [tensor-meta]
  tensor_meta.is_quantized   (absent) -> False  [tensor-meta]
  val.symbols.s0             Symbol('s0') -> 2 <= s0 <= 9  [symbolic-dims]

1 y = aten.split.Tensor
  val                           2 values -> a list of 2  [fake-tensor]
  val[0]                        float32, sizes [1, 2], strides [2, 1], cpu -> FakeTensor(dtype=torch.float32, shape=(1, 2), stride=(2, 1), device='cpu', layout=torch.strided)  [fake-tensor]
  val[1]                        (absent) -> unknown  [fake-tensor]
  tensor_meta[0].shape          (absent) -> (1, 2)  [tensor-meta]
  tensor_meta[0].dtype          (absent) -> torch.float32  [tensor-meta]
  tensor_meta[0].requires_grad  (absent) -> False  [tensor-meta]
  tensor_meta[0].stride         (absent) -> (2, 1)  [tensor-meta]
  tensor_meta[0].memory_format  (absent) -> torch.contiguous_format  [tensor-meta]
  tensor_meta[0].is_quantized   (absent) -> False  [tensor-meta]

17 changes, 1 of them unknown
  fake-tensor           4  the importer derives types from fake tensors: dtype, shape, stride, device and layout, without data
  tensor-meta          12  derived from the fake tensor as torch.fx's shape propagation does
  symbolic-dims         1  a symbolic size is limited by its range constraint
)");
  EXPECT_EQ(normalizeText({"a.pt2", *all, fx::NodeId::of(2)}),
            "2 output = output\n  nothing to normalize\n\n0 changes, 0 of them unknown\n");
}

TEST(NormalizeReport, JsonHoldsTheCanonicalMetadata) {
  const auto all = normalized(kSmall);
  const std::string text = normalizeJson({"a.pt2", *all, fx::NodeId::of(0)});
  auto document = JsonDocument::parse(text, "answer");
  ASSERT_TRUE(document) << document.error().message;
  const Json root = (*document)->root();
  EXPECT_EQ(*root.find("schema")->asString(), "fxscope-normalize/1");
  ASSERT_EQ(root.find("nodes")->size(), 1u);
  const Json node = *root.find("nodes")->begin();
  EXPECT_EQ(*node.find("val")->asString(), "f32[s0, 2]");
  EXPECT_EQ(node.find("changes")->size(), 8u);
  const Json meta = *node.find("tensor_meta")->begin();
  EXPECT_EQ(*meta.find("memory_format")->asString(), "torch.contiguous_format");
  EXPECT_EQ(*(*meta.find("shape")->begin()).asString(), "s0");
  EXPECT_TRUE(node.find("user_line")->isNull());
}

TEST(NormalizeReport, NodesAreCalledByNameOrIndex) {
  const auto all = normalized(kSmall);
  const fx::Program& p = *all->program;
  EXPECT_EQ(nodeCalled(p, "y")->index(), 1u);
  EXPECT_EQ(nodeCalled(p, "2")->index(), 2u);
  EXPECT_EQ(nodeCalled(p, "outptu").error().message,
            "there is no node 'outptu'; did you mean 'output'?");
  EXPECT_EQ(nodeCalled(p, "3").error().message,
            "there is no node 3; the program has 3 nodes, from 0");
  EXPECT_EQ(nodeCalled(p, "something_else").error().message,
            "there is no node 'something_else'; `fxscope-cli inspect --graph` lists them");
}

}  // namespace
}  // namespace fxs::report
