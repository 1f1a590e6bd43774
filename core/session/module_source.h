// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The program that an opened MLIR module was made from.
#include "session/session.h"

namespace fxs::session {

/// Gives the nodes of a module the modules and lines of the program that its locations name: that
/// of `request.read.program`, else a .pt2 beside the module's file, which is ignored if it is
/// another one or cannot be read.
Result<> describeModule(read::Capture& module, const Request& request, const RunContext&);

}  // namespace fxs::session
