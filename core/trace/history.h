#pragma once
// What became of a node, pass by pass.
#include <string>
#include <vector>

#include "trace/provenance.h"

namespace fxs::trace {

/// A pass in which something happened to a node's operations.
struct HistoryEntry {
  int pass = -1;                          ///< of PassTrace::passes; -1: the import
  int snapshot = -1;                      ///< of PassTrace::snapshots: the module after it
  std::vector<mlir::OpId> before, after;  ///< its operations in the snapshot before it and in that after it
  std::vector<std::string> gone, made;    ///< names of the operations that are there before or after only: "linalg.generic x4"
  std::size_t changed = 0;                ///< operations whose name stayed and whose text did not
  /// "torch.aten.softmax.int became linalg.generic x4, tensor.empty"; one line.
  std::string what() const;
};
/// One entry for each pass that did something to the node, in order; the first is the import. Io when a snapshot's file is gone.
Result<std::vector<HistoryEntry>> historyOf(const Trace& trace, fx::NodeId node);

}  // namespace fxs::trace
