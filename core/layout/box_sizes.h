#pragma once
// The measures of a box, in points: its size is computed from them, and its parts are placed by them.

namespace fxs::layout {

constexpr double kBoxPadding = 12, kNarrowestBox = 64, kWidestBox = 280;
constexpr double kTitleLine = 17, kSubtitleLine = 14, kChipLine = 19, kVerticalPadding = 7;
constexpr double kModuleGap = 8;
constexpr double kChipPadding = 6, kChipGap = 4, kChipHeight = 14;
constexpr double kBadgeSize = 12, kBadgeRoom = 20;
constexpr double kStubHeight = 16, kStubPadding = 22, kWidestStub = 150;
constexpr double kWidestCaption = 440;  ///< what a frame's caption asks for; a longer one is elided

}  // namespace fxs::layout
