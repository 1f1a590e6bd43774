// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/python_text.h"

#include <charconv>
#include <cmath>

namespace fxs::fx {
namespace {

/// repr() of the parts of a complex number: integers without ".0".
std::string complexPart(double value) {
  std::string out = pythonRepr(value);
  return out.ends_with(".0") ? out.substr(0, out.size() - 2) : out;
}

}  // namespace

std::string pythonRepr(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const double size = std::abs(value);
  const bool fixed = size == 0 || (size >= 1e-4 && size < 1e16);
  char buffer[64];
  auto format = fixed ? std::chars_format::fixed : std::chars_format::scientific;
  std::string out(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, format).ptr);
  return fixed && out.find('.') == std::string::npos ? out + ".0" : out;
}

std::string pythonRepr(std::complex<double> value) {
  const std::string imaginary = complexPart(value.imag());
  if (value.real() == 0 && !std::signbit(value.real())) return imaginary + "j";
  const bool needsSign = imaginary[0] != '-';
  return "(" + complexPart(value.real()) + (needsSign ? "+" : "") + imaginary + "j)";
}

std::string pythonRepr(std::string_view text) {
  const char quote =
      text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"'
                                                                                            : '\'';
  std::string out(1, quote);
  for (char c : text) {
    if (c == '\\' || c == quote) out += '\\', out += c;
    else if (c == '\n') out += "\\n";
    else if (c == '\r') out += "\\r";
    else if (c == '\t') out += "\\t";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      constexpr std::string_view kHex = "0123456789abcdef";
      out += "\\x";
      out += kHex[static_cast<unsigned char>(c) >> 4];
      out += kHex[static_cast<unsigned char>(c) & 15];
    } else out += c;
  }
  return out + quote;
}

}  // namespace fxs::fx
