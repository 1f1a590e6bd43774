// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli trace` as text, and for one node also as JSON
// (resources/schemas/trace_node.schema.json). The JSON of a whole trace is that of the stored trace
// (core/trace/stored_trace.h).
#include <string>
#include <vector>

#include "base/result.h"
#include "report/document.h"
#include "report/source_location.h"
#include "trace/history.h"

namespace fxs::report {

struct TraceReport {
  std::string input;  ///< path of the input, as given by the user
  const trace::Trace& trace;
  List findings = {};  ///< see finding.h
  bool files = false;  ///< the snapshots are kept, so include their file names
  Paths paths = {};
};
std::string traceText(const TraceReport&);

struct NodeHistoryReport {
  std::string input;
  const trace::Trace& trace;
  fx::NodeId node;
  const std::vector<trace::HistoryEntry>& history;
};
std::string nodeHistoryText(const NodeHistoryReport&);
std::string nodeHistoryJson(const NodeHistoryReport&);
std::string nodeHistorySchema();

struct NodeLinesReport {
  std::string input;
  const trace::Trace& trace;
  fx::NodeId node;
  std::string stage;  ///< whose text; "": the last text
};
/// The lines that the node has in a text, by their numbers. Usage if the trace has no text of the
/// stage.
Result<std::string> nodeLinesText(const NodeLinesReport&);

}  // namespace fxs::report
