#pragma once
// How wide a text will be, without a font: a table of advance widths per character. The table holds those of DejaVu Sans,
// wider than most sans fonts, so that a text drawn in another font stays inside the space kept for it.
#include <string>
#include <string_view>

namespace fxs::layout {

enum class Weight { Regular, Bold };

constexpr double kTitleSize = 12, kTextSize = 10, kSmallSize = 9;  ///< font sizes of a drawing, points

/// Width in points of UTF-8 text at `size` points.
double textWidth(std::string_view text, double size, Weight = Weight::Regular);
/// The text, or its head and an ellipsis, no wider than `width`; never cut inside a character.
std::string elide(std::string_view text, double width, double size, Weight = Weight::Regular);

/// What a picture keeps of a text that a file may make as long as it likes and use as often: at most 512 bytes, the rest as an ellipsis.
std::string bounded(std::string_view text);

}  // namespace fxs::layout
