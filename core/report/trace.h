#pragma once
// The answers of `fxscope-cli trace`: text for people; its JSON is that of the stored trace (core/trace/stored_trace.h) and, for one
// node, resources/schemas/trace_node.schema.json.
#include <string>
#include <vector>

#include "report/source_location.h"
#include "trace/history.h"

namespace fxs::report {

struct TraceReport {
  std::string input;  ///< the file as it was given
  const trace::Trace& trace;
  std::string findings;  ///< as text, see finding.h; "" for none
  bool files = false;    ///< the snapshots stay: their names are part of the answer
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

}  // namespace fxs::report
