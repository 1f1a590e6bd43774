// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "write/pt2.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "fx/builder.h"
#include "fx/cut.h"
#include "fx/text.h"
#include "program_from.h"
#include "pt2_writer.h"
#include "read/read.h"
#include "rewrite/rewrite.h"

namespace fxs::test {
namespace {

using test::programFrom;

std::string written(const fx::Program& p, const write::Pt2Options& options = {}) {
  auto bytes = write::pt2Bytes(p, options, {});
  if (!bytes) throw std::runtime_error(toString(bytes.error()));
  return *bytes;
}

read::Capture opened(const std::string& bytes) {
  auto capture = read::readCapture(memorySource(bytes), "t.pt2", {}, {});
  if (!capture) throw std::runtime_error(toString(capture.error()));
  return *capture;
}

std::vector<std::string> samples() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(FXS_SOURCE_DIR "/samples"))
    if (entry.path().extension() == ".pt2") out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

TEST(WritePt2, ProgramsReadBackAsTheyWere) {
  for (const std::string& file : samples()) {
    auto capture = read::openCapture(file, {}, {});
    ASSERT_TRUE(capture) << file;
    EXPECT_EQ(fx::dump(*opened(written(*capture->program)).program), fx::dump(*capture->program))
        << file;
    auto rewritten = rewrite::rewrite(capture->program, {}, {});
    ASSERT_TRUE(rewritten) << file;
    const fx::ProgramPtr functional = (*rewritten)->program;
    EXPECT_EQ(fx::dump(*opened(written(*functional)).program), fx::dump(*functional)) << file;
    for (const fx::NodeId id : functional->main().nodes) {
      if (functional->node(id).op != fx::NodeOp::CallFunction) continue;
      auto cut = fx::cutNodes(functional, {id});
      ASSERT_TRUE(cut);
      EXPECT_EQ(fx::dump(*opened(written(**cut)).program), fx::dump(**cut))
          << file << " " << functional->node(id).name;
    }
  }
}

TEST(WritePt2, RangesAreOfSymbolsAndOfEach) {
  fx::Program program = *programFrom(
      "x: f32[s0, 4] stride=[s7, 1] = placeholder\n"
      "y: f32[s0, 4] = aten.neg.default(x)\n"
      "return y\n");
  program.ranges = {{"2*s0", 4, 8}, {"s0", 2, 4}};
  const auto ranges = opened(written(program)).program->ranges;
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(ranges[0].symbol, "s0");
  EXPECT_EQ(ranges[1].symbol, "s7");
  EXPECT_EQ(ranges[1].min, 2);
  EXPECT_EQ(ranges[1].max, std::nullopt);
}

TEST(WritePt2, ValueWithoutADeviceIsOnTheCpu) {
  fx::TensorMeta meta{DType::Float32, {fx::SymInt(4)}, {fx::SymInt(1)}, {}, false, {}, {}};
  fx::Builder builder;
  const fx::NodeId x = builder.placeholder(builder.main(), "x", meta);
  builder.program().inputs.push_back({fx::InputKind::UserInput, x, {}, true, {}});
  builder.program().outputs.push_back({fx::OutputKind::UserOutput, x, {}});
  builder.output(builder.main(), {x});
  const auto made = std::move(builder).finish();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(opened(written(**made)).program->node(x).val.tensor()->device.text(), "cpu");
}

TEST(WritePt2, EveryKindOfArgumentReadsBack) {
  const auto p = programFrom(
      "graph():\n"
      "    %x : f32[s0, 4] [num_users=3] = placeholder[target=x]\n"
      "    %n : Sym(s0) [num_users=1] = placeholder[target=n]\n"
      "    %flag : Sym(3) [num_users=0] = placeholder[target=flag] constant_input = 3\n"
      "    %none : None [num_users=0] = placeholder[target=none] constant_input = None\n"
      "    %view : f32[s0, 2, 2] [num_users=1] = "
      "call_function[target=torch.ops.aten.view.default](args = (%x, [%n, 2, 2]), kwargs = {})\n"
      "    %to : f64[s0, 2, 2] [num_users=0] = "
      "call_function[target=torch.ops.aten.to.dtype_layout](args = (%view,), kwargs = "
      "{dtype: torch.float64, layout: torch.strided, device: cpu, memory_format: "
      "torch.preserve_format})\n"
      "    %clamp : f32[s0, 4] [num_users=1] = "
      "call_function[target=torch.ops.aten.clamp.default](args = (%x, -inf, None), kwargs = {})\n"
      "    %split : (f32[s0, 2], f32[s0, 2]) [num_users=2] = "
      "call_function[target=torch.ops.aten.split.Tensor](args = (%clamp, 2, 1), "
      "kwargs "
      "= {})\n"
      "    %getitem : f32[s0, 2] [num_users=1] = call_function[target=operator.getitem](args = "
      "(%split, 0), kwargs = {})\n"
      "    %getitem_1 : f32[s0, 2] [num_users=1] = call_function[target=operator.getitem](args = "
      "(%split, 1), kwargs = {})\n"
      "    %cat : f32[s0, 4] [num_users=1] = call_function[target=torch.ops.aten.cat.default](args "
      "= ([%getitem, %getitem_1], -1), kwargs "
      "= "
      "{})\n"
      "    %div : f32[s0, 4] [num_users=1] = "
      "call_function[target=torch.ops.aten.div.Tensor_mode](args = (%cat, %x), kwargs = "
      "{rounding_mode: "
      "'floor'})\n"
      "    %max : (f32[s0], i64[s0]) [num_users=2] = "
      "call_function[target=torch.ops.aten.max.dim](args = (%div, 1), kwargs = {})\n"
      "    %getitem_2 : f32[s0] [num_users=1] = call_function[target=operator.getitem](args = "
      "(%max, 0), kwargs = {})\n"
      "    %getitem_3 : i64[s0] [num_users=1] = call_function[target=operator.getitem](args = "
      "(%max, 1), kwargs = {})\n"
      "    return (getitem_2, getitem_3)\n"
      "\n"
      "Range constraints: {s0: VR[2, int_oo]}\n");
  EXPECT_EQ(fx::dump(*opened(written(*p)).program), fx::dump(*p));
}

TEST(WritePt2, TheSameProgramGivesTheSameBytes) {
  auto capture = read::openCapture(FXS_SOURCE_DIR "/samples/residual_block.pt2", {}, {});
  ASSERT_TRUE(capture);
  EXPECT_EQ(written(*capture->program), written(*capture->program));
}

TEST(WritePt2, WeightsGoAlongWhereTheyAreAskedFor) {
  auto capture = read::openCapture(FXS_SOURCE_DIR "/samples/addmm.pt2", {}, {});
  ASSERT_TRUE(capture);
  const auto all = [](const fx::Weight&) { return true; };
  const auto bytes = [&](const fx::Weight& w) { return capture->weights->read(w, 1 << 20); };
  const read::Capture with = opened(written(*capture->program, {"p", all, bytes})),
                      without = opened(written(*capture->program));
  ASSERT_FALSE(capture->program->weights.empty());
  for (const fx::Weight& weight : capture->program->weights) {
    EXPECT_EQ(with.weights->read(*with.program->findWeight(weight.fqn), 1 << 20).value(),
              bytes(weight).value())
        << weight.fqn;
    EXPECT_EQ(without.program->findWeight(weight.fqn)->reason,
              "exported with fake weights: its record is empty");
    EXPECT_EQ(without.program->findWeight(weight.fqn)->sizes, weight.sizes);
  }
  EXPECT_EQ(without.weightBytes, 0u);
}

TEST(WritePt2, TiedWeightsAreStoredOnce) {
  auto capture = read::openCapture(FXS_SOURCE_DIR "/samples/addmm.pt2", {}, {});
  ASSERT_TRUE(capture);
  fx::Program tied = *capture->program;
  ASSERT_GE(tied.weights.size(), 1u);
  fx::Weight second = tied.weights.front();
  second.fqn = "tied";
  tied.weights.push_back(second);
  const read::Capture again = opened(
      written(tied, {"p", [](const fx::Weight&) { return true; },
                     [&](const fx::Weight& w) { return capture->weights->read(w, 1 << 20); }}));
  ASSERT_NE(again.program->findWeight("tied"), nullptr);
  EXPECT_EQ(again.program->findWeight("tied")->file,
            again.program->findWeight(tied.weights.front().fqn)->file);
}

/// A weight in a storage of the numbers 0, 1, 2 ..
fx::Weight inStorage(std::string fqn, std::vector<std::int64_t> sizes,
                     std::vector<std::int64_t> strides, std::int64_t offset) {
  fx::Weight out;
  out.fqn = std::move(fqn);
  out.dtype = DType::Int8;
  out.sizes = std::move(sizes);
  out.strides = std::move(strides);
  out.storageOffset = offset;
  out.file = "data/weights/weight_7";
  return out;
}

TEST(WritePt2, WeightsAsStoredShareTheirStorage) {
  fx::Program program =
      *programFrom("x: f32[2] = placeholder\ny: f32[2] = aten.relu.default(x)\nreturn y");
  program.weights = {inStorage("turned", {2, 3}, {1, 2}, 4), inStorage("slice", {3}, {1}, 7),
                     inStorage("none", {0}, {1}, 0)};
  write::Pt2Options chosen;
  chosen.withBytes = [](const fx::Weight&) { return true; };
  chosen.bytes = [](const fx::Weight& weight) -> Result<std::string> {
    EXPECT_EQ(weight.strides, std::vector<std::int64_t>{1});  // the storage itself
    std::string out;
    for (std::int64_t i = 0; i < weight.sizes.at(0); ++i)
      out += static_cast<char>(weight.storageOffset + i);
    return out;
  };
  chosen.layout = write::WeightLayout::AsStored;
  const read::Capture again = opened(written(program, chosen));
  const auto& turned = *again.program->findWeight("turned");
  const auto& slice = *again.program->findWeight("slice");
  EXPECT_EQ(turned.file, slice.file);
  EXPECT_EQ(turned.fileBytes, 6u);
  EXPECT_EQ(turned.strides, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(turned.storageOffset, 0);
  EXPECT_EQ(slice.storageOffset, 3);
  EXPECT_EQ(*again.weights->read(turned, 100, {}), std::string("\4\6\10\5\7\11"));
  EXPECT_EQ(*again.weights->read(slice, 100, {}), std::string("\7\10\11"));
  EXPECT_TRUE(again.program->findWeight("none")->readable);
}

TEST(WritePt2, GradientsAreRequiredOfTheSameWeights) {
  fx::Program program =
      *programFrom("x: f32[2] = placeholder\ny: f32[2] = aten.relu.default(x)\nreturn y");
  fx::Weight trained, plain, number = inStorage("number", {2}, {1}, 0);
  trained.dtype = plain.dtype = DType::Float32;
  trained.sizes = plain.sizes = {2};
  trained.strides = plain.strides = {1};
  trained.fqn = "trained", plain.fqn = "plain";
  trained.requiresGrad = number.requiresGrad = true;
  program.weights = {trained, plain, number};
  write::Pt2Options chosen;
  chosen.withBytes = [](const fx::Weight&) { return true; };
  chosen.bytes = [](const fx::Weight& weight) -> Result<std::string> {
    return std::string(weight.elements() * facts(weight.dtype).bytes, '\0');
  };
  const read::Capture again = opened(written(program, chosen));
  EXPECT_TRUE(again.program->findWeight("trained")->requiresGrad);  // a buffer may
  EXPECT_FALSE(again.program->findWeight("plain")->requiresGrad);
  EXPECT_FALSE(again.program->findWeight("number")->requiresGrad);  // integers have no gradient
}

TEST(WritePt2, MetadataIsWrittenAsItIs) {
  const auto capture = opened(Pt2()
                                  .editModel("\"relu\"}}],\n       \"metadata\": {", R"("relu"}}],
       "metadata": {"custom": "{\"file\": \"/home/ada/net.py\"}", )")
                                  .bytes());
  const read::Capture again = opened(written(*capture.program));
  const fx::Node& relu = *again.program->findNode("relu");
  EXPECT_EQ(again.program->meta(relu, "nn_module_stack"), "L__self__,,small.Small");
  EXPECT_EQ(again.program->meta(relu, "custom"), "{\"file\": \"/home/ada/net.py\"}");
}

TEST(WritePt2, WhatTheSchemaCannotSayIsNamed) {
  auto p = programFrom("x: f32[2] = placeholder\ny: f32[2] = aten.relu.default(x)\nreturn y");
  fx::Program odd = *p;
  odd.nodes[1].val = fx::Unknown{};
  auto bytes = write::pt2Bytes(odd, {}, {});
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(bytes.error().message, "node 'y' cannot be written to a .pt2: its result is unknown");

  p = programFrom(
      "%x : f32[2] = placeholder[target=x]\n%y : f32[2] = call_method[target=relu](args = (%x,), "
      "kwargs = {})\nreturn (y,)");
  bytes = write::pt2Bytes(*p, {}, {});
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().message,
            "node 'y' cannot be written to a .pt2: it calls a method, which an exported program "
            "cannot contain");
}

}  // namespace
}  // namespace fxs::test
