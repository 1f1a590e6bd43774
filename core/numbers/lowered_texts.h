// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The texts of a snapshot's program, or of the same program with further results, by output type
// and lowering path: what executors run.
#include <string>
#include <vector>

#include "session/session.h"

namespace fxs::numbers {

/// A computation of the program.
struct LoweredText {
  std::string path;  ///< "torch-mlir" or "registry"
  lower::OutputType to;
  std::string text;                        ///< of the output type; "" if it was not reached
  std::string why;                         ///< one line if `text` is ""
  std::vector<lower::StageResult> stages;  ///< of torch-mlir's pipelines, up to the output type
  std::vector<fx::Finding>
      breaches;               ///< of the contracts of its stages (contract/lower_kept.h): Errors
  std::string label() const;  ///< "tosa", "linalg-on-tensors by registries"
};

/// Lowers `program`, the snapshot's rewritten program or one with other results, by the engine's
/// pipelines.
Result<LoweredText> lowerByEngine(const session::Snapshot&, const fx::Program& program,
                                  const lower::OutputType&, const session::Environment&,
                                  const RunContext&);
/// The same by the registries of the output type; `why` says which nodes they do not lower.
Result<LoweredText> lowerByRegistry(const session::Snapshot&, const fx::ProgramPtr& program,
                                    const lower::OutputType&, const RunContext&);

}  // namespace fxs::numbers
