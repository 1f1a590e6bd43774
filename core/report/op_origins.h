// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli trace --op TERMS` as text and JSON
// (resources/schemas/trace_op.schema.json): which pass made operations, and which pattern. Of a
// single one also what it was made of, back to the import, and what it becomes.
#include <string>
#include <vector>

#include "base/run_context.h"
#include "trace/made_in.h"

namespace fxs::report {

/// An operation of a module of the trace.
struct TracedOp {
  int snapshot = -1;
  std::uint32_t line = 0;  ///< in the snapshot's file
  std::string name, text;  ///< on one line, without its regions
  std::vector<fx::NodeId> nodes;
  trace::MadeIn made;
  std::string pattern;  ///< that made it; "" if it is not known
};

struct OpOriginsReport {
  std::string input;  ///< path of the input, as given by the user
  const trace::Trace& trace;
  std::string terms;
  std::vector<TracedOp> ops;  ///< in text order
  /// Of a single operation: see trace::cameFrom(), without itself, and trace::wentTo().
  std::vector<TracedOp> cameFrom = {};
  std::vector<trace::HistoryEntry> wentTo = {};
};

/// `snapshot`: index into PassTrace::snapshots. Patterns are not set. Errors as for
/// trace::Trace::open().
Result<OpOriginsReport> opOrigins(std::string input, const trace::Trace&, std::size_t snapshot,
                                  const std::vector<mlir::OpId>& ops, const RunContext&);

std::string opOriginsText(const OpOriginsReport&);
std::string opOriginsJson(const OpOriginsReport&);
std::string opOriginsSchema();

/// An operation's first line, shortened; for tables.
std::string lineOfOp(std::string_view head);

}  // namespace fxs::report
