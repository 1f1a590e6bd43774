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
    PackedArgument packed{dtype.dtype, 0, {}};
    std::vector<fx::NodeId> nodes;
    for (const fx::InputSpec* spec : specs) {
      const auto type = tensorTypeOf(program_.node(spec->node).val);
      if (!type || type->elements() > kMostElements - packed.elements)
        continue;  // no value: its users are refused
      packed.parts.push_back({spec->target, packed.elements, {"", type->text(), *type}});
      nodes.push_back(spec->node);
      packed.elements += type->elements();
    }
    if (nodes.empty()) continue;
    const Value flat = addParameter(program_.node(specs.front()->node),
                                    TensorType{{packed.elements}, elementOf(dtype.dtype)}.text());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      PackedPart& part = packed.parts[i];
      const TensorType& type = part.value.tensor;
      locate(program_.node(nodes[i]));
      part.value = type.elements() == 0 ? emit_.constant(type, {}, "arith.constant")
                                        : cutOut(emit_, flat, part.offset, type);
      values_[nodes[i].index()] = {part.value};
    }
    out_->packing.push_back(std::move(packed));
  }
}

}  // namespace fxs::registry
