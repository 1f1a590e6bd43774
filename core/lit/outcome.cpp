// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/outcome.h"

#include <algorithm>

namespace fxs::lit {
namespace {

bool isExpectedToFail(const Test& test) {
  return std::any_of(test.conditions.begin(), test.conditions.end(), [](const Condition& each) {
    return each.kind == Condition::Kind::Xfail && holds(each) == true;
  });
}

}  // namespace

std::string_view name(TestOutcome outcome) {
  switch (outcome) {
    case TestOutcome::Passed: return "passed";
    case TestOutcome::Failed: return "failed";
    case TestOutcome::ExpectedFailure: return "failed as expected";
    case TestOutcome::UnexpectedPass: return "passed unexpectedly";
    case TestOutcome::NotRun: break;
  }
  return "not run";
}

bool isFailure(TestOutcome outcome) {
  return outcome == TestOutcome::Failed || outcome == TestOutcome::UnexpectedPass;
}

std::optional<bool> holds(const Condition& condition) {
  if (condition.text == "*" || condition.text == "true") return true;
  if (condition.text == "false") return false;
  return std::nullopt;
}

std::string_view name(Condition::Kind kind) {
  switch (kind) {
    case Condition::Kind::Requires: return "REQUIRES";
    case Condition::Kind::Unsupported: return "UNSUPPORTED";
    case Condition::Kind::Xfail: break;
  }
  return "XFAIL";
}

TestOutcome outcomeOf(const Test& test, const Plan& plan, const TestRun& run) {
  std::size_t ran = 0, failed = 0;
  for (std::size_t i = 0; i < test.runs.size(); ++i) {
    const auto ended = passed(plan, run, i);
    if (!ended) continue;
    ++ran;
    failed += *ended ? 0 : 1;
  }
  if (ran == 0) return TestOutcome::NotRun;
  const bool expected = isExpectedToFail(test);
  if (failed > 0) return expected ? TestOutcome::ExpectedFailure : TestOutcome::Failed;
  if (!expected) return TestOutcome::Passed;
  return ran == test.runs.size() ? TestOutcome::UnexpectedPass : TestOutcome::NotRun;
}

void skipUnsupported(Test& test) {
  for (const Condition& each : test.conditions) {
    if (each.kind == Condition::Kind::Xfail) continue;
    if (holds(each) != (each.kind == Condition::Kind::Unsupported)) continue;
    for (RunLine& line : test.runs)
      line.message = "line " + std::to_string(line.line) +
                     ": the test runs nowhere: " + std::string(name(each.kind)) + ": " + each.text;
    return;
  }
}

}  // namespace fxs::lit
