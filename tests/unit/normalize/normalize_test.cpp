// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "normalize/normalize.h"

#include <gtest/gtest.h>

#include "fx/builder.h"
#include "fx/text.h"
#include "normalize/memory_format.h"
#include "normalize/rule.h"
#include "program_from.h"

namespace fxs::normalize {
namespace {

using test::programFrom;

/// "key: before -> after [rule]", a line each.
std::string changesOf(const fx::Program& p, std::string_view node) {
  std::string out;
  for (const MetadataChange& c : normalizeNode(p, *p.findNode(node)).changes)
    out += c.key + ": " + c.before + " -> " + c.after + " [" + c.rule + "]\n";
  return out;
}

TEST(Normalize, TensorBecomesAFakeTensorWithItsMetadata) {
  auto p = programFrom(
      "x: f32[2, 3] requires_grad = placeholder\ny: f32[3, 2] stride=[1, 3] = "
      "aten.t.default(x)\nreturn y\n");
  EXPECT_EQ(changesOf(*p, "x"),
            "val: float32, sizes [2, 3], strides [3, 1], cpu, requires_grad -> "
            "FakeTensor(dtype=torch.float32, shape=(2, 3), stride=(3, 1), "
            "device='cpu', layout=torch.strided) [fake-tensor]\n"
            "tensor_meta.shape: (absent) -> (2, 3) [tensor-meta]\n"
            "tensor_meta.dtype: (absent) -> torch.float32 [tensor-meta]\n"
            "tensor_meta.requires_grad: (absent) -> True [tensor-meta]\n"
            "tensor_meta.stride: (absent) -> (3, 1) [tensor-meta]\n"
            "tensor_meta.memory_format: (absent) -> torch.contiguous_format [tensor-meta]\n"
            "tensor_meta.is_quantized: (absent) -> False [tensor-meta]\n");
  const NodeMetadata y = normalizeNode(*p, *p->findNode("y"));
  ASSERT_EQ(y.tensorMeta.size(), 1u);
  EXPECT_EQ(y.tensorMeta[0].memoryFormat, "None");
  EXPECT_FALSE(y.tensorMeta[0].requiresGrad);
}

TEST(Normalize, TuplesGoElementByElement) {
  auto p = programFrom(
      "x: f32[4] = placeholder\n"
      "s: (f32[1], ?, i64[3]) = aten.split.Tensor(x, 1)\n"
      "n: (f32[4], f32[1], f32[1]) = aten.native_layer_norm.default(x, [4], None, None, 1e-05)\n"
      "g = getitem(s, 2)\n"
      "h = getitem(s, 1)\n"
      "return g, n\n");
  const NodeMetadata s = normalizeNode(*p, *p->findNode("s"));
  ASSERT_EQ(s.tensorMeta.size(), 2u);
  EXPECT_EQ(s.tensorMeta[1].dtype, DType::Int64);
  EXPECT_EQ(s.changes[0].after, "a list of 3");
  EXPECT_EQ(s.changes[2].key, "val[1]");
  EXPECT_EQ(s.changes[2].after, "unknown");
  EXPECT_EQ(s.changes[2].reason, "the file does not list this element, which is unused");
  EXPECT_EQ(s.changes[4].key, "tensor_meta[0].shape");
  EXPECT_EQ(normalizeNode(*p, *p->findNode("n")).changes[0].after, "a tuple of 3");
  const NodeMetadata g = normalizeNode(*p, *p->findNode("g"));
  EXPECT_EQ(g.changes[0].rule, "tuple-element");
  EXPECT_EQ(g.tensorMeta[0].dtype, DType::Int64);
  EXPECT_TRUE(normalizeNode(*p, *p->findNode("h")).tensorMeta.empty());
}

TEST(Normalize, SymbolsGetTheirRanges) {
  auto p = programFrom(
      "x: f32[s0, 4] = placeholder\n"
      "n: Sym(2*s0 + u0) = aten.sym_size.int(x, 0)\n"
      "return x, n\n"
      "Range constraints: {s0: VR[2, 128]}\n");
  EXPECT_EQ(changesOf(*p, "n"),
            "val: expression 2*s0 + u0 -> SymInt(2*s0 + u0) [fake-tensor]\n"
            "val.symbols.s0: Symbol('s0') -> 2 <= s0 <= 128 [symbolic-dims]\n"
            "val.symbols.u0: Symbol('u0') -> unknown [symbolic-dims]\n");
}

TEST(Normalize, StringsAreParsed) {
  fx::Builder b;
  fx::NodeId y = b.call(b.main(), "linear_1", "aten.linear.default", {}, fx::Unknown{});
  auto meta = [&](const char* key, const char* text) {
    b.node(y).meta.push_back({b.intern(key), b.intern(text)});
  };
  meta("nn_module_stack", "L__self__,,M;L__self___l,l,torch.nn.modules.linear.Linear");
  meta("stack_trace",
       "File \"m.py\", line 3, in forward\n    return self.l(x)\nFile "
       "\"site-packages/torch/nn/modules/linear.py\", line 9, in forward\n   "
       " x\n");
  meta("torch_fn", "linear_1;builtin_function_or_method.linear");
  meta("custom", "{\"a\": 1, \"b\": [2]}");
  meta("source_fn_stack", "l,torch.nn.modules.linear.Linear");
  b.program().outputs.push_back({fx::OutputKind::UserOutput, y, ""});
  b.output(b.main(), {y});
  Result<fx::ProgramPtr> p = std::move(b).finish();
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_EQ(changesOf(**p, "linear_1"),
            "val: (absent) -> unknown [fake-tensor]\n"
            "nn_module_stack: L__self__,,M;L__self___l,l,torch.nn.modules.linear.Linear -> "
            "{'L__self__': ('', 'M'), 'L__self___l': ('l', "
            "'torch.nn.modules.linear.Linear')} [module-stack]\n"
            "stack_trace: File \"m.py\", line 3, in forward\n    return self.l(x)\nFile "
            "\"site-packages/torch/nn/modules/linear.py\", line 9, in "
            "forward\n    x\n -> m.py:3 in forward (frame 1 of 2) [stack-trace]\n"
            "torch_fn: linear_1;builtin_function_or_method.linear -> ('linear_1', "
            "'builtin_function_or_method.linear') [original-aten]\n"
            "original_aten: (absent) -> aten.linear.default [original-aten]\n"
            "custom: {\"a\": 1, \"b\": [2]} -> a dict with a, b [other-metadata]\n"
            "source_fn_stack: l,torch.nn.modules.linear.Linear -> [('l', "
            "'torch.nn.modules.linear.Linear')] [other-metadata]\n");
  const NodeMetadata linear = normalizeNode(**p, *(*p)->findNode("linear_1"));
  EXPECT_EQ(linear.userLine->code, "return self.l(x)");
}

std::string originalOf(const char* fromNode, const char* target = "aten.mm.default") {
  fx::Builder b;
  fx::NodeId y = b.call(b.main(), "y", target, {}, fx::Unknown{});
  b.node(y).meta.push_back({b.intern("from_node"), b.intern(fromNode)});
  b.program().outputs.push_back({fx::OutputKind::UserOutput, y, ""});
  b.output(b.main(), {y});
  const fx::ProgramPtr p = *std::move(b).finish();
  const NodeMetadata m = normalizeNode(*p, *p->findNode("y"));
  return m.originalAten + "|" + m.changes[1].after;
}

TEST(Normalize, FromNodeTellsTheOriginalOperator) {
  EXPECT_EQ(
      originalOf(
          R"([{"name": "mm", "target": "aten.mm.default", "from_node": [{"name": "linear", "target": "aten.linear.default", "from_node": []}]}])"),
      "aten.linear.default|linear (aten.linear.default)");
  EXPECT_EQ(originalOf("no json"), "|unknown");
  EXPECT_EQ(originalOf("[]"), "|unknown");
  EXPECT_EQ(originalOf(R"([{"name": "x", "target": "x"}])"), "|x (x)");
}

TEST(Normalize, MetadataThatIsNotWhatPyTorchWritesSaysUnknown) {
  fx::Builder b;
  fx::NodeId y = b.call(b.main(), "y", "aten.mm.default", {}, fx::NoneValue{});
  b.node(y).meta.push_back({b.intern("custom"), b.intern("{not json")});
  b.node(y).meta.push_back({b.intern("stack_trace"), b.intern("somewhere")});
  b.program().outputs.push_back({fx::OutputKind::UserOutput, y, ""});
  b.output(b.main(), {y});
  const fx::ProgramPtr p = *std::move(b).finish();
  EXPECT_EQ(changesOf(*p, "y"),
            "stack_trace: somewhere -> unknown [stack-trace]\ncustom: {not json -> unknown "
            "[other-metadata]\n");
}

TEST(Normalize, LongTextIsCutWithItsLength) {
  fx::Builder b;
  fx::NodeId y = b.call(b.main(), "y", "aten.mm.default", {}, fx::NoneValue{});
  b.node(y).meta.push_back(
      {b.intern("nn_module_stack"), b.intern("k,p," + std::string(1000, 't'))});
  b.program().outputs.push_back({fx::OutputKind::UserOutput, y, ""});
  b.output(b.main(), {y});
  const fx::ProgramPtr p = *std::move(b).finish();
  EXPECT_EQ(normalizeNode(*p, p->nodes[0]).changes[0].before,
            "k,p," + std::string(196, 't') + ".. (1004 characters)");
}

TEST(Normalize, RulesRunInOrderAndHaveReasons) {
  NormalizeRules rules;
  registerAllNormalizeRules(rules);
  std::vector<std::string> ids;
  for (const Rule& rule : rules.rules()) {
    ids.push_back(rule.id);
    EXPECT_FALSE(rule.reason.empty());
  }
  EXPECT_EQ(ids,
            (std::vector<std::string>{"helion-arguments", "tuple-element", "inferred-val",
                                      "fake-tensor", "tensor-meta", "symbolic-dims", "module-stack",
                                      "stack-trace", "original-aten", "other-metadata"}));
}

TEST(Normalize, AWholeProgramIsItsNodesAndCanBeStopped) {
  auto p = programFrom("x: f32[2] = placeholder\ny: f32[2] = aten.relu.default(x)\nreturn y\n");
  auto all = normalize(p, {});
  ASSERT_TRUE(all);
  ASSERT_EQ((*all)->nodes.size(), 3u);
  EXPECT_EQ((*all)->nodes[1].changes.size(), normalizeNode(*p, p->nodes[1]).changes.size());
  EXPECT_TRUE((*all)->nodes[2].changes.empty());
  RunContext context;
  std::stop_source stop;
  stop.request_stop();
  context.stop = stop.get_token();
  auto stopped = normalize(p, context);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().message, "normalization was cancelled");
}

struct Format {
  const char *value, *format;
};
class MemoryFormatOf : public testing::TestWithParam<Format> {};
TEST_P(MemoryFormatOf, IsTorchsOwn) {
  auto p = programFrom(
      std::string("x: ") + GetParam().value +
      " = placeholder\nreturn x\nRange constraints: {s0: VR[2, 9], u1: VR[0, int_oo]}\n");
  EXPECT_EQ(memoryFormat(*p, *p->nodes[0].val.tensor()), GetParam().format);
}
INSTANTIATE_TEST_SUITE_P(
    Normalize, MemoryFormatOf,
    testing::Values(Format{"f32[]", "torch.contiguous_format"},
                    Format{"f32[2, 3]", "torch.contiguous_format"},
                    Format{"f32[2, 3] stride=[1, 2]", "None"},
                    Format{"f32[0, 3] stride=[7, 9]", "torch.contiguous_format"},
                    Format{"f32[1, 3] stride=[99, 1]", "torch.contiguous_format"},
                    Format{"f32[5] stride=[0]", "None"},
                    Format{"f32[2, 3, 4, 5] stride=[60, 1, 15, 3]", "torch.channels_last"},
                    Format{"f32[2, 1, 4, 5] stride=[20, 1, 5, 1]", "torch.contiguous_format"},
                    Format{"f32[2, 3, 4, 5, 6] stride=[360, 1, 90, 18, 3]",
                           "torch.channels_last_3d"},
                    Format{"f32[s0, 4]", "torch.contiguous_format"},
                    Format{"f32[s0, 4] stride=[1, s0]", "None"},
                    Format{"f32[s0, 3, 8, 8] stride=[192, 1, 24, 3]", "torch.channels_last"},
                    Format{"f32[2, u1] stride=[u1, 1]", "torch.contiguous_format"},
                    Format{"f32[2, u1] stride=[Max(1, u1), 1]", "torch.contiguous_format"},
                    Format{"f32[2, u1] stride=[9, 1]", "unknown"}));

}  // namespace
}  // namespace fxs::normalize
