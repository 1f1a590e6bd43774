// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Sizes of a function's results that a lowered text computes otherwise than the program: symbols
// that were exchanged or merged, a reshape that became its operand. Two examples are compared: the
// sizes that the program was exported with, and a number of its own for each symbol.
#include <string>
#include <vector>

#include "contract/given_sizes.h"
#include "contract/promise.h"
#include "fx/program.h"

namespace fxs::contract {

struct WrongSize {
  std::size_t result = 0, dimension = 0;
  std::int64_t size = 0, wanted = 0;  ///< in the text, and in the program
  std::string where;                  ///< "s0 = 4, s1 = 6"
};

/// The first one of each result, if any. Sizes that cannot be followed in the text are not
/// compared.
std::vector<WrongSize> wrongSizes(const mlir::Module&, const Promise&, const fx::Program& user,
                                  const GivenSizes&);

}  // namespace fxs::contract
