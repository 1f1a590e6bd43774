// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bundle/content.h"

#include <gtest/gtest.h>

#include "bundle/public_program.h"
#include "fx/text.h"
#include "output_type.h"
#include "schema_file.h"

namespace fxs::test {
namespace {

bundle::Content content() {
  bundle::Content c;
  c.manifest.tool = "1.2.3";
  c.manifest.program = "net";
  c.manifest.target = outputType("tosa");
  c.manifest.signature = {"torch", "p", "illegal-op", "torch.aten.x", "aten.x.default"};
  c.manifest.timeoutMs = 2000;
  c.input = "module {\n}\n";
  return c;
}

std::string file(const bundle::Content& c, const std::string& name) {
  const auto files = bundle::filesOf(c);
  if (!files) return files.error().message;
  for (const bundle::File& f : *files)
    if (f.name == name) return f.bytes;
  return "no " + name;
}

TEST(BundleContent, CommandsLeadToTheStageThatFails) {
  EXPECT_EQ(file(content(), "commands.txt"),
            "torch-mlir-opt - --mlir-print-debuginfo --mlir-print-ir-after-failure "
            "--mlir-pass-pipeline-crash-reproducer=- < raw.mlir > "
            "stage-raw.mlir\n"
            "torch-mlir-opt - "
            "'--pass-pipeline=builtin.module(func.func(torch-match-quantized-custom-ops),"
            "torchdynamo-export-to-torch-backend-pipeline{extra-library=})' --mlir-print-debuginfo "
            "--mlir-print-ir-after-failure "
            "--mlir-pass-pipeline-crash-reproducer=- < input.mlir\n");
}

TEST(BundleContent, CommandsStartFromAnEditedText) {
  bundle::Content c = content();
  c.manifest.edited = "raw";
  c.manifest.passes = {{"torch", "builtin.module(canonicalize)"}};
  c.manifest.arguments = {{"x", "dim", "0"}};
  c.edited = "module {}\n";
  EXPECT_EQ(file(c, "edited.mlir"), c.edited);
  EXPECT_EQ(file(c, "commands.txt"),
            "torch-mlir-opt - --mlir-print-debuginfo --mlir-print-ir-after-failure "
            "--mlir-pass-pipeline-crash-reproducer=- < edited.mlir > stage-raw.mlir\n"
            "torch-mlir-opt - '--pass-pipeline=builtin.module(canonicalize)' "
            "--mlir-print-debuginfo --mlir-print-ir-after-failure "
            "--mlir-pass-pipeline-crash-reproducer=- < input.mlir\n");
  const std::string readme = file(c, "README.md");
  EXPECT_NE(readme.find(" It was lowered with changes: `x.dim = 0`, the text of stage raw is "
                        "edited.mlir, stage torch leaves out passes."),
            std::string::npos)
      << readme;
  c.manifest.edited = "torch";
  c.manifest.passes.clear();
  EXPECT_EQ(file(c, "commands.txt"),
            "torch-mlir-opt - --mlir-print-debuginfo --mlir-print-ir-after-failure "
            "--mlir-pass-pipeline-crash-reproducer=- < input.mlir\n");
  c.manifest.edited = "tosa";
  EXPECT_EQ(file(c, "run.sh"), "manifest.json: 'torch' is not a stage of the lowering to tosa");
}

TEST(BundleContent, WhatAManifestCannotAskForIsNamed) {
  bundle::Content c = content();
  c.manifest.signature.stage = "stablehlo";
  EXPECT_EQ(file(c, "run.sh"), "manifest.json: 'stablehlo' is not a stage of the lowering to tosa");
  c = content();
  c.manifest.backendLegalOps = {"x})' ; rm -rf ~"};
  EXPECT_EQ(file(c, "run.sh"),
            "manifest.json: 'x})' ; rm -rf ~' is not an operation name; expected a name such as "
            "aten.softmax.int");
}

TEST(BundleContent, WordsOfTheManifestStayWordsInTheScript) {
  bundle::Content c = content();
  c.manifest.signature.op = "x'; touch /tmp/evil; '$(id)`id`";
  const std::string script = file(c, "run.sh");
  EXPECT_NE(script.find("\nop='x'\\''; touch /tmp/evil; '\\''$(id)`id`'\n"), std::string::npos)
      << script;
}

TEST(BundleContent, AModuleIsTextAndItsFailingStageMayBeOfAnotherProgram) {
  bundle::Content c = content();
  lower::StageTool tool;
  tool.program = "mlir-opt-22";
  c.manifest.target = *lower::pipelineType("builtin.module(cse)", tool, outputType("raw"));
  c.manifest.signature = {"pipeline", "cse", "verifier", "test.x", "test.x"};
  c.manifest.module = bundle::StageProgram{"mlir-opt-22", std::string(64, 'a')};
  c.module = "func.func @f()\n";
  EXPECT_EQ(file(c, "program.mlir"), c.module);
  EXPECT_EQ(file(c, "program.pt2"), "no program.pt2");
  EXPECT_TRUE(file(c, "commands.txt").find("\nmlir-opt-22 - ") != std::string::npos)
      << file(c, "commands.txt");
  EXPECT_NE(file(c, "run.sh").find("${ENGINE:-mlir-opt-22}"), std::string::npos);
  EXPECT_EQ(file(c, "README.md").find("PyTorch opens"), std::string::npos);
  c.manifest.module.reset();
  EXPECT_EQ(file(c, "run.sh"), "manifest.json: the engine does not run pipeline");
}

TEST(BundleContent, AWrongResultComesWithItsValuesAndNoScript) {
  bundle::Content c = content();
  c.manifest.signature = {"tosa", "convert-torch-to-tosa", std::string(bundle::kWrongResult), "",
                          "aten.x.default"};
  c.manifest.wrong = bundle::WrongResult{
      "values", "x: [click](http://evil) `differs`", "PyTorch 2.13.0", {"IREE 3.13.0", "LLVM 22"}};
  c.inputs = "in";
  c.lowered = "module {\n}\n";
  EXPECT_EQ(file(c, "run.sh"), "no run.sh");
  EXPECT_EQ(file(c, "expected.safetensors"), "no expected.safetensors");
  EXPECT_EQ(file(c, "inputs.safetensors"), "in");
  EXPECT_EQ(file(c, "lowered.mlir"), "module {\n}\n");
  EXPECT_TRUE(file(c, "commands.txt").ends_with("< stage-torch.mlir > lowered.mlir\n"))
      << file(c, "commands.txt");
  for (const char* name : {"README.md", "issue.md"})
    EXPECT_NE(file(c, name).find("`x: [click](http://evil) 'differs'`"), std::string::npos)
        << file(c, name);
  c.manifest.targetDefinition.clear();
  const auto read = bundle::parseManifest(bundle::manifestJson([&] {
                                            bundle::Manifest m = c.manifest;
                                            m.statement =
                                                std::string(bundle::kDoesNotHold) + "it is made up";
                                            m.engineSha256 = std::string(64, 'a');
                                            return m;
                                          }()),
                                          "m");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_TRUE(read->wrong);
  EXPECT_EQ(read->wrong->message, c.manifest.wrong->message);
  EXPECT_EQ(read->wrong->executors, c.manifest.wrong->executors);
}

TEST(BundleContent, TheKindOfTheSignatureSaysWhetherAResultIsWrong) {
  bundle::Manifest m = content().manifest;
  m.statement = std::string(bundle::kDoesNotHold) + "it is made up";
  m.engineSha256 = std::string(64, 'a');
  m.signature.kind = bundle::kWrongResult;
  const auto read = bundle::parseManifest(bundle::manifestJson(m), "m");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("'wrong' belongs to the kind 'wrong-result'"),
            std::string::npos)
      << read.error().message;
}

TEST(PublicProgram, KnownMetadataGoesAlongAndTheRestIsCounted) {
  auto parsed =
      fx::graphFrom("x: f32[2] = placeholder\nrelu: f32[2] = aten.relu.default(x)\nreturn relu");
  ASSERT_TRUE(parsed) << parsed.error().message;
  fx::Program program = **parsed;
  const auto interned = [&](std::string text) {
    program.strings.push_back(std::move(text));
    return fx::StringId{static_cast<std::uint32_t>(program.strings.size() - 1)};
  };
  for (fx::Node& node : program.nodes)
    if (node.name == "relu")
      for (const auto& [key, text] : std::vector<std::pair<std::string, std::string>>{
               {"stack_trace",
                "File \"/home/ada/net.py\", line 3\n    y = load('hf_AbCdEfGhIjKl0123')"},
               {"nn_module_stack", "L__self__,,net.Net;k,heads.hf_AbCdEfGhIjKl0123,net.Head"},
               {"custom", "{\"by\": \"ada\"}"}})
        node.meta.push_back({interned(key), interned(text)});
  PrivateText filter;
  const bundle::PublicProgram out = bundle::publicProgram(program, filter);
  const fx::Node& relu = *out.program.findNode("relu");
  EXPECT_EQ(out.program.meta(relu, "stack_trace"),
            "File \"net.py\", line 3\n    y = load('redacted_token_1')");
  EXPECT_EQ(out.program.meta(relu, "nn_module_stack"),
            "L__self__,,net.Net;k,heads.redacted_token_1,net.Head");
  EXPECT_EQ(out.program.meta(relu, "custom"), std::nullopt);
  EXPECT_EQ(out.leftOut, (std::map<std::string, std::size_t>{{"custom", 1}}));
  // It is public already.
  PrivateText again;
  EXPECT_EQ(bundle::publicProgram(out.program, again).program.strings, out.program.strings);
  EXPECT_TRUE(again.removed().empty());
}

TEST(Schemas, ManifestIsThatOfItsForm) { expectSchemaFile("bundle", bundle::manifestSchema()); }

}  // namespace
}  // namespace fxs::test
