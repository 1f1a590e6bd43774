#pragma once
// A textual pass pipeline (`builtin.module(func.func(canonicalize{..},cse),inline)`) as a flat list of passes in the order they run,
// and back. The engine prints the flattened form of its named pipelines with --dump-pass-pipeline.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fxs::lower {

struct PipelinePass {
  std::vector<std::string> anchors;  ///< operations around it below the outermost: {"func.func"}; empty for the outermost
  std::string pass;                  ///< "canonicalize"
  std::string options;               ///< between its braces, trimmed; "" for none
  friend bool operator==(const PipelinePass&, const PipelinePass&) = default;
};

/// `text` begins with its outermost operation and may go on after it. InvalidInput when it is no pipeline.
Result<std::vector<PipelinePass>> parsePipeline(std::string_view text);
/// One pass, inside its anchors: `func.func(canonicalize{..})`.
std::string textOf(const PipelinePass&);

}  // namespace fxs::lower
