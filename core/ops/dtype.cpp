// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ops/dtype.h"

#include <array>

namespace fxs {
namespace {

// Serialized numbers: torch/_export/serde/schema.py (8.20). Torch ints: c10/core/ScalarType.h.
constexpr std::array<DTypeFacts, 22> kDTypes{{
    {DType::Unknown, "unknown", "unknown", "", 0, -1, 0},
    {DType::UInt8, "uint8", "u8", "ui8", 1, 0, 1},
    {DType::Int8, "int8", "i8", "si8", 1, 1, 2},
    {DType::Int16, "int16", "i16", "si16", 2, 2, 3},
    {DType::Int32, "int32", "i32", "si32", 4, 3, 4},
    {DType::Int64, "int64", "i64", "si64", 8, 4, 5},
    {DType::Float16, "float16", "f16", "f16", 2, 5, 6},
    {DType::Float32, "float32", "f32", "f32", 4, 6, 7},
    {DType::Float64, "float64", "f64", "f64", 8, 7, 8},
    {DType::Complex32, "complex32", "c32", "complex<f16>", 4, 8, 9},
    {DType::Complex64, "complex64", "c64", "complex<f32>", 8, 9, 10},
    {DType::Complex128, "complex128", "c128", "complex<f64>", 16, 10, 11},
    {DType::Bool, "bool", "b8", "i1", 1, 11, 12},
    {DType::BFloat16, "bfloat16", "bf16", "bf16", 2, 15, 13},
    {DType::UInt16, "uint16", "u16", "ui16", 2, 27, 28},
    {DType::UInt32, "uint32", "u32", "ui32", 4, 28, 34},
    {DType::UInt64, "uint64", "u64", "ui64", 8, 29, 35},
    {DType::Float8E4M3FN, "float8_e4m3fn", "f8e4m3fn", "f8E4M3FN", 1, 24, 29},
    {DType::Float8E5M2, "float8_e5m2", "f8e5m2", "f8E5M2", 1, 23, 30},
    {DType::Float8E4M3FNUZ, "float8_e4m3fnuz", "f8e4m3fnuz", "f8E4M3FNUZ", 1, 26, 31},
    {DType::Float8E5M2FNUZ, "float8_e5m2fnuz", "f8e5m2fnuz", "f8E5M2FNUZ", 1, 25, 32},
    {DType::Float8E8M0FNU, "float8_e8m0fnu", "f8e8m0fnu", "f8E8M0FNU", 1, 44, 33},
}};

template <class Matches>
std::optional<DType> firstWhere(Matches&& matches) {
  for (const DTypeFacts& f : kDTypes)
    if (f.dtype != DType::Unknown && matches(f)) return f.dtype;
  return std::nullopt;
}

struct EnumFacts {
  std::string_view name;
  int torchInt;  // c10/core/Layout.h, c10/core/MemoryFormat.h
  int serialized;
};
constexpr std::array<EnumFacts, 7> kLayouts{{{"strided", 0, 7},
                                             {"sparse_coo", 1, 1},
                                             {"sparse_csr", 2, 2},
                                             {"sparse_csc", 4, 3},
                                             {"sparse_bsr", 5, 4},
                                             {"sparse_bsc", 6, 5},
                                             {"_mkldnn", 3, 6}}};
constexpr std::array<EnumFacts, 4> kMemoryFormats{{{"contiguous_format", 0, 1},
                                                   {"preserve_format", 1, 4},
                                                   {"channels_last", 2, 2},
                                                   {"channels_last_3d", 3, 3}}};

template <class Enum, std::size_t N>
std::optional<Enum> enumFromSerialized(const std::array<EnumFacts, N>& table, int number) {
  for (std::size_t i = 0; i < N; ++i)
    if (table[i].serialized == number) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace

const DTypeFacts& facts(DType dtype) { return kDTypes[static_cast<std::size_t>(dtype)]; }

std::optional<DType> dtypeFromSerialized(int number) {
  return firstWhere([&](const DTypeFacts& f) { return f.serialized == number; });
}

std::optional<DType> dtypeFromName(std::string_view name) {
  if (name.starts_with("torch.")) name.remove_prefix(6);
  return firstWhere(
      [&](const DTypeFacts& f) { return f.torchName == name || f.shortName == name; });
}

bool isFloating(DType dtype) {
  switch (dtype) {
    case DType::Float16:
    case DType::Float32:
    case DType::Float64:
    case DType::BFloat16:
    case DType::Float8E4M3FN:
    case DType::Float8E5M2:
    case DType::Float8E4M3FNUZ:
    case DType::Float8E5M2FNUZ:
    case DType::Float8E8M0FNU: return true;
    default: return false;
  }
}

bool isComplex(DType dtype) {
  return dtype == DType::Complex32 || dtype == DType::Complex64 || dtype == DType::Complex128;
}

bool isIntegral(DType dtype) {
  return dtype != DType::Unknown && dtype != DType::Bool && !isFloating(dtype) && !isComplex(dtype);
}

std::string_view name(Layout layout) { return kLayouts[static_cast<std::size_t>(layout)].name; }
std::string_view name(MemoryFormat format) {
  return kMemoryFormats[static_cast<std::size_t>(format)].name;
}
int torchInt(Layout layout) { return kLayouts[static_cast<std::size_t>(layout)].torchInt; }
int torchInt(MemoryFormat format) {
  return kMemoryFormats[static_cast<std::size_t>(format)].torchInt;
}
std::optional<Layout> layoutFromSerialized(int number) {
  return enumFromSerialized<Layout>(kLayouts, number);
}
std::optional<MemoryFormat> memoryFormatFromSerialized(int number) {
  return enumFromSerialized<MemoryFormat>(kMemoryFormats, number);
}

}  // namespace fxs
