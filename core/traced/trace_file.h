// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Opens what was traced elsewhere: a trace that fxscope stored, or what an MLIR tool printed. Its
// first module is the program, unless the traced program is still there.
#include <string>

#include "session/session.h"

namespace fxs::traced {

/// Whether a path is a stored trace, a log of --mlir-print-ir-after-all, or a directory of
/// --mlir-print-ir-tree-dir. A crash reproducer is a module that nothing ran on.
bool isTrace(const std::string& path);

/// The program and its trace, of the request's file; nothing is lowered. Every operation of the
/// trace is linked to the node that its location names, or whose line it has. Errors as those of
/// trace::openStoredTrace() and lower::openForeignTrace().
Result<session::SnapshotPtr> openTrace(session::Request, const session::Environment&,
                                       const RunContext&);

}  // namespace fxs::traced
