#pragma once
// The rewrites of one node as a trace of their own: each step is what one pattern did (or a conversion as a whole), and the module
// after it comes from an engine that is stopped there, when it is looked at. So one steps below the level of a pass with the same
// list, handles and difference as through the passes.
#include "session/patterns.h"
#include "trace/provenance.h"

namespace fxs::ui {

/// Null when the patterns cannot be stepped through. `environment.runner` must outlive the result.
trace::TracePtr rewriteTrace(std::shared_ptr<const session::NodePatterns> patterns, std::vector<std::string> nodeNames,
                             session::Environment environment, lower::Limits limits);

}  // namespace fxs::ui
