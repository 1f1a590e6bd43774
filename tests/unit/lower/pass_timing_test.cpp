// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/pass_timing.h"

#include <gtest/gtest.h>

namespace fxs::lower {
namespace {

TEST(PassTiming, PassesInOrderWithSnapshotsMarked) {
  const std::vector<PassTime> times = passTimes(
      "fx:3:0: warning: something\n"
      "[\n"
      "{\"wall\": {\"duration\":   0.0123, \"percentage\":   5.1}, \"name\": \"Parser\", "
      "\"passes\": [\n"
      "{}]},\n"
      "{\"wall\": {\"duration\":   0.0108, \"percentage\":   4.4}, \"name\": \"LocationSnapshot\", "
      "\"passes\": [\n"
      "{}]},\n"
      "{\"wall\": {\"duration\":   0.5, \"percentage\":   0.2}, \"name\": \"'func.func' "
      "Pipeline\", \"passes\": [\n"
      "  {\"wall\": {\"duration\":   0.25, \"percentage\":   0.2}, \"name\": \"CSEPass\", "
      "\"passes\": [\n"
      "    {\"wall\": {\"duration\":   0.125, \"percentage\":   0.2}, \"name\": \"(A) "
      "DominanceInfo\", \"passes\": [\n"
      "    {}]},\n"
      "  {}]},\n"
      "{}]},\n"
      "{\"wall\": {\"duration\":   1.5, \"percentage\":   0.6}, \"name\": \"InlinerPass\", "
      "\"passes\": [\n"
      "{}]},\n"
      "{\"wall\": {\"duration\":   0.0015, \"percentage\":   0.6}, \"name\": \"Rest\"},\n"
      "{\"wall\": {\"duration\":   0.2422, \"percentage\": 100.0}, \"name\": \"Total\"}\n"
      "]\n");
  ASSERT_EQ(times.size(), 3u);
  EXPECT_EQ(times[0].passClass, "LocationSnapshot");
  EXPECT_TRUE(times[0].isSnapshot);
  EXPECT_EQ(times[1].passClass, "CSEPass");
  EXPECT_EQ(times[1].seconds.count(), 0.25);
  EXPECT_FALSE(times[1].isSnapshot);
  EXPECT_EQ(times[2].passClass, "InlinerPass");
  EXPECT_EQ(times[2].seconds.count(), 1.5);
}

TEST(PassTiming, NoReportGivesNoTimes) {
  EXPECT_TRUE(passTimes("").empty());
  EXPECT_TRUE(passTimes("[\n{\"wall\": {\"duration\":").empty());
  EXPECT_TRUE(passTimes("[\n{\"wall\": nonsense\n]").empty());
}

}  // namespace
}  // namespace fxs::lower
