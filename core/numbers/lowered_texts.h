// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The texts of a snapshot's program, or of the same program with further results, by output type
// and route: what executors run.
#include <string>
#include <vector>

#include "session/session.h"

namespace fxs::numbers {

/// A computation of the program.
struct LoweredText {
  const session::Route* route = &session::kPipelines;
  lower::OutputType to;
  std::string text;                        ///< of the output type; "" if it was not reached
  std::string message;                     ///< one line if `text` is ""
  std::vector<lower::StageResult> stages;  ///< those of the route
  std::vector<fx::Finding>
      breaches;               ///< of the contracts of its stages (contract/lower_kept.h): Errors
  std::string label() const;  ///< "tosa", "linalg-on-tensors via registry"
  /// Whether a mistake of torch-mlir's stages is in the text.
  bool isByEngine() const { return route != &session::kRegistries; }
};

/// Lowers `program`, the snapshot's rewritten program or one with other results, by a route of
/// checkIsRun(). What registries write is not verified.
Result<LoweredText> lowerBy(const session::Route&, const session::Snapshot&,
                            const fx::Program& program, const lower::OutputType&,
                            const session::Environment&, const RunContext&);

/// Usage for a route that lowers another program, and for a module whose function takes or returns
/// what is no tensor.
Result<> checkIsRun(const session::Snapshot&);

}  // namespace fxs::numbers
