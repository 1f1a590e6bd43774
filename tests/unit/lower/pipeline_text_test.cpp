// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/pipeline_text.h"

#include <gtest/gtest.h>

namespace fxs::lower {
namespace {

std::string shown(std::string_view text) {
  const auto passes = parsePipeline(text);
  if (!passes) return passes.error().message;
  std::string out;
  for (const PipelinePass& pass : *passes) out += textOf(pass) + "\n";
  return out;
}

TEST(PipelineText, EachPassKeepsItsAnchorsAndOptions) {
  EXPECT_EQ(
      shown("builtin.module(\n"
            "  func.func(\n"
            "    torch-reduce-op-variants{extra-library=},\n"
            "    canonicalize{  max-iterations=10 top-down=true}\n"
            "  ),\n"
            "  inline{default-pipeline=canonicalize "
            "op-pipelines={func.func(cse,canonicalize{x=1})} },\n"
            "  func.func(linalg.generic(cse))\n"
            ")\n\nmodule {\n}\n"),
      "func.func(torch-reduce-op-variants{extra-library=})\n"
      "func.func(canonicalize{max-iterations=10 top-down=true})\n"
      "inline{default-pipeline=canonicalize op-pipelines={func.func(cse,canonicalize{x=1})}}\n"
      "func.func(linalg.generic(cse))\n");
}

TEST(PipelineText, NoPassesIsAPipelineToo) { EXPECT_EQ(shown("builtin.module()"), ""); }

TEST(PipelineText, WrongTextSaysWhere) {
  EXPECT_EQ(shown(""), "pass pipeline, character 0: unclosed bracket");
  EXPECT_EQ(shown("builtin.module(cse"), "pass pipeline, character 18: unclosed bracket");
  EXPECT_EQ(shown("cse,canonicalize"),
            "pass pipeline, character 3: expected '(' after the outermost operation 'cse'");
  EXPECT_EQ(shown(")"), "pass pipeline, character 0: unmatched ')'");
  EXPECT_EQ(shown("builtin.module(cse{a=1)"), "pass pipeline, character 18: unclosed '{'");
  EXPECT_EQ(shown("builtin.module(}"), "pass pipeline, character 15: expected a pass, got '}'");
}

}  // namespace
}  // namespace fxs::lower
