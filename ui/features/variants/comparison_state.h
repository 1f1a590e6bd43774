// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Two lowerings as a trace to step through: from the first stage in which they differ, each stage
// of the one, and after it that of the other.
#include "session/session.h"
#include "trace/provenance.h"

namespace fxs::ui {

/// Null if they have no stage in common that differs.
trace::TracePtr comparisonOf(const session::SnapshotPtr& original,
                             const session::SnapshotPtr& variant, const std::string& name);
/// The name of the stages of `original` in it.
inline constexpr const char* kOriginal = "original";

}  // namespace fxs::ui
