// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Installs the executors that run what was lowered: IREE's pinned programs, out of wheels that pip
// fetches.
#include <string>

#include "session/session.h"

namespace fxs::engines {

/// The folder with the programs. They are fetched only if they are not there. Errors are those of
/// downloadWheel(), checkWheel() and execute::unpackIree(); nothing is installed then.
Result<std::string> fetchExecutors(const session::Environment&, const RunContext&);

}  // namespace fxs::engines
