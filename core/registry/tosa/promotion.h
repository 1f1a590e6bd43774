#pragma once
// PyTorch's type promotion, for operators whose result does not say in which type they compute (comparisons).
#include <initializer_list>

#include "registry/handler.h"

namespace fxs::registry::tosa {

/// The smaller type that holds both.
DType promoted(DType a, DType b);
/// Of those arguments: a tensor with dimensions outranks one without, and that one a number, unless the lighter one is of a higher
/// category (bool < integer < float).
DType commonDtype(const Call&, std::initializer_list<std::string_view> names);

}  // namespace fxs::registry::tosa
