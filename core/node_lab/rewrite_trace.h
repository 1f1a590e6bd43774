// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The rewrites of one node as a Trace: each step is one pattern application, or a whole dialect
// conversion. The module after a step is computed on demand by an engine run that stops there.
// Views that step through passes can thus step through rewrites.
#include "node_lab/patterns.h"
#include "trace/provenance.h"

namespace fxs::node_lab {

/// Null if the patterns cannot be applied one at a time. `environment.runner` must outlive the
/// result.
trace::TracePtr rewriteTrace(std::shared_ptr<const NodePatterns> patterns,
                             std::vector<std::string> nodeNames, session::Environment environment,
                             lower::Limits limits);

}  // namespace fxs::node_lab
