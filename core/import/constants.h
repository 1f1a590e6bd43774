// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes torch.constant.* operations.
#include <string_view>

#include "import/op_writer.h"

namespace fxs::import {

Value constantInt(OpWriter&, std::int64_t);
/// Exact, also for infinities and NaN: the attribute is written as bits.
Value constantFloat(OpWriter&, double);
Value constantBool(OpWriter&, bool);
Value constantString(OpWriter&, std::string_view);
Value constantDevice(OpWriter&, std::string_view);
Value constantNone(OpWriter&);
/// A rank 0 tensor literal of `complex<f32>`: the dialect has no complex scalar.
Value constantComplex(OpWriter&, double real, double imaginary);

}  // namespace fxs::import
