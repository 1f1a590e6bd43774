// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Opens traces recorded by other MLIR tools: a log of --mlir-print-ir-after-all (or -before-all, or
// -after-change), a directory of
// --mlir-print-ir-tree-dir, or a crash reproducer. The modules are written to a directory of the
// caller.
//
// The output of a pass on a function is inserted into the last module printed, if there was one.
// The stage's `warnings` report what is unknown: a log that begins or ends within a module, passes
// whose result was not printed.
#include <memory>
#include <string>

#include "base/result.h"
#include "base/run_context.h"
#include "lower/pass_trace.h"

namespace fxs::lower {

enum class ForeignKind : std::uint8_t { None, DumpLog, TreeDirectory, Reproducer };
/// The kind of trace at a path, detected by content; None for anything else, including unreadable
/// files.
ForeignKind foreignKind(const std::string& path);

/// `directory` must exist. The trace has one stage, "log", "tree" or "reproducer", and neither
/// engine nor target. InvalidInput if the path is not such a trace, NotFound if it does not exist,
/// Io if it cannot be read or the directory cannot be written. A failed pass gives a trace whose
/// ok() is false.
Result<std::shared_ptr<const PassTrace>> openForeignTrace(const std::string& path,
                                                          const std::string& directory,
                                                          const RunContext&);

}  // namespace fxs::lower
