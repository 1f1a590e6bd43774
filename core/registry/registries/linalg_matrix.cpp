// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products with linalg's named operations; the half types are summed in f32.
#include "registry/linalg/arith.h"
#include "registry/linalg/loops.h"
#include "registry/linalg/products.h"
#include "registry/numbers.h"
#include "registry/registry.h"

namespace fxs::registry {
namespace {
using namespace linalg;

/// The result's type may be wider than that of the factors: Helion adds products of f16 to f32.
Value productOf(Call& call, const Value& a, const Value& b, DType from) {
  const DType dtype = call.resultDtype(), sum = ops::computationType(dtype);
  return converted(call.emit, product(call.emit, {a, from}, {b, from}, sum), sum, dtype);
}

template <std::int64_t rank>
Handled matmul(Call& call) {
  FXS_TAKE(a, call.operand("self"));
  FXS_TAKE(b, call.operand("mat2"));
  if (a.tensor.rank() != rank || b.tensor.rank() != rank)
    return refuse("the matrices are not of rank " + std::to_string(rank));
  if (a.tensor.element != b.tensor.element || !isArithmetic(call.resultDtype()) ||
      call.resultDtype() == DType::Bool)
    return refuse("matrices of " + a.type + " and " + b.type + " cannot be multiplied");
  return Values{productOf(call, a, b, call.dtypeOf(call.argument("self")))};
}

Handled addmm(Call& call) {
  FXS_TAKE(bias, call.operand("self"));
  FXS_TAKE(a, call.operand("mat1"));
  FXS_TAKE(b, call.operand("mat2"));
  FXS_TAKE(alpha, call.number("alpha"));
  FXS_TAKE(beta, call.number("beta"));
  FXS_TAKE(result, call.result());
  const DType dtype = call.resultDtype();
  if (a.tensor.rank() != 2 || b.tensor.rank() != 2) return refuse("the matrices are not of rank 2");
  if (!isArithmetic(dtype) || dtype == DType::Bool)
    return refuse("matrices of " + a.type + " cannot be multiplied");
  const Value ab = productOf(call, a, b, call.dtypeOf(call.argument("mat1")));
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
  registries.add("linalg", {"MatmulOp", "MatmulDtypeOp"}, matmul<2>);
  registries.add("linalg", {"BatchMatmulOp", "BatchMatmulDtypeOp"}, matmul<3>);
  registries.add("linalg", {"AddMMOp"}, addmm);
  registries.anySizes(
      "linalg", {"MatmulOp", "MatmulDtypeOp", "BatchMatmulOp", "BatchMatmulDtypeOp", "AddMMOp"});
}

}  // namespace fxs::registry
