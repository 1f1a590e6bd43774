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
          std::move(finding.why),
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

}  // namespace

SetVerdict judgeSet(const std::vector<const Run*>& runs) {
  SetVerdict out, worst;
  std::vector<std::string> ran, refused, crashes;
  const Run* crashed = nullptr;
  for (const Run* run : runs) {
    if (!run->whyNot.empty()) return {TargetVerdict::NotCompared, run->whyNot, {}, {}};
    if (run->outcome == execute::Outcome::Crashed) {
      // A failed check names the node; a bare signal may be the executor's own.
      if (crashed == nullptr || (run->node.valid() && !crashed->node.valid())) crashed = run;
      crashes.push_back(run->executor);
    } else if (run->outcome != execute::Outcome::Ran) {
      refused.push_back(run->executor + ": " + run->why);
    } else {
      SetVerdict opinion = opinionOf(*run);
      const bool isWrong = opinion.verdict > TargetVerdict::Suspicious;
      if (opinion.verdict != TargetVerdict::NotCompared)
        (isWrong ? out.accusers : out.defenders).push_back(run->executor);
      if (ran.empty() || opinion.verdict > worst.verdict) worst = opinion;
      if (ran.empty() || opinion.verdict < out.verdict) {
        out.verdict = opinion.verdict;
        out.why = std::move(opinion.why);
      }
      ran.push_back(run->executor);
    }
  }
  const std::string at = runs.empty() ? std::string() : inputsText(*runs.front());
  if (crashed != nullptr && crashed->node.valid())
    return {TargetVerdict::Differs, crashed->executor + at + ": " + crashed->why, {}, {}};
  const std::string crash =
      crashed == nullptr ? std::string() : joined(crashes, " and ") + at + ": " + crashed->why;
  if (ran.empty()) {
    if (crashed == nullptr)
      return {
          TargetVerdict::NotCompared, refused.empty() ? "not run" : joined(refused, "; "), {}, {}};
    return {crashes.size() > 1 ? TargetVerdict::Differs : TargetVerdict::Suspicious,
            crash,
            crashes,
            {}};
  }
  const bool isWrong = out.verdict > TargetVerdict::Suspicious;
  // One crashed and the other computes something else: they agree that the text is wrong.
  if (isWrong && crashed != nullptr)
    return {out.verdict, out.why + at + "; " + joined(crashes, " and ") + " crashed", {}, {}};
  if (isWrong && ran.size() == 1)
    return {TargetVerdict::Suspicious,
            out.why + at + ", as " + ran.front() + " computes it; no other executor can run it" +
                (refused.empty() ? "" : " (" + joined(refused, "; ") + ")"),
            std::move(out.accusers),
            {}};
  out.accusers.insert(out.accusers.end(), crashes.begin(), crashes.end());
  if (!isWrong && !out.defenders.empty() && !out.accusers.empty()) {
    const std::string wrong =
        crashed != nullptr ? crash : joined(out.accusers, " and ") + at + ": " + worst.why;
    return {
        TargetVerdict::Suspicious,
        "executors disagree: " + wrong + "; " + joined(out.defenders, " and ") + ": as expected",
        std::move(out.accusers), std::move(out.defenders)};
  }
  if (out.verdict > TargetVerdict::Same && out.verdict != TargetVerdict::NotCompared) out.why += at;
  out.accusers.clear();
  out.defenders.clear();
  return out;
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
    const bool isFirst = worst.verdict == TargetVerdict::NotCompared && worst.why.empty();
    if (isFirst || isWorse(opinion, worst)) worst = std::move(opinion);
  }
  target.verdict = worst.verdict;
  target.why = std::move(worst.why);
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
  const tensor::Difference* worst = nullptr;
  bool crashed = false;
  for (const Run& run : target.runs) {
    // A run-time check that failed says more than the values of an executor without checks.
    if (run.outcome == execute::Outcome::Crashed && run.node.valid()) return "crash";
    crashed = crashed || run.outcome == execute::Outcome::Crashed;
    for (const ResultComparison& result : run.results)
      if (result.compared && (worst == nullptr || result.difference.verdict > worst->verdict))
        worst = &result.difference;
  }
  // Where terms cancel, an inner node can differ though the results do not.
  if (worst == nullptr || worst->verdict < tensor::Verdict::DiffersAtNonfinite)
    for (const NodeComparison& node : target.nodes)
      if (worst == nullptr || node.difference.verdict > worst->verdict) worst = &node.difference;
  if (worst == nullptr || worst->verdict < tensor::Verdict::DiffersAtNonfinite)
    return crashed ? "crash" : "contract";
  switch (worst->kind) {
    case tensor::Kind::Shape:
    case tensor::Kind::Type:
    case tensor::Kind::Nan:
    case tensor::Kind::Infinity: return tensor::name(worst->kind);
    default: return "values";
  }
}

}  // namespace fxs::compare
