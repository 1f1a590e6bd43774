#pragma once
// The last step of a reduction, on the RAW module of the reduced program: operations of @main that are not needed go, one operand
// at a time a tensor comes in as an argument instead of being computed, results are no longer returned. What cannot be read with
// certainty stays as it is.
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "diagnose/reduce.h"

namespace fxs::diagnose {

/// By module, all failures of it that are known. Cancelled on a stop.
using ModuleProbe = std::function<Result<std::vector<std::vector<Failure>>>(const std::vector<std::string>&, const RunContext&)>;

/// `raw` fails in that way. The smallest module found; `raw` itself when nothing could go, or on a stop before anything did.
Result<std::string> reduceModule(const std::string& raw, const FailureSignature&, const ModuleProbe&, std::chrono::milliseconds budget,
                                 const RunContext&);

}  // namespace fxs::diagnose
