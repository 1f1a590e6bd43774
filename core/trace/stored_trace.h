#pragma once
// A trace as a file: trace.json in the directory of its snapshots (resources/schemas/trace.schema.json), written and opened again. The
// snapshots themselves are read when they are looked at.
#include <string>

#include "fx/finding.h"
#include "trace/provenance.h"

namespace fxs::trace {

inline constexpr std::string_view kTraceSchema = "fxscope-trace/1";
inline constexpr std::string_view kTraceFile = "trace.json";

/// What a stored trace says beside the trace.
struct StoredTrace {
  std::string input;  ///< the file it was made of, as it was given
  TracePtr trace;
};

/// The JSON of a trace. `findings` is the JSON text of an array, put in as it is; "" for none.
std::string traceJson(const Trace& trace, const std::string& input, const std::string& findings);
/// `path`: the file or its directory. InvalidInput that names what is wrong in it.
Result<StoredTrace> openStoredTrace(const std::string& path, const RunContext& context,
                                    const lower::OutputTypes& = lower::OutputTypes::builtin());

}  // namespace fxs::trace
