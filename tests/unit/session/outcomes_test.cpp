// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small programs through every step and every stage with the real engine: what lowers, and what
// stops the rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "fx/text.h"
#include "output_type.h"
#include "session/session.h"

namespace fxs::session {
namespace {

struct Case {
  std::string name;
  std::string program;
  /// Of linalg-on-tensors, tosa and stablehlo: "ok", or the stage that stops and the operation it
  /// names.
  std::string linalg = "ok";
  std::string tosa = "ok";
  std::string stablehlo = "ok";
};

const std::vector<Case> kCases{
    {"pointwise",
     "x: f32[2, 3] = placeholder\ny: f32[2, 3] = aten.sigmoid.default(x)\nz: f32[2, 3] = "
     "aten.add.Tensor(y, x)\nreturn z"},
    {"linear",
     "x: f32[2, 3] = placeholder\nw: f32[4, 3] = parameter \"l.weight\"\nb: f32[4] = parameter "
     "\"l.bias\"\ny: f32[2, 4] = "
     "aten.linear.default(x, w, b)\nreturn y"},
    {"convolution",
     "x: f32[1, 3, 8, 8] = placeholder\nw: f32[4, 3, 3, 3] = parameter \"c.weight\"\n"
     "y: f32[1, 4, 6, 6] = aten.conv2d.default(x, w)\nreturn y"},
    {"softmax", "x: f32[2, 3] = placeholder\ny: f32[2, 3] = aten.softmax.int(x, 1)\nreturn y"},
    {"inPlace",
     "x: f32[2, 3] = placeholder\nc: f32[2, 3] = aten.clone.default(x)\ny: f32[2, 3] = "
     "aten.relu_.default(c)\nreturn c"},
    {"squeezeDims",
     "x: f32[1, 3, 1] = placeholder\ny: f32[3] = aten.squeeze.dims(x, [0, 2])\nreturn y"},
    {"layerNorm",
     "x: f32[2, 4] = placeholder\nw: f32[4] = parameter \"n.weight\"\nb: f32[4] = parameter "
     "\"n.bias\"\n"
     "y: f32[2, 4] = aten.layer_norm.default(x, [4], w, b)\nreturn y"},
    {"unusedInput",
     "x: f32[2, 3] = placeholder\nu: f32[5] = placeholder\ny: f32[2, 3] = "
     "aten.neg.default(x)\nreturn y"},
    {"inputReturned", "x: f32[2, 3] = placeholder\nreturn x"},
    {"twoResults", "x: f32[2, 3] = placeholder\ny: f32[2, 3] = aten.relu.default(x)\nreturn y, x"},
    {"integers", "x: i64[4] = placeholder\ny: i64[4] = aten.add.Tensor(x, 2)\nreturn y"},
    {"comparison", "x: f32[2, 3] = placeholder\ny: b8[2, 3] = aten.gt.Scalar(x, 0.5)\nreturn y"},
    {"sorting",
     "x: f32[2, 3] = placeholder\ny: (f32[2, 3], i64[2, 3]) = aten.sort.default(x, 1)\nv: f32[2, "
     "3] = _operator.getitem(y, 0)\nreturn v",
     "ok", "tosa torch.aten.sort", "ok"},
    {"noOperation",
     "x: f32[2, 9] = placeholder\ny: f32[2, 9] = aten.nextafter.default(x, x)\nreturn y",
     "torch torch.aten.nextafter", "torch torch.aten.nextafter", "torch torch.aten.nextafter"},
    {"noPattern",
     "x: f32[3, 3] = placeholder\ny: (f32[3, 3], f32[3, 3]) = aten.linalg_qr.default(x)\nq: f32[3, "
     "3] = _operator.getitem(y, 0)\nreturn q",
     "linalg-on-tensors torch.aten.linalg_qr", "tosa torch.aten.linalg_qr",
     "stablehlo torch.aten.linalg_qr"},
};

std::string outcome(const SnapshotPtr& snapshot) {
  for (const lower::StageResult& stage : snapshot->lowering->stages) {
    if (stage.status == lower::StageStatus::Ok) continue;
    std::string ops;
    for (const fx::Finding& f : stage.findings)
      if (ops.find(f.op) == std::string::npos) ops += " " + f.op;
    return stage.id + (ops.empty() ? " " + std::string(lower::name(stage.status)) : ops);
  }
  return "ok";
}

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Outcomes : public testing::TestWithParam<Case> {};

TEST_P(Outcomes, AreKnown) {
  const char* named = std::getenv("FXSCOPE_ENGINE");
  const std::string path =
      named != nullptr ? named : FXS_SOURCE_DIR "/.cache/engine/torch-mlir-opt";
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << "no engine: FXSCOPE_ENGINE names none and ./run has installed none";
  PosixCommandRunner runner;
  Environment env;
  env.runner = &runner;
  env.enginePath = path;
  const auto program = fx::graphFrom(GetParam().program);
  ASSERT_TRUE(program.has_value()) << program.error().message;
  Snapshot opened;
  opened.capture = std::make_shared<const read::Capture>(
      read::Capture{"test", "", *program, nullptr, 0, 0, {}, {}});
  SnapshotPtr snapshot = std::make_shared<const Snapshot>(opened);
  const std::pair<lower::OutputType, std::string> wanted[] = {
      {test::outputType("linalg-on-tensors"), GetParam().linalg},
      {test::outputType("tosa"), GetParam().tosa},
      {test::outputType("stablehlo"), GetParam().stablehlo}};
  for (const auto& [target, expected] : wanted) {
    Request request = snapshot->request;
    request.lower.target = target;
    const auto done = advance(retarget(snapshot, request), Phase::Lower, env, {});
    ASSERT_TRUE(done.has_value()) << done.error().message;
    snapshot = *done;
    EXPECT_EQ(outcome(snapshot), expected) << lower::name(target);
  }
}

INSTANTIATE_TEST_SUITE_P(Small, Outcomes, testing::ValuesIn(kCases),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace fxs::session
