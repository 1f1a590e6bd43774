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
  out.title = "not compared";
  if (!run.reason.empty()) {
    out.message = run.reason;
    return out;
  }
  if (run.outcome != execute::Outcome::Ran) {
    if (run.outcome == execute::Outcome::Crashed) out.verdict = tensor::Verdict::Differs;
    out.node = run.node;
    out.title = spaced(execute::name(run.outcome));
    out.message = run.message;
    return out;
  }
  const ResultComparison* worst = nullptr;
  for (const ResultComparison& result : run.results) {
    if (!result.compared && out.message.empty()) out.message = result.name + ": " + result.reason;
    if (result.compared &&
        (worst == nullptr || result.difference.verdict > worst->difference.verdict))
      worst = &result;
  }
  if (worst == nullptr) return out;
  out.verdict = worst->difference.verdict;
  out.node = worst->node;
  out.title = spaced(tensor::name(*out.verdict));
  out.message.clear();
  if (out.verdict == tensor::Verdict::Same) return out;
  out.title += " at " + worst->name;
  out.message = worst->name + ": " + worst->difference.message;
  return out;
}

}  // namespace fxs::compare
