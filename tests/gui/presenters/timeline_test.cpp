// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "features/passes/timeline_state.h"

namespace fxs::ui {
namespace {

using Kind = TimelineSegment::Kind;

PassRow changed(int pass, std::size_t added, double seconds) {
  PassRow row;
  row.pass = pass;
  row.stage = pass < 2 ? "torch" : "tosa";
  row.changed = true;
  row.difference = "known";
  row.added = added;
  row.seconds = std::chrono::duration<double>(seconds);
  return row;
}

/// Four passes: one changed much, one little, one stopped, one did not run.
std::vector<PassRow> passes() {
  std::vector<PassRow> rows{changed(0, 999, 3), changed(1, 1, 1), changed(2, 0, 0),
                            changed(3, 0, 0)};
  rows[2].failed = true;
  rows[3].ran = false;
  rows[3].seconds.reset();
  return rows;
}

std::vector<std::pair<double, double>> extentsOf(const std::vector<TimelineSegment>& segments) {
  std::vector<std::pair<double, double>> out;
  for (const TimelineSegment& each : segments) out.emplace_back(each.begin, each.end);
  return out;
}

TEST(Timeline, SegmentsAreEqualOrByTimeAndNeverTooNarrowToClick) {
  using Extents = std::vector<std::pair<double, double>>;
  EXPECT_EQ(extentsOf(timelineOf(passes(), TimelineWidths::Equal, 80)),
            (Extents{{0, 20}, {20, 40}, {40, 60}, {60, 80}}));
  EXPECT_EQ(extentsOf(timelineOf(passes(), TimelineWidths::ByTime, 80)),
            (Extents{{0, 52}, {52, 72}, {72, 76}, {76, 80}}));
  std::vector<PassRow> untimed = passes();
  for (PassRow& row : untimed) row.seconds.reset();
  EXPECT_EQ(extentsOf(timelineOf(untimed, TimelineWidths::ByTime, 80)),
            (Extents{{0, 20}, {20, 40}, {40, 60}, {60, 80}}));
  EXPECT_TRUE(timelineOf({}, TimelineWidths::ByTime, 80).empty());
}

TEST(Timeline, AHighSegmentChangedMuchAndEachStageBegins) {
  std::vector<PassRow> rows = passes();
  const std::vector<TimelineSegment> segments = timelineOf(rows, TimelineWidths::Equal, 80);
  EXPECT_DOUBLE_EQ(segments[0].height, 1);
  EXPECT_GT(segments[1].height, 0.3);
  EXPECT_LT(segments[1].height, 0.5);
  EXPECT_EQ(segments[2].kind, Kind::Stopped);
  EXPECT_DOUBLE_EQ(segments[2].height, 1);
  EXPECT_EQ(segments[3].kind, Kind::NotRun);
  EXPECT_LT(segments[3].height, 0.3);
  std::vector<bool> starts;
  for (const TimelineSegment& each : segments) starts.push_back(each.startsStage);
  EXPECT_EQ(starts, (std::vector<bool>{true, false, true, false}));
  rows[1].difference.reset();  // not counted yet
  EXPECT_DOUBLE_EQ(timelineOf(rows, TimelineWidths::Equal, 80)[1].height, 0.5);
  rows[1].changed = false;
  EXPECT_EQ(timelineOf(rows, TimelineWidths::Equal, 80)[1].kind, Kind::Unchanged);
  rows[1].unknown = true;
  EXPECT_EQ(timelineOf(rows, TimelineWidths::Equal, 80)[1].kind, Kind::Unknown);
}

TEST(Timeline, EachPixelBelongsToAPassAlsoOfTwoHundred) {
  std::vector<PassRow> rows;
  for (int i = 0; i < 200; ++i) rows.push_back(changed(i, 1, i == 0 ? 100 : 0));
  for (const TimelineWidths widths : {TimelineWidths::Equal, TimelineWidths::ByTime}) {
    const std::vector<TimelineSegment> segments = timelineOf(rows, widths, 700);
    EXPECT_NEAR(segments.back().end, 700, 1e-6);
    for (const TimelineSegment& each : segments) {
      EXPECT_GE(each.end - each.begin, 3.4);
      EXPECT_EQ(passAt(segments, (each.begin + each.end) / 2), each.pass);
    }
    EXPECT_EQ(passAt(segments, -5), 0);
    EXPECT_EQ(passAt(segments, 900), 199);
  }
  EXPECT_EQ(passAt({}, 5), -1);
}

}  // namespace
}  // namespace fxs::ui
