// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Distances in a code view, in pixels.

namespace fxs::ui {

inline constexpr int kGutterPadding = 12;
inline constexpr int kLeftPadding = 8;
inline constexpr int kFoldWidth = 12;

}  // namespace fxs::ui
