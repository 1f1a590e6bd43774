#pragma once
// What locations of a snapshot can refer to besides nodes: operations of earlier snapshots, and lines of Python.
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
  std::vector<mlir::OpId> byLine;  ///< the first operation that begins on each line of its file, 0-based
  std::shared_ptr<const SnapshotOrigins> origins;
};

/// A snapshot in memory.
struct Loaded {
  std::shared_ptr<const std::string> text;
  std::unique_ptr<const mlir::Document> document;
};

/// Nodes by their line of Python.
struct Sources {
  std::vector<std::string> files;
  std::map<std::pair<std::string, std::uint32_t>, std::vector<fx::NodeId>> nodes;
};

struct PriorSnapshots {
  std::vector<lower::HopFile> hops;  ///< files that locations name, each a snapshot's
  Sources sources;
  std::vector<Linked> snapshots;  ///< all before it
  std::map<int, Loaded> loaded;   ///< those still in memory, by number
  /// Of a Document's locations: hops, then sources.
  std::vector<std::string> files() const;
};
/// The origins of the snapshot after `earlier`; its document was read with earlier.files().
std::shared_ptr<const SnapshotOrigins> originsOf(const mlir::Document&, const PriorSnapshots&, const RunContext&);

}  // namespace fxs::trace
