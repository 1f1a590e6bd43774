// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Finds the pass that erased the element type or rank of a blocked operation.
#include <string>
#include <string_view>

#include "diagnose/survey.h"

namespace fxs::diagnose {

/// Whether a line of printed MLIR has a torch tensor type without an element type or a rank:
/// `!torch.vtensor`, `!torch.vtensor<*,f32>`,
/// `!torch.vtensor<[2],unk>`, `!torch.tensor`.
bool hasIncompleteType(std::string_view line);
/// Whether an operation with the name `op` in the module has such a type.
bool losesType(std::string_view module, std::string_view op);

/// Sets TypesLost for entries whose operation lost a type before the failing stage, and `pass` to
/// the first pass after which it is lost.
Result<> findLostTypes(const Subject&, std::vector<BlockedEntry>&, const RunContext&);

}  // namespace fxs::diagnose
