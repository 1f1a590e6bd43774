#pragma once
// Which FX node made each operation of each snapshot of a trace, and how that is known; and, hop by hop, which operations of an
// earlier snapshot it came from. Snapshots stay on disk and are read when they are looked at.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fx/program.h"
#include "lower/pass_trace.h"
#include "mlir/located_text.h"
#include "mlir/module.h"

namespace fxs::trace {

/// Where one operation of a snapshot came from.
struct OpOrigin {
  mlir::Link link = mlir::Link::None;
  std::span<const fx::NodeId> nodes;
  /// Operations of the snapshot SnapshotOrigins::from, by OpId; empty when it is new there, or not known.
  std::span<const mlir::OpId> from;
};

/// Operations of a snapshot by how their node is known; module and functions are not counted.
struct Counts {
  std::size_t ops = 0;      ///< all, module and functions included
  std::size_t counted = 0;  ///< without those
  std::size_t exact = 0, inherited = 0, users = 0;
  std::size_t sourceLine = 0;  ///< a guess among the nodes of one line of Python: no part of the coverage
  /// 0..1; 1 when there is nothing to count.
  double coverage() const { return counted == 0 ? 1 : static_cast<double>(exact + inherited + users) / static_cast<double>(counted); }
  friend bool operator==(const Counts&, const Counts&) = default;
};

/// The origins of all operations of one snapshot, by OpId.
class SnapshotOrigins {
 public:
  OpOrigin of(mlir::OpId op) const;
  std::size_t size() const { return links_.size(); }
  /// Where the operation begins in the snapshot's file, 1-based.
  std::uint32_t lineOf(mlir::OpId op) const { return lines_[op.index()]; }
  int from() const { return from_; }  ///< the snapshot that hops lead to, or -1
  const Counts& counts() const { return counts_; }
  std::size_t nodesSeen() const;  ///< the largest node's index and one; 0 when there is none
  /// The next operation's origin.
  void add(mlir::Link link, std::span<const fx::NodeId> nodes, std::span<const mlir::OpId> from, std::uint32_t line);
  void setFrom(int snapshot) { from_ = snapshot; }
  void setCounts(const Counts& counts) { counts_ = counts; }

 private:
  std::vector<mlir::Link> links_;
  std::vector<std::uint32_t> lines_;
  std::vector<std::uint32_t> nodeEnds_, fromEnds_;
  std::vector<fx::NodeId> nodes_;
  std::vector<mlir::OpId> fromOps_;
  int from_ = -1;
  Counts counts_;
};

/// A snapshot looked at: its text, its structure, and where its operations came from.
struct OpenSnapshot {
  std::string text;                            ///< as a person reads it: without locations, large constants elided
  std::unique_ptr<const mlir::Module> module;  ///< of `text`; its OpIds are those of the origins
  std::shared_ptr<const SnapshotOrigins> origins;
};

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
  virtual Result<std::shared_ptr<const OpenSnapshot>> open(std::size_t snapshot) const = 0;
};
using TracePtr = std::shared_ptr<const Trace>;

/// A line of Python that a node stands for.
struct SourceLine {
  std::string file;
  std::uint32_t line = 0;
  fx::NodeId node;
};
/// The user's own line of every node that has one.
std::vector<SourceLine> sourceLinesOf(const fx::Program& program);

/// The trace with the origins of every snapshot, which are read once for it. `nodeNames` by NodeId. `owned`: kept alive with the
/// trace, such as a directory that goes when the trace does; may be null.
/// `sources`: what operations are tied to whose locations name lines of Python alone, as those of other importers do.
Result<TracePtr> linkTrace(std::shared_ptr<const lower::PassTrace> passes, std::vector<std::string> nodeNames, std::shared_ptr<void> owned,
                           const RunContext& context, const std::vector<SourceLine>& sources = {});

/// A trace whose origins are known already, as a stored one's are.
TracePtr makeTrace(std::shared_ptr<const lower::PassTrace> passes, std::vector<std::string> nodeNames,
                   std::vector<std::shared_ptr<const SnapshotOrigins>> origins, std::shared_ptr<void> owned);

}  // namespace fxs::trace
