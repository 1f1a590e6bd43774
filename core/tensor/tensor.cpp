// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tensor/tensor.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "tensor/float_format.h"

namespace fxs::tensor {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied as they are");

template <class T>
T load(const char* from) {
  T out;
  std::memcpy(&out, from, sizeof(T));
  return out;
}

template <class T>
void store(char* to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

template <class T>
T saturated(double value) {
  if (std::isnan(value)) return 0;
  const double rounded = std::nearbyint(value);
  if (rounded <= static_cast<double>(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  // The largest 64-bit integers are not doubles: the conversion rounds them up, so that the
  // comparison is still right.
  if (rounded >= static_cast<double>(std::numeric_limits<T>::max()))
    return std::numeric_limits<T>::max();
  return static_cast<T>(rounded);
}

std::uint64_t partBytesOf(DType dtype) {
  return static_cast<std::uint64_t>(facts(dtype).bytes) / partsOf(dtype);
}

template <class Small>
void forSmallFloat(DType dtype, Small& small) {
  const std::uint64_t bytes = partBytesOf(dtype);
  if (bytes == 2) small(std::uint16_t{});
  else if (bytes == 1) small(std::uint8_t{});
}

/// Calls `with(T{})` with the C++ type that a part is stored as, and `small` for the floats that
/// C++ lacks.
template <class Native, class Small>
void forPartType(DType dtype, Native&& native, Small&& small) {
  switch (dtype) {
    case DType::UInt8: return native(std::uint8_t{});
    case DType::Int8: return native(std::int8_t{});
    case DType::Int16: return native(std::int16_t{});
    case DType::Int32: return native(std::int32_t{});
    case DType::Int64: return native(std::int64_t{});
    case DType::UInt16: return native(std::uint16_t{});
    case DType::UInt32: return native(std::uint32_t{});
    case DType::UInt64: return native(std::uint64_t{});
    case DType::Float32:
    case DType::Complex64: return native(float{});
    case DType::Float64:
    case DType::Complex128: return native(double{});
    case DType::Bool: return native(bool{});
    default: return forSmallFloat(dtype, small);
  }
}

}  // namespace

std::optional<std::uint64_t> elementCount(const std::vector<std::int64_t>& sizes) {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  bool empty = false, tooMany = false;
  std::uint64_t count = 1;
  for (const std::int64_t size : sizes) {
    if (size < 0) return std::nullopt;
    empty = empty || size == 0;
    tooMany = tooMany || (size > 0 && count > kMax / static_cast<std::uint64_t>(size));
    if (!tooMany && size > 0) count *= static_cast<std::uint64_t>(size);
  }
  if (empty) return 0;
  return tooMany ? std::nullopt : std::optional(count);
}

std::uint64_t partsOf(DType dtype) { return isComplex(dtype) ? 2 : 1; }

void readParts(const Tensor& tensor, std::uint64_t first, std::span<double> parts) {
  if (tensor.dtype == DType::Unknown) return;
  const std::uint64_t partBytes = partBytesOf(tensor.dtype);
  assert((first + parts.size()) * partBytes <= tensor.bytes.size());
  const char* from = tensor.bytes.data() + first * partBytes;
  forPartType(
      tensor.dtype,
      [&](auto as) {
        using T = decltype(as);
        for (double& part : parts) {
          if constexpr (std::is_same_v<T, bool>) part = *from != 0;
          else part = static_cast<double>(load<T>(from));
          from += sizeof(T);
        }
      },
      [&](auto as) {
        using T = decltype(as);
        const FloatFormat format = floatFormat(tensor.dtype);
        for (double& part : parts) {
          part = tensor.dtype == DType::Float8E8M0FNU ? decodeE8M0(load<std::uint8_t>(from))
                                                      : decode(format, load<T>(from));
          from += sizeof(T);
        }
      });
}

double elementAt(const Tensor& tensor, std::uint64_t i) {
  double out = 0;
  readParts(tensor, i * partsOf(tensor.dtype), {&out, 1});
  return out;
}

std::vector<double> elementsOf(const Tensor& tensor) {
  if (tensor.dtype == DType::Unknown) return {};
  std::vector<double> out(tensor.elements() * partsOf(tensor.dtype));
  readParts(tensor, 0, out);
  return out;
}

Tensor tensorFrom(DType dtype, std::vector<std::int64_t> sizes, const std::vector<double>& values) {
  Tensor out{dtype, std::move(sizes), {}};
  assert(values.size() == out.elements() * partsOf(dtype));
  out.bytes.resize(out.elements() * static_cast<std::uint64_t>(facts(dtype).bytes));
  char* to = out.bytes.data();
  forPartType(
      dtype,
      [&](auto as) {
        using T = decltype(as);
        for (const double value : values) {
          if constexpr (std::is_same_v<T, bool>) *to = value != 0 ? 1 : 0;
          else if constexpr (std::is_integral_v<T>) store(to, saturated<T>(value));
          else store(to, static_cast<T>(value));
          to += sizeof(T);
        }
      },
      [&](auto as) {
        using T = decltype(as);
        const FloatFormat format = floatFormat(dtype);
        for (const double value : values) {
          store(to, dtype == DType::Float8E8M0FNU ? static_cast<T>(encodeE8M0(value))
                                                  : static_cast<T>(encode(format, value)));
          to += sizeof(T);
        }
      });
  return out;
}

std::string typeText(DType dtype, const std::vector<std::int64_t>& sizes) {
  std::string out(facts(dtype).shortName);
  out += '[';
  for (std::size_t i = 0; i < sizes.size(); ++i)
    out += (i == 0 ? "" : ", ") + std::to_string(sizes[i]);
  return out + ']';
}

std::string typeText(const Tensor& tensor) { return typeText(tensor.dtype, tensor.sizes); }

}  // namespace fxs::tensor
