#pragma once
// Properties of element types.
#include "registry/op_builder.h"

namespace fxs::registry {

bool isUnsigned(DType);
/// Integers and Bool.
bool isWhole(DType);
/// The least and greatest value: infinities of floating types.
Scalar lowest(DType);
Scalar highest(DType);
/// A number in the domain of `dtype`: 1 of 1.0 for integers, 1.0 of 1 and of true for floats, `not 0` for Bool. A complex number leaves its
/// imaginary part where the dtype has none.
Scalar numberOf(Scalar, DType);
double realOf(const Scalar&);

}  // namespace fxs::registry
