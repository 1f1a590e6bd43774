// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/pattern_of_op.h"

#include <algorithm>
#include <set>

namespace fxs::lower {
namespace {

constexpr std::string_view kUnnamed = "(unnamed)";  // PatternAttempt::shortName

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Folding makes one constant for all that need it, whichever pattern asked first.
bool isShared(std::string_view name) {
  return name.ends_with(".constant") || name.ends_with(".const") ||
         name.ends_with(".const_shape") || name.starts_with("torch.constant.") ||
         name == "torch.vtensor.literal";
}

/// The patterns of attempts in one pass, by what is known of the operation.
struct PatternNames {
  std::set<std::string> made, onSource, both, unmeasured;

  void add(const PatternAttempt& attempt, std::string_view opName,
           const std::vector<std::string>& sources) {
    const bool tookEffect = attempt.effect == Effect::TookEffect;
    if (attempt.became.empty() && (tookEffect || attempt.effect == Effect::Unknown))
      unmeasured.insert(attempt.shortName);
    if (!tookEffect) return;
    const bool makes = has(attempt.became, opName), isOnSource = has(sources, attempt.opName);
    if (makes) made.insert(attempt.shortName);
    if (isOnSource) onSource.insert(attempt.shortName);
    if (makes && isOnSource) both.insert(attempt.shortName);
  }
};

}  // namespace

int patternPassOf(const PatternTrace& patterns, const PassTrace& passes, int pass) {
  if (pass < 0) return -1;
  const PassRun& wanted = passes.passes[static_cast<std::size_t>(pass)];
  const auto isSame = [&](const auto& each) {
    return each.stage == wanted.stage && each.pass == wanted.pass;
  };
  auto earlier = std::count_if(passes.passes.begin(), passes.passes.begin() + pass, isSame);
  for (std::size_t i = 0; i < patterns.passes.size(); ++i)
    if (isSame(patterns.passes[i]) && earlier-- == 0) return static_cast<int>(i);
  return -1;
}

StepsOfPass rewriteStepsOf(const PatternTrace& patterns, const PassTrace& passes, int pass) {
  const int index = patternPassOf(patterns, passes, pass);
  if (index < 0) return {};
  const std::vector<RewriteStep> steps = rewriteSteps(patterns);
  const auto isOfPass = [&](const RewriteStep& step) { return step.pass == index; };
  const auto first = std::find_if(steps.begin(), steps.end(), isOfPass);
  const auto end = std::find_if_not(first, steps.end(), isOfPass);
  return {static_cast<std::size_t>(first - steps.begin()),
          static_cast<std::size_t>(end - steps.begin())};
}

std::string patternOfOp(const PatternTrace& patterns, const PassTrace& passes, int pass,
                        std::string_view opName, const std::vector<std::string>& sources) {
  const int index = patternPassOf(patterns, passes, pass);
  if (isShared(opName) || index < 0) return {};
  PatternNames names;
  for (const PatternAttempt& attempt : patterns.attempts)
    if (attempt.pass == index) names.add(attempt, opName, sources);
  // A greedy driver applies patterns to what patterns made, so that a source does not decide there
  // between two that make such operations, or of which it is not known.
  const bool greedy = !patterns.passes[static_cast<std::size_t>(index)].conversion;
  std::set<std::string> mayMake = names.unmeasured;
  mayMake.insert(names.made.begin(), names.made.end());
  if (greedy && mayMake.size() > 1) return {};
  // What became of an operation is known of a few attempts only; then the source decides.
  for (const std::set<std::string>& found :
       {names.both, names.made.empty() ? names.onSource : names.made})
    if (found.size() == 1) return *found.begin() == kUnnamed ? std::string() : *found.begin();
  return {};
}

}  // namespace fxs::lower
