// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/comparison.h"

#include <algorithm>

#include "base/joined.h"
#include "compare/finding.h"

namespace fxs::compare {
namespace {

TargetVerdict verdictOf(tensor::Verdict verdict) {
  switch (verdict) {
    case tensor::Verdict::Same: return TargetVerdict::Same;
    case tensor::Verdict::Suspicious: return TargetVerdict::Suspicious;
    case tensor::Verdict::DiffersAtNonfinite: return TargetVerdict::DiffersAtNonfinite;
    case tensor::Verdict::Differs: break;
  }
  return TargetVerdict::Differs;
}

/// " with s0=3", and the set unless it is the ordinary one or the only one.
std::string inputsText(const Run& run) {
  std::string out;
  for (const auto& [symbol, size] : run.sizes)
    out += (out.empty() ? " with " : ", ") + symbol + "=" + std::to_string(size);
  if (run.set != InputSetKind::Ordinary && run.set != InputSetKind::Given)
    out += " (" + std::string(name(run.set)) + " inputs)";
  return out;
}

/// Of a run that ran.
SetVerdict opinionOf(const Run& run) {
  Finding finding = findingOf(run);
  return {finding.verdict ? verdictOf(*finding.verdict) : TargetVerdict::NotCompared,
          std::move(finding.message),
          {},
          {}};
}

/// Inputs that could not be compared say nothing against those that could; of suspicious ones,
/// those are worse that somebody computes wrong.
bool isWorse(const SetVerdict& a, const SetVerdict& b) {
  const auto rank = [](const SetVerdict& set) {
    const int verdict =
        set.verdict == TargetVerdict::NotCompared ? -1 : static_cast<int>(set.verdict);
    return std::pair(verdict, !set.accusers.empty());
  };
  return rank(a) > rank(b);
}

bool isWrong(TargetVerdict verdict) { return verdict > TargetVerdict::Suspicious; }

/// What executors say of one set of inputs.
class Opinions {
 public:
  explicit Opinions(const std::vector<const Run*>& runs)
      : inputs_(runs.empty() ? std::string() : inputsText(*runs.front())) {
    for (const Run* run : runs) {
      if (run->outcome == execute::Outcome::Crashed) addCrash(*run);
      else if (run->outcome == execute::Outcome::Ran) addRan(*run);
      else refused_.push_back(run->executor + ": " + run->message);
    }
  }

  SetVerdict verdict() const {
    if (crashed_ != nullptr && crashed_->node.valid())
      return {
          TargetVerdict::Differs, crashed_->executor + inputs_ + ": " + crashed_->message, {}, {}};
    if (ran_.empty()) return withoutValues();
    return isWrong(mildest_.verdict) ? ofWrongValues() : ofRightValues();
  }

 private:
  void addCrash(const Run& run) {
    // A failed check names the node; a bare signal may be the executor's own.
    if (crashed_ == nullptr || (run.node.valid() && !crashed_->node.valid())) crashed_ = &run;
    crashes_.push_back(run.executor);
  }

  void addRan(const Run& run) {
    const SetVerdict opinion = opinionOf(run);
    if (opinion.verdict != TargetVerdict::NotCompared)
      (isWrong(opinion.verdict) ? accusers_ : defenders_).push_back(run.executor);
    if (ran_.empty() || opinion.verdict > worst_.verdict) worst_ = opinion;
    if (ran_.empty() || opinion.verdict < mildest_.verdict) mildest_ = opinion;
    ran_.push_back(run.executor);
  }

  std::string crashText() const {
    return joined(crashes_, " and ") + inputs_ + ": " + crashed_->message;
  }

  SetVerdict withoutValues() const {
    if (crashed_ == nullptr)
      return {TargetVerdict::NotCompared,
              refused_.empty() ? "not run" : joined(refused_, "; "),
              {},
              {}};
    return {crashes_.size() > 1 ? TargetVerdict::Differs : TargetVerdict::Suspicious,
            crashText(),
            crashes_,
            {}};
  }

  SetVerdict ofWrongValues() const {
    const std::string reason = mildest_.message + inputs_;
    // One crashed and the other computes something else: they agree that the text is wrong.
    if (crashed_ != nullptr)
      return {mildest_.verdict, reason + "; " + joined(crashes_, " and ") + " crashed", {}, {}};
    if (ran_.size() > 1) return {mildest_.verdict, reason, {}, {}};
    return {TargetVerdict::Suspicious,
            reason + ", as " + ran_.front() + " computes it; no other executor can run it" +
                (refused_.empty() ? "" : " (" + joined(refused_, "; ") + ")"),
            accusers_,
            {}};
  }

  SetVerdict ofRightValues() const {
    std::vector<std::string> accusers = accusers_;
    accusers.insert(accusers.end(), crashes_.begin(), crashes_.end());
    if (defenders_.empty() || accusers.empty()) {
      const bool isSuspicious = mildest_.verdict == TargetVerdict::Suspicious;
      return {mildest_.verdict, mildest_.message + (isSuspicious ? inputs_ : ""), {}, {}};
    }
    const std::string wrong = crashed_ != nullptr
                                  ? crashText()
                                  : joined(accusers, " and ") + inputs_ + ": " + worst_.message;
    return {TargetVerdict::Suspicious,
            "executors disagree: " + wrong + "; " + joined(defenders_, " and ") + ": as expected",
            std::move(accusers), defenders_};
  }

  std::string inputs_;
  std::vector<std::string> ran_, refused_, crashes_, accusers_, defenders_;
  const Run* crashed_ = nullptr;  // of `crashes_`
  SetVerdict mildest_, worst_;    // of those that ran
};

/// That of results; where terms cancel, an inner node can differ though the results do not. Null
/// if no value differs.
const tensor::Difference* worstDifference(const TargetComparison& target) {
  const tensor::Difference* worst = nullptr;
  const auto add = [&](const tensor::Difference& difference) {
    if (worst == nullptr || difference.verdict > worst->verdict) worst = &difference;
  };
  const auto differs = [&] {
    return worst != nullptr && worst->verdict >= tensor::Verdict::DiffersAtNonfinite;
  };
  for (const Run& run : target.runs)
    for (const ResultComparison& result : run.results)
      if (result.compared) add(result.difference);
  if (!differs())
    for (const NodeComparison& node : target.nodes) add(node.difference);
  return differs() ? worst : nullptr;
}

}  // namespace

SetVerdict judgeSet(const std::vector<const Run*>& runs) {
  const auto notComparable =
      std::find_if(runs.begin(), runs.end(), [](const Run* run) { return !run->reason.empty(); });
  if (notComparable != runs.end())
    return {TargetVerdict::NotCompared, (*notComparable)->reason, {}, {}};
  return Opinions(runs).verdict();
}

std::string_view name(TargetVerdict verdict) {
  switch (verdict) {
    case TargetVerdict::Same: return "same";
    case TargetVerdict::NotCompared: return "not-compared";
    case TargetVerdict::Suspicious: return "suspicious";
    case TargetVerdict::DiffersAtNonfinite: return "differs-at-nonfinite";
    case TargetVerdict::Differs: break;
  }
  return "differs";
}

bool isAccused(const TargetComparison& target) {
  return target.verdict >= TargetVerdict::DiffersAtNonfinite || !target.accusers.empty();
}

bool isAccused(const Comparison& comparison) {
  return std::any_of(comparison.targets.begin(), comparison.targets.end(),
                     [](const TargetComparison& t) { return isAccused(t); });
}

bool isUnanswered(const Comparison& comparison) {
  return std::any_of(comparison.targets.begin(), comparison.targets.end(),
                     [](const TargetComparison& target) { return target.unanswered; });
}

std::map<std::size_t, std::vector<const Run*>> runsByInputs(const TargetComparison& target) {
  std::map<std::size_t, std::vector<const Run*>> out;
  for (const Run& run : target.runs) out[run.inputs].push_back(&run);
  return out;
}

void decide(TargetComparison& target) {
  SetVerdict worst;
  for (const auto& [inputs, runs] : runsByInputs(target)) {
    SetVerdict opinion = judgeSet(runs);
    const bool isFirst = worst.verdict == TargetVerdict::NotCompared && worst.message.empty();
    if (isFirst || isWorse(opinion, worst)) worst = std::move(opinion);
  }
  target.verdict = worst.verdict;
  target.message = std::move(worst.message);
  target.accusers = std::move(worst.accusers);
  target.defenders = std::move(worst.defenders);
}

std::size_t worstInputs(const TargetComparison& target) {
  std::size_t out = 0;
  SetVerdict worst;
  for (const auto& [inputs, runs] : runsByInputs(target)) {
    SetVerdict opinion = judgeSet(runs);
    if (!isWorse(opinion, worst)) continue;
    worst = std::move(opinion);
    out = inputs;
  }
  return out;
}

std::string_view kindOf(const TargetComparison& target) {
  if (target.verdict < TargetVerdict::DiffersAtNonfinite) return {};
  const auto crashed = [](const Run& run) { return run.outcome == execute::Outcome::Crashed; };
  const auto failedCheck = [&](const Run& run) { return crashed(run) && run.node.valid(); };
  // A run-time check that failed says more than the values of an executor without checks.
  if (std::any_of(target.runs.begin(), target.runs.end(), failedCheck)) return "crash";
  const tensor::Difference* worst = worstDifference(target);
  if (worst == nullptr)
    return std::any_of(target.runs.begin(), target.runs.end(), crashed) ? "crash" : "contract";
  switch (worst->kind) {
    case tensor::Kind::Shape:
    case tensor::Kind::Type:
    case tensor::Kind::Nan:
    case tensor::Kind::Infinity: return tensor::name(worst->kind);
    default: return "values";
  }
}

}  // namespace fxs::compare
