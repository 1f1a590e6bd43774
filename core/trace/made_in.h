// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which pass made an operation of a module, which changed it last, what it was made of, and what it
// becomes.
#include <string>
#include <string_view>
#include <vector>

#include "trace/history.h"
#include "trace/provenance.h"

namespace fxs::trace {

/// Snapshots of a trace: indices into PassTrace::snapshots.
struct MadeIn {
  int made = -1;         ///< the first that has the operation
  int lastChanged = -1;  ///< the last in which its text differs from that before it; `made` if none
  mlir::OpId first;      ///< the operation in `made`
  /// Names of the operations that it was made of, if they are in the module right before `made`.
  std::vector<std::string> sources = {};
};

/// An operation on the way to another: itself, or one of those that it was made of.
struct OpStep {
  int snapshot = -1;  ///< index into PassTrace::snapshots: the last module that has it on that way
  mlir::OpId op;      ///< in it
  MadeIn made;
};

/// The operation, and then what it was made of, back to the import: by the snapshot that made them,
/// the last first. Ends where locations say no more; has at most kStepsOfOp. Errors as for
/// madeIn().
Result<std::vector<OpStep>> cameFrom(const Trace&, std::size_t snapshot, mlir::OpId op,
                                     const RunContext& = {});
/// Each pass that changed or replaced the operation, and then what it had become. In the last entry
/// nothing is left if it was removed. Errors as for madeIn().
Result<std::vector<HistoryEntry>> wentTo(const Trace&, std::size_t snapshot, mlir::OpId op,
                                         const RunContext& = {});
inline constexpr std::size_t kStepsOfOp = 64;

/// By operation of `ops`, of the snapshot. Follows OpOrigin::from back as long as the name stays.
/// Of several operations of a name that came from one, that one is the first with its text, else
/// the first; the others are new. Where locations lead to the stage's input, the operations that
/// came from the same one are compared. One of several constants that became one has no location,
/// and is the first with its text, or shares one: then the second is the second that it leads to. A
/// text has no names of values, see SeenOp. Errors as for Trace::open(); throws Abandoned if the
/// budget is exceeded.
Result<std::vector<MadeIn>> madeIn(const Trace&, std::size_t snapshot,
                                   const std::vector<mlir::OpId>& ops, const RunContext& = {});

/// "made in pass 10 (convert-torch-to-linalg); last changed in 13 (canonicalize)", "imported". With
/// `pattern`: "made in pass 10 (convert-torch-to-linalg) by ConvertAtenMmOp".
std::string madeInText(const lower::PassTrace&, const MadeIn&, std::string_view pattern = {});

}  // namespace fxs::trace
