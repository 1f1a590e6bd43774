// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/answer.h"

#include <gtest/gtest.h>

#include "output_type.h"
#include "sample_diagnosis.h"

namespace fxs::report {
namespace {

using Standing = Answer::Standing;

fx::Finding finding(fx::Severity severity, const char* target, const char* message) {
  fx::Finding out;
  out.severity = severity;
  out.target = target;
  out.message = message;
  return out;
}

lower::Lowering ending(lower::StageStatus status, const char* pass = "") {
  lower::Lowering out;
  out.target = test::outputType("tosa");
  out.stages.resize(2);
  out.stages[0].id = "raw";
  out.stages[0].status = lower::StageStatus::Ok;
  out.stages[1].id = "tosa";
  out.stages[1].status = status;
  out.stages[1].failingPass = pass;
  return out;
}

TEST(Answer, OfALoweringThatEndsWellCountsWarningsAsTheReportListsThem) {
  const lower::Lowering lowering = ending(lower::StageStatus::Ok);
  EXPECT_EQ(answerOf(lowering, {}).message, "tosa: lowers");
  EXPECT_EQ(answerOf(lowering, {}).standing, Standing::Lowers);
  const fx::Finding warning = finding(fx::Severity::Warning, "aten.max.dim", "it is slow");
  const Answer warned = answerOf(lowering, {warning, warning});
  EXPECT_EQ(warned.message, "tosa: lowers, 1 warning");
  EXPECT_EQ(warned.brief, "lowers, 1 warning");
  EXPECT_EQ(warned.standing, Standing::Warned);
  const fx::Finding error = finding(fx::Severity::Error, "aten.max.dim", "it breaks a contract");
  EXPECT_EQ(answerOf(lowering, {error, warning}).message, "tosa: lowers, with 1 error");
  EXPECT_EQ(answerOf(lowering, {error, warning}).standing, Standing::Stops);
}

TEST(Answer, OfAComparisonIsThatOfTheDiagnosis) {
  const lower::Lowering lowering = ending(lower::StageStatus::Ok);
  diagnose::Computed computed;
  computed.verdict = "same";
  computed.reference = "PyTorch 2.13.0";
  computed.scope = "6 input sets";
  EXPECT_EQ(answerOf(lowering, {}, &computed).message,
            "tosa: lowers, and computes what is expected by PyTorch 2.13.0 for 6 input sets");
  computed.verdict = "differs";
  computed.message = "gelu: 240 eps of f32";
  computed.accused = true;
  EXPECT_EQ(answerOf(lowering, {}, &computed).message,
            "tosa: lowers, and computes a wrong result: gelu: 240 eps of f32");
  EXPECT_EQ(answerOf(lowering, {}, &computed).standing, Standing::Stops);
  computed.accused = false;
  computed.verdict = "suspicious";
  EXPECT_EQ(answerOf(lowering, {}, &computed).standing, Standing::Warned);
  computed.verdict = "same";
  EXPECT_EQ(answerOf(lowering, {}, &computed).standing, Standing::Lowers);
}

TEST(Answer, OfALoweringThatStopsNamesPassAndOperators) {
  const auto error = [](const char* target) {
    return finding(fx::Severity::Error, target, "no pattern");
  };
  const lower::Lowering failed = ending(lower::StageStatus::Failed, "convert-torch-to-tosa");
  EXPECT_EQ(answerOf(failed, {error("aten.a.default"), error("aten.a.default")}).message,
            "tosa: stops in convert-torch-to-tosa, at aten.a.default");
  EXPECT_EQ(answerOf(failed, {error("a"), error("b"), error("c")}).message,
            "tosa: stops in convert-torch-to-tosa, at a, b and 1 more");
  EXPECT_EQ(answerOf(failed, {}).standing, Standing::Stops);
  EXPECT_EQ(answerOf(ending(lower::StageStatus::Failed), {}).message, "tosa: stops at tosa");
  EXPECT_EQ(answerOf(ending(lower::StageStatus::Crashed, "cse"), {}).message,
            "tosa: the engine crashes in cse");
}

TEST(Answer, OfALimitIsNotKnown) {
  const Answer limited = answerOf(ending(lower::StageStatus::Timeout), {});
  EXPECT_EQ(limited.message,
            "tosa: not known whether it lowers: it reached a limit (--timeout, --memory) at tosa");
  EXPECT_EQ(limited.standing, Standing::NotKnown);
  EXPECT_EQ(answerOf(ending(lower::StageStatus::Unknown), {}).message,
            "tosa: not known whether it lowers: the engine gave no answer at tosa");
}

TEST(Answer, OfSizesKnownOnlyAtRunTimeNamesTheirSource) {
  diagnose::Diagnosis diagnosis;
  diagnose::TargetDiagnosis& target = diagnosis.targets.emplace_back();
  target.target = test::outputType("tosa");
  target.stoppedAt = "tosa";
  diagnosis.sizeSources = {{"aten.where in block_sparse_moe", {"u0"}, {fx::NodeId{1}}}};
  diagnose::Blocked& entry = diagnosis.blocked.emplace_back();
  entry.target = target.target;
  entry.stage = "tosa";
  entry.nodes = {fx::NodeId{1}};
  entry.agreement = diagnose::Agreement::Confirmed;
  entry.sizes = diagnose::SizeDependence{0, true};
  diagnosis.otherTypes = {{test::outputType("linalg-on-tensors"), false, {"aten.index.Tensor"}, 8}};
  const Answer answer = answerOf(diagnosis, target);
  EXPECT_EQ(answer.message,
            "tosa: sizes known only at run time block it, from aten.where in block_sparse_moe, at "
            "1 node. No fix is known.");
  EXPECT_EQ(answer.brief, "sizes known only at run time block it");
  EXPECT_EQ(answerIn(diagnosis, test::outputType("linalg-on-tensors"))->brief,
            "stops at 1 operator, 8 nodes");
  EXPECT_FALSE(answerIn(diagnosis, test::outputType("stablehlo")));
}

TEST(Answer, OfADiagnosisCountsAsItsReport) {
  diagnose::Diagnosis diagnosis = test::sampleDiagnosis();
  EXPECT_EQ(answerOf(diagnosis, diagnosis.targets[0]).message,
            "tosa: 1 operation blocks it, at 2 nodes. With the fixes found, the whole program does "
            "not lower.");
  diagnosis.targets[0].fixedLowers = true;
  const Answer fixed = answerOf(diagnosis, diagnosis.targets[0]);
  EXPECT_EQ(fixed.message,
            "tosa: 1 operation blocks it, at 2 nodes. Fix verified: the whole program lowers.");
  EXPECT_EQ(fixed.brief, "1 operation blocks it, at 2 nodes");
  EXPECT_EQ(fixed.standing, Standing::Stops);
  EXPECT_EQ(answerOf(diagnosis, diagnosis.targets[1]).message, "linalg-on-tensors: lowers");
  EXPECT_EQ(answerOf(diagnosis, diagnosis.targets[2]).message,
            "stablehlo: 1 operation blocks it, at nodes that the engine does not name. No fix is "
            "known.");
}

}  // namespace
}  // namespace fxs::report
