// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/next_step.h"

#include <gtest/gtest.h>

#include "base/safe_text.h"
#include "fx/kernel.h"
#include "output_type.h"
#include "program_from.h"

namespace fxs::diagnose {
namespace {

constexpr const char* kGelu = "x: f32[2] = placeholder\ny = aten.gelu.default(x)\nreturn y";
constexpr const char* kRelu = "x: f32[2] = placeholder\ny = aten.relu.default(x)\nreturn y";

session::Snapshot programOf(const char* text, std::string file = "models/a b.pt2") {
  session::Snapshot out;
  out.request.file = std::move(file);
  auto capture = std::make_shared<read::Capture>();
  capture->program = test::programFrom(text);
  out.capture = capture;
  return out;
}

/// Lowered to TOSA; with an error of this kind at `y`, if there is one.
session::Snapshot lowered(const char* text, std::string errorKind = {}) {
  session::Snapshot out = programOf(text);
  auto lowering = std::make_shared<lower::Lowering>();
  lowering->target = test::outputType("tosa");
  lower::StageResult& stage = lowering->stages.emplace_back();
  stage.status = errorKind.empty() ? lower::StageStatus::Ok : lower::StageStatus::Failed;
  if (!errorKind.empty()) {
    const fx::Program& program = *out.capture->program;
    stage.findings = {fx::findingAt(program, *program.findNode("y"), std::move(errorKind), "..")};
  }
  out.lowering = lowering;
  return out;
}

/// `y` does not lower to TOSA, and these experiments were made.
Diagnosis diagnosisOf(std::vector<Experiment> experiments, std::optional<bool> fixedLowers = {}) {
  Diagnosis out;
  TargetDiagnosis& target = out.targets.emplace_back();
  target.target = test::outputType("tosa");
  target.stoppedAt = "tosa";
  target.fixedLowers = fixedLowers;
  Blocked& entry = out.blocked.emplace_back();
  entry.target = target.target;
  entry.kind = Kind::NoPattern;
  entry.fxTarget = "acme.gelu.default";
  entry.nodes = {fx::NodeId{1}};
  entry.agreement = Agreement::Confirmed;
  entry.experiments = std::move(experiments);
  return out;
}

Experiment tried(std::string id, Outcome outcome, Proof proof = Proof::NotTried) {
  Experiment out;
  out.id = std::move(id);
  out.outcome = outcome;
  out.proof = proof;
  return out;
}

std::string shown(const std::optional<NextStep>& step) {
  return step ? std::string(name(step->kind)) + ": " + shellWords(step->arguments) : "none";
}

TEST(NextStep, WhatLowersIsCompared) {
  EXPECT_EQ(shown(nextStep(lowered(kRelu))), "compare: compare 'models/a b.pt2' --to tosa");
  EXPECT_EQ(nextStep(lowered(kRelu))->message, "it lowers to tosa; compare what it computes");
}

TEST(NextStep, WhatHasADecompositionIsFixed) {
  EXPECT_EQ(shown(nextStep(lowered(kGelu, "illegal-op"))),
            "fix: fix 'models/a b.pt2' --to tosa -o 'a b.fixed.pt2'");
}

TEST(NextStep, SizesThatCanBeStaticAreFixed) {
  constexpr const char* kDynamic = "x: f32[s0] = placeholder\ny = acme.f.default(x)\nreturn y";
  EXPECT_EQ(shown(nextStep(lowered(kDynamic, "verifier"))),
            "fix: fix 'models/a b.pt2' --to tosa -o 'a b.fixed.pt2'");
  EXPECT_EQ(shown(nextStep(lowered(kDynamic, "not-registered"))),
            "diagnose: diagnose 'models/a b.pt2' --to tosa");
}

TEST(NextStep, AKernelGoesToTheRegistries) {
  session::Snapshot kernel = lowered(kRelu, "not-imported");
  auto capture = std::make_shared<read::Capture>(*kernel.capture);
  capture->kernel = std::make_shared<const fx::Kernel>();
  kernel.capture = capture;
  EXPECT_EQ(shown(nextStep(kernel)), "registry: lower 'models/a b.pt2' --to tosa --via registry");
  kernel.request.route = &session::kRegistries;
  EXPECT_EQ(shown(nextStep(kernel)), "none");
}

TEST(NextStep, WhatRegistriesKnowGoesToThem) {
  EXPECT_EQ(shown(nextStep(lowered(kRelu, "illegal-op"))),
            "registry: lower 'models/a b.pt2' --to tosa --via registry");
}

TEST(NextStep, NothingIsSaidWithoutAnAnswer) {
  session::Snapshot late = lowered(kRelu, "timeout");
  auto lowering = std::make_shared<lower::Lowering>(*late.lowering);
  lowering->stages.front().status = lower::StageStatus::Timeout;
  late.lowering = lowering;
  EXPECT_EQ(shown(nextStep(late)), "none");
  session::Snapshot input = lowered(kRelu);
  input.request.file = "-";
  EXPECT_EQ(shown(nextStep(input)), "none");
}

/// TOSA stops for sizes known only at run time; linalg stops at one operator.
Diagnosis diagnosisOfSizes() {
  Diagnosis out = diagnosisOf({tried("rank", Outcome::Failed)});
  out.sizeSources = {{"aten.where", {"u0"}, {fx::NodeId{1}}}};
  out.blocked[0].stage = "tosa";
  out.blocked[0].sizes = SizeDependence{0, true};
  Blocked second = out.blocked[0];
  second.fxTarget = "acme.tanh.default";
  second.nodes = {fx::NodeId{0}};
  out.blocked.push_back(second);
  out.otherTypes = {{test::outputType("stablehlo"), std::nullopt, {}, 0},
                    {test::outputType("linalg-on-tensors"), false, {"acme.gelu.default"}, 1}};
  return out;
}

TEST(NextStep, OfSizesIsTheOutputTypeThatGoesFurther) {
  Diagnosis diagnosis = diagnosisOfSizes();
  const auto step = nextStep(programOf(kRelu, "m.pt2"), diagnosis);
  EXPECT_EQ(shown(step), "other-type: lower m.pt2 --to linalg-on-tensors");
  EXPECT_EQ(step->message, "linalg-on-tensors goes further: it stops at 1 operator only");
  diagnosis.otherTypes[1] = {test::outputType("linalg-on-tensors"), true, {}, 0};
  EXPECT_EQ(nextStep(programOf(kRelu, "m.pt2"), diagnosis)->message,
            "the whole program lowers to linalg-on-tensors");
}

TEST(NextStep, OfSizesIsABundleIfNoneIsKnownToGoFurther) {
  Diagnosis diagnosis = diagnosisOfSizes();
  diagnosis.otherTypes[1].nodes = 2;
  EXPECT_EQ(shown(nextStep(programOf(kRelu, "m.pt2"), diagnosis)),
            "bundle: bundle m.pt2 --to tosa -o m.zip");
  diagnosis.otherTypes.clear();
  EXPECT_EQ(shown(nextStep(programOf(kRelu, "m.pt2"), diagnosis)),
            "bundle: bundle m.pt2 --to tosa -o m.zip");
}

TEST(NextStep, OfADiagnosisAVerifiedFixIsFirst) {
  const auto step =
      nextStep(programOf(kRelu, "m.pt2"),
               diagnosisOf({tried("decompose", Outcome::Passed, Proof::Proved)}, true));
  EXPECT_EQ(shown(step), "fix: fix m.pt2 --to tosa -o m.fixed.pt2");
  EXPECT_EQ(step->message, "a verified fix makes the whole program lower to tosa");
}

TEST(NextStep, ChangesThatDoNotLowerItTogetherAreTriedInRounds) {
  const auto step = nextStep(programOf(kRelu, "m.pt2"),
                             diagnosisOf({tried("decompose", Outcome::Passed)}, false));
  EXPECT_EQ(shown(step), "fix: fix m.pt2 --to tosa -o m.fixed.pt2");
  EXPECT_EQ(step->message, "a change may make it lower; fix tries and verifies it");
}

TEST(NextStep, WhatNothingHelpsIsShared) {
  const auto step =
      nextStep(programOf(kRelu, "m.pt2"), diagnosisOf({tried("decompose", Outcome::Failed)}));
  EXPECT_EQ(shown(step), "bundle: bundle m.pt2 --to tosa -o m.zip");
  EXPECT_EQ(step->message, "no change that was tried makes it lower; share what fails");
}

TEST(NextStep, WhatOnlyPyTorchTakesApartIsAskedOfPython) {
  Experiment untried = tried("torch-decompose", Outcome::NotRun);
  const auto step = nextStep(programOf(kRelu, "m.pt2"), diagnosisOf({untried}));
  EXPECT_EQ(shown(step), "diagnose: diagnose m.pt2 --to tosa --python auto");
  untried.outcome = Outcome::Failed;
  EXPECT_EQ(shown(nextStep(programOf(kRelu, "m.pt2"), diagnosisOf({untried}))),
            "bundle: bundle m.pt2 --to tosa -o m.zip");
}

TEST(NextStep, AnOptionOfTheLoweringIsNoFix) {
  EXPECT_EQ(
      shown(nextStep(programOf(kRelu, "m.pt2"),
                     diagnosisOf({tried("keep-whole", Outcome::Passed, Proof::Proved)}, true))),
      "bundle: bundle m.pt2 --to tosa -o m.zip");
}

TEST(NextStep, AnotherOutputTypeThatLowersIsNamed) {
  EXPECT_EQ(
      shown(nextStep(programOf(kRelu, "m.pt2"),
                     diagnosisOf({tried("target:stablehlo", Outcome::Passed, Proof::Proved)}))),
      "other-type: lower m.pt2 --to stablehlo");
}

TEST(NextStep, AWrongResultIsShared) {
  Diagnosis diagnosis = diagnosisOf({});
  diagnosis.blocked.clear();
  diagnosis.targets.front().lowers = true;
  Computed& computed = diagnosis.targets.front().computed.emplace();
  computed.verdict = "differs";
  computed.accused = true;
  EXPECT_EQ(shown(nextStep(programOf(kRelu, "m.pt2"), diagnosis)),
            "bundle: bundle m.pt2 --to tosa --wrong -o m.zip");
  computed.verdict = "same";
  computed.accused = false;
  EXPECT_EQ(shown(nextStep(programOf(kRelu, "m.pt2"), diagnosis)), "none");
}

TEST(NextStep, OutputTypesShareACommand) {
  Diagnosis diagnosis;
  for (const char* type : {"tosa", "loops", "stablehlo"}) {
    diagnosis.targets.emplace_back().target = test::outputType(type);
    diagnosis.targets.back().lowers = true;
  }
  EXPECT_EQ(shown(nextStep(programOf(kRelu, "-m.pt2"), diagnosis)),
            "compare: compare ./-m.pt2 --to tosa,stablehlo");
}

}  // namespace
}  // namespace fxs::diagnose
