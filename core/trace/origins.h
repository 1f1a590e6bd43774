#pragma once
// Which FX node each operation of a printed module originates from, and how that is known. Used for stages, snapshots of passes, diagnoses
// and the window; origins are decided nowhere else.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/run_context.h"
#include "fx/argument.h"
#include "mlir/text/module.h"

namespace fxs::mlir {
class Document;
}

namespace fxs::trace {

/// How the node of an operation is known, surest first: by its location; from the operation around it; through those that use it;
/// by the line of Python that both name, which several nodes may share.
enum class Link : std::uint8_t { None, Exact, Parent, Users, SourceLine };

/// Where one operation came from.
struct OpOrigin {
  Link link = Link::None;
  std::span<const fx::NodeId> nodes;
  /// Operations of the snapshot SnapshotOrigins::from, by OpId; empty when it is new there, or not known.
  std::span<const mlir::OpId> from;
};

/// Operations of a module by how their node is known; module and functions are not counted.
struct Counts {
  std::size_t ops = 0;      ///< all, module and functions included
  std::size_t counted = 0;  ///< without those
  std::size_t exact = 0, inherited = 0, users = 0;
  std::size_t sourceLine = 0;  ///< a guess among the nodes of one line of Python: no part of the coverage
  /// 0..1; 1 when there is nothing to count.
  double coverage() const { return counted == 0 ? 1 : static_cast<double>(exact + inherited + users) / static_cast<double>(counted); }
  friend bool operator==(const Counts&, const Counts&) = default;
};

/// The origins of all operations of one module, by OpId.
class SnapshotOrigins {
 public:
  OpOrigin of(mlir::OpId op) const;
  std::size_t size() const { return links_.size(); }
  /// Where the operation begins in the text with its locations, 1-based.
  std::uint32_t lineOf(mlir::OpId op) const { return lines_[op.index()]; }
  int from() const { return from_; }  ///< the snapshot that hops lead to, or -1
  const Counts& counts() const { return counts_; }
  std::size_t nodesSeen() const;  ///< the largest node's index and one; 0 when there is none
  /// The next operation's origin.
  void add(Link link, std::span<const fx::NodeId> nodes, std::span<const mlir::OpId> from, std::uint32_t line);
  void setFrom(int snapshot) { from_ = snapshot; }
  void setCounts(const Counts& counts) { counts_ = counts; }

 private:
  std::vector<Link> links_;
  std::vector<std::uint32_t> lines_;
  std::vector<std::uint32_t> nodeEnds_, fromEnds_;
  std::vector<fx::NodeId> nodes_;
  std::vector<mlir::OpId> fromOps_;
  int from_ = -1;
  Counts counts_;
};

/// The origins of a single text, such as a stage: by locations, then from enclosing operations and through users. Throws Abandoned if the
/// text exceeds the budget.
std::shared_ptr<const SnapshotOrigins> originsOf(const mlir::Document&, const RunContext& = {});

/// A text looked at: as a person reads it, its structure, and where its operations came from.
struct OpenText {
  std::string text;                            ///< see mlir::shownText
  std::unique_ptr<const mlir::Module> module;  ///< of `text`; its OpIds are those of the origins
  std::shared_ptr<const SnapshotOrigins> origins;
};
/// `printed` with its locations. `origins` are those of it, where they are known already.
std::shared_ptr<const OpenText> openText(std::string_view printed, std::shared_ptr<const SnapshotOrigins> origins = nullptr);

/// The origin of a line.
struct LineOrigin {
  Link link = Link::None;
  std::vector<fx::NodeId> nodes;  ///< usually one; several for fused locations
};
struct LineOrigins {
  std::vector<LineOrigin> lines;                        ///< by 0-based line
  std::vector<std::vector<std::uint32_t>> linesByNode;  ///< by NodeId, as far as the largest seen; ascending
  /// Makes `linesByNode` from `lines`.
  void index();
};
/// A line belongs to the operation that begins on it, the first of several; else to the innermost one that spans it, as a label or a
/// closing brace does.
LineOrigins lineOrigins(const OpenText&);

}  // namespace fxs::trace
