// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/linalg/products.h"

#include <array>

#include "registry/linalg/arith.h"
#include "registry/linalg/loops.h"
#include "registry/numbers.h"

namespace fxs::registry::linalg {

Value product(OpBuilder& emit, const Factor& a, const Factor& b, DType sum) {
  const Arith arith(emit, sum);
  TensorType type{a.value.tensor.sizes, std::string(elementOf(sum))};
  type.sizes.pop_back();
  type.sizes.push_back(b.value.tensor.sizes.back());
  const Value init = filled(emit, type, arith.constant(numberOf(std::int64_t{0}, sum)));
  const std::vector<Value> operands{a.value, b.value, init};
  auto open = emit.begin(type.rank() == 2 ? "linalg.matmul" : "linalg.batch_matmul", operands,
                         std::span(&init.type, 1), "operandSegmentSizes = array<i32: 2, 1>");
  const std::array<std::string, 3> elements{a.value.tensor.element, b.value.tensor.element,
                                            type.element};
  const std::vector<Value> x = emit.beginRegion(open, elements);
  const Value next = arith.add(
      x[2], arith.mul(convert(emit, x[0], a.dtype, sum), convert(emit, x[1], b.dtype, sum)));
  emit.ops("linalg.yield", std::span(&next, 1), {});
  emit.endRegion(open);
  return emit.finish(open).front();
}

}  // namespace fxs::registry::linalg
