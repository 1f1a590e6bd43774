// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/rewrite_trace.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace fxs::node_lab {
namespace {

/// "DecomposeAtenSizeOp, DecomposeAtenExpandAsOp"; each name once.
std::string namesOf(const lower::PatternTrace& trace, const lower::RewriteStep& step) {
  std::vector<std::string> names;
  for (const int attempt : step.attempts) {
    const std::string& name = trace.attempts[static_cast<std::size_t>(attempt)].shortName;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out.empty() ? "(unnamed)" : out;
}

class RewriteTrace final : public trace::Trace {
 public:
  RewriteTrace(std::shared_ptr<const NodePatterns> patterns, std::vector<lower::RewriteStep> steps,
               std::vector<std::string> nodeNames, session::Environment environment,
               lower::Limits limits)
      : patterns_(std::move(patterns)),
        steps_(std::move(steps)),
        names_(std::move(nodeNames)),
        environment_(std::move(environment)),
        limits_(limits) {
    const lower::PatternTrace& of = patterns_->trace;
    trace_.target = of.target;
    trace_.engine = patterns_->engine;
    for (const lower::PatternTrace::Stage& stage : of.stages) {
      lower::StageResult result;
      result.id = result.title = stage.id;
      result.status = lower::StageStatus::Ok;
      trace_.stages.push_back(std::move(result));
    }
    trace_.snapshots.push_back({of.stages.front().id, -1, {}, false});
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      lower::PassRun run;
      run.stage = of.stages[static_cast<std::size_t>(steps_[i].stage)].id;
      run.pass = namesOf(of, steps_[i]);
      if (steps_[i].pass >= 0)
        run.anchor = "in " + of.passes[static_cast<std::size_t>(steps_[i].pass)].pass;
      run.ran = run.changed = true;
      run.snapshot = static_cast<int>(i) + 1;
      trace_.passes.push_back(run);
      trace_.snapshots.push_back({run.stage, static_cast<int>(i), {}, false});
    }
  }

  const lower::PassTrace& passes() const override { return trace_; }
  const std::vector<std::string>& nodeNames() const override { return names_; }
  std::shared_ptr<const trace::SnapshotOrigins> origins(std::size_t snapshot) const override {
    const auto opened = open(snapshot);
    return opened ? (*opened)->origins : std::make_shared<const trace::SnapshotOrigins>();
  }

  Result<std::shared_ptr<const trace::OpenText>> open(std::size_t snapshot) const override {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = opened_.find(snapshot); found != opened_.end()) return found->second;
    }
    FXS_TRY(const std::string text,
            lower::irAfter(patterns_->trace, steps_, snapshot, patterns_->engine, limits_,
                           *environment_.runner, {}));
    auto out = trace::openText(text);
    const std::lock_guard lock(mutex_);
    return opened_[snapshot] = std::move(out);
  }

 private:
  std::shared_ptr<const NodePatterns> patterns_;
  std::vector<lower::RewriteStep> steps_;
  std::vector<std::string> names_;
  session::Environment environment_;
  lower::Limits limits_;
  lower::PassTrace trace_;
  mutable std::mutex mutex_;
  /// Never evicted: modules of a single node are small.
  mutable std::map<std::size_t, std::shared_ptr<const trace::OpenText>> opened_;
};

}  // namespace

trace::TracePtr rewriteTrace(std::shared_ptr<const NodePatterns> patterns,
                             std::vector<std::string> nodeNames, session::Environment environment,
                             lower::Limits limits) {
  std::vector<lower::RewriteStep> steps = lower::rewriteSteps(patterns->trace);
  if (steps.empty() || patterns->trace.stages.empty()) return nullptr;
  return std::make_shared<const RewriteTrace>(std::move(patterns), std::move(steps),
                                              std::move(nodeNames), std::move(environment), limits);
}

}  // namespace fxs::node_lab
