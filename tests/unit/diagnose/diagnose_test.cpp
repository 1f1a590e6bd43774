// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With the real torch-mlir-opt, where there is one: what blocks programs, why, and what was proved
// to help.
#include "diagnose/diagnose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fx/text.h"
#include "output_type.h"
#include "real_engine.h"

namespace fxs::diagnose {
namespace {

using lower::OutputType;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

/// Ends what logs patterns.
class WithoutPatternLogs final : public CommandRunner {
 public:
  Result<Exit> run(const Command& command, std::stop_token stop) override {
    if (std::find(command.argv.begin(), command.argv.end(), "--log-actions-to=-") ==
        command.argv.end())
      return runner_.run(command, std::move(stop));
    Exit exit;
    exit.reason = ExitReason::Signalled;
    exit.signal = 9;
    return exit;
  }

 private:
  PosixCommandRunner runner_;
};

class Diagnose : public testing::Test {
 protected:
  void SetUp() override {
    const auto engine = test::realEngine();
    if (!engine) GTEST_SKIP() << test::kNoEngine;
    environment_.enginePath = engine->path;
    environment_.runner = &runner_;
  }

  /// A program written as text, imported.
  session::SnapshotPtr imported(const std::string& text) {
    const auto program = fx::graphFrom(text);
    EXPECT_TRUE(program.has_value()) << program.error().message;
    session::Request request;
    request.file = "model.pt2";
    request.normalize = false;
    request.askEngine = true;
    auto snapshot = std::make_shared<session::Snapshot>(*start(request));
    auto capture = std::make_shared<read::Capture>();
    capture->program = *program;
    snapshot->capture = capture;
    return advanced(snapshot);
  }
  session::SnapshotPtr sample(const std::string& name) {
    session::Request request;
    request.file = FXS_SOURCE_DIR "/samples/" + name + ".pt2";
    request.normalize = false;
    request.askEngine = true;
    return advanced(session::start(request));
  }
  session::SnapshotPtr advanced(const session::SnapshotPtr& from) {
    const auto done = session::advance(from, session::Phase::Import, environment_, {});
    EXPECT_TRUE(done.has_value()) << done.error().message;
    return *done;
  }
  DiagnosisPtr diagnosed(const session::SnapshotPtr& snapshot, std::vector<OutputType> targets,
                         bool experiments = true) {
    DiagnoseOptions options;
    options.targets = std::move(targets);
    options.experiments = experiments;
    const auto done = diagnose(snapshot, options, environment_, {});
    EXPECT_TRUE(done.has_value()) << done.error().message;
    program_ = snapshot->capture->program;
    return *done;
  }

  /// "atanh: no-pattern torch.aten.atanh".
  std::vector<std::string> blocked(const Diagnosis& diagnosis) const {
    std::vector<std::string> out;
    for (const Blocked& b : diagnosis.blocked) {
      std::string nodes;
      for (const fx::NodeId node : b.nodes)
        nodes += (nodes.empty() ? "" : " ") + program_->node(node).name;
      out.push_back(nodes + ": " + std::string(name(b.kind)) + " " + b.op);
    }
    return out;
  }
  static const Experiment* experimentOf(const Blocked& b, std::string_view id) {
    const auto at = std::find_if(b.experiments.begin(), b.experiments.end(),
                                 [&](const Experiment& x) { return x.id == id; });
    return at == b.experiments.end() ? nullptr : &*at;
  }

  PosixCommandRunner runner_;
  session::Environment environment_;
  fx::ProgramPtr program_;
};

constexpr const char* kFivePlanted = R"(
x: f32[4, 8] = placeholder
i: i64[4, 8] = placeholder
relu: f32[4, 8] = aten.relu.default(x)
atanh: f32[4, 8] = aten.atanh.default(relu)
add: f32[4, 8] = aten.add.Tensor(atanh, x)
kth: (f32[4], i64[4]) = aten.kthvalue.default(add, 2, 1)
values: f32[4] = getitem(kth, 0)
custom: f32[4, 8] = mine.op.default(add)
mul: f32[4, 8] = aten.mul.Tensor(custom, x)
reduced: f32[4, 8] = aten.scatter_reduce.two(mul, 1, i, x, 'amax')
tanh: f32[4, 8] = aten.tanh.default(reduced)
sorted: (f32[4, 8], i64[4, 8]) = aten.sort.default(tanh, 1)
first: f32[4, 8] = getitem(sorted, 0)
sigmoid: f32[4, 8] = aten.sigmoid.default(first)
return sigmoid, values
)";

TEST_F(Diagnose, WhatKeepsAVmapFromBeingInlinedIsTheOneCause) {
  const auto found = diagnosed(imported("x: f32[3, 4] = placeholder\n"
                                        "a: f32[4] = torch._functorch.predispatch._add_batch_dim"
                                        "(x, 0, 1)\n"
                                        "s: f32[4] = aten.softmax.int(a, -1)\n"
                                        "r: f32[3, 4] = torch._functorch.predispatch."
                                        "_remove_batch_dim(s, 1, 3, 0)\n"
                                        "return r"),
                               {test::outputType("tosa")});
  EXPECT_THAT(blocked(*found), ElementsAre("s: not-imported "));
}

TEST_F(Diagnose, EveryPlantedOperationIsFoundAndNoOther) {
  const auto diagnosis = diagnosed(imported(kFivePlanted), {test::outputType("tosa")}, false);
  EXPECT_THAT(blocked(*diagnosis), ElementsAre("atanh: no-pattern torch.aten.atanh",
                                               "kth: no-pattern torch.aten.kthvalue",
                                               "custom: not-registered torch.mine.op",
                                               "reduced: no-pattern torch.aten.scatter_reduce.two",
                                               "sorted: no-pattern torch.aten.sort"));
  EXPECT_EQ(diagnosis->targets.at(0).restLowers, true);
  for (const Blocked& b : diagnosis->blocked)
    EXPECT_EQ(b.agreement, Agreement::Confirmed) << b.fxTarget;
}

constexpr const char* kSelection = R"(
x: f32[8, 4] = placeholder
mask: b8[8] = placeholder
nz: i64[u0, 1] = aten.nonzero.default(mask)
rows: i64[u0] = aten.select.int(nz, 1, 0)
picked: f32[u0, 4] = aten.index.Tensor(x, [rows])
kth: (f32[u0], i64[u0]) = aten.kthvalue.default(picked, 2, 1)
values: f32[u0] = getitem(kth, 0)
mine: f32[8, 4] = acme.op.default(x)
return values, mine
)";

TEST_F(Diagnose, WhatFailsForSizesKnownOnlyAtRunTimeHasOneSource) {
  const auto diagnosis = diagnosed(imported(kSelection), {test::outputType("tosa")});
  ASSERT_EQ(diagnosis->sizeSources.size(), 1U);
  EXPECT_EQ(diagnosis->sizeSources[0].name, "aten.nonzero");
  std::vector<std::string> forSizes, others;
  for (const Blocked& b : diagnosis->blocked)
    (blocksForSizes(*diagnosis, b) ? forSizes : others)
        .push_back(program_->node(b.nodes.front()).name + ": " +
                   (b.sizes ? std::string(name(b.sizes->withNumbers)) : "no such size"));
  EXPECT_THAT(forSizes, Contains("nz: not-known"));
  EXPECT_THAT(forSizes, Contains("picked: lowers"));
  EXPECT_THAT(others, ElementsAre("kth: fails", "mine: no such size"));
  std::vector<std::string> tried;
  for (const OtherType& other : diagnosis->otherTypes)
    tried.emplace_back(lower::name(other.target));
  EXPECT_THAT(tried, ElementsAre("linalg-on-tensors", "stablehlo"));
}

TEST_F(Diagnose, WithoutExperimentsNoOtherOutputTypeIsTried) {
  const auto diagnosis = diagnosed(imported(kSelection), {test::outputType("tosa")}, false);
  EXPECT_EQ(diagnosis->sizeSources.size(), 1U);
  EXPECT_THAT(diagnosis->otherTypes, IsEmpty());
}

TEST_F(Diagnose, EachTargetHasItsOwnAnswer) {
  const auto diagnosis =
      diagnosed(imported(kFivePlanted),
                {test::outputType("linalg-on-tensors"), test::outputType("stablehlo")}, false);
  const auto of = [&](const OutputType& target) {
    std::vector<std::string> out;
    for (const Blocked* b : diagnosis->of(target)) out.push_back(b->fxTarget);
    return out;
  };
  EXPECT_THAT(of(test::outputType("linalg-on-tensors")), Contains("mine.op.default"));
  EXPECT_THAT(of(test::outputType("linalg-on-tensors")),
              testing::Not(Contains("aten.sort.default")));
  EXPECT_THAT(of(test::outputType("stablehlo")), Contains("aten.scatter_reduce.two"));
  for (const TargetDiagnosis& target : diagnosis->targets) EXPECT_EQ(target.restLowers, true);
}

TEST_F(Diagnose, SameOperationsAreOneWithManyNodes) {
  const auto diagnosis = diagnosed(
      imported("x: f32[4] = placeholder\na: f32[4] = aten.atanh.default(x)\nb: f32[4] = "
               "aten.atanh.default(a)\n"
               "c: f32[4] = aten.relu.default(b)\nd: f32[4] = aten.atanh.default(c)\nreturn d"),
      {test::outputType("tosa")}, false);
  EXPECT_THAT(blocked(*diagnosis), ElementsAre("a b d: no-pattern torch.aten.atanh"));
  EXPECT_EQ(diagnosis->distinct, 2U);
  ASSERT_EQ(diagnosis->support.size(), 2U);
  EXPECT_EQ(diagnosis->support[0].fxTarget, "aten.atanh.default");
  EXPECT_EQ(diagnosis->support[0].cells.at(0).count, 3U);
  EXPECT_EQ(diagnosis->support[0].cells.at(0).blocked, 3U);
  EXPECT_EQ(diagnosis->support[1].cells.at(0).blocked, 0U);
}

TEST_F(Diagnose, WhichPatternsWereTriedIsNotKnownIfTheirLogIsNot) {
  WithoutPatternLogs runner;
  environment_.runner = &runner;
  const auto diagnosis =
      diagnosed(imported("x: f32[4] = placeholder\na: f32[4] = aten.atanh.default(x)\nreturn a"),
                {test::outputType("tosa")}, false);
  EXPECT_THAT(blocked(*diagnosis), ElementsAre("a: illegal-op torch.aten.atanh"));
  EXPECT_EQ(diagnosis->blocked.front().tried, std::nullopt);
  EXPECT_THAT(diagnosis->notes, Contains(HasSubstr("the patterns that were tried are unknown")));
}

TEST_F(Diagnose, MixedElementTypesAreTheReasonWhenACastHelps) {
  const auto diagnosis =
      diagnosed(imported("a: f32[4, 8] = placeholder\nb: f16[8, 2] = placeholder\nmm: f32[4, 2] = "
                         "aten.mm.default(a, b)\nreturn mm"),
                {test::outputType("tosa")});
  EXPECT_THAT(blocked(*diagnosis), ElementsAre("mm: numeric-type torch.aten.mm"));
  const Blocked& b = diagnosis->blocked.front();
  EXPECT_THAT(b.tried, Optional(Contains(HasSubstr("ConvertAten"))));
  EXPECT_EQ(b.message,
            "aten.mm.default: tosa supports torch.aten.mm, but not with the element types of "
            "(f32[4, 8], f16[8, 2]) -> f32[4, 2]");
  const Experiment* cast = experimentOf(b, "cast-f32");
  ASSERT_NE(cast, nullptr);
  EXPECT_EQ(cast->outcome, Outcome::Passed);
  EXPECT_EQ(cast->proof, Proof::Proved);
  EXPECT_EQ(cast->proofMessage, "the whole program was run with it, which lowers");
  EXPECT_EQ(cast->cost, "computes this operation in float32");
  EXPECT_EQ(diagnosis->targets.at(0).fixedLowers, true);
}

TEST_F(Diagnose, MaskedAttentionIsProvedToLowerDecomposed) {
  const auto diagnosis = diagnosed(sample("masked_attention"),
                                   {test::outputType("tosa"), test::outputType("stablehlo")});
  ASSERT_FALSE(diagnosis->blocked.empty());
  for (const Blocked& b : diagnosis->blocked) {
    EXPECT_EQ(b.fxTarget, "aten.scaled_dot_product_attention.default");
    EXPECT_EQ(b.kind, Kind::NoPattern);
    EXPECT_THAT(b.tried,
                Optional(ElementsAre(
                    "DecomposeAtenScaledDotProductAttentionOp (torch-decompose-complex-ops)")));
    ASSERT_FALSE(b.experiments.empty());
    EXPECT_EQ(b.experiments.front().id, "run-decompositions");
    EXPECT_EQ(b.experiments.front().proof, Proof::Proved);
    EXPECT_EQ(b.experiments.front().snippet, "program = program.run_decompositions()");
    EXPECT_THAT(b.experiments.front().python, HasSubstr("(program.run_decompositions(), output"));
    const auto decomposed = std::find_if(b.experiments.begin(), b.experiments.end(),
                                         [](const Experiment& x) { return x.id == "decompose"; });
    ASSERT_NE(decomposed, b.experiments.end());
    EXPECT_EQ(decomposed->outcome, Outcome::Passed);
    EXPECT_THAT(decomposed->snippet,
                HasSubstr("--decompose aten.scaled_dot_product_attention.default"));
  }
  for (const TargetDiagnosis& target : diagnosis->targets) EXPECT_EQ(target.fixedLowers, true);
}

TEST_F(Diagnose, UnregisteredOperationShowsAllThatWasTried) {
  const auto diagnosis =
      diagnosed(imported("x: f32[4] = placeholder\nc: f32[4] = mine.op.default(x)\nr: f32[4] = "
                         "aten.relu.default(c)\nreturn r"),
                {test::outputType("linalg-on-tensors")});
  EXPECT_THAT(blocked(*diagnosis), ElementsAre("c: not-registered torch.mine.op"));
  for (const Experiment& x : diagnosis->blocked.front().experiments) {
    EXPECT_NE(x.outcome, Outcome::Passed) << x.id;
    EXPECT_EQ(x.proof, Proof::NotTried) << x.id;
    EXPECT_FALSE(x.message.empty()) << x.id;
  }
  EXPECT_NE(experimentOf(diagnosis->blocked.front(), "target:tosa"), nullptr);
  EXPECT_EQ(diagnosis->targets.at(0).fixedLowers, std::nullopt);
}

TEST_F(Diagnose, WhatOnlyPyTorchTakesApartIsNotTried) {
  const auto diagnosis = diagnosed(
      imported("x: f32[4] = placeholder\ny: f32[4] = aten.special_polygamma.default(1, x)\n"
               "return y"),
      {test::outputType("linalg-on-tensors")});
  ASSERT_EQ(diagnosis->blocked.size(), 1u);
  const Experiment* untried = experimentOf(diagnosis->blocked.front(), "torch-decompose");
  ASSERT_NE(untried, nullptr);
  EXPECT_EQ(untried->outcome, Outcome::NotRun);
  EXPECT_EQ(untried->message, "it takes a Python with PyTorch: --python auto");
  EXPECT_EQ(experimentOf(diagnosis->blocked.front(), "run-decompositions"), nullptr);
}

TEST_F(Diagnose, DynamicSizesAreProvedToLowerWhenFixed) {
  const auto diagnosis =
      diagnosed(imported("x: f32[s0, 4, 8] = placeholder\n"
                         "size: Sym(s0) = aten.sym_size.int(x, 0)\n"
                         "view: f32[s0, 32] = aten.view.default(x, [size, 32])\n"
                         "relu: f32[s0, 32] = aten.relu.default(view)\nreturn relu"),
                {test::outputType("tosa")});
  ASSERT_FALSE(diagnosis->targets.at(0).lowers);
  ASSERT_FALSE(diagnosis->blocked.empty());
  for (const Blocked& b : diagnosis->blocked) {
    const Experiment* fixed = experimentOf(b, "static-sizes");
    ASSERT_NE(fixed, nullptr) << b.fxTarget;
    EXPECT_EQ(fixed->outcome, Outcome::Passed) << b.fxTarget << ": " << fixed->message;
  }
  EXPECT_EQ(diagnosis->targets.at(0).fixedLowers, true);
  EXPECT_THAT(diagnosis->targets.at(0).changes, ElementsAre("export with static shapes (s0 = 4)"));
}

TEST_F(Diagnose, AnotherTargetIsProvedOnTheWholeProgram) {
  const auto diagnosis = diagnosed(sample("control_flow"), {test::outputType("tosa")});
  ASSERT_EQ(diagnosis->blocked.size(), 1U);
  const Experiment* linalg = experimentOf(diagnosis->blocked.front(), "target:linalg-on-tensors");
  ASSERT_NE(linalg, nullptr);
  EXPECT_EQ(linalg->proof, Proof::Proved);
  EXPECT_EQ(linalg->proofMessage, "the whole program lowers to linalg-on-tensors");
  const Experiment* stablehlo = experimentOf(diagnosis->blocked.front(), "target:stablehlo");
  ASSERT_NE(stablehlo, nullptr);
  EXPECT_EQ(stablehlo->outcome, Outcome::Failed);
}

TEST_F(Diagnose, ProgramThatLowersHasNothingBlocked) {
  const auto diagnosis =
      diagnosed(imported("x: f32[4] = placeholder\nr: f32[4] = aten.relu.default(x)\nreturn r"),
                {test::outputType("linalg-on-tensors"), test::outputType("tosa"),
                 test::outputType("stablehlo")});
  EXPECT_THAT(diagnosis->blocked, IsEmpty());
  for (const TargetDiagnosis& target : diagnosis->targets) EXPECT_TRUE(target.lowers);
}

TEST_F(Diagnose, OperationThatOnlyItsCutStopsAtIsANote) {
  // Its cut returns a number, which TOSA does not have; the whole program uses it up.
  const auto diagnosis =
      diagnosed(imported("x: f32[4, 8] = placeholder\nsize: Sym(4) = aten.sym_size.int(x, 0)\n"
                         "v: f32[4, 4, 2] = aten.view.default(x, [size, 4, 2])\nr: f32[4, 4, 2] = "
                         "aten.relu.default(v)\nreturn r"),
                {test::outputType("tosa")}, false);
  EXPECT_TRUE(diagnosis->targets.at(0).lowers);
  EXPECT_THAT(diagnosis->blocked, IsEmpty());
  EXPECT_THAT(diagnosis->notes, ElementsAre("aten.sym_size.int (1 node) does not lower to tosa by "
                                            "itself, but does in the whole program"));
}

TEST_F(Diagnose, StopDuringTheSurveyIsCancelled) {
  const session::SnapshotPtr snapshot = imported(kFivePlanted);
  std::stop_source stop;
  RunContext context;
  context.stop = stop.get_token();
  context.report = [&](const Progress&) { stop.request_stop(); };
  DiagnoseOptions options;
  options.targets = {test::outputType("tosa")};
  const auto done = diagnose(snapshot, options, environment_, context);
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().code, ErrorCode::Cancelled);
}

TEST_F(Diagnose, StopDuringTheExperimentsKeepsTheSurvey) {
  const session::SnapshotPtr snapshot = sample("masked_attention");
  std::stop_source stop;
  RunContext context;
  context.stop = stop.get_token();
  DiagnoseOptions options;
  options.targets = {test::outputType("tosa")};
  options.onPart = [&](const DiagnosisPtr&) { stop.request_stop(); };
  const auto done = diagnose(snapshot, options, environment_, context);
  ASSERT_TRUE(done.has_value()) << done.error().message;
  EXPECT_FALSE((*done)->complete);
  ASSERT_EQ((*done)->blocked.size(), 1U);
  for (const Experiment& x : (*done)->blocked.front().experiments)
    EXPECT_EQ(x.outcome, Outcome::NotRun) << x.id;
}

TEST_F(Diagnose, NoTargetIsAMistakeOfTheCaller) {
  const auto done = diagnose(imported(kFivePlanted), {}, environment_, {});
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().code, ErrorCode::Usage);
}

}  // namespace
}  // namespace fxs::diagnose
