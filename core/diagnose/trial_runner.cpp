// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/trial_runner.h"

#include <algorithm>

#include "contract/lower_kept.h"
#include "diagnose/beyond_torch_mlir.h"

namespace fxs::diagnose {
namespace {

/// 0 for what is proved to help, and more for what helps less.
int outcomeRank(const Experiment& x) {
  if (x.proof == Proof::Proved) return 0;
  if (x.outcome == Outcome::Passed) return x.proof == Proof::Disproved ? 2 : 1;
  return x.outcome == Outcome::Failed ? 3 : 4;
}

/// What is known of a module that does not lower.
std::string failureMessage(const lower::BatchResult& r) {
  if (!r.message.empty()) return r.message;
  return r.findings.empty() ? "the engine stopped" : r.findings.front().message;
}

}  // namespace

bool Trial::isStatic() const {
  return std::any_of(changes.begin(), changes.end(), [](const Change& c) { return c.staticSizes; });
}
bool Trial::isDecomposition() const {
  return std::any_of(changes.begin(), changes.end(),
                     [](const Change& c) { return !c.decompose.empty(); });
}
bool Trial::runsDecompositions() const {
  return std::any_of(changes.begin(), changes.end(),
                     [](const Change& c) { return c.runDecompositions; });
}
std::optional<BoundedResults> Trial::upperBounds() const {
  const auto found = std::find_if(changes.begin(), changes.end(),
                                  [](const Change& c) { return c.upperBounds.has_value(); });
  return found == changes.end() ? std::nullopt : found->upperBounds;
}
std::set<std::string> Trial::backendLegal() const {
  std::set<std::string> out;
  for (const Change& c : changes) out.insert(c.backendLegal.begin(), c.backendLegal.end());
  return out;
}

std::vector<const Change*> changesOf(const Trial& trial) {
  std::vector<const Change*> out;
  for (const Change& change : trial.changes) out.push_back(&change);
  return out;
}

int rank(const Experiment& x) {
  return outcomeRank(x) * 8 + (x.id.starts_with("target:") ? 6 : 0) +
         (x.id.find('+') != std::string::npos ? 2 : 0) + (x.cost.empty() ? 0 : 1);
}

TrialRunner::TrialRunner(const Subject& subject, const std::vector<BlockedEntry>& entries,
                         const ExperimentOptions& options, const RunContext& context)
    : subject_(subject),
      entries_(entries),
      options_(options),
      context_(context),
      cache_(options.cacheDir, subject.engine.sha256) {}

std::set<fx::NodeId> TrialRunner::othersOf(std::size_t entry) const {
  std::set<fx::NodeId> out;
  for (std::size_t e = 0; e < entries_.size(); ++e)
    if (e != entry && targetOf(e) == targetOf(entry))
      out.insert(entries_[e].blocked.nodes.begin(), entries_[e].blocked.nodes.end());
  for (const fx::NodeId node : entries_[entry].blocked.nodes) out.erase(node);
  return out;
}

bool TrialRunner::timeIsUp() const { return options_.budget.isReached(); }

Result<> TrialRunner::stopped() const {
  if (context_.stop.stop_requested()) return fail(ErrorCode::Cancelled, "cancelled");
  return {};
}

Result<std::string> TrialRunner::moduleOf(const fx::Program& program,
                                          const std::vector<const Change*>& changes) const {
  Subject subject = subject_;
  if (RewritePlan(options_.base, changes).runDecompositions)
    static_cast<import::ImportChoices&>(subject.import) = asTorchMlir(subject.import);
  FXS_TRY(const auto imported, subject.importOf(program, context_));
  for (const fx::Finding& f : imported->findings)
    if (f.severity == fx::Severity::Error) return fail(ErrorCode::Unsupported, f.message);
  return imported->text;
}

lower::LowerOptions TrialRunner::optionsFor(const lower::OutputType& target,
                                            const std::set<std::string>& legal) const {
  lower::LowerOptions options = subject_.lower;
  options.target = target;
  options.backendLegalOps.insert(legal.begin(), legal.end());
  return options;
}

Result<std::vector<TrialOutcome>> TrialRunner::outcomesOf(
    const std::vector<std::string>& modules, const lower::LowerOptions& options) const {
  std::vector<TrialOutcome> out(modules.size());
  std::vector<std::string> unknown;
  std::vector<std::size_t> whose;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    if (const auto known = cache_.find(modules[i], options)) {
      out[i] = *known;
    } else {
      whose.push_back(i);
      unknown.push_back(modules[i]);
    }
  }
  FXS_TRY(const auto results, contract::lowerKept(unknown, *subject_.user, subject_.engine, options,
                                                  *subject_.runner, context_));
  for (std::size_t i = 0; i < whose.size(); ++i) {
    const lower::BatchResult& r = results[i];
    TrialOutcome& outcome = out[whose[i]];
    if (r.isKnown()) outcome.lowers = r.ok();
    if (!r.ok()) outcome.message = failureMessage(r);
    cache_.keep(unknown[i], options, outcome);
  }
  return out;
}

}  // namespace fxs::diagnose
