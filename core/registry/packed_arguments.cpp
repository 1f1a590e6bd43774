// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buddy's packed form: one flat argument per element type with all parameters and buffers of that
// type, each of which is sliced at its offset and reshaped.
#include <map>

#include "registry/program_lowering.h"

namespace fxs::registry {
namespace {

std::string numbers(const Sizes& values) {
  std::string out;
  for (const std::int64_t value : values)
    out += (out.empty() ? ": " : ", ") + std::to_string(value);
  return "array<i64" + out + ">";
}

/// `[[0, 1, 2]]`: one group of all dimensions; none for rank 0.
std::string oneGroup(std::int64_t rank) {
  std::string out;
  for (std::int64_t d = 0; d < rank; ++d) out += (out.empty() ? "[[" : ", ") + std::to_string(d);
  return rank == 0 ? "[]" : out + "]]";
}

Value cutOut(OpBuilder& emit, const Value& flat, std::int64_t offset, const TensorType& type) {
  const TensorType piece{{type.elements()}, type.element};
  Value part = emit.op(
      "tensor.extract_slice", {flat}, piece,
      "operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = " + numbers({offset}) +
          ", static_sizes = " + numbers(piece.sizes) + ", static_strides = array<i64: 1>");
  if (type.rank() == 1) return part;
  if (type.rank() == 0) return emit.op("tensor.collapse_shape", {part}, type, "reassociation = []");
  return emit.op("tensor.expand_shape", {part}, type,
                 "reassociation = " + oneGroup(type.rank()) +
                     ", static_output_shape = " + numbers(type.sizes));
}

}  // namespace

void ProgramLowering::bindPacked(const std::vector<const fx::InputSpec*>& weights) {
  std::map<std::string_view, std::vector<const fx::InputSpec*>>
      byType;  // by torch's name, as Buddy sorts them
  for (const fx::InputSpec* spec : weights)
    if (const fx::TensorMeta* tensor = program_.node(spec->node).val.tensor())
      byType[facts(tensor->dtype).torchName].push_back(spec);
  for (const auto& [typeName, specs] : byType) {
    const DTypeFacts& dtype = facts(program_.node(specs.front()->node).val.tensor()->dtype);
    std::int64_t total = 0;
    std::string parts;
    std::vector<std::pair<const fx::InputSpec*, std::int64_t>> offsets;
    for (const fx::InputSpec* spec : specs) {
      const auto type = tensorTypeOf(program_.node(spec->node).val);
      if (!type || type->elements() > kMostElements - total)
        continue;  // no value: its users are refused
      offsets.emplace_back(spec, total);
      parts += (parts.empty() ? "" : ", ") + spec->target + " at " + std::to_string(total) + " (" +
               std::to_string(type->elements()) + ")";
      total += type->elements();
    }
    if (offsets.empty()) continue;
    out_->packing.push_back(std::string(dtype.shortName) + "[" + std::to_string(total) +
                            "]: " + parts);
    const Value flat = addParameter(program_.node(specs.front()->node),
                                    TensorType{{total}, elementOf(dtype.dtype)}.text());
    for (const auto& [spec, offset] : offsets) {
      const fx::Node& node = program_.node(spec->node);
      const auto type = tensorTypeOf(node.val);
      locate(node);
      values_[node.id.index()] = {type->elements() == 0
                                      ? emit_.constant(*type, {}, "arith.constant")
                                      : cutOut(emit_, flat, offset, *type)};
    }
  }
}

}  // namespace fxs::registry
