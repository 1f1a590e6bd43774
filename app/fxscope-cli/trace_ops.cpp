// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace_ops.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "base/number_from.h"
#include "lower/pattern_of_op.h"
#include "report/line.h"
#include "report/op_origins.h"
#include "trace/condition.h"
#include "trace/selected_ops.h"

namespace fxs::cli {
namespace {

/// That of --after, else the last that is not of a failed pass.
Result<std::size_t> chosenSnapshot(const lower::PassTrace& passes, const Arguments& arguments) {
  std::size_t last = passes.snapshots.size();
  while (last > 1 && passes.snapshots[last - 1].failure) --last;
  const auto after = arguments.get("--after");
  if (!after)
    return last > 0 ? Result<std::size_t>(last - 1)
                    : fail(ErrorCode::Usage, "option '--op': the trace has no module");
  const auto number = numberFrom<std::size_t>(*after);
  if (!number || *number > passes.passes.size())
    return fail(ErrorCode::Usage, "option '--after': expected a pass from 0, the import, to " +
                                      std::to_string(passes.passes.size()) + ", got '" + *after +
                                      "'");
  if (*number == 0) return 0;
  const int snapshot = passes.passes[*number - 1].snapshot;
  if (snapshot < 0)
    return fail(ErrorCode::Usage, "option '--after': there is no module after pass " + *after);
  return static_cast<std::size_t>(snapshot);
}

/// Names the patterns that made operations, each node's patterns being listed once.
class PatternNames {
 public:
  PatternNames(const trace::Trace& trace, const PatternsOfNode& patternsOf)
      : trace_(trace), patternsOf_(patternsOf) {}

  Result<> name(std::vector<report::TracedOp>& ops) {
    for (report::TracedOp& op : ops) {
      const lower::PassTrace& passes = trace_.passes();
      const int pass = passes.snapshots[static_cast<std::size_t>(op.made.made)].pass;
      if (pass < 0 || op.nodes.empty()) continue;
      FXS_TRY(const lower::PatternTrace* patterns, of(op.nodes.front()));
      if (patterns != nullptr)
        op.pattern = lower::patternOfOp(*patterns, passes, pass, op.name, op.made.sources);
    }
    return {};
  }

 private:
  /// Null if no pattern is tried on it, as on an input.
  Result<const lower::PatternTrace*> of(fx::NodeId node) {
    auto& known = known_[node];
    if (!known) {
      auto found = patternsOf_(node);
      if (!found && found.error().code != ErrorCode::Usage)
        return tl::unexpected<Error>(found.error());
      known = found ? std::optional(std::move(found->trace)) : std::nullopt;
    }
    return *known ? &**known : nullptr;
  }

  const trace::Trace& trace_;
  const PatternsOfNode& patternsOf_;
  std::map<fx::NodeId, std::optional<std::optional<lower::PatternTrace>>> known_;
};

}  // namespace

int foundNothing(const trace::Trace& trace, Console& console) {
  const std::vector<lower::StageResult>& stages = trace.passes().stages;
  const auto end = std::find_if(stages.begin(), stages.end(), [](const lower::StageResult& stage) {
    return stage.status != lower::StageStatus::Ok;
  });
  if (end == stages.end()) return kFindings;
  const std::string reason =
      end->findings.empty() ? std::string(lower::name(end->status)) : end->findings[0].message;
  if (console.clearProgress) console.clearProgress();
  console.err << report::line("the trace ends at stage {}: {}\n", end->id, reason);
  return lower::isKnown(stages) ? kFindings : kEngine;
}

Result<int> opsAnswer(const std::string& input, const trace::Trace& trace,
                      const PatternsOfNode& patternsOf, const Arguments& arguments,
                      Console& console) {
  const std::string text = arguments.get("--op").value_or("");
  FXS_TRY(const auto terms, trace::opTermsFrom(text));
  FXS_TRY(const std::size_t snapshot, chosenSnapshot(trace.passes(), arguments));
  FXS_TRY(const auto selection, trace::OpSelection::of(terms, trace));
  FXS_TRY(const auto module, trace.open(snapshot));
  std::vector<mlir::OpId> ops;
  for (const trace::SeenOp& op : selection.in(*module, console.context)) ops.push_back(op.op);
  FXS_TRY(report::OpOriginsReport report,
          report::opOrigins(input, trace, snapshot, ops, console.context));
  report.terms = text;
  if (patternsOf) {
    PatternNames patterns(trace, patternsOf);
    FXS_CHECK(patterns.name(report.ops));
    FXS_CHECK(patterns.name(report.cameFrom));
  }
  console.out << (arguments.has("--json") ? report::opOriginsJson(report)
                                          : report::opOriginsText(report));
  if (!ops.empty()) return kDone;
  return arguments.has("--after") ? kFindings : foundNothing(trace, console);
}

}  // namespace fxs::cli
