// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// trace --op TERMS: which pass and pattern made operations, what they were made of, what they
// become.
#include <functional>
#include <string>

#include "command.h"
#include "node_lab/patterns.h"
#include "trace/provenance.h"

namespace fxs::cli {

/// The patterns of a node; null if they are not requested.
using PatternsOfNode = std::function<Result<node_lab::NodePatterns>(fx::NodeId)>;

/// Of --op; --after says in which module. Exits 1 if no operation has the terms.
Result<int> opsAnswer(const std::string& input, const trace::Trace& trace,
                      const PatternsOfNode& patternsOf, const Arguments& arguments,
                      Console& console);

}  // namespace fxs::cli
