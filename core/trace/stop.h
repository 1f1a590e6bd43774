// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The first pass of a trace at which a condition holds.
#include <optional>
#include <string>
#include <vector>

#include "trace/condition.h"
#include "trace/provenance.h"

namespace fxs::trace {

/// Of the module before and the module after the pass, the operations that the condition is about.
/// Where it is about those of one alone, the others are those that they came from, or became.
struct Stop {
  int pass = -1;      ///< index into PassTrace::passes; -1: the import
  int snapshot = -1;  ///< index into PassTrace::snapshots: the module after the pass; -1 for none
  int before = -1;    ///< of the module before it; -1 for none
  std::vector<mlir::OpId> opsBefore, opsAfter;  ///< of these snapshots, in text order
  /// Number of operations that have the terms of the condition; of `origins lost`, those without a
  /// node.
  std::size_t countBefore = 0, countAfter = 0;
  std::string message;  ///< of `fails`, what failed; else ""
};

/// `from`: index of the first snapshot that is looked at, compared with the one before it. A
/// condition that holds before it already has to hold anew. The module at a failing pass is left
/// out, since the pass is rolled back. std::nullopt if the condition never holds. Usage if it names
/// a node or a module that the trace does not have; else errors as for Trace::open(). Throws
/// Abandoned if the budget is exceeded.
Result<std::optional<Stop>> firstStop(const Trace&, const Condition&, std::size_t from = 0,
                                      const RunContext& = {});

}  // namespace fxs::trace
