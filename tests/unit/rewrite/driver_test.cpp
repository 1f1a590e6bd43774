// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the engine as a whole promises: untouched programs, origins, and which decompositions run.
#include <gtest/gtest.h>

#include "program_from.h"
#include "rewrite/rule.h"
#include "rewritten.h"

namespace fxs::rewrite {
namespace {

using test::programFrom;

TEST(Rewrite, ProgramWithNothingToDoIsTheSameObject) {
  const fx::ProgramPtr program =
      programFrom("x: f32[4] = placeholder\ny: f32[4] = aten.relu.default(x)\nreturn y\n");
  const auto done = rewrite(program, {}, RunContext{});
  ASSERT_TRUE(done.has_value());
  EXPECT_EQ((*done)->program, program);
  EXPECT_TRUE((*done)->applied.empty());
}

/// What a file states of operands need not fit together: a rule that meets such a node leaves it
/// alone.
TEST(Rewrite, OperandsThatNoOpCanHaveAreLeftAlone) {
  const fx::ProgramPtr program = programFrom(
      "x: f32[2, 4] = placeholder\n"
      "h: f32[] = placeholder\n"
      "w: f32[3, 4] = placeholder\n"
      "u: f32[3, 3] = placeholder\n"
      "n: b8[-2] = placeholder\n"
      "cell: f32[2, 3] = aten.rnn_relu_cell.default(x, h, w, u)\n"
      "d: b8[3] = aten.diff.default(n)\n"
      "return cell, d\n");
  RewriteOptions options;
  options.decompose = {"aten.rnn_relu_cell", "aten.diff"};
  const auto done = rewrite(program, options, RunContext{});
  ASSERT_TRUE(done.has_value());
  EXPECT_EQ(fx::dump(*(*done)->program), fx::dump(*program));
  EXPECT_TRUE((*done)->applied.empty());
}

/// What a program becomes as fx.export_and_import decomposes it: targets, then messages.
std::string asTorchMlir(const std::string& text,
                        Decompositions decompositions = Decompositions::TorchMlir) {
  RewriteOptions options;
  options.decompositions = decompositions;
  const auto done = rewrite(programFrom(text), options, RunContext{});
  EXPECT_TRUE(done.has_value());
  if (!done) return {};
  std::string out;
  for (const fx::Node& node : (*done)->program->nodes)
    if (node.op == fx::NodeOp::CallFunction) out += node.target + " ";
  for (const fx::Finding& finding : (*done)->findings)
    out += "| " + finding.nodeName + ": " + finding.message;
  return out;
}

/// PyTorch makes aten.transpose of it, which TOSA and StableHLO refuse without dimensions.
TEST(Rewrite, ATransposeThatMovesNothingIsBeyondTorchMlir) {
  const auto done =
      rewrite(programFrom("x: f32[] = placeholder\ny: f32[] = aten.t.default(x)\nreturn y\n"), {},
              RunContext{});
  ASSERT_TRUE(done.has_value());
  EXPECT_EQ(beyondTorchMlir(**done).size(), 1U);
}

TEST(Rewrite, AliasesStayAsPyTorchKeepsThem) {
  const std::string names =
      "x: f32[4] = placeholder\nalias: f32[4] = aten.alias.default(x)\ndetach: f32[4] = "
      "aten.detach.default(alias)\n";
  EXPECT_EQ(asTorchMlir(names + "y: f32[4] = aten.relu.default(detach)\nreturn y\n"),
            "aten.alias.default aten.detach.default aten.relu.default ");
  EXPECT_EQ(
      asTorchMlir(
          names +
          "c: f32[4] = aten.clone.default(detach)\ny: f32[4] = aten.relu_.default(c)\nreturn y\n"),
      "aten.clone.default aten.relu.default | alias: fx.export_and_import may write another form "
      "of it: PyTorch keeps "
      "aten.alias.default| detach: fx.export_and_import may write another form of it: PyTorch "
      "keeps aten.detach.default");
}

TEST(Rewrite, ProgramsAreDecomposedAsByPyTorch) {
  const std::string linear =
      "x: f32[2, 4] = placeholder\nw: f32[5, 4] = placeholder\nb: f32[5] = placeholder\n"
      "y: f32[2, 5] = aten.linear.default(x, w, b)\nreturn y\n";
  EXPECT_EQ(asTorchMlir(linear), "aten.linear.default ");
  EXPECT_EQ(asTorchMlir(linear, Decompositions::Default),
            "aten.permute.default aten.addmm.default ");
  EXPECT_EQ(
      asTorchMlir(linear, Decompositions::RunDecompositions),
      "aten.permute.default aten.mm.default aten.mul.Tensor aten.mul.Tensor aten.add.Tensor ");
  const std::string unknown =
      "i: i64[3] = placeholder\ny: i64[3, 4] = aten.one_hot.default(i, 4)\nreturn y\n";
  EXPECT_EQ(asTorchMlir(unknown, Decompositions::Default),
            "aten.one_hot.default | y: what PyTorch makes of aten.one_hot.default is not known");
}

TEST(Rewrite, NewNodesRememberTheNodeTheyCameFrom) {
  const fx::ProgramPtr program = programFrom(
      "x: f32[4, 6] = placeholder\n"
      "y: f32[6] = placeholder\n"
      "clone: f32[4, 6] = aten.clone.default(x)\n"
      "select: f32[6] = aten.select.int(clone, 0, 0)\n"
      "copy_: f32[6] = aten.copy_.default(select, y)\n"
      "add_: f32[6] = aten.add_.Tensor(select, 1)\n"
      "return clone\n");
  const auto done = rewrite(program, {}, RunContext{});
  ASSERT_TRUE(done.has_value());
  const fx::Program& out = *(*done)->program;
  EXPECT_EQ(out.original, program);
  std::string origins;
  for (const fx::Node& node : out.nodes)
    origins += node.name + " <- " + out.originOf(node).name + "\n";
  EXPECT_EQ(origins,
            "x <- x\ny <- y\nclone <- clone\nselect_scatter <- copy_\nadd <- "
            "add_\nselect_scatter_1 <- add_\noutput <- output\n");
}

TEST(Rewrite, EveryRewriteIsListedWithItsOrigin) {
  const fx::ProgramPtr program = programFrom(
      "x: f32[4] = placeholder\nclone: f32[4] = aten.clone.default(x)\nneg_: f32[4] = "
      "aten.neg_.default(clone)\nreturn clone\n");
  const auto done = rewrite(program, {}, RunContext{});
  ASSERT_TRUE(done.has_value());
  ASSERT_EQ((*done)->applied.size(), 1u);
  EXPECT_EQ((*done)->applied[0].rule, "functionalize");
  EXPECT_EQ((*done)->applied[0].origin, program->findNode("neg_")->id);
}

/// The same program with all its weights in one file, `offset` elements apart.
fx::ProgramPtr withSharedWeights(const fx::ProgramPtr& program, std::int64_t offset) {
  fx::Program shared = *program;
  for (std::size_t i = 0; i < shared.weights.size(); ++i) {
    shared.weights[i].file = "data/constants/tensor_0";
    shared.weights[i].fileBytes = 64;
    shared.weights[i].storageOffset = static_cast<std::int64_t>(i) * offset;
  }
  return std::make_shared<const fx::Program>(std::move(shared));
}

constexpr std::string_view kTwoNames =
    "b: f32[4] = buffer \"cache\"\n"
    "c: f32[4] = tensor_constant \"lifted\"\n"
    "neg_: f32[4] = aten.neg_.default(c)\n"
    "add: f32[4] = aten.add.Tensor(b, 1)\n"
    "return add\n";

TEST(Rewrite, TensorWithTwoNamesIsWrittenUnderBoth) {
  const auto done = rewrite(withSharedWeights(programFrom(kTwoNames), 0), {}, RunContext{});
  ASSERT_TRUE(done.has_value());
  EXPECT_EQ(fx::dump(*(*done)->program),
            "graph():\n"
            "    %b : f32[4] [num_users=0] = placeholder[target=b] buffer 'cache'\n"
            "    %c : f32[4] [num_users=1] = placeholder[target=c] tensor_constant 'lifted'\n"
            "    %neg : f32[4] [num_users=2] = "
            "call_function[target=torch.ops.aten.neg.default](args = (%c,), kwargs = {})\n"
            "    %add : f32[4] [num_users=1] = "
            "call_function[target=torch.ops.aten.add.Tensor](args = (%neg, 1), kwargs = {})\n"
            "    return (neg, add) buffer_mutation 'cache', user_output\n");
}

TEST(Rewrite, WriteToBytesThatAnotherInputShowsOtherwiseIsAFinding) {
  const auto done = rewrite(withSharedWeights(programFrom(kTwoNames), 2), {}, RunContext{});
  ASSERT_TRUE(done.has_value());
  ASSERT_EQ((*done)->findings.size(), 1u);
  EXPECT_EQ(
      (*done)->findings[0].message,
      "cannot be functionalized: it writes to c, whose memory b views with a different shape");
}

TEST(Rewrite, PartsOfOneStorageThatDoNotOverlapAreIndependent) {
  const auto done = rewrite(withSharedWeights(programFrom(kTwoNames), 4), {}, RunContext{});
  ASSERT_TRUE(done.has_value());
  EXPECT_TRUE((*done)->findings.empty());
  EXPECT_EQ(fx::dump(*(*done)->program),
            "graph():\n"
            "    %b : f32[4] [num_users=1] = placeholder[target=b] buffer 'cache'\n"
            "    %c : f32[4] [num_users=1] = placeholder[target=c] tensor_constant 'lifted'\n"
            "    %neg : f32[4] [num_users=1] = "
            "call_function[target=torch.ops.aten.neg.default](args = (%c,), kwargs = {})\n"
            "    %add : f32[4] [num_users=1] = "
            "call_function[target=torch.ops.aten.add.Tensor](args = (%b, 1), kwargs = {})\n"
            "    return (neg, add) buffer_mutation 'lifted', user_output\n");
}

TEST(Rewrite, WeightsOfAFileThatCouldNotBeReadMayShareMemory) {
  fx::Program program = *programFrom(kTwoNames);
  for (fx::Weight& weight : program.weights) {
    weight.file = "serialized_state_dict.pt";
    weight.fileBytes = 64;
    weight.readable = false;
  }
  const auto done = rewrite(std::make_shared<const fx::Program>(program), {}, RunContext{});
  ASSERT_TRUE(done.has_value());
  ASSERT_EQ((*done)->findings.size(), 1u);
  EXPECT_EQ((*done)->findings[0].message,
            "it may write to b, which add reads later; fxscope cannot read from the file whether "
            "the two share memory: save the program again "
            "with PyTorch 2.9 or later");
  // Not across files, which PyTorch loads one by one.
  program.weights[1].file = "serialized_constants.pt";
  const auto apart = rewrite(std::make_shared<const fx::Program>(program), {}, RunContext{});
  ASSERT_TRUE(apart.has_value());
  EXPECT_TRUE((*apart)->findings.empty());
}

TEST(Rewrite, AStorageIsReadInTheOrderThatTheProgramGaveIt) {
  // The conversion is dropped; as_strided reads its result, whose channels are last in memory.
  const auto done = rewrite(programFrom("x: f32[1, 3, 2, 2] = placeholder\n"
                                        "to: f32[1, 3, 2, 2] stride=[12, 1, 6, 3] = "
                                        "aten.to.dtype(x, torch.float32, False, False, "
                                        "torch.channels_last)\n"
                                        "y: f32[12] = aten.as_strided.default(to, [12], [1], 0)\n"
                                        "return y\n"),
                            {}, RunContext{});
  ASSERT_TRUE(done.has_value());
  const std::string text = fx::dump(*(*done)->program);
  EXPECT_NE(text.find("aten.permute.default](args = (%clone, [0, 2, 3, 1])"), std::string::npos)
      << text;
}

TEST(Rewrite, UnknownDecompositionIsAUsageErrorThatNamesTheNearest) {
  RewriteOptions options;
  options.decompose = {"aten.squeez.dims"};
  const auto done =
      rewrite(programFrom("x: f32[4] = placeholder\nreturn x\n"), options, RunContext{});
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().code, ErrorCode::Usage);
  EXPECT_EQ(done.error().message.substr(0, done.error().message.find('?')).substr(0, 63),
            "no decomposition for 'aten.squeez.dims'; did you mean 'aten.squ");
}

TEST(Rewrite, RulesAreSortedAndNamedOnce) {
  const std::vector<Rule>& rules = builtinRules().rules();
  ASSERT_FALSE(rules.empty());
  // Of one operator, some forms may be essential, and others not, or be chosen together.
  for (std::size_t i = 1; i < rules.size(); ++i) {
    EXPECT_LE(rules[i - 1].target, rules[i].target);
    if (rules[i - 1].target == rules[i].target) {
      EXPECT_TRUE(rules[i - 1].essential != rules[i].essential || rules[i - 1].id == rules[i].id)
          << rules[i].target;
    }
  }
}

TEST(Rewrite, CancelledRewriteSaysSo) {
  std::stop_source stop;
  stop.request_stop();
  RunContext run;
  run.stop = stop.get_token();
  const auto done =
      rewrite(programFrom("x: f32[4] = placeholder\nclone: f32[4] = aten.clone.default(x)\nneg_: "
                          "f32[4] = aten.neg_.default(clone)\nreturn clone\n"),
              {}, run);
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().code, ErrorCode::Cancelled);
  EXPECT_EQ(done.error().message, "cancelled while functionalizing");
}

}  // namespace
}  // namespace fxs::rewrite
