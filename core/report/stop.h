// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli trace --until CONDITION` as text and JSON
// (resources/schemas/stop.schema.json).
#include <optional>
#include <string>

#include "lower/patterns.h"
#include "trace/stop.h"

namespace fxs::report {

struct StopReport {
  std::string input;  ///< path of the input, as given by the user
  const trace::Trace& trace;
  const trace::Condition& condition;
  const std::optional<trace::Stop>& stop;
  const lower::PatternTrace* patterns = nullptr;  ///< of patternNodeOf(); null if not requested
  const trace::Trace* rewrites = nullptr;         ///< of its single rewrites; see rewriteTrace()
  /// In `rewrites`, one of that pass at which the condition holds.
  std::optional<trace::Stop> rewrite = {};
};
/// The first node of the operations before, or else after; invalid if they have none.
fx::NodeId patternNodeOf(const trace::Trace&, const trace::Stop&);
/// Errors as for trace::Trace::open().
Result<std::string> stopText(const StopReport&, const RunContext&);
Result<std::string> stopJson(const StopReport&, const RunContext&);

}  // namespace fxs::report
