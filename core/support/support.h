// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The support matrix of an engine, for the front ends: measures it, keeps it in the cache folder,
// and finds those that were kept.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "session/session.h"
#include "support/matrix.h"

namespace fxs::support {

struct SupportOptions {
  std::vector<const Operator*> operators;  ///< to measure; empty: all
  std::string release;                     ///< the user's name of the engine
  std::size_t processes = 2;               ///< of the engine, at a time
  bool again = false;                      ///< also measure what is known
};

struct SupportMeasurement {
  std::shared_ptr<const Matrix> matrix;
  std::size_t measured = 0;  ///< programs, in this run
  std::string file;          ///< where the matrix was kept; "" without a cache folder
};

/// Lowers the programs of Calls::builtin() to linalg-on-tensors, TOSA and StableHLO. What the cache
/// folder has of the engine is not measured again; what was measured is kept every few hundred
/// programs, so that a later run goes on from there. Cancelled; EngineFailed; Io if the matrix
/// cannot be kept.
Result<SupportMeasurement> measureSupport(const SupportOptions&, const session::Environment&,
                                          const RunContext&);

/// Every matrix that is known, the oldest engine first: those in the cache folder, and the built-in
/// one unless its engine has one there. A file that cannot be read is left out, with a line in
/// `problems`.
std::vector<std::shared_ptr<const Matrix>> knownSupport(const session::Environment&,
                                                        std::vector<std::string>& problems);

}  // namespace fxs::support
