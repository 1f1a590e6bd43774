// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "import/constants.h"

#include <array>
#include <bit>

namespace fxs::import {
namespace {

std::string hexBits(std::uint64_t bits, int digits) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out(static_cast<std::size_t>(digits), '0');
  for (int i = digits - 1; i >= 0; --i, bits >>= 4)
    out[static_cast<std::size_t>(i)] = kHex[bits & 15];
  return out;
}

Value quotedConstant(OpWriter& writer, std::string_view op, std::string_view text, TypeId type) {
  std::string attribute = "value = ";
  appendQuoted(attribute, text);
  return writer.op(op, {}, type, attribute);
}

}  // namespace

Value constantInt(OpWriter& writer, std::int64_t value) {
  return writer.op("torch.constant.int", {}, writer.types().integer,
                   "value = " + std::to_string(value) + " : i64");
}

Value constantFloat(OpWriter& writer, double value) {
  return writer.op("torch.constant.float", {}, writer.types().floating,
                   "value = 0x" + hexBits(std::bit_cast<std::uint64_t>(value), 16) + " : f64");
}

Value constantBool(OpWriter& writer, bool value) {
  return writer.op("torch.constant.bool", {}, writer.types().boolean,
                   value ? "value = true" : "value = false");
}

Value constantString(OpWriter& writer, std::string_view value) {
  return quotedConstant(writer, "torch.constant.str", value, writer.types().string);
}

Value constantDevice(OpWriter& writer, std::string_view value) {
  return quotedConstant(writer, "torch.constant.device", value, writer.types().device);
}

Value constantNone(OpWriter& writer) {
  return writer.op("torch.constant.none", {}, writer.types().none);
}

Value constantComplex(OpWriter& writer, double real, double imaginary) {
  // The bytes of a dense attribute in memory order: two little-endian floats.
  std::string bytes;
  for (const double part : std::array{real, imaginary}) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(part));
    for (int shift = 0; shift < 32; shift += 8) bytes += hexBits((bits >> shift) & 0xFF, 2);
  }
  return writer.op("torch.vtensor.literal", {},
                   writer.types().of("!torch.vtensor<[],complex<f32>>"),
                   "value = dense<\"0x" + bytes + "\"> : tensor<complex<f32>>");
}

}  // namespace fxs::import
