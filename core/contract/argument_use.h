// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which arguments the results of a function are computed from, as the operands in its text say.
// Values of one example tell nothing of it: a result that is the wrong one of two arguments has the
// right type.
#include <optional>
#include <vector>

#include "mlir/text/function_types.h"

namespace fxs::contract {

/// What counts as a use. Possible: every operand, also one that only gives a size. Certain:
/// elements of tensors, where the text leaves no doubt.
enum class Use : std::uint8_t { Possible, Certain };

/// By result: by argument, whether it is used. std::nullopt for a result of which that cannot be
/// followed.
using ArgumentUse = std::vector<std::optional<std::vector<bool>>>;
ArgumentUse argumentUse(const mlir::Module&, const mlir::Function&, Use);

}  // namespace fxs::contract
