// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Brings a stage's text into a form that executors read.
#include <string>
#include <vector>

#include "execute/step.h"

namespace fxs::execute {

/// A text or, if `end.outcome` is set, why there is none.
struct Converted {
  std::string text;
  StepEnd end;
};
/// In generic form, as the engine prints it: custom forms differ between versions of MLIR.
Result<Converted> generic(const std::string& text, const Tools&, const std::string& folder,
                          const Limits&, CommandRunner&, const RunContext&);
/// TOSA to linalg by the passes of LLVM 22. `text` in generic form.
Result<Converted> tosaToLinalg(const std::string& text, const Tools&, const std::string& folder,
                               const Limits&, CommandRunner&, const RunContext&);
/// The operations of tm_tensor, the engine's own dialect, to loops over memory by the engine, in a
/// text that LLVM 22 can bufferize.
Result<Converted> tmTensorToLoops(const std::string& text, const Tools&, const std::string& folder,
                                  const Limits&, CommandRunner&, const RunContext&);
/// StableHLO to linalg by the engine.
Result<Converted> stablehloToLinalg(const std::string& text, const Tools&,
                                    const std::string& folder, const Limits&, CommandRunner&,
                                    const RunContext&);

}  // namespace fxs::execute
