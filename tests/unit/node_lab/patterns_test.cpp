// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With the real torch-mlir-opt, where there is one: which patterns it tries on a node, and the IR
// after each.
#include "node_lab/patterns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "fx/text.h"
#include "lower/stopped_engine.h"
#include "output_type.h"
#include "report/patterns.h"

namespace fxs::node_lab {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class NodePatternsTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* named = std::getenv("FXSCOPE_ENGINE");
    environment_.enginePath =
        named != nullptr ? named : FXS_SOURCE_DIR "/.cache/engine/torch-mlir-opt";
    if (!std::filesystem::exists(environment_.enginePath))
      GTEST_SKIP() << "no engine: FXSCOPE_ENGINE names none and ./run has installed none";
    environment_.runner = &runner_;
  }

  void open(const std::string& sample, const lower::OutputType& target) {
    session::Request request;
    request.file = FXS_SOURCE_DIR "/samples/" + sample + ".pt2";
    request.lower.target = target;
    request.normalize = false;
    request.askEngine = true;
    const auto done =
        session::advance(session::start(request), session::Phase::Import, environment_, {});
    ASSERT_TRUE(done.has_value()) << done.error().message;
    snapshot_ = *done;
  }
  fx::NodeId idOf(const std::string& name) const {
    const fx::Node* node = snapshot_->capture->program->findNode(name);
    EXPECT_NE(node, nullptr) << name;
    return node->id;
  }
  NodePatterns patterns(const std::string& node, PatternOptions options = {}) {
    auto result = patternsOf(snapshot_, idOf(node), options, environment_, {});
    EXPECT_TRUE(result.has_value()) << result.error().message;
    return std::move(*result);
  }
  std::string text(const NodePatterns& p) {
    return report::patternsText(
        {"sample", *snapshot_->capture->program, p.trace, p.engine, p.fromCut, p.message});
  }

  PosixCommandRunner runner_;
  session::Environment environment_;
  session::SnapshotPtr snapshot_;
};

TEST_F(NodePatternsTest, AttentionStopsBecauseItsDecompositionRefusesAndTosaHasNone) {
  open("masked_attention", test::outputType("tosa"));
  const NodePatterns p = patterns("scaled_dot_product_attention_1");
  EXPECT_TRUE(p.fromCut);
  // The whole program stops at the first attention and never gets to the second.
  EXPECT_EQ(p.message,
            "the node was extracted from the program; the whole program tries the same patterns "
            "until it stops in convert-torch-to-tosa at node "
            "'scaled_dot_product_attention'");
  ASSERT_EQ(p.trace.attempts.size(), 1u);
  const lower::PatternAttempt& attempt = p.trace.attempts[0];
  EXPECT_EQ(attempt.pattern,
            "mlir::torch::Torch::{anonymous}::DecomposeAtenScaledDotProductAttentionOp");
  EXPECT_EQ(attempt.opName, "torch.aten.scaled_dot_product_attention");
  EXPECT_EQ(attempt.effect, lower::Effect::Refused);
  EXPECT_EQ(p.trace.passes[static_cast<std::size_t>(attempt.pass)].pass,
            "torch-decompose-complex-ops");
  ASSERT_EQ(p.trace.stops.size(), 1u);
  EXPECT_EQ(p.trace.stops[0].pass, "convert-torch-to-tosa");
  EXPECT_THAT(p.trace.stops[0].tried, testing::IsEmpty());
  EXPECT_EQ(
      text(p),
      "scaled_dot_product_attention_1 (aten.scaled_dot_product_attention.default) of sample, to "
      "tosa, engine " +
          p.engine.version + "\n1 attempts, 0 took effect, 1 refused\n" + p.message +
          "\n\ntorch  torch-match-quantized-custom-ops\n"
          "  in all       torch.aten.scaled_dot_product_attention, torch.constant.bool x2, "
          "torch.constant.float, torch.constant.none -> "
          "torch.aten.scaled_dot_product_attention, torch.constant.float, torch.constant.none\n"
          "\ntorch  torch-decompose-complex-ops\n"
          "  refused      DecomposeAtenScaledDotProductAttentionOp: "
          "torch.aten.scaled_dot_product_attention\n"
          "\ntosa  convert-torch-to-tosa  failed\n"
          "\nstopped in convert-torch-to-tosa: failed to legalize operation "
          "'torch.aten.scaled_dot_product_attention' that was "
          "explicitly marked illegal\n"
          "  convert-torch-to-tosa tried no pattern on torch.aten.scaled_dot_product_attention: it "
          "has no matching pattern\n"
          "  refused before that: DecomposeAtenScaledDotProductAttentionOp "
          "(torch-decompose-complex-ops)\n");
}

TEST_F(NodePatternsTest, AttentionBecomesTmTensorByItsConversion) {
  open("masked_attention", test::outputType("linalg-on-tensors"));
  const NodePatterns p = patterns("scaled_dot_product_attention");
  std::vector<std::string> effects;
  for (const lower::PatternAttempt& a : p.trace.attempts)
    if (a.effect == lower::Effect::TookEffect && a.opName.starts_with("torch.aten."))
      effects.push_back(a.shortName);
  EXPECT_THAT(effects, ElementsAre("ConvertAtenScaledDotProductAttentionOp"));
  for (const lower::PatternAttempt& a : p.trace.attempts) {
    if (a.shortName != "ConvertAtenScaledDotProductAttentionOp") continue;
    EXPECT_THAT(a.became, Contains("tm_tensor.attention"));
  }
}

TEST_F(NodePatternsTest, LayerNormIsDecomposedInAChainAndThenConverted) {
  open("masked_attention", test::outputType("linalg-on-tensors"));
  const NodePatterns p = patterns("layer_norm_4");
  std::vector<std::string> decomposed;
  for (const lower::PatternAttempt& a : p.trace.attempts)
    if (a.effect == lower::Effect::TookEffect &&
        p.trace.passes[static_cast<std::size_t>(a.pass)].stage == "torch")
      decomposed.push_back(a.shortName);
  EXPECT_THAT(decomposed, ElementsAre("DecomposeAtenLayerNormOp", "DecomposeAtenNativeLayerNormOp",
                                      "DecomposeAtenExpandAsOp", "DecomposeAtenSizeOp",
                                      "DecomposeAtenMeanDimOp", "DecomposeAtenExpandAsOp",
                                      "DecomposeAtenSizeOp", "DecomposeAtenMeanDimOp"));
  EXPECT_EQ(p.trace.attempts[0].became, (std::vector<std::string>{"torch.aten.native_layer_norm"}));
}

TEST_F(NodePatternsTest, SoftmaxIsFollowedDownToLinalg) {
  const auto program =
      fx::graphFrom("x: f32[2, 8] = placeholder\ns: f32[2, 8] = aten.softmax.int(x, -1)\nreturn s");
  ASSERT_TRUE(program.has_value()) << program.error().message;
  const auto raw = import::importProgram(**program, {}, {});
  ASSERT_TRUE(raw.has_value()) << raw.error().message;
  const auto engine = lower::probeEngine(environment_.enginePath, "", runner_, {});
  ASSERT_TRUE(engine.has_value()) << engine.error().message;
  const auto trace =
      lower::tracePatterns((*raw)->text, (*program)->findNode("s")->id,
                           lower::LogScope::EveryOperation, {}, *engine, runner_, {});
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  std::vector<std::string> chain;
  for (const lower::PatternAttempt& a : trace->attempts) {
    const lower::PatternPass& pass = trace->passes[static_cast<std::size_t>(a.pass)];
    if (a.effect == lower::Effect::TookEffect && pass.pass != "canonicalize")
      chain.push_back(pass.pass + ": " + a.shortName + " on " + a.opName);
    EXPECT_NE(a.effect, lower::Effect::Unknown) << a.shortName << " on " << a.op;
  }
  EXPECT_THAT(
      chain,
      ElementsAre(
          "torch-decompose-complex-ops: DecomposeAtenSoftmaxIntOp on torch.aten.softmax.int",
          "convert-torch-to-linalg: ConvertAtenMinMaxDimOp<AtenMaxDimOp> on torch.aten.max.dim",
          "convert-torch-to-linalg: ConvertElementwiseOp on torch.aten.sub.Tensor",
          "convert-torch-to-linalg: ConvertElementwiseOp on torch.aten.exp",
          "convert-torch-to-linalg: ConvertReductionOp on torch.aten.sum.dim_IntList",
          "convert-torch-to-linalg: ConvertElementwiseOp on torch.aten.div.Tensor",
          "torch-finalizing-backend-type-conversion: FinalizeMaterialization<ToBuiltinTensorOp> on "
          "torch_c.to_builtin_tensor",
          "torch-finalizing-backend-type-conversion: FinalizeMaterialization<FromBuiltinTensorOp> "
          "on torch_c.from_builtin_tensor"));
  EXPECT_EQ(trace->passes.back().after.count("linalg.generic"), 1u);
}

TEST_F(NodePatternsTest, OperationThatNoConversionTakesIsLeftOver) {
  const auto program =
      fx::graphFrom("x: f32[2, 8] = placeholder\ne: f32[2, 8] = aten.erfinv.default(x)\nreturn e");
  ASSERT_TRUE(program.has_value()) << program.error().message;
  const auto raw = import::importProgram(**program, {}, {});
  ASSERT_TRUE(raw.has_value()) << raw.error().message;
  const auto engine = lower::probeEngine(environment_.enginePath, "", runner_, {});
  ASSERT_TRUE(engine.has_value()) << engine.error().message;
  const auto trace =
      lower::tracePatterns((*raw)->text, (*program)->findNode("e")->id,
                           lower::LogScope::EveryOperation, {}, *engine, runner_, {});
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  const std::string answer =
      report::patternsText({"sample", **program, *trace, *engine, true, "by itself"});
  EXPECT_THAT(
      answer,
      HasSubstr("\nstopped in torch-finalizing-backend-type-conversion: torch.aten.erfinv is left "
                "over, no conversion lowered it\n"
                "  refused before that: ConvertAtenScalarToTensorLike (convert-torch-to-linalg)\n"
                "  refused before that: ConvertElementwiseOp (convert-torch-to-linalg)\n"
                "  refused before that: ConvertReductionOp (convert-torch-to-linalg)\n"));
}

TEST_F(NodePatternsTest, StepsForthAndBackAreTheEngineStoppedThere) {
  open("masked_attention", test::outputType("linalg-on-tensors"));
  const NodePatterns p = patterns("layer_norm_4", {.wholeTimeout = std::chrono::milliseconds(0)});
  EXPECT_EQ(p.message,
            "the node was extracted from the program; not compared with the whole program");
  const std::vector<lower::RewriteStep> steps = lower::rewriteSteps(p.trace);
  ASSERT_GE(steps.size(), 10u);
  const auto ir = [&](std::size_t n) {
    auto text = lower::irAfter(p.trace, steps, n, p.engine, {}, runner_, {});
    EXPECT_TRUE(text.has_value()) << text.error().message;
    return text.value_or("");
  };
  std::vector<std::string> forth;
  for (std::size_t n = 0; n <= steps.size(); ++n) forth.push_back(ir(n));
  for (std::size_t n = steps.size(); n > 0; n -= std::min<std::size_t>(n, 5))
    EXPECT_EQ(ir(n), forth[n]);
  for (std::size_t n = 1; n < forth.size(); ++n) EXPECT_NE(forth[n], forth[n - 1]) << "step " << n;
  EXPECT_THAT(forth.front(), HasSubstr("torch.aten.layer_norm "));
  // The function is of no node.
  EXPECT_THAT(forth.front(),
              testing::Not(HasSubstr("\"fx\":" + std::to_string(p.trace.node.value) + ":1")));
  EXPECT_THAT(forth[1], HasSubstr("torch.aten.native_layer_norm "));
  EXPECT_THAT(forth.back(), testing::Not(HasSubstr("torch.aten.")));
  EXPECT_EQ(
      lower::irAfter(p.trace, steps, steps.size() + 1, p.engine, {}, runner_, {}).error().message,
      "there are " + std::to_string(steps.size()) + " rewrites; got " +
          std::to_string(steps.size() + 1));
}

TEST_F(NodePatternsTest, VerdictsAreWhatStoppingTheEngineShows) {
  open("masked_attention", test::outputType("linalg-on-tensors"));
  const NodePatterns p = patterns("gelu", {.wholeTimeout = std::chrono::milliseconds(0)});
  std::size_t compared = 0;
  for (const lower::PatternAttempt& attempt : p.trace.attempts) {
    const lower::PatternPass& pass = p.trace.passes[static_cast<std::size_t>(attempt.pass)];
    if (pass.conversion || ++compared > 60) continue;
    const auto& stage = *std::find_if(p.trace.stages.begin(), p.trace.stages.end(),
                                      [&](const auto& s) { return s.id == pass.stage; });
    const auto runs =
        lower::runStopped(stage.input, stage.pipeline,
                          {{attempt.ordinal - 1, pass.ordinal}, {attempt.ordinal, pass.ordinal}},
                          p.engine, {}, runner_, {});
    ASSERT_TRUE(runs.has_value());
    ASSERT_TRUE((*runs)[0].ok && (*runs)[1].ok) << attempt.shortName;
    EXPECT_EQ((*runs)[0].text != (*runs)[1].text, attempt.effect == lower::Effect::TookEffect)
        << attempt.shortName << " on " << attempt.op << ": " << attempt.message;
  }
  EXPECT_GT(compared, 20u);
}

TEST_F(NodePatternsTest, WholeProgramAnswersWithoutSteps) {
  open("masked_attention", test::outputType("tosa"));
  const NodePatterns p = patterns("scaled_dot_product_attention_1", {.cut = false});
  EXPECT_FALSE(p.fromCut);
  EXPECT_FALSE(p.trace.steppable);
  EXPECT_THAT(lower::rewriteSteps(p.trace), testing::IsEmpty());
  EXPECT_EQ(p.trace.stoppedElsewhere, "convert-torch-to-tosa");
  EXPECT_EQ(p.trace.stoppedAt, idOf("scaled_dot_product_attention"));
  EXPECT_EQ(p.message, "the whole program was run; rewrites cannot be stepped through");
  EXPECT_THAT(p.trace.attempts, testing::SizeIs(2));  // in two iterations
  EXPECT_EQ(p.trace.attempts[0].effect, lower::Effect::Refused);
}

TEST_F(NodePatternsTest, WholeProgramIsShownWhereTheCutDiffers) {
  // In the whole program the value is a constant, and folded before a pattern sees it.
  const auto program = fx::graphFrom(
      "x: f32[4] = placeholder\n"
      "t: i64[] = aten.scalar_tensor.default(3, dtype=torch.int64)\n"
      "i: Sym(u0) = aten.item.default(t)\n"
      "y: f32[4] = aten.mul.Scalar(x, i)\n"
      "return y");
  ASSERT_TRUE(program.has_value()) << program.error().message;
  auto made = std::make_shared<session::Snapshot>();
  made->request.parity = true;
  read::Capture capture;
  capture.program = *program;
  made->capture = std::make_shared<const read::Capture>(std::move(capture));
  const auto imported = import::importProgram(**program, {}, {});
  ASSERT_TRUE(imported.has_value()) << imported.error().message;
  made->imported = *imported;
  const auto engine = lower::probeEngine(environment_.enginePath, "", runner_, {});
  ASSERT_TRUE(engine.has_value());
  made->engine = *engine;
  snapshot_ = made;
  const NodePatterns p = patterns("i");
  EXPECT_EQ(p.message,
            "the whole program was run, because only the node by itself tries "
            "ConvertAtenScalarToTensorLike on torch.aten.item in "
            "convert-torch-to-linalg, so the extracted node would not be representative; rewrites "
            "cannot be stepped through");
  EXPECT_FALSE(p.fromCut);
  EXPECT_THAT(p.trace.attempts, testing::IsEmpty());
  EXPECT_THAT(text(p), HasSubstr("torch  torch-decompose-complex-ops\n  in all       "
                                 "torch.aten.item -> torch.constant.int\n"));
}

TEST_F(NodePatternsTest, InputsHaveNone) {
  open("masked_attention", test::outputType("tosa"));
  EXPECT_EQ(patternsOf(snapshot_, idOf("x"), {}, environment_, {}).error().message,
            "node 'x' (placeholder) has no operation of its own, so no pattern is tried on it; "
            "choose a node that computes");
  EXPECT_EQ(patternsOf(session::start({}), idOf("x"), {}, environment_, {}).error().message,
            "listing patterns requires a program that was imported with an engine");
}

}  // namespace
}  // namespace fxs::node_lab
