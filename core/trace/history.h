// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The history of a node's operations, pass by pass.
#include <string>
#include <vector>

#include "trace/node_changes.h"
#include "trace/provenance.h"

namespace fxs::trace {

/// A pass that changed a node's operations.
struct HistoryEntry : OpsChange {
  int pass = -1;      ///< index into PassTrace::passes; -1: the import
  int snapshot = -1;  ///< index into PassTrace::snapshots: the module after the pass
  /// As OpsChange::text(), or "starts as torch.aten.relu".
  std::string message() const;
};
/// One entry for each pass that changed the node's operations, in order; the first is the import.
/// Errors as for Trace::open().
Result<std::vector<HistoryEntry>> historyOf(const Trace& trace, fx::NodeId node);

}  // namespace fxs::trace
