// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The targets of a snapshot's locations other than nodes: operations of earlier snapshots, and
// Python lines.
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lower/pass_trace.h"
#include "mlir/text/document.h"
#include "trace/origins.h"

namespace fxs::trace {

/// A snapshot that later ones refer to.
struct Linked {
  std::vector<mlir::OpId>
      byLine;  ///< the first operation that begins on each 0-based line of its file
  std::shared_ptr<const SnapshotOrigins> origins;
};

/// A snapshot in memory.
struct Loaded {
  std::shared_ptr<const std::string> text;
  std::unique_ptr<const mlir::Document> document;
};

/// Nodes by Python file and line.
struct Sources {
  std::vector<std::string> files;
  std::map<std::pair<std::string, std::uint32_t>, std::vector<fx::NodeId>> nodes;
};

struct PriorSnapshots {
  std::vector<lower::HopFile> hops;  ///< file names in locations that refer to snapshots
  Sources sources;
  std::vector<Linked> snapshots;  ///< all earlier snapshots
  std::map<int, Loaded> loaded;   ///< those still in memory, by index
  /// File names for the locations of a Document: hops, then sources.
  std::vector<std::string> files() const;
};
/// The origins of the snapshot that follows the given ones; the document must have been read with
/// their files().
std::shared_ptr<const SnapshotOrigins> originsOf(const mlir::Document&, const PriorSnapshots&,
                                                 const RunContext&);

}  // namespace fxs::trace
