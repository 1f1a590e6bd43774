// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What functions of one number do to errors. Operators name theirs in
// resources/ops/operators.txt: "function=log".
#include <functional>
#include <string_view>

#include "tensor/tensor.h"

namespace fxs::compare {

using Function = std::function<long double(long double)>;

/// Those whose derivatives are far from 1; others are taken to have at most 1. Null if there is
/// no such function.
const Function* functionNamed(std::string_view name);

/// The rms of what an error of an operand's elements does to f of them: `error` of each, and `eps`
/// of its own size.
double errorOfFunction(const Function& f, const tensor::Tensor& operand, double error,
                       double eps = 0);

}  // namespace fxs::compare
