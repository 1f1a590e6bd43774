#pragma once
// The history of a node's operations, pass by pass.
#include <string>
#include <vector>

#include "trace/provenance.h"

namespace fxs::trace {

/// A pass that changed a node's operations.
struct HistoryEntry {
  int pass = -1;                          ///< index into PassTrace::passes; -1: the import
  int snapshot = -1;                      ///< index into PassTrace::snapshots: the module after the pass
  std::vector<mlir::OpId> before, after;  ///< the node's operations in the snapshots before and after the pass
  std::vector<std::string> gone, made;    ///< names of operations that occur only before or only after: "linalg.generic x4"
  std::size_t changed = 0;                ///< operations with the same name but another text
  /// "torch.aten.softmax.int became linalg.generic x4, tensor.empty"; one line.
  std::string what() const;
};
/// One entry for each pass that changed the node's operations, in order; the first is the import. Errors as for Trace::open().
Result<std::vector<HistoryEntry>> historyOf(const Trace& trace, fx::NodeId node);

}  // namespace fxs::trace
