#pragma once
// Traces recorded by other MLIR tools, opened like our own: a log of --mlir-print-ir-after-all (or before-all, or only
// after changes), a folder of --mlir-print-ir-tree-dir, a crash reproducer. The modules are written to a directory of the caller's.
//
// What a pass on a function printed is put in its place in the module, as far as the log showed one. What is unknown is reported in
// the stage's `warnings`: a log that begins or ends within a module, passes whose result was not printed.
#include <memory>
#include <string>

#include "base/result.h"
#include "base/run_context.h"
#include "lower/pass_trace.h"

namespace fxs::lower {

enum class ForeignKind : std::uint8_t { None, DumpLog, TreeDirectory, Reproducer };
/// The kind of trace at a path, judged by its content; None for anything else, including unreadable files.
ForeignKind foreignKind(const std::string& path);

/// `directory` must exist. The trace has one stage, "log", "tree" or "reproducer", and neither engine nor target. InvalidInput when
/// the path holds no such thing, NotFound and Io when it cannot be read or the directory cannot be written; a pass that failed is a
/// trace whose ok() is false.
Result<std::shared_ptr<const PassTrace>> openForeignTrace(const std::string& path, const std::string& directory, const RunContext&);

}  // namespace fxs::lower
