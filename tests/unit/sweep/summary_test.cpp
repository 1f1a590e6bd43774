// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/summary.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/sweep.h"
#include "sweep_lines.h"

namespace fxs::sweep {
namespace {

const Fix kFix{"decompose", "decompose aten.a.default", "whole-lowers"};

std::vector<Line> sample() {
  Line unreadable = lineOf("d|.pt2", "tosa", Status::Unreadable);
  unreadable.message = "d|.pt2: is <no> program";
  unreadable.complete.reset();
  Line unreadableToo = unreadable;
  unreadableToo.to = "stablehlo";
  Line fixed = lineOf("b.pt2", "tosa", Status::Failed, {blockerOf("aten.a.default", kFix)});
  fixed.fixedLowers = true;
  return {lineOf("a.pt2", "tosa"),
          lineOf("a.pt2", "stablehlo"),
          fixed,
          lineOf("b.pt2", "stablehlo"),
          lineOf("c.pt2", "tosa", Status::Breach,
                 {blockerOf("aten.a.default"), blockerOf("aten.b.default")}),
          lineOf("c.pt2", "stablehlo", Status::Crashed, {blockerOf("aten.b.default")}),
          unreadable,
          unreadableToo};
}

Merged merge(const std::vector<Line>& lines) {
  Merger merger;
  for (const Line& line : lines) EXPECT_TRUE(merger.add(line, "r.jsonl", 1));
  return merger.take();
}

TEST(SweepSummary, TheReportIsOneText) {
  const Summary summary = summaryOf(merge(sample()));
  EXPECT_EQ(report::sweepText({summary}),
            R"(4 programs, fxscope 1.2.3
engine LLVM 99 (sha256 0123456789ab)
options experiments

Output types
  output type  programs  ok  breach  failed  crashed  timeout  unreadable  abandoned  lowers with fixes
  stablehlo           4   2       -       -        1        -           1          -                  -
  tosa                4   1       1       1        -        -           1          -                  1

Operators that block
  Programs that an operator blocks; in parentheses those that nothing else blocks, so that supporting it is enough.
  operator        programs  frees  stablehlo   tosa  class       verified fix
  aten.a.default         2      1          -  2 (1)  no-pattern  decompose aten.a.default (in 1 program)
  aten.b.default         1      1      1 (1)      1  no-pattern  -

Programs
  program  nodes  stablehlo   tosa
  a.pt2        4  ok          ok
  b.pt2        4  ok          failed
  c.pt2        4  crashed     breach
  d|.pt2       4  unreadable  unreadable

Why programs do not lower
  program  output type  status      stage      with fixes  blocked by
  b.pt2    tosa         failed      tosa       lowers      aten.a.default (no-pattern, 2 nodes: decompose aten.a.default)
  c.pt2    stablehlo    crashed     stablehlo  -           aten.b.default (no-pattern, 2 nodes)
  c.pt2    tosa         breach      tosa       -           aten.a.default (no-pattern, 2 nodes), aten.b.default (no-pattern, 2 nodes)
  d|.pt2   stablehlo    unreadable  tosa       -           d|.pt2: is <no> program
  d|.pt2   tosa         unreadable  tosa       -           d|.pt2: is <no> program
)");
}

TEST(SweepSummary, DoesNotDependOnTheOrderOfLinesOrOnTimes) {
  std::vector<Line> lines = sample();
  const auto forms = [](const std::vector<Line>& from) {
    const Summary summary = summaryOf(merge(from));
    const report::SweepReport report{summary};
    return report::sweepText(report) + report::sweepMarkdown(report) + report::sweepJson(report) +
           report::sweepHtml(report);
  };
  const std::string once = forms(lines);
  std::reverse(lines.begin(), lines.end());
  for (Line& line : lines) {
    line.seconds.lower += 3;
    line.peakMemory += 1;
  }
  EXPECT_EQ(forms(lines), once);
  lines.push_back(lines.front());  // the same said twice
  EXPECT_EQ(forms(lines), once);
}

TEST(SweepSummary, NamesCannotBreakAForm) {
  const Summary summary = summaryOf(merge(sample()));
  EXPECT_EQ(report::sweepHtml({summary}).find("<no>"), std::string::npos);
  EXPECT_NE(report::sweepHtml({summary}).find("&lt;no&gt;"), std::string::npos);
  EXPECT_NE(report::sweepMarkdown({summary}).find("| d\\|.pt2 | 4 |"), std::string::npos);
}

TEST(SweepSummary, TwoLinesThatDisagreeAreNamed) {
  Merger merger;
  ASSERT_TRUE(merger.add(lineOf("a", "tosa"), "r1.jsonl", 3));
  EXPECT_EQ(merger.add(lineOf("a", "tosa", Status::Failed), "r2.jsonl", 5).error().message,
            "r2.jsonl:5: 'a' to tosa differs from r1.jsonl:3; report files of one sweep");
}

TEST(SweepSummary, OutputTypesAreLimited) {
  Merger merger;
  for (int i = 0; i < 64; ++i)
    ASSERT_TRUE(merger.add(lineOf("a", "t" + std::to_string(i)), "r.jsonl", 1));
  EXPECT_EQ(merger.add(lineOf("a", "more"), "r.jsonl", 65).error().message,
            "r.jsonl:65: 'more' is one output type more than 64, the limit of a report");
}

TEST(SweepSummary, DriftNamesWhatWasGainedAndLost) {
  const Merged before = merge(
      {lineOf("a", "tosa"), lineOf("b", "tosa", Status::Failed), lineOf("c", "tosa"),
       lineOf("c", "raw"), lineOf("e", "tosa", Status::Failed, {blockerOf("aten.old.default")})});
  const Merged now = merge({lineOf("a", "tosa", Status::Crashed, {blockerOf("aten.new.default")}),
                            lineOf("b", "tosa"), lineOf("d", "tosa"),
                            lineOf("e", "tosa", Status::Failed, {blockerOf("aten.old.default")})});
  Summary summary = summaryOf(now);
  summary.drift = driftOf(now, before);
  const std::string text = report::sweepText({summary});
  const std::size_t from = text.find("Against"), to = text.find("\nOperators");
  EXPECT_EQ(text.substr(from, to - from),
            R"(Against the earlier sweep
  2 outcomes lost, 1 gained, 1 program added.
  change        subject           output type  detail
  lost          a                 tosa         ok before, crashed now
  lost          c                 tosa         ok before, missing now
  newly blocks  aten.new.default  tosa         1 program
  gained        b                 tosa         failed before, ok now
  added         d
  not compared                    raw          only one of the sweeps has it
)");
}

TEST(SweepSummary, WhatIsNotKnownIsNeitherGainedNorLost) {
  const Merged before =
      merge({lineOf("a", "tosa"), lineOf("b", "tosa", Status::Abandoned),
             lineOf("c", "tosa", Status::Timeout),
             lineOf("d", "tosa", Status::Failed, {blockerOf("aten.old.default")})});
  const Merged now = merge({lineOf("a", "tosa", Status::Abandoned), lineOf("b", "tosa"),
                            lineOf("c", "tosa", Status::Failed, {blockerOf("aten.new.default")}),
                            lineOf("d", "tosa", Status::Timeout)});
  Summary summary = summaryOf(now);
  summary.drift = driftOf(now, before);
  EXPECT_TRUE(summary.drift->lost.empty());
  EXPECT_TRUE(summary.drift->gained.empty());
  const std::string text = report::sweepText({summary});
  const std::size_t from = text.find("Against"), to = text.find("\nOperators");
  EXPECT_EQ(text.substr(from, to - from),
            R"(Against the earlier sweep
  0 outcomes lost, 0 gained, 4 not known, 0 programs added.
  change     subject  output type  detail
  not known  a        tosa         ok before, abandoned now
  not known  b        tosa         abandoned before, ok now
  not known  c        tosa         timeout before, failed now
  not known  d        tosa         failed before, timeout now
)");
  EXPECT_NE(text.find("\nWhy programs do not lower, or are not known to\n"), std::string::npos);
}

TEST(SweepSummary, ALongNameDoesNotLengthenOtherRows) {
  const Summary summary = summaryOf(
      merge({lineOf(std::string(100'000, 'x'), "tosa"), lineOf("a", "tosa"), lineOf("b", "tosa")}));
  EXPECT_LT(report::sweepText({summary}).size(), 101'000U);
}

TEST(SweepSummary, OfNoLinesIsEmpty) {
  const Summary summary = summaryOf({});
  EXPECT_EQ(report::sweepText({summary}), "0 programs, fxscope\n");
  EXPECT_NE(report::sweepHtml({summary}).find("</html>"), std::string::npos);
}

}  // namespace
}  // namespace fxs::sweep
