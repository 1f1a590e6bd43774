// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The passes of a trace as segments of a bar, in order: as wide as each other or by time, and as
// high as the number of operations that each added and removed.
#include <vector>

#include "features/passes/pass_presenter.h"

namespace fxs::ui {

enum class TimelineWidths : std::uint8_t { Equal, ByTime };

struct TimelineSegment {
  enum class Kind : std::uint8_t { Changed, Unchanged, Stopped, Unknown, NotRun };
  int pass = -1;              ///< index into PassPresenter::passes()
  double begin = 0, end = 0;  ///< in pixels
  double height = 0;          ///< 0..1
  Kind kind = Kind::Unchanged;
  bool startsStage = false;
};

/// `width`: of the bar, in pixels. By time, a segment has kLeastSegment pixels if all can; without
/// any times, segments are equal.
std::vector<TimelineSegment> timelineOf(const std::vector<PassRow>& passes, TimelineWidths widths,
                                        double width);
inline constexpr double kLeastSegment = 4;
/// The pass at `x`, or the nearest one; -1 without segments.
int passAt(const std::vector<TimelineSegment>& segments, double x);

}  // namespace fxs::ui
