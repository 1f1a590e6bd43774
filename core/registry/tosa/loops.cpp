// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/tosa/loops.h"

namespace fxs::registry::tosa {

std::string identityMap(std::int64_t rank) {
  std::string out;
  for (std::int64_t d = 0; d < rank; ++d) out += (out.empty() ? "d" : ", d") + std::to_string(d);
  return out;
}

std::vector<Value> loops(OpBuilder& emit, const LoopNest& nest, std::span<const Value> inputs,
                         std::span<const Value> outputs, const LoopBody& body) {
  const std::string domain = identityMap(static_cast<std::int64_t>(nest.iterators.size()));
  std::string maps;
  for (const std::string& map : nest.maps)
    maps += (maps.empty() ? "" : ", ") + ("affine_map<(" + domain + ") -> (" + map + ")>");
  std::string iterators;
  for (const char kind : nest.iterators)
    iterators += std::string(iterators.empty() ? "" : ", ") + "#linalg.iterator_type<" +
                 (kind == 'r' ? "reduction" : "parallel") + ">";

  std::vector<Value> operands(inputs.begin(), inputs.end());
  operands.insert(operands.end(), outputs.begin(), outputs.end());
  std::vector<std::string> resultTypes;
  for (const Value& output : outputs) resultTypes.push_back(output.type);
  std::vector<std::string> elements;
  for (const Value& operand : operands) elements.push_back(operand.tensor.element);

  OpBuilder::Open open =
      emit.begin("linalg.generic", operands, resultTypes,
                 "indexing_maps = [" + maps + "], iterator_types = [" + iterators +
                     "], operandSegmentSizes = array<i32: " + std::to_string(inputs.size()) + ", " +
                     std::to_string(outputs.size()) + ">");
  const std::vector<Value> arguments = emit.beginRegion(open, elements);
  emit.ops("linalg.yield", body(arguments), {});
  emit.endRegion(open);
  return emit.finish(open);
}

Value loop(OpBuilder& emit, const LoopNest& nest, std::span<const Value> inputs,
           const Value& output, const LoopBody& body) {
  return loops(emit, nest, inputs, std::span(&output, 1), body).front();
}

Value emptyTensor(OpBuilder& emit, const TensorType& type) {
  return emit.op("tensor.empty", emit.symbolsIn(type.sizes), type);
}

Value element(OpBuilder& emit, std::string_view op, std::initializer_list<Value> operands,
              std::string_view type, std::string_view attributes) {
  const std::string resultType(type.empty() ? std::string_view(operands.begin()->type) : type);
  return emit
      .ops(op, std::span(operands.begin(), operands.size()), std::span(&resultType, 1), attributes)
      .front();
}

Value loopIndex(OpBuilder& emit, std::int64_t loop) {
  return element(emit, "linalg.index", {}, "index", "dim = " + std::to_string(loop) + " : i64");
}

}  // namespace fxs::registry::tosa
