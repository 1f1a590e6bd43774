// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A user's registry for the operators that no registry lowers: each becomes a call of an external
// function, so that the program lowers at once, and the entry is the place for a body.
#include <string>

#include "fx/program.h"
#include "registry/direct_lowering.h"

namespace fxs::registry {

/// The text of a .fxreg file with an entry per unmapped target, in the order of their first nodes;
/// "" if there is none.
std::string stubRegistry(const DirectLowering&, const fx::Program& lowered);

}  // namespace fxs::registry
