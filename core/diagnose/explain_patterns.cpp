// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/explain_patterns.h"

#include <fmt/format.h>

#include <algorithm>

#include "lower/patterns.h"

namespace fxs::diagnose {
namespace {

/// The part of the time limit for the log of one cut, which has a few operations.
constexpr int kCutLogPart = 12;

void add(std::vector<std::string>& into, const std::vector<std::string>& more) {
  for (const std::string& name : more)
    if (std::find(into.begin(), into.end(), name) == into.end()) into.push_back(name);
}

/// "DecomposeAtenTanhOp (torch-decompose-complex-ops)": from a pass that decomposes or converts the
/// operation, not one that only folds or removes it.
bool meant(const std::string& refused) {
  const std::size_t pass = refused.rfind(" (");
  return pass != std::string::npos && (refused.find("decompose", pass) != std::string::npos ||
                                       refused.find("(convert-", pass) != std::string::npos);
}

/// Whether the log says what was tried on the operation.
bool take(Blocked& b, const lower::PatternTrace& trace) {
  std::vector<std::string> tried, before;
  bool found = false;
  for (const lower::PatternStop& stop : trace.stops) {
    if (!b.op.empty() && stop.op != b.op) continue;
    found = true;
    add(tried, stop.tried);
    for (const std::string& refused : stop.refusedBefore)
      if (meant(refused)) add(before, {refused});
  }
  if (!found || (trace.cutOff && tried.empty())) return false;
  b.kind = tried.empty() ? Kind::NoPattern : Kind::PatternRefused;
  add(tried, before);
  b.tried = std::move(tried);
  return true;
}

}  // namespace

Result<> explainPatterns(const Subject& subject, std::vector<BlockedEntry>& entries,
                         const TimeLimit& budget, std::vector<std::string>& notes,
                         const RunContext& context) {
  std::size_t left = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    BlockedEntry& entry = entries[i];
    if (entry.blocked.kind != Kind::IllegalOp || entry.forms.empty()) continue;
    if (budget.isReached()) {
      ++left;
      continue;
    }
    context.report({"looking up the patterns tried on " + entry.blocked.fxTarget,
                    static_cast<double>(i) / static_cast<double>(entries.size())});
    lower::LowerOptions options = subject.lower;
    options.target = entry.blocked.target;
    options.limits.timeout = lower::shareOf(options.limits.timeout, kCutLogPart);
    const BlockedForm& form = entry.forms.front();
    const auto trace = lower::tracePatterns(form.raw, subject.userNode(form.operation.first),
                                            lower::LogScope::EveryOperation, options,
                                            subject.engine, *subject.runner, context);
    if (!trace && endsAll(trace.error())) return tl::unexpected<Error>(trace.error());
    if (trace && take(entry.blocked, *trace)) continue;
    const std::string message = trace ? "the engine's log does not say" : trace.error().message;
    notes.push_back(entry.blocked.fxTarget +
                    ": the patterns that were tried are unknown: " + message);
  }
  if (left > 0)
    notes.push_back(
        fmt::format("the patterns tried are unknown for {} of the blocked operations: the time "
                    "limit was reached",
                    left));
  return {};
}

}  // namespace fxs::diagnose
