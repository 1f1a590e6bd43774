// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Looks for inputs with which the branches of conditions and the trips of loops run that did not
// run with the others, and with which single elements that are compared are less, equal and
// greater.
#include <vector>

#include "numbers/compare.h"
#include "numbers/reference.h"

namespace fxs::numbers {

/// Draws a few dozen inputs that may take other branches of the main graph's conditions, make other
/// numbers of trips through its loops and decide other comparisons of single elements; none for a
/// program without, or where the user chose the inputs.
Result<std::vector<compare::Inputs>> furtherInputs(const fx::Program&, const compare::Sizes&,
                                                   const CompareOptions&, const RunContext&);

/// Appends those of `further`, with PyTorch's `values` for them, that reached more than the ones
/// before.
void keepReaching(const fx::Program&, std::vector<compare::Inputs> further,
                  std::vector<Reference> values, std::vector<compare::Inputs>& inputs,
                  std::vector<Reference>& references, const RunContext&);

}  // namespace fxs::numbers
