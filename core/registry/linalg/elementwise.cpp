// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/linalg/elementwise.h"

#include <optional>

#include "registry/numbers.h"

namespace fxs::registry::linalg {
namespace {

/// An operand: an input tensor of the loop, or a constant.
struct Operand {
  std::optional<std::size_t> input;
  Value constant;
  DType dtype = DType::Unknown;
};

}  // namespace

Handled elementwise(Call& call, std::initializer_list<std::string_view> names,
                    const Computing& computing, const Body& body) {
  OpBuilder& emit = call.emit;
  FXS_TAKE(result, call.result());
  const DType common = computing.common == DType::Unknown ? call.resultDtype() : computing.common;
  const DType compute = computing.exact ? common : ops::computationType(common);
  const auto isSupported = [&](DType dtype) {
    return isArithmetic(dtype) || (computing.complex && isComplex(dtype));
  };
  for (const DType dtype : {compute, call.resultDtype()})
    if (!isSupported(dtype))
      return refuse("elements of " + std::string(facts(dtype).torchName) +
                    " are not supported in arithmetic");
  const Arith arith(emit, compute);
  std::vector<Value> inputs;
  std::vector<Operand> operands;
  for (const std::string_view name : names) {
    Operand operand;
    const fx::Argument argument = call.argument(name);
    if (argument.node() != nullptr) {
      FXS_TAKE(value, call.operand(name));
      operand.dtype = call.dtypeOf(argument);
      if (!isSupported(operand.dtype))
        return refuse("elements of " + std::string(facts(operand.dtype).torchName) +
                      " are not supported in arithmetic");
      operand.input = inputs.size();
      inputs.push_back(value);
    } else {
      FXS_TAKE(number, call.number(name));
      if (std::holds_alternative<std::complex<double>>(number) && !isComplex(common))
        return refuse("complex arithmetic is not supported");
      operand.constant = arith.constant(numberOf(numberOf(number, common), compute));
    }
    operands.push_back(std::move(operand));
  }
  return Values{pointwise(emit, result, inputs, [&](Elements elements) {
    std::vector<Value> values;
    for (const Operand& operand : operands)
      values.push_back(operand.input
                           ? convert(emit,
                                     convert(emit, elements[*operand.input], operand.dtype, common),
                                     common, compute)
                           : operand.constant);
    return convert(emit, body(arith, values), computing.gives ? DType::Bool : compute,
                   call.resultDtype());
  })};
}

}  // namespace fxs::registry::linalg
