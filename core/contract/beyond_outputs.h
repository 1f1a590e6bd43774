// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a program does besides computing its outputs, and the lowered text does not: state that it
// updates, effects, PyTorch's random numbers, assertions on data. A note for each that is lost says
// what the text does instead.
#include <vector>

#include "contract/contract.h"
#include "import/import.h"

namespace fxs::contract {

/// The kind of these findings.
inline constexpr std::string_view kBeyondOutputs = "beyond-outputs";

/// Notes on the text of the last stage. `program`: as imported; nodes are those of the user's.
std::vector<fx::Finding> beyondOutputs(const fx::Program& program, import::Mode,
                                       const lower::OutputTypeSpec&, const Text&);

}  // namespace fxs::contract
