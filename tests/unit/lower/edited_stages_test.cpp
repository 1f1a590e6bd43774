// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/edited_stages.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fx/text.h"
#include "lower/trace_plan.h"
#include "output_type.h"
#include "table_runner.h"

namespace fxs::lower {
namespace {

using test::exited;
using testing::ElementsAre;

constexpr std::string_view kTorch = "torchdynamo-export-to-torch-backend-pipeline";
constexpr const char* kMatch = "torch-match-quantized-custom-ops";
constexpr std::string_view kLinalg = "torch-backend-to-linalg-on-tensors-backend-pipeline";

/// A module with an operation of each name.
std::string module(const std::vector<std::string>& names) {
  std::string out = "module {\n";
  for (const std::string& name : names) out += "  \"a." + name + "\"() : () -> ()\n";
  return out + "}\n";
}

/// An engine that knows the torch pipeline as two passes and Linalg's as three, and whose passes
/// append an operation of their name to the module. It does not take the pass "nameless" by its
/// name.
class StandIn {
 public:
  explicit StandIn(std::vector<std::string> linalg = {"convert", "canonicalize", "cse"})
      : linalg_(std::move(linalg)) {
    runner_.on("--dump-pass-pipeline", [this](const Command& c) { return dump(pipelineOf(c)); });
    runner_.on("--mlir-print-ir-after-all", [this](const Command& c) { return printAll(c); });
    runner_.on("-", [this](const Command& c) {
      std::string out = c.stdinText;
      for (const PipelinePass& pass : flat(pipelineOf(c))) run(pass, out);
      return exited(0, out);
    });
  }

  Result<std::shared_ptr<const Lowering>> lower(const LowerOptions& options,
                                                const Lowering* before = nullptr) {
    return lower::lower(module({}), *program_, engine_, options, runner_, {}, {}, before);
  }
  Result<std::string> textAt(const std::string& stage, std::optional<std::size_t> pass,
                             const LowerOptions& options = {}) {
    return lower::textAt(stage, pass, module({}), *program_, engine_, options, runner_, {});
  }
  Result<std::vector<ListedPass>> listed(const LowerOptions& options) {
    return listedPasses(options, engine_, runner_, {});
  }
  /// How many runs there were that lower something.
  std::ptrdiff_t runs() const {
    return std::count_if(runner_.asked().begin(), runner_.asked().end(), [](const Command& c) {
      return std::find(c.argv.begin(), c.argv.end(), "--dump-pass-pipeline") == c.argv.end();
    });
  }

 private:
  static void run(const PipelinePass& pass, std::string& module) {
    module.insert(module.rfind('}'), "  \"a." + pass.pass + "\"() : () -> ()\n");
  }

  static std::string pipelineOf(const Command& command) {
    constexpr std::string_view kOption = "--pass-pipeline=";
    for (const std::string& argument : command.argv)
      if (argument.starts_with(kOption)) return argument.substr(kOption.size());
    return {};
  }

  std::vector<PipelinePass> flat(const std::string& pipeline) const {
    std::vector<PipelinePass> out;
    if (pipeline.empty()) return out;
    std::vector<PipelinePass> named = *parsePipeline(pipeline);
    for (PipelinePass& pass : named) {
      if (pass.pass == kLinalg) {
        for (const std::string& each : linalg_) out.push_back({{"func.func"}, each, {}});
      } else {
        if (pass.pass == kTorch) pass = {{}, "inline", {}};
        out.push_back(std::move(pass));
      }
    }
    return out;
  }

  Exit dump(const std::string& pipeline) const {
    const bool isFlat = pipeline.find(kLinalg) == std::string::npos;
    if (isFlat && pipeline.find("nameless") != std::string::npos)
      return exited(1, "", "error: 'nameless' does not refer to a registered pass\n");
    return exited(0, module({}), "Pass Manager with 1 passes:\n" + restated(flat(pipeline)) + "\n");
  }

  Exit printAll(const Command& command) const {
    std::string module = command.stdinText, log;
    for (const PipelinePass& pass : flat(pipelineOf(command))) {
      run(pass, module);
      log += fmt::format("// -----// IR Dump After P ({}){} //----- //\n{}\n", pass.pass,
                         pass.anchors.empty() ? "" : " ('func.func' operation: @main)", module);
    }
    return exited(0, module, log);
  }

  const std::vector<std::string> linalg_;
  const fx::ProgramPtr program_ = *fx::graphFrom("x: f32[2] = placeholder\nreturn x");
  const Engine engine_{"/engine",
                       "LLVM 1",
                       std::string(64, 'a'),
                       {std::string(kTorch), std::string(kLinalg), std::string(kMatch), "inline",
                        "a", "b", "convert", "canonicalize", "cse"}};
  test::TableRunner runner_;
};

EditPtr edit(std::string stage, std::optional<std::size_t> pass, std::string text) {
  return std::make_shared<const Edit>(Edit{std::move(stage), pass, std::move(text)});
}

std::string lastText(const Result<std::shared_ptr<const Lowering>>& lowering) {
  return lowering ? (*lowering)->stages.back().text : lowering.error().message;
}

const std::string kEdited = module({"edited"});

TEST(EditedStages, LaterStagesContinueFromTheTextOfAStage) {
  StandIn engine;
  EXPECT_EQ(lastText(engine.lower({})),
            module({kMatch, "inline", "convert", "canonicalize", "cse"}));
  LowerOptions options;
  options.edit = edit("torch", std::nullopt, kEdited);
  const auto lowering = engine.lower(options);
  ASSERT_TRUE(lowering.has_value()) << lowering.error().message;
  EXPECT_EQ((*lowering)->stages[0].text, module({}));
  EXPECT_EQ((*lowering)->stages[1].text, kEdited);
  EXPECT_EQ(lastText(lowering), module({"edited", "convert", "canonicalize", "cse"}));
  EXPECT_EQ((*lowering)->edit, options.edit);
}

TEST(EditedStages, LaterPassesContinueFromTheTextOfAPass) {
  StandIn engine;
  LowerOptions options;
  options.edit = edit("linalg-on-tensors", 0, kEdited);
  EXPECT_EQ(lastText(engine.lower(options)), module({"edited", "canonicalize", "cse"}));
  options.edit = edit("torch", 0, kEdited);
  EXPECT_EQ(lastText(engine.lower(options)),
            module({"edited", "inline", "convert", "canonicalize", "cse"}));
}

TEST(EditedStages, SkippedPassesDoNotRun) {
  StandIn engine;
  LowerOptions options;
  options.skipped = {{"torch", 1}, {"linalg-on-tensors", 0}, {"linalg-on-tensors", 2}};
  EXPECT_EQ(lastText(engine.lower(options)), module({kMatch, "canonicalize"}));
  options.skipped.insert({"linalg-on-tensors", 1});
  EXPECT_EQ(lastText(engine.lower(options)), module({kMatch}));
}

TEST(EditedStages, SkippedPassesBeforeAnEditDoNotMatter) {
  StandIn engine;
  LowerOptions options;
  options.edit = edit("linalg-on-tensors", 1, kEdited);
  options.skipped = {{"linalg-on-tensors", 0}};
  EXPECT_EQ(lastText(engine.lower(options)), module({"edited", "cse"}));
}

TEST(EditedStages, PipelineTakesThePlaceOfAStagesOwn) {
  StandIn engine;
  LowerOptions options;
  options.pipelines = {{"torch", "builtin.module(a,b)"}};
  EXPECT_EQ(lastText(engine.lower(options)), module({"a", "b", "convert", "canonicalize", "cse"}));
  options.skipped = {{"torch", 0}};
  EXPECT_EQ(lastText(engine.lower(options)), module({"b", "convert", "canonicalize", "cse"}));
}

TEST(EditedStages, StagesBeforeTheFirstDifferenceAreKept) {
  StandIn engine;
  const auto before = engine.lower({});
  const std::ptrdiff_t runs = engine.runs();
  LowerOptions options;
  options.skipped = {{"linalg-on-tensors", 1}};
  const auto variant = engine.lower(options, before->get());
  EXPECT_EQ(lastText(variant), module({kMatch, "inline", "convert", "cse"}));
  EXPECT_EQ(engine.runs(), runs + 1);
  // What a variant changes is not kept for another.
  EXPECT_EQ(lastText(engine.lower({}, variant->get())),
            module({kMatch, "inline", "convert", "canonicalize", "cse"}));
}

TEST(EditedStages, TextsThatAnEditReplacesAreThoseOfTheLowering) {
  StandIn engine;
  EXPECT_EQ(*engine.textAt("torch", std::nullopt), module({kMatch, "inline"}));
  EXPECT_EQ(*engine.textAt("linalg-on-tensors", 1),
            module({kMatch, "inline", "convert", "canonicalize"}));
  LowerOptions options;
  options.edit = edit("torch", std::nullopt, kEdited);
  EXPECT_EQ(*engine.textAt("linalg-on-tensors", 0, options), module({"edited", "convert"}));
  EXPECT_EQ(*engine.textAt("torch", 0, options), module({kMatch}));
}

TEST(EditedStages, PassesAreListedWithThoseThatRun) {
  StandIn engine;
  LowerOptions options;
  options.edit = edit("torch", 0, kEdited);
  options.skipped = {{"linalg-on-tensors", 1}};
  const auto listed = engine.listed(options);
  ASSERT_TRUE(listed.has_value()) << listed.error().message;
  std::vector<std::string> out;
  for (const ListedPass& each : *listed)
    out.push_back(fmt::format("{} {} {}{}", each.at.stage, each.at.pass, each.pass.pass,
                              each.runs ? "" : " -"));
  EXPECT_THAT(out, ElementsAre("torch 0 torch-match-quantized-custom-ops -", "torch 1 inline",
                               "linalg-on-tensors 0 convert", "linalg-on-tensors 1 canonicalize -",
                               "linalg-on-tensors 2 cse"));
}

TEST(EditedStages, WhatDoesNotExistIsRefused) {
  StandIn engine;
  const auto refusal = [&](const LowerOptions& options) {
    const auto lowering = engine.lower(options);
    EXPECT_FALSE(lowering.has_value());
    return lowering ? std::string() : lowering.error().message;
  };
  LowerOptions options;
  options.edit = edit("tosa", std::nullopt, kEdited);
  EXPECT_EQ(refusal(options), "no stage 'tosa': the stages are raw, torch, linalg-on-tensors");
  options.edit = edit("linalg-on-tensors", 3, kEdited);
  EXPECT_EQ(refusal(options), "stage linalg-on-tensors: no pass 3: its 3 passes begin at 0");
  options.edit = nullptr;
  options.skipped = {{"raw", 0}};
  EXPECT_EQ(refusal(options), "stage raw: it has no passes");
  options.skipped.clear();
  options.pipelines = {{"tosa", "builtin.module(cse)"}};
  EXPECT_EQ(refusal(options), "no stage 'tosa': the stages are raw, torch, linalg-on-tensors");
}

TEST(EditedStages, PassesWithoutANameRunAgainAndMustNotChangeTheEdit) {
  StandIn engine({"convert", "nameless", "cse"});
  LowerOptions options;
  options.skipped = {{"linalg-on-tensors", 0}};
  EXPECT_EQ(lastText(engine.lower(options)),
            "stage linalg-on-tensors: the engine does not run its pass 'nameless' by name, so that "
            "none can be left out");
  options.skipped.clear();
  options.edit = edit("linalg-on-tensors", 1, kEdited);  // only passes with names follow
  EXPECT_EQ(lastText(engine.lower(options)), module({"edited", "cse"}));
  EXPECT_EQ(*engine.textAt("linalg-on-tensors", 0), module({kMatch, "inline", "convert"}));
  options.edit = edit("linalg-on-tensors", 0, kEdited);
  EXPECT_EQ(lastText(engine.lower(options)),
            "stage linalg-on-tensors: the engine does not run its pass 'nameless' by name, so that "
            "the passes before it run again, and they change the edited text: edit the text of an "
            "earlier stage, or of a later pass");
}

}  // namespace
}  // namespace fxs::lower
