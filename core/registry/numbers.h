// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Properties and conversions of numbers of a DType.
#include "registry/op_builder.h"

namespace fxs::registry {

bool isUnsigned(DType);
/// Whether a DType is an integer type or Bool.
bool isIntegerOrBool(DType);
/// The least and greatest value: infinities for floating types; -1 stands for the greatest UInt64,
/// which has the same bits.
Scalar lowest(DType);
Scalar highest(DType);
/// Converts a number to the domain of `dtype`. Integers truncate and saturate at 64 bits; Bool is
/// `value != 0`; real types drop the imaginary part.
Scalar numberOf(Scalar, DType);
double realOf(const Scalar&);  ///< the number as a double, or the real part of a complex one

}  // namespace fxs::registry
