// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Where PyTorch itself defines no result for some inputs, so that nothing can be wrong: floats that
// become integers of a type that has no such integer. Looks at the values of nodes; those of
// subgraphs are left out.
#include <string>

#include "compare/error_scales.h"
#include "fx/program.h"

namespace fxs::compare {

/// One line that names the node, "the conversion to uint8 at to_1 is of -3.5, which PyTorch does
/// not define"; "" if there is none.
std::string undefinedIn(const fx::Program&, const NodeValue&);

}  // namespace fxs::compare
