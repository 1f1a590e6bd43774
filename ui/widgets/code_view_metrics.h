// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Distances in a code view, in pixels.

namespace fxs::ui {

inline constexpr int kGutterPadding = 3;  ///< on each side of the line numbers
inline constexpr int kLeftPadding = 4;
inline constexpr int kFoldWidth = 10;

}  // namespace fxs::ui
