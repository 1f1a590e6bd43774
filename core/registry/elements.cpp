// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types and elements in MLIR syntax.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/number_from.h"
#include "registry/numbers.h"
#include "registry/op_builder.h"

namespace fxs::registry {
namespace {

struct FloatFormat {
  std::string_view name;
  double beyond;  // the smallest magnitude that rounds to infinity
  std::string_view positiveInfinity, negativeInfinity, nan;
};
constexpr std::array kFloats{
    FloatFormat{"f16", 65520.0, "0x7C00", "0xFC00", "0x7E00"},
    FloatFormat{"bf16", 0x1.FFp127, "0x7F80", "0xFF80", "0x7FC0"},
    FloatFormat{"f32", 0x1.FFFFFFp127, "0x7F800000", "0xFF800000", "0x7FC00000"},
    FloatFormat{"f64", HUGE_VAL, "0x7FF0000000000000", "0xFFF0000000000000", "0x7FF8000000000000"},
};

const FloatFormat* floatFormat(std::string_view element) {
  const auto found = std::find_if(kFloats.begin(), kFloats.end(),
                                  [&](const FloatFormat& f) { return f.name == element; });
  return found == kFloats.end() ? nullptr : &*found;
}

/// Bits of "i8", "i64"; 0 when it is no integer type.
unsigned integerBits(std::string_view element) {
  return element.starts_with('i') ? numberFrom<unsigned>(element.substr(1)).value_or(0) : 0;
}

std::string floatText(double value, std::string_view element) {
  const FloatFormat* format = floatFormat(element);
  if (std::isnan(value)) return std::string(format != nullptr ? format->nan : "0x7E");
  if (format != nullptr && std::abs(value) >= format->beyond)
    return std::string(value > 0 ? format->positiveInfinity : format->negativeInfinity);
  char digits[40];
  std::string out(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  // MLIR requires a point before the exponent.
  if (out.find('.') == std::string::npos) out.insert(std::min(out.find('e'), out.size()), ".0");
  return out;
}

std::string integerText(const Scalar& value, unsigned bits) {
  std::int64_t integer = 0;
  if (const auto* exact = std::get_if<std::int64_t>(&value)) integer = *exact;
  else if (const double real = realOf(value); real > -0x1p63 && real < 0x1p63)
    integer = static_cast<std::int64_t>(real);
  const unsigned unused = 64 - std::min(bits, 64u);
  return std::to_string(static_cast<std::int64_t>(static_cast<std::uint64_t>(integer) << unused) >>
                        unused);
}

void appendNested(std::string& out, const TensorType& type, std::span<const Scalar> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::size_t span = 1;
    std::string opened;
    std::string closed;
    for (std::size_t d = type.sizes.size(); d-- > 0;) {
      span *= static_cast<std::size_t>(type.sizes[d]);
      if (i % span == 0) opened += '[';
      if ((i + 1) % span == 0) closed += ']';
    }
    if (i != 0) out += ", ";
    out += opened + elementText(values[i], type.element) + closed;
  }
}

}  // namespace

std::string elementText(Scalar value, std::string_view element) {
  if (element.starts_with("complex<")) {
    const std::string_view part = element.substr(8, element.size() - 9);
    const auto* number = std::get_if<std::complex<double>>(&value);
    return "(" + floatText(realOf(value), part) + "," +
           floatText(number != nullptr ? number->imag() : 0, part) + ")";
  }
  if (element == "i1") {
    if (const auto* integer = std::get_if<std::int64_t>(&value))
      return *integer != 0 ? "true" : "false";
    return realOf(value) != 0 ? "true" : "false";
  }
  if (element == "index") return integerText(value, 64);
  if (const unsigned bits = integerBits(element)) return integerText(value, bits);
  return floatText(realOf(value), element);
}

std::string denseText(const TensorType& type, std::span<const Scalar> values) {
  std::string out = "dense<";
  if (type.elements() != 0) {
    if (values.size() == 1) out += elementText(values.front(), type.element);
    else appendNested(out, type, values);
  }
  return out + ">";
}

std::string elementOf(DType dtype) {
  if (dtype == DType::Unknown) return {};
  const std::string_view mlir = facts(dtype).mlir;
  if (mlir.starts_with("si") || mlir.starts_with("ui")) return std::string(mlir.substr(1));
  return std::string(mlir);
}

std::string TensorType::text() const {
  std::string out = "tensor<";
  for (const std::int64_t size : sizes)
    out +=
        (isSymbolic(size) ? "?" + std::to_string(size - kFirstSymbol) : std::to_string(size)) + "x";
  return out + element + ">";
}

bool TensorType::isStatic() const { return std::none_of(sizes.begin(), sizes.end(), isSymbolic); }
bool TensorType::isEmpty() const { return std::find(sizes.begin(), sizes.end(), 0) != sizes.end(); }

std::int64_t TensorType::elements() const {
  if (isEmpty()) return 0;
  if (!isStatic()) throw BadSizes("the number of its elements is symbolic");
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) {
    if (__builtin_mul_overflow(count, size, &count))
      count = std::numeric_limits<std::int64_t>::max();
  }
  return count;
}

void TensorType::check() const {
  if (sizes.size() > kMostDimensionsOnTheWay)
    throw BadSizes("its result would have " + std::to_string(sizes.size()) + " dimensions");
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) {
    if (isSymbolic(size)) continue;
    if (size < 0) throw BadSizes("incompatible sizes: they give " + text());
    // If one size is 0 the others count too, because more sizes are computed from them.
    if (__builtin_mul_overflow(count, std::max<std::int64_t>(size, 1), &count) ||
        count > kMostElements)
      throw BadSizes(text() + " has more elements than fit in memory");
  }
}

bool TensorType::isFloat() const { return element.starts_with('f') || element.starts_with("bf"); }
bool TensorType::isInteger() const { return integerBits(element) > 1; }

std::string printedType(std::string_view type) {
  std::string out;
  bool inSymbol = false;
  for (const char c : type) {
    inSymbol = c == '?' || (inSymbol && c >= '0' && c <= '9');
    if (!inSymbol || c == '?') out += c;
  }
  return out;
}

std::optional<TensorType> parseTensorType(std::string_view text) {
  static constexpr std::string_view kHead = "tensor<";
  if (!text.starts_with(kHead) || !text.ends_with('>')) return std::nullopt;
  text = text.substr(kHead.size(), text.size() - kHead.size() - 1);
  TensorType out;
  while (!text.empty() && ((text.front() >= '0' && text.front() <= '9') || text.front() == '?')) {
    std::int64_t size = 0;
    const bool symbolic = text.front() == '?';
    if (symbolic) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    const auto used = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || used >= text.size() || text[used] != 'x') return std::nullopt;
    out.sizes.push_back(symbolic ? kFirstSymbol + size : size);
    text.remove_prefix(used + 1);
  }
  if (text.empty() || text.front() == '*' || text.find(',') != std::string_view::npos)
    return std::nullopt;
  out.element = text;
  return out;
}

}  // namespace fxs::registry
