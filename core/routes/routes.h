// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The routes that exist: those of a session, and those of the components that are built on it.
#include <string_view>
#include <vector>

#include "session/route.h"

namespace fxs::routes {

/// The default first.
const std::vector<const session::Route*>& all();
/// Those that lower the program itself, so that values of its nodes can be compared.
std::vector<const session::Route*> ofProgram();
/// Usage, with the nearest name or all of them, for an unknown name.
Result<const session::Route*> named(std::string_view name);

}  // namespace fxs::routes
