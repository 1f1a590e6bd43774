// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which FX node each operation of a printed module originates from, and how that is known. The only
// place that decides origins; used for stages, snapshots of passes, diagnoses and the window.
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

/// How the node of an operation is known, most reliable first: by its location, by the debug line
/// of an instruction, from the enclosing operation, through its users, by the dispatch that
/// contains it, which may compute several nodes, or by a Python line that both refer to, which
/// several nodes may share.
enum class Link : std::uint8_t { None, Exact, DebugLine, Parent, Users, Dispatch, SourceLine };

/// The origin of one operation.
struct OpOrigin {
  Link link = Link::None;
  std::span<const fx::NodeId> nodes;
  /// The operations of snapshot SnapshotOrigins::from() that it came from; empty if it is new or
  /// they are not known.
  std::span<const mlir::OpId> from;
};

/// Number of operations of a module by how their node is known, without module and functions.
struct Counts {
  std::size_t ops = 0;      ///< all operations, including module and functions
  std::size_t counted = 0;  ///< without module and functions
  std::size_t exact = 0, debugLine = 0, inherited = 0, users = 0;
  std::size_t dispatch = 0, sourceLine = 0;  ///< ambiguous if nodes share a dispatch or a Python
                                             ///< line, so not part of the coverage
  /// 0 to 1; 1 if no operations are counted.
  double coverage() const {
    return counted == 0 ? 1
                        : static_cast<double>(exact + debugLine + inherited + users) /
                              static_cast<double>(counted);
  }
  friend bool operator==(const Counts&, const Counts&) = default;
};

/// The origins of all operations of one module, by OpId.
class SnapshotOrigins {
 public:
  OpOrigin of(mlir::OpId op) const;
  std::size_t size() const { return links_.size(); }
  /// The 1-based line on which the operation begins in the text with locations.
  std::uint32_t lineOf(mlir::OpId op) const { return lines_[op.index()]; }
  int from() const { return from_; }  ///< the snapshot that OpOrigin::from refers to, or -1
  const Counts& counts() const { return counts_; }
  std::size_t nodesSeen() const;  ///< the largest node index plus one; 0 if there are no nodes
  /// Appends the origin of the next operation.
  void add(Link link, std::span<const fx::NodeId> nodes, std::span<const mlir::OpId> from,
           std::uint32_t line);
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

/// The origins for a single text, such as a stage: by locations, then from enclosing operations and
/// through users. Throws Abandoned if the text exceeds the budget.
std::shared_ptr<const SnapshotOrigins> originsOf(const mlir::Document&, const RunContext& = {});

/// A text for display, its parsed structure, and the origins of its operations.
struct OpenText {
  std::string text;                            ///< see mlir::shownText
  std::unique_ptr<const mlir::Module> module;  ///< parsed from `text`; `origins` uses its OpIds
  std::shared_ptr<const SnapshotOrigins> origins;
};
/// `printed` must contain locations. `origins`: those of `printed` if known, else null. Texts other
/// than MLIR are shown unchanged.
std::shared_ptr<const OpenText> openText(std::string_view printed,
                                         std::shared_ptr<const SnapshotOrigins> origins = nullptr,
                                         mlir::TextForm form = mlir::TextForm::Mlir);

/// The origin of a line.
struct LineOrigin {
  Link link = Link::None;
  std::vector<fx::NodeId> nodes;  ///< usually one; several for fused locations
};
struct LineOrigins {
  std::vector<LineOrigin> lines;  ///< by 0-based line
  std::vector<std::vector<std::uint32_t>>
      linesByNode;  ///< 0-based lines, ascending, by NodeId up to the largest in `lines`
  /// Makes `linesByNode` from `lines`.
  void index();
};
/// A line belongs to the first operation that begins on it, otherwise (such as a label or closing
/// brace) to the innermost one that spans it.
LineOrigins lineOrigins(const OpenText&);

}  // namespace fxs::trace
