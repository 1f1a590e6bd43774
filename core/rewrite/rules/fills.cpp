// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of one value, in forms that lower, and as PyTorch's table makes them.
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
    if (result.sizes[d] == fx::SymInt(0)) continue;  // PyTorch's strides are those of a size of 1
    next = e.times(next, {result.sizes[d], (*given.list())[d]});
  }
  result.strides = valuesOf(strides);
  const Tensor empty = e.op(
      "aten.empty_strided.default",
      {given, argumentsOf(strides), result.dtype, Layout::Strided, result.device, false}, result);
  return one(e.op("aten.fill.Scalar", {empty.value, e.argument("fill_value")}, result));
}

/// Of a symbolic size: StableHLO has no pattern for aten.zeros and aten.ones of these, and
/// torch-mlir's table makes of aten.full what it does not lower either.
template <int number>
Results symbolicFill(Emitter& e) {
  const fx::TensorMeta result = e.result();
  const fx::Argument given = e.argument("size");
  e.require(!result.isStaticShape() && given.list() != nullptr &&
            given.list()->size() == result.rank());
  Sizes sizes;
  for (std::size_t d = 0; d < result.rank(); ++d)
    sizes.push_back({result.sizes[d], (*given.list())[d]});
  const Sizes single(result.rank(), Size::of(1));
  return one(e.expand(e.full(single, fillValue(result.dtype, number), result.dtype), sizes));
}

/// symbolicFill() in Python. `type`: what the result has by default.
std::string fillInPython(const std::string& number, const std::string& type) {
  return "    if all(isinstance(n, int) for n in size):\n"
         "        return NotImplemented\n"
         "    dtype = " +
         type +
         " if dtype is None else dtype\n"
         "    return torch.full([1] * len(size), " +
         number + ", dtype=dtype, device=device).expand(size)\n";
}

}  // namespace

void registerFills(RewriteRules& rules) {
  constexpr const char* kExpanded = "becomes aten.expand of one element, if a size is symbolic";
  static const std::string kUsual = "torch.get_default_dtype()", kOwn = "self.dtype",
                           kZeros = fillInPython("0", kUsual), kOnes = fillInPython("1", kUsual),
                           kNewZeros = fillInPython("0", kOwn), kNewOnes = fillInPython("1", kOwn);
  const auto add = [&](const char* target, auto apply, std::string_view python) {
    rules.add({target, kExpanded, true, apply, {}, python});
  };
  add("aten.zeros.default", symbolicFill<0>, kZeros);
  add("aten.ones.default", symbolicFill<1>, kOnes);
  add("aten.new_zeros.default", symbolicFill<0>, kNewZeros);
  add("aten.new_ones.default", symbolicFill<1>, kNewOnes);
  rules.add({"aten.full.default", "becomes an empty tensor that is filled, as in PyTorch's table",
             false, emptyThenFilled});
}

}  // namespace fxs::rewrite
