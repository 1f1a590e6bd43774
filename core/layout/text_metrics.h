// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Estimates text widths without a font, from a table of advance widths per character. The table is
// for DejaVu Sans, which is wider than most sans-serif fonts, so that text in another font fits
// into the reserved space.
#include <string>
#include <string_view>

namespace fxs::layout {

enum class Weight { Regular, Bold };

constexpr double kTitleSize = 12, kTextSize = 10, kSmallSize = 9;  ///< font sizes in points

/// Width in points of UTF-8 text at `size` points.
double textWidth(std::string_view text, double size, Weight = Weight::Regular);
/// The text, or a prefix and an ellipsis, no wider than `width` points; never cut inside a UTF-8
/// character.
std::string elide(std::string_view text, double width, double size, Weight = Weight::Regular);

/// Truncates a text from a file to at most 512 bytes with an ellipsis, because it may be long and
/// occur many times.
std::string bounded(std::string_view text);

}  // namespace fxs::layout
