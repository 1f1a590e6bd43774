// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Whether what a stage's program printed can be a lowering of its input at all. An engine that
// stops halfway, or answers for another module, says nothing about the program. What only a wrong
// pass does, such as a symbolic size that became a number, is left to core/contract; values are not
// computed.
#include <string>
#include <string_view>

#include "lower/output_types.h"

namespace fxs::lower {

/// Why it cannot be a lowering, as a phrase: "printed half a module"; "" if nothing shows that.
std::string noAnswer(const StageSpec&, std::string_view input, std::string_view output);

}  // namespace fxs::lower
