// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/passes/timeline_state.h"

#include <algorithm>
#include <cmath>

namespace fxs::ui {
namespace {

// Parts of the height of a bar.
constexpr double kUnchanged = 0.15, kLeastChange = 0.3, kCounting = 0.5;

TimelineSegment::Kind kindOf(const PassRow& row) {
  using enum TimelineSegment::Kind;
  if (row.failed) return Stopped;
  if (!row.ran) return NotRun;
  if (row.unknown) return Unknown;
  return row.changed ? Changed : Unchanged;
}

/// On a logarithmic scale: a pass that changes one operation is seen beside one that changes 1,000.
double heightOf(const PassRow& row, TimelineSegment::Kind kind, std::size_t most) {
  using enum TimelineSegment::Kind;
  if (kind == Stopped) return 1;
  if (kind != Changed) return kUnchanged;
  if (!row.difference) return kCounting;
  const auto changes = static_cast<double>(row.added + row.removed);
  return kLeastChange +
         (1 - kLeastChange) * std::log1p(changes) / std::log1p(static_cast<double>(most));
}

double secondsOf(const PassRow& row) { return row.seconds ? row.seconds->count() : 0; }

}  // namespace

std::vector<TimelineSegment> timelineOf(const std::vector<PassRow>& passes, TimelineWidths widths,
                                        double width) {
  std::vector<TimelineSegment> out;
  std::size_t most = 1;
  double seconds = 0;
  for (const PassRow& row : passes) {
    most = std::max(most, row.added + row.removed);
    seconds += secondsOf(row);
  }
  const double equal = width / static_cast<double>(std::max<std::size_t>(passes.size(), 1));
  const bool isByTime = widths == TimelineWidths::ByTime && seconds > 0;
  const double least = isByTime ? std::min(kLeastSegment, equal) : equal;
  const double shared = width - least * static_cast<double>(passes.size());
  double at = 0;
  for (const PassRow& row : passes) {
    TimelineSegment segment;
    segment.pass = row.pass;
    segment.kind = kindOf(row);
    segment.height = heightOf(row, segment.kind, most);
    segment.begin = at;
    at += least + (isByTime ? shared * secondsOf(row) / seconds : 0);
    segment.end = at;
    segment.startsStage = out.empty() || passes[out.size() - 1].stage != row.stage;
    out.push_back(segment);
  }
  return out;
}

int passAt(const std::vector<TimelineSegment>& segments, double x) {
  if (segments.empty()) return -1;
  const auto after = std::find_if(segments.begin(), segments.end(),
                                  [x](const auto& each) { return x < each.end; });
  return after == segments.end() ? segments.back().pass : after->pass;
}

}  // namespace fxs::ui
