// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/by_engine.h"

#include <gtest/gtest.h>

#include "sweep_lines.h"

namespace fxs::sweep {
namespace {

EngineLines linesOf(const std::string& sha256, const std::vector<Line>& lines) {
  Merger merger;
  for (Line line : lines) {
    line.engineSha256 = sha256;
    EXPECT_TRUE(merger.add(std::move(line), sha256 + ".jsonl", 1));
  }
  return {"LLVM 99", sha256, merger.take()};
}

TEST(SweepByEngine, EachKindOfDifferenceIsSaid) {
  Line elsewhere = lineOf("d.pt2", "tosa", Status::Crashed, {blockerOf("aten.b.default")});
  elsewhere.stage = "torch";
  const EngineDrift drift = engineDriftOf({
      linesOf("one", {lineOf("a.pt2", "tosa"), lineOf("b.pt2", "tosa", Status::Failed),
                      lineOf("c.pt2", "tosa"),
                      lineOf("d.pt2", "tosa", Status::Failed, {blockerOf("aten.a.default")}),
                      lineOf("e.pt2", "tosa")}),
      linesOf("two", {lineOf("a.pt2", "tosa"), lineOf("b.pt2", "tosa"),
                      lineOf("c.pt2", "tosa", Status::Failed), elsewhere}),
  });
  EXPECT_EQ(drift.compared, 5u);
  ASSERT_EQ(drift.engines.size(), 2u);
  EXPECT_EQ(drift.engines[0].lower, std::vector<std::size_t>{3});
  EXPECT_EQ(drift.engines[1].lower, std::vector<std::size_t>{2});
  EXPECT_EQ(drift.engines[1].gained, 1u);
  EXPECT_EQ(drift.engines[1].lost, 1u);
  EXPECT_EQ(drift.engines[1].otherwise, 1u);
  std::string text;
  for (const EngineRow& row : drift.rows) {
    text += row.program + ": ";
    for (const std::string& outcome : row.outcomes) text += outcome + ", ";
    text += row.changes[0] + "\n";
  }
  EXPECT_EQ(text,
            "b.pt2: failed at tosa, ok, gained\n"
            "c.pt2: ok, failed at tosa, lost\n"
            "d.pt2: failed at tosa, crashed at torch, failed at tosa became crashed at torch; "
            "aten.a.default (no-pattern) no longer blocks; "
            "aten.b.default (no-pattern) newly blocks\n"
            "e.pt2: ok, missing, \n");
}

TEST(SweepByEngine, WhatIsNotKnownIsNeitherGainedNorLost) {
  const EngineDrift drift = engineDriftOf(
      {linesOf("one", {lineOf("a.pt2", "tosa"), lineOf("b.pt2", "tosa", Status::Timeout)}),
       linesOf("two", {lineOf("a.pt2", "tosa", Status::Abandoned), lineOf("b.pt2", "tosa")})});
  EXPECT_EQ(drift.engines[1].gained + drift.engines[1].lost + drift.engines[1].otherwise, 0u);
  EXPECT_EQ(drift.engines[1].unknown, 2u);
  ASSERT_EQ(drift.rows.size(), 2u);
  EXPECT_EQ(drift.rows[0].changes, std::vector<std::string>{"not known"});
}

TEST(SweepByEngine, OneEngineHasNothingToDifferFrom) {
  const EngineDrift drift =
      engineDriftOf({linesOf("one", {lineOf("a.pt2", "tosa", Status::Failed)})});
  EXPECT_TRUE(drift.rows.empty());
  EXPECT_EQ(drift.compared, 1u);
}

}  // namespace
}  // namespace fxs::sweep
