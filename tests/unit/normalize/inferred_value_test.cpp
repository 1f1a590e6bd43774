// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a value must be where the file has none; and that nothing is inferred when more than one
// answer is possible.
#include <gtest/gtest.h>

#include <set>

#include "fx/text.h"
#include "normalize/normalize.h"
#include "ops/operators.h"

namespace fxs::normalize {
namespace {

struct Case {
  const char *call, *value;
};

const std::string kInputs =
    "x: f32[2, 3] = placeholder\n"
    "r: f32[3] = placeholder\n"
    "d: f32[s0, 3] = placeholder\n"
    "e: f32[s1, 3] = placeholder\n"
    "c: f32[2, 3] stride=[1, 2] = placeholder\n"
    "i: i64[2, 3] = placeholder\n"
    "b: b8[2, 3] = placeholder\n"
    "n: Sym(s0) = aten.sym_size.int(d, 0)\n";

class InferredValue : public testing::TestWithParam<Case> {};
TEST_P(InferredValue, IsTheOnlyOneOrUnknown) {
  const auto parsed = fx::graphFrom(kInputs + "y = " + GetParam().call + "\nreturn y\n");
  ASSERT_TRUE(parsed) << toString(parsed.error());
  const fx::Node& y = *(*parsed)->findNode("y");
  EXPECT_EQ(fx::dumpValue(normalizeNode(**parsed, y).val), GetParam().value);
  EXPECT_EQ(fx::dumpValue(withInferredValues(*parsed)->findNode("y")->val), GetParam().value);
}
INSTANTIATE_TEST_SUITE_P(
    Normalize, InferredValue,
    testing::Values(
        Case{"aten.relu.default(x)", "f32[2, 3]"}, Case{"aten.relu.default(i)", "i64[2, 3]"},
        Case{"aten.relu.default(b)", ""}, Case{"aten.relu.default(c)", ""},
        Case{"aten.exp.default(d)", "f32[s0, 3]"}, Case{"aten.exp.default(i)", ""},
        Case{"aten._softmax.default(x, 1, False)", "f32[2, 3]"},
        Case{"aten._softmax.default(x, 1, True)", ""}, Case{"aten.clone.default(b)", "b8[2, 3]"},
        Case{"aten.clone.default(x, memory_format=torch.channels_last)", ""},
        Case{"aten.t.default(x)", "f32[3, 2] stride=[1, 3]"},
        Case{"aten.t.default(c)", "f32[3, 2]"},
        Case{"aten.transpose.int(d, 0, -1)", "f32[3, s0] stride=[1, 3]"},
        Case{"aten.transpose.int(d, 0, 2)", ""},
        Case{"aten.permute.default(x, [1, 0])", "f32[3, 2] stride=[1, 3]"},
        Case{"aten.permute.default(x, [1])", ""},
        Case{"aten.view.default(x, [3, -1])", "f32[3, 2]"},
        Case{"aten.view.default(x, [4, -1])", ""}, Case{"aten.view.default(x, [5])", ""},
        Case{"aten.view.default(d, [-1])", ""}, Case{"aten.reshape.default(x, [6])", "f32[6]"},
        Case{"aten.view.default(c, [6])", ""}, Case{"aten.eq.Tensor(x, r)", "b8[2, 3]"},
        Case{"aten.gt.Scalar(i, 0)", "b8[2, 3]"}, Case{"aten.eq.Tensor(d, e)", ""},
        Case{"aten.lt.Tensor(d, r)", "b8[s0, 3]"}, Case{"aten.logical_not.default(b)", "b8[2, 3]"},
        Case{"aten.add.Tensor(x, r)", "f32[2, 3]"}, Case{"aten.add.Tensor(r, x)", "f32[2, 3]"},
        Case{"aten.add.Tensor(x, i)", ""}, Case{"aten.add.Tensor(x, 2)", "f32[2, 3]"},
        Case{"aten.mul.Tensor(i, 2.5)", ""}, Case{"aten.mul.Tensor(i, 2)", "i64[2, 3]"},
        Case{"aten.mul.Tensor(x, n)", "f32[2, 3]"}, Case{"aten.div.Tensor(i, i)", ""},
        Case{"aten.div.Tensor(x, x)", "f32[2, 3]"},
        Case{"aten.div.Tensor_mode(x, x, rounding_mode='floor')", ""},
        Case{"aten.add.Tensor(b, b)", ""}, Case{"aten.add.Tensor(x, c)", ""},
        Case{"aten.mm.default(d, x)", "f32[s0, 3]"},
        Case{"aten.linear.default(d, x)", "f32[s0, 2]"}, Case{"aten.mm.default(d, i)", ""},
        Case{"aten.sym_size.int(d, 0)", "Sym(s0)"}, Case{"aten.sym_size.int(d, -1)", "Sym(3)"},
        Case{"aten.sym_size.int(d, 5)", ""}, Case{"aten.relu_.default(x)", ""},
        Case{"aten.sum.default(x)", ""}, Case{"my.op(x)", ""}));

TEST(InferredValues, GoThroughAChainAndSayWhy) {
  const auto parsed = fx::graphFrom(
      "x: f32[2] = placeholder\na = aten.relu.default(x)\nb = aten.exp.default(a)\nc = my.op(b)\nd "
      "= aten.exp.default(c)\nreturn b, d\n");
  ASSERT_TRUE(parsed) << toString(parsed.error());
  const NodeMetadata b = normalizeNode(**parsed, *(*parsed)->findNode("b"));
  ASSERT_FALSE(b.changes.empty());
  EXPECT_EQ(b.changes[0].key + ": " + b.changes[0].before + " -> " + b.changes[0].after + " [" +
                b.changes[0].rule + "] " + b.changes[0].reason,
            "val: (absent) -> FakeTensor(dtype=torch.float32, shape=(2,), stride=(1,), "
            "device='cpu', layout=torch.strided) [inferred-val] "
            "inferred: aten.exp.default returns a tensor like its operand");
  EXPECT_EQ(fx::dumpValue(normalizeNode(**parsed, *(*parsed)->findNode("d")).val), "");
  const auto full = *normalize(*parsed, {});
  EXPECT_EQ(fx::dumpValue(full->nodes[2].val), "f32[2]");
  const fx::ProgramPtr complete = withInferredValues(*parsed);
  EXPECT_EQ(withInferredValues(complete), complete);
}

fx::ProgramPtr withMeta(const char* value, std::vector<std::pair<const char*, const char*>> meta) {
  auto parsed =
      fx::graphFrom(std::string("x: f32[2] = placeholder\ny") + value + " = my.op(x)\nreturn y\n");
  EXPECT_TRUE(parsed) << (parsed ? "" : toString(parsed.error()));
  fx::Program program = **parsed;
  for (const auto& [key, text] : meta) {
    const auto intern = [&](const char* t) {
      program.strings.emplace_back(t);
      return fx::StringId::of(program.strings.size() - 1);
    };
    const fx::StringId k = intern(key);
    program.nodes[1].meta.push_back({k, intern(text)});
  }
  return std::make_shared<const fx::Program>(std::move(program));
}

std::string changes(const fx::ProgramPtr& p) {
  std::string out;
  for (const MetadataChange& c : normalizeNode(*p, p->nodes[1]).changes)
    out += c.key + ": " + c.before + " -> " + c.after + " [" + c.rule + "] " + c.reason + "\n";
  return out;
}

TEST(FoundTensorMeta, IsKeptWhereItGoesWithValAndCorrectedWhereNot) {
  EXPECT_EQ(
      changes(withMeta(
          ": f32[2, 3]",
          {{"tensor_meta",
            "TensorMetadata(shape=(2, 3), dtype=torch.float16, requires_grad=False, stride=(3, 1), "
            "memory_format=torch.contiguous_format, is_quantized=True)"}})),
      "val: float32, sizes [2, 3], strides [3, 1], cpu -> FakeTensor(dtype=torch.float32, "
      "shape=(2, 3), stride=(3, 1), device='cpu', "
      "layout=torch.strided) [fake-tensor] the importer derives types from fake tensors: dtype, "
      "shape, stride, device and layout, "
      "without data\ntensor_meta.dtype: torch.float16 -> torch.float32 [tensor-meta] it "
      "contradicts val, which the importer reads\n");
}

TEST(FoundTensorMeta, StandsInForAValueThatIsMissing) {
  const fx::ProgramPtr p = withMeta(
      "", {{"tensor_meta",
            "(TensorMetadata(shape=(s0,), dtype=torch.int64, requires_grad=False, stride=(1,), "
            "memory_format=torch.contiguous_format, is_quantized=False), None)"}});
  EXPECT_EQ(fx::dumpValue(normalizeNode(*p, p->nodes[1]).val), "(i64[s0], ?)");
  const fx::ProgramPtr broken =
      withMeta("", {{"tensor_meta", "TensorMetadata(shape=(s0,, dtype=torch.int64"}});
  EXPECT_EQ(fx::dumpValue(normalizeNode(*broken, broken->nodes[1]).val), "");
}

TEST(FoundTensorMeta, FormatThatValDoesNotTellIsKept) {
  const fx::ProgramPtr p =
      withMeta(": f32[2, u1] stride=[9, 1]",
               {{"tensor_meta", "TensorMetadata(memory_format=torch.contiguous_format)"}});
  EXPECT_EQ(normalizeNode(*p, p->nodes[1]).tensorMeta.at(0).memoryFormat,
            "torch.contiguous_format");
}

std::string heldAs(fx::TensorKind kind, const char* text = nullptr) {
  fx::Program program = *withMeta(": f32[2]", {});
  std::get<fx::TensorMeta>(program.nodes[1].val).kind = kind;
  if (text != nullptr) {
    program.strings.emplace_back("val_text");
    program.strings.emplace_back(text);
    program.nodes[1].meta.push_back({fx::StringId::of(program.strings.size() - 2),
                                     fx::StringId::of(program.strings.size() - 1)});
  }
  const NodeMetadata meta = normalizeNode(program, program.nodes[1]);
  EXPECT_EQ(meta.val.tensor()->kind, fx::TensorKind::Fake);
  const MetadataChange& first = meta.changes.front();
  return first.key == "val" ? first.before + " | " + first.reason : "no change";
}

TEST(HeldTensors, BecomeFakeOnes) {
  EXPECT_EQ(heldAs(fx::TensorKind::Fake), "no change");
  EXPECT_EQ(heldAs(fx::TensorKind::Concrete),
            "concrete, float32, sizes [2], strides [1], cpu | shape, dtype and stride are kept, "
            "the data is dropped");
  EXPECT_EQ(heldAs(fx::TensorKind::Meta),
            "meta, float32, sizes [2], strides [1], cpu | a meta tensor whose device is unknown");
  EXPECT_EQ(heldAs(fx::TensorKind::Subclass, "a tensor of class my.Two"),
            "subclass, float32, sizes [2], strides [1], cpu | a tensor of class my.Two, whose "
            "shape, dtype and stride are kept");
}

TEST(HelionArguments, ShowWhatWasUndoneAndWhatIsNotKnown) {
  EXPECT_EQ(changes(withMeta(": None", {{"helion_args", "(None, _extra_args=[%e])"}})),
            "args: (None, _extra_args=[%e]) -> (%x) [helion-arguments] what Helion left out can "
            "only be this tensor\n");
  EXPECT_EQ(
      changes(withMeta(": None", {{"helion_args", "(None, _extra_args=[%e])"},
                                  {"helion_args_unsure", "2 tensors were taken out"}})),
      "args: (None, _extra_args=[%e]) -> unknown [helion-arguments] 2 tensors were taken out\n");
}

TEST(InferredValues, EachNameOfARowIsThatOfARule) {
  const std::set<std::string_view> known{
      "",        "arithmetic", "floating", "like", "like-number", "linear", "permutation",
      "product", "reshape",    "size",     "truth"};
  for (const auto& [packet, row] : ops::OperatorTable::builtin().rows)
    EXPECT_TRUE(known.contains(row.rule(ops::Rule::Value))) << packet;
}

}  // namespace
}  // namespace fxs::normalize
