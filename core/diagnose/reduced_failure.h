// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Reduces the user's program to a small one with the same failure, for the front ends.
#include <chrono>
#include <memory>
#include <string>

#include "diagnose/reduce.h"
#include "session/session.h"

namespace fxs::diagnose {

struct ReduceOptions {
  lower::OutputType target;
  fx::NodeId
      node;  ///< of the user's program: the failing node; invalid: the failure of the whole program
  /// On processors; it grows with the time limit of stages.
  std::chrono::milliseconds budget{std::chrono::minutes(1)};
};

struct ReducedFailure {
  Reduction reduction;         ///< its program is derived from the captured one, before rewriting
  FailureSignature signature;  ///< of both programs
  std::string raw;      ///< the RAW module of the reduced program; "" if it fails before the import
  std::string minimal;  ///< `raw` reduced further (reduceModule); `raw` if nothing can be removed
  std::chrono::duration<double> seconds{0};
  std::string statement;  ///< one sentence: "reduced from 1984 operations to 2 in 1.3 s, with 57
                          ///< programs tried"
};

/// Usage if the snapshot was not imported with an engine; InvalidInput if nothing fails (at the
/// node). Progress is reported as "reducing: 12 of 1984 operations left". A stop request gives the
/// best result so far, or Cancelled if there is none; so does the end of the budget, or Timeout.
Result<std::shared_ptr<const ReducedFailure>> reduce(const session::SnapshotPtr&,
                                                     const ReduceOptions&,
                                                     const session::Environment&,
                                                     const RunContext&);

}  // namespace fxs::diagnose
