#pragma once
// What the locations of a pass's snapshot can lead to besides nodes: operations of the snapshots before it, and lines of Python.
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lower/pass_trace.h"
#include "mlir/text/document.h"
#include "trace/origins.h"

namespace fxs::trace {

/// A snapshot that later ones lead to.
struct Linked {
  std::vector<mlir::OpId> byLine;  ///< the first operation that begins on each line of its file, 0-based
  std::shared_ptr<const SnapshotOrigins> origins;
};

/// A snapshot in memory.
struct Loaded {
  std::unique_ptr<const std::string> text;
  std::unique_ptr<const mlir::Document> document;
};

/// Nodes by the line of Python that they stand for.
struct Sources {
  std::vector<std::string> files;
  std::map<std::pair<std::string, std::uint32_t>, std::vector<fx::NodeId>> nodes;
};

struct Earlier {
  std::vector<lower::HopFile> hops;  ///< files that locations name, each a snapshot's
  Sources sources;
  std::vector<Linked> snapshots;  ///< all before it
  std::map<int, Loaded> loaded;   ///< those still in memory, by number
  /// Of a Document's locations: hops, then sources.
  std::vector<std::string> files() const;
};
/// The origins of the snapshot after `earlier`; its document was read with earlier.files().
std::shared_ptr<const SnapshotOrigins> originsOf(const mlir::Document&, const Earlier&, const RunContext&);

}  // namespace fxs::trace
