// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A program in and its rewritten form out, both as text, for tests of the engine without
// decompositions.
#include <string>
#include <string_view>

#include "fx/text.h"
#include "rewrite/rewrite.h"

namespace fxs::rewrite {

inline RewriteOptions withoutDecompositions() {
  RewriteOptions options;
  options.decompositions = Decompositions::None;
  return options;
}

/// The dump of the rewritten program, then one line for each finding; or "error: .." when it fails.
inline std::string rewritten(std::string_view text,
                             const RewriteOptions& options = withoutDecompositions()) {
  const auto program = fx::graphFrom(text);
  if (!program) return "error: " + program.error().message;
  const auto done = rewrite(*program, options, RunContext{});
  if (!done) return "error: " + done.error().message;
  std::string out = fx::dump(*(*done)->program);
  for (const fx::Finding& finding : (*done)->findings)
    out += "finding: " + finding.nodeName + " (" + finding.target + "): " + finding.message + "\n";
  return out;
}

}  // namespace fxs::rewrite
