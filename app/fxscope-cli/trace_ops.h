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

/// The exit code of a search without a result. Where the trace ends before its output type, says so
/// on stderr: what follows from there is not known to have none.
int foundNothing(const trace::Trace& trace, Console& console);

/// Of --op; --after says in which module. Exits 1 if no operation has the terms.
Result<int> opsAnswer(const std::string& input, const trace::Trace& trace,
                      const PatternsOfNode& patternsOf, const Arguments& arguments,
                      Console& console);

}  // namespace fxs::cli
