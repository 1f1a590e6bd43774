// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// linalg.generic: a loop nest over tensors whose body computes one element of each result.
#include <functional>

#include "registry/op_builder.h"

namespace fxs::registry::tosa {

struct LoopNest {
  std::string
      iterators;  ///< one letter a loop: 'p' parallel, 'r' reduction; the loops are d0, d1 ..
  std::vector<std::string>
      maps;  ///< one for each input, then one for each output: "d0, d2 * 2 + d3"
};
/// The body gets the elements of the inputs, then those of the outputs, and gives the new ones.
using LoopBody = std::function<std::vector<Value>(std::span<const Value>)>;

/// The outputs start as `outputs` and have their types.
std::vector<Value> loops(OpBuilder&, const LoopNest&, std::span<const Value> inputs,
                         std::span<const Value> outputs, const LoopBody&);
/// One output.
Value loop(OpBuilder&, const LoopNest&, std::span<const Value> inputs, const Value& output,
           const LoopBody&);
/// "tensor.empty": an output whose first contents nothing reads.
Value emptyTensor(OpBuilder&, const TensorType&);
/// "d0, d1, d2": all loops in order.
std::string identityMap(std::int64_t rank);

// In a body: operations on elements.
Value element(OpBuilder&, std::string_view op, std::initializer_list<Value> operands,
              std::string_view type = {}, std::string_view attributes = {});
/// The number of the loop's turn, of type `index`.
Value loopIndex(OpBuilder&, std::int64_t loop);

}  // namespace fxs::registry::tosa
