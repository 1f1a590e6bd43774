// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// PyTorch's element types and other small enums, with their encodings: the number
// in a .pt2 (torch/_export/serde/schema.py, version 8), the c10 number that
// torch-dialect constants use, and the MLIR type.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fxs {

enum class DType : std::uint8_t {
  Unknown,
  UInt8,
  Int8,
  Int16,
  Int32,
  Int64,
  Float16,
  Float32,
  Float64,
  Complex32,
  Complex64,
  Complex128,
  Bool,
  BFloat16,
  UInt16,
  UInt32,
  UInt64,
  Float8E4M3FN,
  Float8E5M2,
  Float8E4M3FNUZ,
  Float8E5M2FNUZ,
  Float8E8M0FNU,
};

struct DTypeFacts {
  DType dtype;
  std::string_view torchName;  ///< "float32", as in torch.float32
  std::string_view
      shortName;          ///< "f32", as print(graph) abbreviates: f32, i64, b8, bf16, c64, u8 ..
  std::string_view mlir;  ///< element type inside !torch.vtensor: "f32", "si64", "i1"
  int bytes;
  int torchInt;    ///< c10::ScalarType, as in torch-dialect constants
  int serialized;  ///< ScalarType of the export schema
};

const DTypeFacts& facts(DType);
std::optional<DType> dtypeFromSerialized(int number);
/// Parses "float32", "torch.float32" or "f32".
std::optional<DType> dtypeFromName(std::string_view);
bool isFloating(DType);  ///< real floating types, not complex
bool isComplex(DType);
bool isIntegral(DType);  ///< integers without bool

enum class Layout : std::uint8_t {
  Strided,
  SparseCoo,
  SparseCsr,
  SparseCsc,
  SparseBsr,
  SparseBsc,
  Mkldnn
};
enum class MemoryFormat : std::uint8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
std::string_view name(Layout);        ///< "strided", "sparse_coo" ..
std::string_view name(MemoryFormat);  ///< "contiguous_format" ..
int torchInt(Layout);
int torchInt(MemoryFormat);
std::optional<Layout> layoutFromSerialized(int);
std::optional<MemoryFormat> memoryFormatFromSerialized(int);

struct Device {
  std::string type;  ///< "cpu", "cuda", "meta"
  std::optional<int> index;
  std::string text() const { return index ? type + ":" + std::to_string(*index) : type; }
  friend bool operator==(const Device&, const Device&) = default;
};

}  // namespace fxs
