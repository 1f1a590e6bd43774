// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/output_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "output_type.h"

namespace fxs::lower {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

std::vector<std::string> names(const std::vector<OutputType>& types) {
  std::vector<std::string> out;
  for (const OutputType& type : types) out.emplace_back(name(type));
  return out;
}

std::string file(const std::string& types) {
  return R"({"schema": "fxscope-output-types/1", "types": [)" + types + "]}";
}
std::string member(const std::string& more) {
  return file(
      R"j({"id": "mine", "title": "Mine", "after": "stablehlo", "pipeline": "builtin.module(canonicalize)")j" +
      more + "}");
}
std::string pipeline(const std::string& text) {
  return file(R"({"id": "mine", "title": "Mine", "after": "torch", "pipeline": ")" + text + "\"}");
}

std::string problemOf(const std::string& text) {
  const auto types = OutputTypes::builtin().with(text, "f.json", {});
  return types ? "taken" : types.error().message;
}

TEST(OutputTypes, CaseAndSeparatorsDoNotMatter) {
  const OutputTypes& types = OutputTypes::builtin();
  for (const char* text : {"linalg-on-tensors", "LINALG_ON_TENSORS", "Linalg_On-Tensors"})
    EXPECT_EQ(*types.from(text), test::outputType("linalg-on-tensors"));
  EXPECT_EQ(types.from("linalg").error().message,
            "unknown output type 'linalg'; did you mean 'linalg-on-tensors'?");
  EXPECT_EQ(types.from("stablehl").error().message,
            "unknown output type 'stablehl'; did you mean 'stablehlo'?");
  EXPECT_EQ(
      types.from("spirv").error().message,
      "unknown output type 'spirv'; there are raw, torch, linalg-on-tensors, tosa, "
      "stablehlo, loops, llvm-dialect, llvm-ir, assembly, "
      "iree-input, iree-flow, iree-stream, iree-executable-sources, iree-executable-targets, "
      "iree-assembly, iree-cuda-dispatches, iree-cuda-llvm, iree-ptx, iree-vulkan-dispatches, "
      "iree-spirv, iree-rocm-llvm and iree-amdgcn");
  EXPECT_EQ(OutputType(), test::outputType("linalg-on-tensors"));
}

TEST(OutputTypes, AFileAddsOthersBehindThem) {
  const auto types =
      OutputTypes::builtin().with(member(R"(, "backend": true, "quiet": ["cse"])"), "f.json", {});
  ASSERT_TRUE(types) << types.error().message;
  std::vector<std::string> all = names(OutputTypes::builtin().all());
  all.emplace_back("mine");
  EXPECT_EQ(names(types->all()), all);
  EXPECT_THAT(names(types->backends()),
              ElementsAre("linalg-on-tensors", "tosa", "stablehlo", "mine"));
  const OutputType mine = *types->from("mine");
  EXPECT_THAT(names(pathTo(mine)), ElementsAre("raw", "torch", "stablehlo", "mine"));
  EXPECT_LT(test::outputType("stablehlo"), mine);
  EXPECT_EQ(listed(types->all(), " or "), listed(OutputTypes::builtin().all(), ", ") + " or mine");
  // What is written of it is read as the same again.
  const auto again = OutputTypes::builtin().with(userDefinitionsFor(mine), "again", {});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(userDefinitionsFor(*again->from("mine")), userDefinitionsFor(mine));
  EXPECT_EQ(userDefinitionsFor(test::outputType("tosa")), "");
}

TEST(OutputTypes, AVariantAddsPassesOrArguments) {
  const auto types = OutputTypes::builtin().with(
      R"j({"schema": "fxscope-output-types/1", "arguments": {"shared": ["-a", "-b"]}, "types": [
          {"id": "mine", "title": "Mine", "after": "stablehlo", "pipeline": "builtin.module(cse,func.func(sccp{x=1}),cse)",
           "variants": [{"name": "more", "after": "cse", "passes": "inline,symbol-dce"}]},
          {"id": "own", "title": "Own", "after": "mine", "tool": {"program": "./own", "arguments": ["-c", "${shared}"]},
           "variants": [{"name": "slow", "arguments": ["-O0"]}]}]})j",
      "f.json", {});
  ASSERT_TRUE(types) << types.error().message;
  const OutputType mine = *types->from("mine"), own = *types->from("own");
  EXPECT_EQ(inVariant(mine->stage, "more").pipeline,
            "builtin.module(cse,inline,symbol-dce,func.func(sccp{x=1}),cse)");
  EXPECT_THAT(own->stage.tool.arguments, ElementsAre("-c", "-a", "-b"));
  EXPECT_THAT(inVariant(own->stage, "slow").tool.arguments, ElementsAre("-c", "-a", "-b", "-O0"));
  const auto again = OutputTypes::builtin().with(userDefinitionsFor(own), "again", {});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(userDefinitionsFor(*again->from("own")), userDefinitionsFor(own));
  EXPECT_THAT(
      problemOf(member(R"(, "variants": [{"name": "more", "after": "inline", "passes": "cse"}])")),
      testing::HasSubstr("'passes' must follow a pass of the pipeline"));
  EXPECT_THAT(
      problemOf(member(
          R"j(, "variants": [{"name": "more", "after": "canonicalize", "passes": "cse)"}])j")),
      testing::HasSubstr("expected passes"));
}

TEST(OutputTypes, ParametersAreFilledInAndSet) {
  const auto types = OutputTypes::builtin().with(
      R"j({"schema": "fxscope-output-types/1",
          "parameters": [{"name": "tile", "default": "8", "help": "size", "pattern": "[0-9]+", "values": ["16"]}],
          "arguments": {"shared": ["-a=${tile}"]}, "types": [
          {"id": "mine", "title": "Mine", "after": "stablehlo", "pipeline": "builtin.module(x{size=${tile}})"},
          {"id": "own", "title": "Own", "after": "mine", "tool": {"program": "./own", "arguments": ["${shared}", "${input}"]}},
          {"id": "last", "title": "Last", "after": "own", "tool": "./last", "writes": "text"}]})j",
      "f.json", {});
  ASSERT_TRUE(types) << types.error().message;
  const OutputType last = *types->from("last"), mine = *types->from("mine");
  const auto filled = [](const OutputType& type) {
    const std::vector<StageSpec> stages = stagesFor(type);
    return stages[3].pipeline + " " + stages[4].tool.arguments.front();
  };
  EXPECT_EQ(filled(last), "builtin.module(x{size=8}) -a=8");
  const auto set = withSettings({last, test::outputType("tosa")}, {"tile=32"});
  ASSERT_TRUE(set) << set.error().message;
  EXPECT_EQ(filled(set->front()), "builtin.module(x{size=32}) -a=32");
  EXPECT_NE(set->front(), last);
  EXPECT_EQ(set->back(), test::outputType("tosa"));
  EXPECT_EQ(shellOptionsFor(set->front()), "--to last --output-types f.json --set tile=32");
  EXPECT_EQ(shellOptionsFor(last), "--to last --output-types f.json");
  const auto again = OutputTypes::builtin().with(userDefinitionsFor(set->front()), "again", {});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(filled(*again->from("last")), "builtin.module(x{size=32}) -a=32");

  const auto problem = [&](const std::vector<OutputType>& of, const std::string& setting) {
    const auto done = withSettings(of, {setting});
    return done ? "taken" : done.error().message;
  };
  EXPECT_EQ(problem({mine}, "tiel=8"),
            "output type 'mine' has no parameter 'tiel'; did you mean 'tile'?");
  EXPECT_EQ(problem({mine}, "x=8"), "output type 'mine' has no parameter 'x'; it has tile");
  EXPECT_EQ(problem({test::outputType("tosa")}, "tile=8"),
            "output type 'tosa' has no parameter 'tile', nor any other; leave out --set");
  EXPECT_EQ(problem({mine, test::outputType("tosa")}, "x=8"),
            "none of the output types has a parameter 'x'; they have tile");
  EXPECT_EQ(nameWithSettings(set->front()), "last (tile=32)");
  EXPECT_EQ(nameWithSettings(last), "last");
  EXPECT_EQ(filled(*types->withSettings({"tile=4"})->from("last")),
            "builtin.module(x{size=4}) -a=4");
  EXPECT_EQ(problem({mine}, "tile=1O"),
            "parameter 'tile': '1O' is not allowed; did you mean '16'?");
  EXPECT_EQ(problem({mine}, "tile=many"),
            "parameter 'tile': 'many' is not allowed; expected one such as 16");
  EXPECT_EQ(problem({mine}, "tile"), "option '--set': expected NAME=VALUE, got 'tile'");
  EXPECT_EQ(withSettings({mine}, {"tile=1", "tile=2"}).error().message,
            "parameter 'tile' is set twice");
}

TEST(OutputTypes, APipelineDeclaresParametersWithTheirDefaults) {
  const OutputType raw = OutputTypes::builtin().all().front();
  const auto type = pipelineType("builtin.module(x{a=${tile=8} b=${tile}},y{c=${n=1,2}})", {}, raw);
  ASSERT_TRUE(type) << type.error().message;
  EXPECT_EQ(stagesFor(*type).back().pipeline, "builtin.module(x{a=8 b=8},y{c=1,2})");
  const auto set = withSettings({*type}, {"tile=16", "n=3"});
  ASSERT_TRUE(set) << set.error().message;
  EXPECT_EQ(stagesFor(set->front()).back().pipeline, "builtin.module(x{a=16 b=16},y{c=3})");
  EXPECT_EQ(shellOptionsFor(set->front()), "--pass-pipeline 'builtin.module(x{a=16 b=16},y{c=3})'");
  const auto problem = [&](const std::string& pipeline) {
    const auto done = pipelineType(pipeline, {}, raw);
    return done ? "taken" : done.error().message;
  };
  EXPECT_EQ(problem("builtin.module(x{a=${tile}})"),
            "pass pipeline, character 19: parameter 'tile' has no default; write ${tile=VALUE}");
  EXPECT_EQ(problem("builtin.module(x{a=${tile=1} b=${tile=2}})"),
            "pass pipeline, character 31: parameter 'tile' has the default 1 already");
  EXPECT_EQ(problem("builtin.module(x{a=${T=1}})"),
            "pass pipeline, character 19: expected a parameter such as ${tile=8}, got 'T=1'");
  EXPECT_EQ(problem("builtin.module(x{a=${t=(})"),
            "pass pipeline, character 19: '(' cannot be the value of an option");
  EXPECT_EQ(withSettings({*type}, {"tile=8},cse"}).error().message,
            "parameter 'tile': '8},cse' is not allowed; expected a text that matches "
            "[A-Za-z0-9_.,:+-]+, such as 8");
}

TEST(OutputTypes, ParametersOfAFileAreChecked) {
  const auto problem = [](const std::string& parameters) {
    return problemOf(R"({"schema": "fxscope-output-types/1", "parameters": [)" + parameters +
                     R"(], "types": []})");
  };
  const auto with = [&](const std::string& name, const std::string& more) {
    return problem(R"({"name": ")" + name +
                   R"(", "default": "8", "help": "h", "pattern": "[0-9]+")" + more + "}");
  };
  EXPECT_EQ(with("tile", ""), "taken");
  EXPECT_EQ(with("cuda-target", ""),
            "f.json: parameters[0].name: 'cuda-target' is taken; choose another name");
  EXPECT_EQ(with("input", ""), "f.json: parameters[0].name: 'input' is taken; choose another name");
  EXPECT_EQ(
      with("T", ""),
      "f.json: parameters[0].name: expected lower-case letters, digits and '-', a letter first");
  EXPECT_EQ(
      with("tile", R"(, "x": 1)"),
      "f.json: parameters[0].x: unknown member; expected name, default, help, pattern, values");
  EXPECT_EQ(with("tile", R"(, "values": ["a"])"),
            "f.json: parameters[0].values[0]: does not match the pattern [0-9]+");
  EXPECT_EQ(problem(R"({"name": "a", "default": "b", "help": "h", "pattern": "["})"),
            "f.json: parameters[0].pattern: is not a regular expression");
  EXPECT_EQ(problem(R"({"name": "a"})"), "f.json: parameters[0]: member 'default' is missing");
}

TEST(OutputTypes, WhatAFileMayNotSayIsNamed) {
  EXPECT_EQ(problemOf("[]"), "f.json: expected an object, got an array");
  EXPECT_EQ(
      problemOf("{\"schema\": \"x\"}"),
      "f.json: schema: expected 'fxscope-output-types/1': this is not a file of output types");
  EXPECT_EQ(problemOf(file("{}")), "f.json: types[0]: member 'id' is missing");
  EXPECT_EQ(problemOf(file(R"({"id": "../x"})")),
            "f.json: types[0].id: expected lower-case letters, digits and '-', a letter first");
  EXPECT_EQ(problemOf(file(R"({"id": "tosa"})")),
            "f.json: types[0].id: 'tosa' is taken; choose another id");
  EXPECT_EQ(problemOf(file(R"({"id": "fx"})")),
            "f.json: types[0].id: 'fx' is taken; choose another id");
  EXPECT_EQ(problemOf(file(R"({"id": "a", "title": "A\u202e"})")),
            "f.json: types[0].title: contains line breaks or invisible characters");
  EXPECT_EQ(problemOf(file(R"({"id": "a", "title": "A"})")),
            "f.json: types[0]: member 'after' is missing");
  EXPECT_EQ(problemOf(file(R"({"id": "a", "title": "A", "after": "stable"})")),
            "f.json: types[0].after: unknown output type 'stable'; did you mean 'stablehlo'?");
  EXPECT_EQ(problemOf(file(R"({"id": "a", "title": "A", "after": "torch"})")),
            "f.json: types[0]: member 'pipeline' is missing");
  EXPECT_EQ(problemOf(member(R"(, "pipelines": [])")),
            "f.json: types[0].pipelines: unknown member; expected id, title, after, pipeline, "
            "survey, tool, prepare, writes, quiet, "
            "backend, registries, contract, decompose, variants");
  EXPECT_EQ(problemOf(member(R"(, "quiet": "cse")")),
            "f.json: types[0].quiet: expected an array, got a string");
  EXPECT_EQ(problemOf(member(R"(, "backend": 1)")),
            "f.json: types[0].backend: expected a bool, got an integer");
  EXPECT_EQ(problemOf(member(R"(, "survey": "cse")")),
            "f.json: types[0].survey: a pass pipeline must begin with 'builtin.module('");
  std::string many;
  for (int i = 0; i < 60; ++i) many += (i ? "," : "") + std::string("{}");
  EXPECT_EQ(problemOf(file(many)), "f.json: types: more than 64 output types");
  EXPECT_THAT(problemOf(std::string(std::size_t{2} << 20, ' ')), StartsWith("f.json: "));
}

TEST(OutputTypes, AContractSaysWhatATextMayHold) {
  const std::string contract =
      R"(, "contract": {"left": ["scf", "math.fma"], "warn": [{"dialect": "x", "why": "w", "decompose": ["aten.diff.default"]}]})";
  const auto types = OutputTypes::builtin().with(member(contract), "f.json", {});
  ASSERT_TRUE(types) << types.error().message;
  const OutputType mine = *types->from("mine");
  ASSERT_TRUE(mine->contract);
  EXPECT_THAT(mine->contract->left, ElementsAre("scf", "math.fma"));
  ASSERT_EQ(mine->contract->warned.size(), 1u);
  EXPECT_EQ(mine->contract->warned[0].dialect, "x");
  EXPECT_EQ(mine->contract->warned[0].message, "w");
  EXPECT_THAT(mine->contract->warned[0].decompose, ElementsAre("aten.diff.default"));
  const auto again = OutputTypes::builtin().with(userDefinitionsFor(mine), "again", {});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(userDefinitionsFor(*again->from("mine")), userDefinitionsFor(mine));

  EXPECT_FALSE((*OutputTypes::builtin().with(member(""), "f.json", {})->from("mine"))->contract);
  const std::string at = "f.json: types[0].contract";
  EXPECT_EQ(problemOf(member(R"(, "contract": [])")), at + ": expected an object, got an array");
  EXPECT_EQ(problemOf(member(R"(, "contract": {})")), at + ": member 'left' is missing");
  EXPECT_EQ(problemOf(member(R"(, "contract": {"left": [], "x": 1})")),
            at + ".x: unknown member; expected left, warn, function");
  EXPECT_EQ(problemOf(member(R"(, "contract": {"left": [], "warn": [{"dialect": "x"}]})")),
            at + ".warn[0]: member 'why' is missing");
  EXPECT_EQ(problemOf(member(
                R"(, "contract": {"left": [], "warn": [{"dialect": "x", "why": "w", "y": 1}]})")),
            at + ".warn[0].y: unknown member; expected dialect, why, decompose");
}

TEST(OutputTypes, APipelineIsOnePlainTextOfPasses) {
  const std::string at = "f.json: types[0].pipeline: ";
  EXPECT_EQ(problemOf(pipeline("builtin.module(func.func(cse),x{a=${extra-library}${backend-"
                               "legal-ops} b=${allow-non-finites}})")),
            "taken");
  EXPECT_EQ(problemOf(pipeline("builtin.module(cse")),
            at + "pass pipeline, character 18: unclosed bracket");
  EXPECT_EQ(problemOf(pipeline("builtin.module()")), at + "names no pass");
  EXPECT_EQ(problemOf(pipeline("builtin.module(cse),builtin.module(cse)")),
            at + "trailing text after the last bracket");
  EXPECT_EQ(problemOf(pipeline("builtin.module(cse) ")),
            at + "trailing text after the last bracket");
  EXPECT_EQ(problemOf(pipeline("builtin.module(${HOME})")),
            at + "character 15: unknown placeholder; expected ${extra-library}, "
                 "${backend-legal-ops}, ${allow-non-finites}");
  EXPECT_EQ(problemOf(pipeline("builtin.module(cse\\n)")),
            at + "contains line breaks or invisible characters");
  EXPECT_EQ(problemOf(pipeline("builtin.module(\xc3\xa9)")), at + "a pass pipeline must be ASCII");
  EXPECT_EQ(problemOf(pipeline("builtin.module(" + std::string(20'000, 'a') + ")")),
            at + "has 20016 bytes, more than 16384");
}

}  // namespace
}  // namespace fxs::lower
