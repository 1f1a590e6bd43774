// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors filled with one number, and bit casts.
#include "registry/linalg/loops.h"
#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry {
namespace {
using namespace tosa;

Handled filled(Call& call, const Scalar& value) {
  FXS_TAKE(result, call.result());
  if (!result.isStatic())
    return Values{linalg::filled(
        call.emit, result, call.emit.scalar(result.element, numberOf(value, call.resultDtype())))};
  return Values{call.emit.splat(result, numberOf(value, call.resultDtype()))};
}
Handled filledWith(Call& call, std::string_view name) {
  FXS_TAKE(value, call.number(name));
  return filled(call, value);
}

/// view(dtype) between types of the same width.
Handled bits(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  FXS_TAKE(result, call.result());
  const DType from = call.dtypeOf(call.argument("self"));
  if (from == DType::Bool || call.resultDtype() == DType::Bool ||
      facts(from).bytes != facts(call.resultDtype()).bytes)
    return refuse("the bits of " + std::string(facts(from).torchName) +
                  " are not those of as many " + std::string(facts(call.resultDtype()).torchName));
  return Values{x.tensor.element == result.element ? x
                                                   : call.emit.op("arith.bitcast", {x}, result)};
}

}  // namespace

void registerTosaFills(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"ZerosOp", "ZerosLikeOp"}, with(filled, std::int64_t{0}), kAnyOperand);
  addTosa(registries, {"OnesLikeOp"}, with(filled, std::int64_t{1}), kAnyOperand);
  addTosa(registries, {"FullLikeOp"}, with(filledWith, "fill_value"), kAnyOperand);
  addTosa(registries, {"FillScalarOp"}, with(filledWith, "value"), kAnyOperand);
  addTosa(registries, {"ViewDtypeOp"}, bits, kAnySign);
  registries.anySizes("tosa", {"ZerosOp", "ZerosLikeOp", "OnesLikeOp", "FullLikeOp", "FillScalarOp",
                               "ViewDtypeOp"});
}

}  // namespace fxs::registry
