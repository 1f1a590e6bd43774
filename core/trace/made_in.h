// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which pass made an operation of a module, and which changed it last.
#include <string>
#include <vector>

#include "trace/provenance.h"

namespace fxs::trace {

/// Snapshots of a trace: indices into PassTrace::snapshots.
struct MadeIn {
  int made = -1;         ///< the first that has the operation
  int lastChanged = -1;  ///< the last in which its text differs from that before it; `made` if none
  friend bool operator==(const MadeIn&, const MadeIn&) = default;
};

/// By operation of `ops`, of the snapshot. Follows OpOrigin::from back as long as the name stays.
/// Of several operations of a name that came from one, that one is the first with its text, else
/// the first; the others are new. Where locations lead to the stage's input, the operations that
/// came from the same one are compared. A text has no names of values, see SeenOp. Errors as for
/// Trace::open(); throws Abandoned if the budget is exceeded.
Result<std::vector<MadeIn>> madeIn(const Trace&, std::size_t snapshot,
                                   const std::vector<mlir::OpId>& ops, const RunContext& = {});

/// "made in pass 10 (convert-torch-to-linalg); last changed in 13 (canonicalize)", "imported".
std::string madeInText(const lower::PassTrace&, const MadeIn&);

}  // namespace fxs::trace
