// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The dimensions of a box and its parts, in points.

namespace fxs::layout {

constexpr double kBoxPadding = 12, kNarrowestBox = 64, kWidestBox = 280;
constexpr double kTitleLine = 17, kSubtitleLine = 14, kChipLine = 19, kVerticalPadding = 7;
constexpr double kModuleGap = 8;
constexpr double kChipPadding = 6, kChipGap = 4, kChipHeight = 14;
constexpr double kBadgeSize = 12, kBadgeRoom = 20;
constexpr double kStubHeight = 16, kStubPadding = 22, kWidestStub = 150;
constexpr double kWidestCaption =
    440;  ///< maximum width reserved for a frame's caption; a longer one is elided

}  // namespace fxs::layout
