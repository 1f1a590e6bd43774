// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Distances in a code view, in pixels.

namespace fxs::ui {

inline constexpr int kGutterPadding = 2;  ///< on each side of the line numbers
inline constexpr int kNodeSign = 12;      ///< side, at a text scale of 1
inline constexpr int kLeftPadding = 2;
inline constexpr int kFoldWidth = 8;

}  // namespace fxs::ui
