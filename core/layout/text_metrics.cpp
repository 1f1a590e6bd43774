// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/text_metrics.h"

#include <array>

namespace fxs::layout {
namespace {

// Advance widths of U+0020 .. U+007E in hundredths of the font size.
constexpr std::array<unsigned char, 95> kRegular = {
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};
constexpr std::array<unsigned char, 95> kBold = {
    35, 46,  52, 84, 70, 100, 87, 31,  46, 46, 52, 84, 38, 42,  38, 37, 70, 70,  70,
    70, 70,  70, 70, 70, 70,  70, 40,  40, 84, 84, 84, 58, 100, 77, 76, 73, 83,  68,
    68, 82,  84, 37, 37, 77,  64, 100, 84, 85, 73, 85, 77, 72,  68, 81, 77, 110, 77,
    72, 73,  46, 37, 46, 84,  50, 50,  67, 72, 59, 72, 68, 44,  72, 71, 34, 34,  67,
    34, 104, 71, 69, 72, 72,  49, 60,  48, 71, 65, 92, 65, 65,  58, 71, 37, 71,  84};
constexpr double kOther = 0.84, kWide = 1.0;  // beyond ASCII; from U+1100 on scripts are full width

std::size_t characterLength(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xE0) return 2;
  return lead < 0xF0 ? 3 : 4;
}

double characterWidth(unsigned char lead, Weight weight) {
  if (lead < 0x20 || lead == 0x7F) return 0;
  if (lead < 0x7F) return (weight == Weight::Bold ? kBold : kRegular)[lead - 0x20] / 100.0;
  return lead >= 0xE3 ? kWide : kOther;
}

}  // namespace

double textWidth(std::string_view text, double size, Weight weight) {
  double width = 0;
  for (std::size_t at = 0; at < text.size();
       at += characterLength(static_cast<unsigned char>(text[at])))
    width += characterWidth(static_cast<unsigned char>(text[at]), weight);
  return width * size;
}

std::string elide(std::string_view text, double width, double size, Weight weight) {
  if (textWidth(text, size, weight) <= width) return std::string(text);
  double used = characterWidth(0xE2, weight) * size;  // the ellipsis
  std::size_t at = 0;
  while (at < text.size()) {
    const auto lead = static_cast<unsigned char>(text[at]);
    used += characterWidth(lead, weight) * size;
    if (used > width || at + characterLength(lead) > text.size()) break;
    at += characterLength(lead);
  }
  return std::string(text.substr(0, at)) + "…";
}

std::string bounded(std::string_view text) {
  constexpr std::size_t kMost = 512;
  if (text.size() <= kMost) return std::string(text);
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;  // inside a character
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace fxs::layout
