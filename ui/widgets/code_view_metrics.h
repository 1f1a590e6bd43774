// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Distances in a code view, in pixels.

namespace fxs::ui {

inline constexpr int kGutterPadding = 2;  ///< on each side of the line numbers
inline constexpr int kLeftPadding = 2;
inline constexpr int kFoldWidth = 9;

}  // namespace fxs::ui
