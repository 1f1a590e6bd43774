// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/finding.h"

#include <algorithm>

namespace fxs::compare {
namespace {

std::string spaced(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '-', ' ');
  return out;
}

}  // namespace

Finding findingOf(const Run& run) {
  Finding out;
  out.words = "not compared";
  if (!run.whyNot.empty()) {
    out.why = run.whyNot;
    return out;
  }
  if (run.outcome != execute::Outcome::Ran) {
    if (run.outcome == execute::Outcome::Crashed) out.verdict = tensor::Verdict::Differs;
    out.node = run.node;
    out.words = spaced(execute::name(run.outcome));
    out.why = run.why;
    return out;
  }
  const ResultComparison* worst = nullptr;
  for (const ResultComparison& result : run.results) {
    if (!result.compared && out.why.empty()) out.why = result.name + ": " + result.whyNot;
    if (result.compared &&
        (worst == nullptr || result.difference.verdict > worst->difference.verdict))
      worst = &result;
  }
  if (worst == nullptr) return out;
  out.verdict = worst->difference.verdict;
  out.node = worst->node;
  out.words = spaced(tensor::name(*out.verdict));
  out.why.clear();
  if (out.verdict == tensor::Verdict::Same) return out;
  out.words += " at " + worst->name;
  out.why = worst->name + ": " + worst->difference.words;
  return out;
}

}  // namespace fxs::compare
