#pragma once
// A program as a .pt2 archive of torch.export.save's current layout (PyTorch 2.13, schema 8.20), so that a program that never was a
// file, such as a reduced one, can be opened by this tool and by torch.export.load. What a fx::Program does not hold is left out:
// sample inputs (a pickle) are empty, and the arguments of forward() are one flat tuple of tensors and numbers. Metadata is
// written as it is: what is handed on comes from bundle/public_program.h. No text in it runs as code when PyTorch loads it: see
// fx/evaluated_text.h. Nothing of the user's archive is copied but the bytes of weights, no pickle and no tree of arguments.
#include <functional>
#include <string>

#include "base/result.h"
#include "base/run_context.h"
#include "fx/program.h"

namespace fxs::write {

struct Pt2Options {
  std::string name = "program";  ///< the archive's root folder
  /// Whether a weight's bytes go along. One that does not keeps its shape and type; torch.export.load then makes zeros of it, and
  /// this tool says that it has no data.
  std::function<bool(const fx::Weight&)> withBytes = [](const fx::Weight&) { return false; };
  /// Dense row-major bytes of a weight; needed where `withBytes` says yes.
  std::function<Result<std::string>(const fx::Weight&)> bytes;
};

/// The archive's bytes. Parameters, buffers and constants are those that the program's inputs name, then the others of
/// Program::weights with `withBytes`. Unsupported, naming the node, for what the schema cannot say, for a text that PyTorch would run
/// and past kMaxWrittenZip bytes. Guards that are no conditions on sizes are left out.
Result<std::string> pt2Bytes(const fx::Program&, const Pt2Options&, const RunContext&);

}  // namespace fxs::write
