// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which FX node each operation of each snapshot of a trace originates from, how that is known, and
// which operations of an earlier snapshot it came from. Snapshots stay on disk and are read on
// demand.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fx/program.h"
#include "lower/pass_trace.h"
#include "trace/origins.h"

namespace fxs::trace {

/// A pass trace with the origins of its operations. Immutable.
class Trace {
 public:
  virtual ~Trace() = default;
  virtual const lower::PassTrace& passes() const = 0;
  /// `snapshot`: index into PassTrace::snapshots.
  virtual std::shared_ptr<const SnapshotOrigins> origins(std::size_t snapshot) const = 0;
  /// Names of the program's nodes, by NodeId; numberedName() without the program.
  virtual const std::vector<std::string>& nodeNames() const = 0;
  /// Reads the snapshot's file. An Error if it cannot be read; InvalidInput if it changed or is not
  /// a regular file.
  virtual Result<std::shared_ptr<const OpenText>> open(std::size_t snapshot) const = 0;
};
/// "fx:3"
std::string numberedName(std::size_t node);
using TracePtr = std::shared_ptr<const Trace>;
struct PriorSnapshots;

/// The Python line that created a node.
struct SourceLine {
  std::string file;
  std::uint32_t line = 0;  ///< 1-based
  fx::NodeId node;
};
/// The lines of all nodes with a stack frame in the user's code; see fx::userFrame.
std::vector<SourceLine> sourceLinesOf(const fx::Program& program);

/// Finds the origins of a trace's snapshots in order, also while the trace is being recorded.
class SnapshotLinker {
 public:
  /// `sources`: to link operations whose locations name only Python lines, as written by other
  /// importers.
  explicit SnapshotLinker(const std::vector<SourceLine>& sources = {});
  SnapshotLinker(SnapshotLinker&&) noexcept;
  ~SnapshotLinker();
  /// For lower::TraceCallbacks::onSnapshot. Throws Abandoned if the budget is exceeded.
  void add(const lower::PassTrace& passes, std::shared_ptr<const std::string> text,
           const RunContext&);
  /// The trace with the origins of every snapshot; those that were not added are read from their
  /// files. Call it once. `nodeNames` by NodeId. `owned`: kept alive with the trace, such as a
  /// temporary directory; may be null. Cancelled on a stop request.
  Result<TracePtr> finish(std::shared_ptr<const lower::PassTrace> passes,
                          std::vector<std::string> nodeNames, std::shared_ptr<void> owned,
                          const RunContext&);

 private:
  std::unique_ptr<PriorSnapshots> linked_;
};

/// A trace whose origins are known, such as a stored one.
TracePtr makeTrace(std::shared_ptr<const lower::PassTrace> passes,
                   std::vector<std::string> nodeNames,
                   std::vector<std::shared_ptr<const SnapshotOrigins>> origins,
                   std::shared_ptr<void> owned);

}  // namespace fxs::trace
