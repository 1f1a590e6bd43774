#include "compare/comparison.h"

#include <algorithm>

#include "base/joined.h"

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
  for (const auto& [symbol, size] : run.sizes) out += (out.empty() ? " with " : ", ") + symbol + "=" + std::to_string(size);
  if (run.set != InputSetKind::Ordinary && run.set != InputSetKind::Given) out += " (" + std::string(name(run.set)) + " inputs)";
  return out;
}

/// Of a run: its worst result.
SetVerdict opinionOf(const Run& run) {
  SetVerdict out;
  for (const ResultComparison& result : run.results) {
    if (!result.compared) {
      if (out.why.empty()) out.why = result.name + ": " + result.whyNot;
      continue;
    }
    const TargetVerdict verdict = verdictOf(result.difference.verdict);
    if (out.verdict != TargetVerdict::NotCompared && verdict <= out.verdict) continue;
    out.verdict = verdict;
    out.why = verdict == TargetVerdict::Same ? std::string() : result.name + ": " + result.difference.words;
  }
  return out;
}

}  // namespace

SetVerdict judgeSet(const std::vector<const Run*>& runs) {
  SetVerdict best;
  std::vector<std::string> ran, refused;
  const Run* crashed = nullptr;
  for (const Run* run : runs) {
    if (!run->whyNot.empty()) return {TargetVerdict::NotCompared, run->whyNot};
    if (run->outcome == execute::Outcome::Crashed) {
      // A failed check names the node; a bare signal may be the executor's own.
      if (crashed == nullptr || (run->node.valid() && !crashed->node.valid())) crashed = run;
    } else if (run->outcome != execute::Outcome::Ran) {
      refused.push_back(run->executor + ": " + run->why);
    } else {
      const SetVerdict opinion = opinionOf(*run);
      if (ran.empty() || opinion.verdict < best.verdict) best = opinion;
      ran.push_back(run->executor);
    }
  }
  const std::string at = runs.empty() ? std::string() : inputsText(*runs.front());
  if (ran.empty()) {
    if (crashed == nullptr) return {TargetVerdict::NotCompared, refused.empty() ? "not run" : joined(refused, "; ")};
    const bool sure = crashed->node.valid() ||
                      std::count_if(runs.begin(), runs.end(), [](const Run* r) { return r->outcome == execute::Outcome::Crashed; }) > 1;
    return {sure ? TargetVerdict::Differs : TargetVerdict::Suspicious, crashed->executor + at + ": " + crashed->why};
  }
  if (crashed != nullptr && crashed->node.valid()) return {TargetVerdict::Differs, crashed->executor + at + ": " + crashed->why};
  // One crashed and the other computes something else: they agree that the text is wrong.
  if (best.verdict > TargetVerdict::Suspicious && crashed != nullptr)
    return {best.verdict, best.why + at + "; " + crashed->executor + " crashed"};
  if (best.verdict > TargetVerdict::Suspicious && ran.size() == 1)
    return {TargetVerdict::Suspicious, best.why + at + ", as " + ran.front() + " computes it; no other executor can run it" +
                                           (refused.empty() ? "" : " (" + joined(refused, "; ") + ")")};
  if (best.verdict > TargetVerdict::Same && best.verdict != TargetVerdict::NotCompared) best.why += at;
  return best;
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

bool differs(const Comparison& comparison) {
  return std::any_of(comparison.targets.begin(), comparison.targets.end(),
                     [](const TargetComparison& t) { return t.verdict >= TargetVerdict::DiffersAtNonfinite; });
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
  target.verdict = TargetVerdict::NotCompared;
  for (const auto& [inputs, runs] : runsByInputs(target)) {
    SetVerdict opinion = judgeSet(runs);
    const bool first = target.verdict == TargetVerdict::NotCompared && target.why.empty();
    // Inputs that could not be compared say nothing against those that could.
    const bool worse = opinion.verdict == TargetVerdict::NotCompared  ? false
                       : target.verdict == TargetVerdict::NotCompared ? true
                                                                      : opinion.verdict > target.verdict;
    if (!first && !worse) continue;
    target.verdict = opinion.verdict;
    target.why = std::move(opinion.why);
  }
}

std::size_t worstInputs(const TargetComparison& target) {
  std::size_t worst = 0;
  int most = -1;
  for (const auto& [inputs, runs] : runsByInputs(target)) {
    const SetVerdict opinion = judgeSet(runs);
    if (static_cast<int>(opinion.verdict) <= most) continue;
    most = static_cast<int>(opinion.verdict);
    worst = inputs;
  }
  return worst;
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
      if (result.compared && (worst == nullptr || result.difference.verdict > worst->verdict)) worst = &result.difference;
  }
  // Where terms cancel, an inner node can differ though the results do not.
  if (worst == nullptr || worst->verdict < tensor::Verdict::DiffersAtNonfinite)
    for (const NodeComparison& node : target.nodes)
      if (worst == nullptr || node.difference.verdict > worst->verdict) worst = &node.difference;
  if (worst == nullptr || worst->verdict < tensor::Verdict::DiffersAtNonfinite) return crashed ? "crash" : "contract";
  switch (worst->kind) {
    case tensor::Kind::Shape:
    case tensor::Kind::Type:
    case tensor::Kind::Nan:
    case tensor::Kind::Infinity: return tensor::name(worst->kind);
    default: return "values";
  }
}

}  // namespace fxs::compare
