#pragma once
// Which FX node made each operation of each snapshot of a trace, and how that is known; and, hop by hop, which operations of an
// earlier snapshot it came from. Snapshots stay on disk and are read when they are looked at.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fx/program.h"
#include "lower/pass_trace.h"
#include "trace/origins.h"

namespace fxs::trace {

/// A pass trace with everything known of it. Immutable.
class Trace {
 public:
  virtual ~Trace() = default;
  virtual const lower::PassTrace& passes() const = 0;
  /// By snapshot.
  virtual std::shared_ptr<const SnapshotOrigins> origins(std::size_t snapshot) const = 0;
  /// Names of the program's nodes, by NodeId.
  virtual const std::vector<std::string>& nodeNames() const = 0;
  /// Reads the snapshot's file. Io when it is gone, InvalidInput when it is not what it was.
  virtual Result<std::shared_ptr<const OpenText>> open(std::size_t snapshot) const = 0;
};
using TracePtr = std::shared_ptr<const Trace>;
struct PriorSnapshots;

/// A line of Python that a node stands for.
struct SourceLine {
  std::string file;
  std::uint32_t line = 0;
  fx::NodeId node;
};
/// The user's own line of every node that has one.
std::vector<SourceLine> sourceLinesOf(const fx::Program& program);

/// Finds the origins of a trace's snapshots, one after the other, also while the trace is being made.
class SnapshotLinker {
 public:
  /// `sources`: what operations are tied to whose locations name lines of Python alone, as those of other importers do.
  explicit SnapshotLinker(const std::vector<SourceLine>& sources = {});
  SnapshotLinker(SnapshotLinker&&) noexcept;
  ~SnapshotLinker();
  /// See lower::TraceCallbacks::onSnapshot. Abandoned when it spends more than the budget.
  void add(const lower::PassTrace& passes, std::shared_ptr<const std::string> text, const RunContext&);
  /// The trace with the origins of every snapshot; those that were not added are read from their files. Once. `nodeNames` by NodeId.
  /// `owned`: kept alive with the trace, such as a directory that goes when the trace does; may be null.
  Result<TracePtr> finish(std::shared_ptr<const lower::PassTrace> passes, std::vector<std::string> nodeNames, std::shared_ptr<void> owned,
                          const RunContext&);

 private:
  std::unique_ptr<PriorSnapshots> linked_;
};

/// A trace whose origins are known already, as a stored one's are.
TracePtr makeTrace(std::shared_ptr<const lower::PassTrace> passes, std::vector<std::string> nodeNames,
                   std::vector<std::shared_ptr<const SnapshotOrigins>> origins, std::shared_ptr<void> owned);

}  // namespace fxs::trace
