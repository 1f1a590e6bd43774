// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants as PyTorch's table makes them, which torch_mlir.fx.export_and_import asks for.
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Results emptyThenFilled(Emitter& e) {
  fx::TensorMeta result = e.result();
  const fx::Argument given = e.argument("size");
  e.require(given.list() != nullptr && given.list()->size() == result.rank() &&
            result.dtype != DType::Unknown);
  Sizes strides(result.rank());
  Size next = Size::of(1);
  for (std::size_t d = result.rank(); d-- > 0;) {
    strides[d] = next;
    next = e.times(next, {result.sizes[d], (*given.list())[d]});
  }
  result.strides = valuesOf(strides);
  const Tensor empty = e.op(
      "aten.empty_strided.default",
      {given, argumentsOf(strides), result.dtype, Layout::Strided, result.device, false}, result);
  return one(e.op("aten.fill.Scalar", {empty.value, e.argument("fill_value")}, result));
}

}  // namespace

void registerFills(RewriteRules& rules) {
  rules.add({"aten.full.default", "becomes an empty tensor that is filled, as in PyTorch's table",
             false, emptyThenFilled});
}

}  // namespace fxs::rewrite
