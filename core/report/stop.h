// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli trace --until CONDITION` as text and JSON
// (resources/schemas/stop.schema.json).
#include <optional>
#include <string>

#include "trace/stop.h"

namespace fxs::report {

struct StopReport {
  std::string input;  ///< path of the input, as given by the user
  const trace::Trace& trace;
  const trace::Condition& condition;
  const std::optional<trace::Stop>& stop;
};
/// Errors as for trace::Trace::open().
Result<std::string> stopText(const StopReport&, const RunContext&);
Result<std::string> stopJson(const StopReport&, const RunContext&);

}  // namespace fxs::report
