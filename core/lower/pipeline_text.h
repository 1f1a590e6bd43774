// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Parses and prints textual pass pipelines
// (`builtin.module(func.func(canonicalize{..},cse),inline)`) as flat lists of passes in the order
// they run. The engine prints the flattened form of its named pipelines with --dump-pass-pipeline.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fxs::lower {

struct PipelinePass {
  std::vector<std::string>
      anchors;          ///< enclosing anchor operations except the outermost: {"func.func"}
  std::string pass;     ///< "canonicalize"
  std::string options;  ///< the text between the braces, trimmed; "" for none
  friend bool operator==(const PipelinePass&, const PipelinePass&) = default;
};

/// `text` begins with the outermost anchor; text after the closing parenthesis is ignored.
/// InvalidInput if it is not a pipeline.
Result<std::vector<PipelinePass>> parsePipeline(std::string_view text);
/// One pass nested in its anchors: `func.func(canonicalize{..})`.
std::string textOf(const PipelinePass&);

}  // namespace fxs::lower
