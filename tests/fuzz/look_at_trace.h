// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What front ends do with a trace, wherever it came from.
#include "fuzz_input.h"
#include "module_dump.h"
#include "report/trace.h"
#include "trace/history.h"
#include "trace/stored_trace.h"

namespace fxs::fuzz {

/// The trace's JSON.
inline std::string lookAt(const trace::Trace& trace) {
  require(!report::traceText({"fuzz", trace, {}, true}).empty(), "a trace can be shown");
  for (std::size_t i = 0; i < trace.passes().snapshots.size(); ++i) {
    const auto open = trace.open(i);
    if (!open) continue;
    const std::string wrong = test::problemOf(*(*open)->module);
    require(wrong.empty(), wrong);
    require((*open)->module->ops.size() == (*open)->origins->size(),
            "every operation of a snapshot has an origin");
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(trace.nodeNames().size(), 3); ++i)
    if (const auto history = trace::historyOf(trace, fx::NodeId::of(i))) {
      const report::NodeHistoryReport report{"fuzz", trace, fx::NodeId::of(i), *history};
      require(!report::nodeHistoryText(report).empty() && !report::nodeHistoryJson(report).empty(),
              "a node's history can be shown");
    }
  return trace::traceJson(trace, "fuzz", "");
}

}  // namespace fxs::fuzz
