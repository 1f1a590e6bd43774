// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes and opens a stored trace: trace.json (resources/schemas/trace.schema.json) in the
// directory of its snapshots. The snapshots are read on demand.
#include <string>

#include "fx/finding.h"
#include "trace/provenance.h"

namespace fxs::trace {

inline constexpr std::string_view kTraceSchema = "fxscope-trace/1";
inline constexpr std::string_view kTraceFile = "trace.json";

/// A trace and the name of its input.
struct StoredTrace {
  std::string input;  ///< path of the traced file, as given by the user
  TracePtr trace;
};

/// The JSON of a trace. `findings`: a JSON array as text, inserted unchanged; "" for none.
std::string traceJson(const Trace& trace, const std::string& input, const std::string& findings);
std::string traceSchema();
/// `path`: trace.json or its directory. InvalidInput, naming the member, if the content is not
/// valid.
Result<StoredTrace> openStoredTrace(const std::string& path, const RunContext& context,
                                    const lower::OutputTypes& = lower::OutputTypes::builtin());

}  // namespace fxs::trace
