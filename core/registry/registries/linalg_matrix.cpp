// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products with linalg's named operations; the half types are summed in f32.
#include <array>

#include "registry/linalg/arith.h"
#include "registry/linalg/loops.h"
#include "registry/numbers.h"
#include "registry/registry.h"

namespace fxs::registry {
namespace {
using namespace linalg;

/// `op` of a and b of type `from`, into zeros of the result's sizes. The result's type may be
/// wider: Helion adds products of f16 to f32.
Value product(Call& call, std::string_view op, const Value& a, const Value& b, DType from,
              const Sizes& sizes) {
  OpBuilder& emit = call.emit;
  const DType dtype = call.resultDtype(), sum = ops::computationType(dtype);
  const Arith arith(emit, sum);
  const TensorType type{sizes, std::string(elementOf(sum))};
  const Value init = filled(emit, type, arith.constant(numberOf(std::int64_t{0}, sum)));
  const std::vector<Value> operands{a, b, init};
  auto open =
      emit.begin(op, operands, std::span(&init.type, 1), "operandSegmentSizes = array<i32: 2, 1>");
  const std::array<std::string, 3> elements{a.tensor.element, b.tensor.element, type.element};
  const std::vector<Value> x = emit.beginRegion(open, elements);
  const Value next =
      arith.add(x[2], arith.mul(convert(emit, x[0], from, sum), convert(emit, x[1], from, sum)));
  emit.ops("linalg.yield", std::span(&next, 1), {});
  emit.endRegion(open);
  return converted(emit, emit.finish(open).front(), sum, dtype);
}

template <std::int64_t rank>
Handled matmul(Call& call) {
  FXS_TAKE(a, call.operand("self"));
  FXS_TAKE(b, call.operand("mat2"));
  const auto r = static_cast<std::size_t>(rank);
  if (a.tensor.rank() != rank || b.tensor.rank() != rank)
    return refuse("the matrices are not of rank " + std::to_string(rank));
  if (a.tensor.element != b.tensor.element || !isArithmetic(call.resultDtype()) ||
      call.resultDtype() == DType::Bool)
    return refuse("matrices of " + a.type + " and " + b.type + " cannot be multiplied");
  Sizes sizes = a.tensor.sizes;
  sizes[r - 1] = b.tensor.sizes[r - 1];
  return Values{product(call, rank == 2 ? "linalg.matmul" : "linalg.batch_matmul", a, b,
                        call.dtypeOf(call.argument("self")), sizes)};
}

Handled addmm(Call& call) {
  FXS_TAKE(bias, call.operand("self"));
  FXS_TAKE(a, call.operand("mat1"));
  FXS_TAKE(b, call.operand("mat2"));
  FXS_TAKE(alpha, call.number("alpha"));
  FXS_TAKE(beta, call.number("beta"));
  FXS_TAKE(result, call.result());
  const DType dtype = call.resultDtype();
  if (!isArithmetic(dtype) || dtype == DType::Bool)
    return refuse("matrices of " + a.type + " cannot be multiplied");
  const Value ab =
      product(call, "linalg.matmul", a, b, call.dtypeOf(call.argument("mat1")), result.sizes);
  const DType compute = ops::computationType(dtype);
  const Arith arith(call.emit, compute);
  const auto is = [](const Scalar& value, double number) {
    return std::get<double>(numberOf(value, DType::Float64)) == number;
  };
  const std::vector<Value> inputs{ab, bias};
  return Values{pointwise(call.emit, result, inputs, [&](Elements x) {
    const auto scaled = [&](const Value& v, const Scalar& by) {
      const Value wide = convert(call.emit, v, dtype, compute);
      return is(by, 1.0) ? wide : arith.mul(arith.constant(numberOf(by, compute)), wide);
    };
    const Value left = scaled(x[0], alpha);
    // With beta 0, NaN in the bias does not count.
    return convert(call.emit, is(beta, 0.0) ? left : arith.add(scaled(x[1], beta), left), compute,
                   dtype);
  })};
}

}  // namespace

void registerLinalgMatrix(Registries& registries) {
  registries.add("linalg", {"MatmulOp"}, matmul<2>);
  registries.add("linalg", {"BatchMatmulOp"}, matmul<3>);
  registries.add("linalg", {"AddMMOp"}, addmm);
  registries.anySizes("linalg", {"MatmulOp", "BatchMatmulOp", "AddMMOp"});
}

}  // namespace fxs::registry
