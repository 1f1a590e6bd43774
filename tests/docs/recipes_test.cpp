// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The examples of CONTRIBUTING.md, each registered as the build registers a file of its folder, do
// what the page says.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/subprocess.h"
#include "command.h"
#include "diagnose/change.h"
#include "fx/text.h"
#include "lower/output_types.h"
#include "normalize/rule.h"
#include "program_from.h"
#include "read/format.h"
#include "real_engine.h"
#include "registry/direct_lowering.h"
#include "report/inspect.h"
#include "rewrite/decompose.h"
#include "rewrite/draft.h"

namespace fxs {

namespace read {
void registerRecipeFormats(FormatRegistry&);
}
namespace normalize {
void registerRecipeNormalizeRules(NormalizeRules&);
}
namespace rewrite {
void registerRecipeRewriteRules(RewriteRules&);
}
namespace registry {
void registerRecipeRegistries(Registries&);
}
namespace diagnose {
void registerRecipeChanges(Proposals&);
}
namespace cli {
void registerRecipeCommands(Commands&);
}
namespace report {
std::string operatorCountsJson(const Inspection&);
std::string operatorCountsSchema();
}  // namespace report

namespace {

using test::programFrom;

/// In the chain's place of the built-in "tosa".
std::shared_ptr<const registry::DirectLowering> loweredWithRecipe(const fx::Program& program) {
  registry::Registries all;
  registry::registerAllRegistries(all);
  registry::registerRecipeRegistries(all);
  registry::DirectOptions options;
  options.user = {std::make_shared<const registry::Registry>(*all.find("tosa"))};
  return *registry::lowerByRegistries(program, options, {});
}

TEST(Recipes, ARegistryHandlerLowersItsOperator) {
  const auto program = programFrom(
      "x: f32[3] = placeholder\ny: f32[] = placeholder\nmost: f32[3] = "
      "aten.fmax.default(x, y)\nreturn most\n");
  const auto lowering = loweredWithRecipe(*program);
  EXPECT_TRUE(lowering->complete) << lowering->text;
  EXPECT_EQ(lowering->coverage[2].registry, "tosa");
  EXPECT_EQ(lowering->coverage[2].opClass, "FmaxOp");
  EXPECT_NE(lowering->text.find("\"arith.maxnumf\""), std::string::npos) << lowering->text;

  const auto engine = test::realEngine();
  if (!engine) GTEST_SKIP() << test::kNoEngine;
  PosixCommandRunner runner;
  Command command;
  command.argv = {engine->path, "-o", "/dev/null"};
  command.stdinText = lowering->text;
  command.timeout = std::chrono::seconds(30);
  const auto exit = runner.run(command, {});
  ASSERT_TRUE(exit) << toString(exit.error());
  EXPECT_TRUE(exit->ok()) << exit->err << "\n" << lowering->text;
}

TEST(Recipes, ARegistryHandlerRefusesWithAReason) {
  const auto program =
      programFrom("x: i64[3] = placeholder\nmost: i64[3] = aten.fmax.default(x, x)\nreturn most\n");
  EXPECT_EQ(loweredWithRecipe(*program)->coverage[1].refusals,
            std::vector<std::string>{"tosa: int64 has no NaN"});
}

TEST(Recipes, ADecompositionReplacesItsCall) {
  const auto program = programFrom(
      "x: f32[3] = placeholder\nv: f32[] = placeholder\nstep: f32[3] = aten.heaviside.default(x, "
      "v)\nreturn step\n");
  rewrite::RewriteRules rules;
  rewrite::registerAllRewriteRules(rules);
  rewrite::registerRecipeRewriteRules(rules);
  rewrite::RewriteOptions options;
  options.decompose = {"aten.heaviside"};
  const auto chosen = rewrite::chosenRules(rules, options);
  ASSERT_TRUE(chosen) << chosen.error().message;
  rewrite::Report report;
  auto draft = rewrite::decompose(*program, *chosen, report, {});
  ASSERT_TRUE(draft) << draft.error().message;
  const auto written = rewrite::finish(*std::move(draft), program, {});
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(fx::dump(**written), R"(graph():
    %x : f32[3] [num_users=2] = placeholder[target=x]
    %v : f32[] [num_users=1] = placeholder[target=v]
    %gt : b8[3] [num_users=1] = call_function[target=torch.ops.aten.gt.Scalar](args = (%x, 0), kwargs = {})
    %convert_element_type : f32[3] [num_users=1] = call_function[target=torch.ops.prims.convert_element_type.default](args = (%gt, torch.float32), kwargs = {})
    %eq : b8[3] [num_users=1] = call_function[target=torch.ops.aten.eq.Scalar](args = (%x, 0), kwargs = {})
    %where : f32[3] [num_users=1] = call_function[target=torch.ops.aten.where.self](args = (%eq, %v, %convert_element_type), kwargs = {})
    return (where,)
)");
}

TEST(Recipes, ANormalizationRuleRecordsItsChange) {
  fx::Program program = *programFrom("x: f32[2] = placeholder\nreturn x\n");
  program.strings = {"partitioner_tag", "is_backward"};
  program.nodes[0].meta = {{fx::StringId::of(0), fx::StringId::of(1)}};
  normalize::NormalizeRules rules;
  normalize::registerRecipeNormalizeRules(rules);
  ASSERT_EQ(rules.rules().size(), 1u);
  const RunContext context;
  const normalize::Values values(program, context);
  normalize::NodeMetadata metadata;
  std::vector<normalize::MetadataChange> changes;
  rules.rules()[0].apply(values, program.nodes[0], metadata, changes);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].key + ": " + changes[0].before + " -> " + changes[0].after,
            "partitioner_tag: is_backward -> backward");
}

TEST(Recipes, AFormatKnowsItsFilesAndReadsThem) {
  read::FormatRegistry formats;
  read::registerRecipeFormats(formats);
  ASSERT_EQ(formats.formats().size(), 1u);
  const read::Format& format = formats.formats()[0];
  const auto read = [&](const std::string& text) {
    return format.read(memorySource(text), {.head = text, .zip = nullptr}, "chain.json", {}, {});
  };
  const std::string good = R"({"schema": "op-chain/1", "calls": ["aten.relu", "aten.neg"]})";
  EXPECT_TRUE(format.sniff({.head = good, .zip = nullptr}, {}));
  EXPECT_FALSE(format.sniff({.head = R"({"schema": "fxscope-fx/1"})", .zip = nullptr}, {}));
  const auto capture = read(good);
  ASSERT_TRUE(capture) << capture.error().message;
  EXPECT_EQ(fx::dump(*capture->program), R"(graph():
    %x : [num_users=1] = placeholder[target=x]
    %call : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    %call_1 : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%call,), kwargs = {})
    return (call_1,)
)");
  const auto refused = read(R"({"schema": "op-chain/1", "calls": ["aten.relu", "os.system"]})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "chain.json: calls[1]: 'os.system' is not an operator of PyTorch");
}

TEST(Recipes, ACommandAnswersOnStandardOutput) {
  cli::Commands commands;
  cli::registerRecipeCommands(commands);
  ASSERT_EQ(commands.commands().size(), 1u);
  std::istringstream in;
  std::ostringstream out, err;
  cli::Console console{in, out, err, {}, {}, "", "", {}};
  cli::Arguments arguments;
  arguments.set("FILE", {FXS_SOURCE_DIR "/samples/addmm.pt2"});
  EXPECT_EQ(commands.commands()[0].run(arguments, console), cli::kDone) << err.str();
  EXPECT_EQ(out.str(), "w 32 elements\nb 4 elements\n");
}

TEST(Recipes, AnExperimentProposesAChangeOfTheBlockedCall) {
  const auto program = programFrom(
      "x: f32[2, 3] = placeholder\nt: f32[3, 2] stride=[1, 3] = aten.t.default(x)\nr: f32[3, 2] = "
      "aten.relu.default(t)\nreturn r\n");
  const fx::Node& blockedNode = *program->findNode("r");
  diagnose::Subject subject;
  subject.program = program;
  subject.user = program.get();
  diagnose::Blocked blocked;
  blocked.fxTarget = blockedNode.target;
  blocked.nodes = {blockedNode.id};
  diagnose::Proposals proposals;
  diagnose::registerRecipeChanges(proposals);
  const std::vector<diagnose::Change> changes =
      proposals.of({subject, blocked, blockedNode, "model.pt2"});
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].id, "contiguous-operands");
  const auto changed =
      diagnose::changedProgram({.user = program, .options = {}}, {&changes[0]}, {});
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(fx::dump(**changed), R"(graph():
    %x : f32[2, 3] [num_users=1] = placeholder[target=x]
    %t : f32[3, 2] stride=[1, 3] [num_users=1] = call_function[target=torch.ops.aten.t.default](args = (%x,), kwargs = {})
    %clone : f32[3, 2] [num_users=1] = call_function[target=torch.ops.aten.clone.default](args = (%t,), kwargs = {})
    %relu : f32[3, 2] [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%clone,), kwargs = {})
    return (relu,)
)");
}

TEST(Recipes, AnOutputTypeOfAFileIsReached) {
  const auto types =
      lower::OutputTypes::builtin().withFile(FXS_RECIPES "/linalg-via-stablehlo.json", {});
  ASSERT_TRUE(types) << types.error().message;
  const auto type = types->from("linalg-via-stablehlo");
  ASSERT_TRUE(type) << type.error().message;
  const auto engine = test::realEngine();
  if (!engine) GTEST_SKIP() << test::kNoEngine;
  PosixCommandRunner runner;
  session::Environment environment;
  environment.runner = &runner;
  environment.enginePath = engine->path;
  session::Request request;
  request.file = FXS_SOURCE_DIR "/samples/addmm.pt2";
  request.lower.target = *type;
  const auto snapshot =
      session::advance(session::start(request), session::Phase::Lower, environment, {});
  ASSERT_TRUE(snapshot) << toString(snapshot.error());
  const lower::Lowering& lowering = *(*snapshot)->lowering;
  EXPECT_TRUE(lowering.ok());
  EXPECT_EQ(lowering.stages.back().id, "linalg-via-stablehlo");
}

TEST(Recipes, AFormWritesAndDescribesItsMembers) {
  const auto program = programFrom("x: f32[2] = placeholder\ny = aten.relu.default(x)\nreturn y");
  EXPECT_EQ(report::operatorCountsJson(report::inspect(*program)), R"({
  "schema": "fxscope-operator-counts/1",
  "operators": [
    {
      "target": "aten.relu.default",
      "count": 1,
      "is_known": true
    }
  ]
}
)");
  EXPECT_NE(report::operatorCountsSchema().find(R"("count": { "type": "integer", "minimum": 1 })"),
            std::string::npos);
}

}  // namespace
}  // namespace fxs
