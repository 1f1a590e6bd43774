// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The math registry: one operation of the math dialect on the whole tensor. Integers are converted
// to the float type of the result.
#include <string>
#include <string_view>

#include "registry/linalg/elementwise.h"
#include "registry/registry.h"

namespace fxs::registry {
namespace {
using namespace linalg;

/// Half types are computed in f32, as in PyTorch's kernels.
Handled function(Call& call, const std::string& op) {
  FXS_TAKE(self, call.operand("self"));
  const DType from = call.dtypeOf(call.argument("self")), to = call.resultDtype(),
              compute = ops::computationType(to);
  if (!isFloating(to) || !isArithmetic(from) || !isArithmetic(to))
    return refuse(std::string(facts(from).torchName) + " has no function in the math dialect");
  const Value x = convert(call.emit, convert(call.emit, self, from, to), to, compute);
  return Values{convert(call.emit, Arith(call.emit, compute).function(op, x), compute, to)};
}

/// ceil, floor, round and trunc are the identity on integers.
Handled rounding(Call& call, std::string_view op) {
  if (isFloating(call.resultDtype())) return function(call, std::string(op));
  FXS_TAKE(self, call.operand("self"));
  return Values{self};
}

Handled absolute(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  const DType dtype = call.resultDtype();
  if (dtype != call.dtypeOf(call.argument("self")) || !isArithmetic(dtype))
    return refuse("the absolute value of " +
                  std::string(facts(call.dtypeOf(call.argument("self"))).torchName) +
                  " is not supported");
  if (dtype == DType::UInt8 || dtype == DType::Bool) return Values{self};
  return Values{Arith(call.emit, dtype).function(isFloating(dtype) ? "absf" : "absi", self)};
}

Handled binary(Call& call, std::string_view first, std::string_view second, std::string_view op) {
  FXS_TAKE(result, call.result());
  const DType to = call.resultDtype(), compute = ops::computationType(to);
  if (!isFloating(to) || !isArithmetic(to))
    return refuse(std::string(facts(to).torchName) + " has no function in the math dialect");
  std::vector<Value> operands;
  for (const std::string_view name : {first, second}) {
    FXS_TAKE(value, call.operand(name));
    const DType from = call.dtypeOf(call.argument(name));
    if (!isArithmetic(from))
      return refuse(std::string(facts(from).torchName) + " has no function in the math dialect");
    const Value full = broadcast(call.emit, value, result.sizes);
    operands.push_back(convert(call.emit, convert(call.emit, full, from, to), to, compute));
  }
  const Value out =
      call.emit.op("math." + std::string(op), {operands[0], operands[1]}, operands[0].tensor);
  return Values{convert(call.emit, out, compute, to)};
}

Handled power(Call& call) {
  if (isFloating(call.resultDtype())) return binary(call, "self", "exponent", "powf");
  return elementwise(call, {"self", "exponent"}, {},
                     [](const Arith& arith, Elements x) { return arith.power(x[0], x[1]); });
}

}  // namespace

void registerMath(Registries& registries) {
  for (const std::string_view name :
       {"Acos",  "Acosh", "Asin", "Asinh", "Atan",  "Atanh", "Cos",  "Cosh",
        "Erf",   "Exp2",  "Exp",  "Expm1", "Log10", "Log1p", "Log2", "Log",
        "Rsqrt", "Sin",   "Sinh", "Sqrt",  "Tan",   "Tanh"}) {
    const std::string opClass = std::string(name) + "Op";
    std::string op(name);
    op.front() = static_cast<char>(op.front() - 'A' + 'a');
    registries.add("math", {opClass}, with(function, op));
    registries.anySizes("math", {opClass});
  }
  struct Rounding {
    std::string_view opClass, op;
  };
  static constexpr Rounding kRoundings[] = {
      {"CeilOp", "ceil"}, {"FloorOp", "floor"}, {"RoundOp", "roundeven"}, {"TruncOp", "trunc"}};
  for (const Rounding& f : kRoundings) {
    registries.add("math", {f.opClass}, with(rounding, f.op));
    registries.anySizes("math", {f.opClass});
  }
  registries.add("math", {"AbsOp"}, absolute);
  registries.add("math", {"Atan2Op"}, with(binary, "self", "other", "atan2"));
  registries.add("math", {"PowTensorTensorOp"}, power);
  registries.anySizes("math", {"AbsOp", "Atan2Op", "PowTensorTensorOp"});
}

}  // namespace fxs::registry
