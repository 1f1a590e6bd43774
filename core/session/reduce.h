#pragma once
// The smallest program that fails as an operation of the user's program does, for the front ends.
#include <chrono>
#include <memory>
#include <string>

#include "diagnose/reduce.h"
#include "session/session.h"

namespace fxs::session {

struct ReduceOptions {
  lower::OutputType target;
  fx::NodeId node;  ///< of the user's program: what fails; invalid: what stops the whole program
  std::chrono::milliseconds budget{30'000};
};

struct ReducedFailure {
  diagnose::Reduction reduction;         ///< its program is made from the user's, as captured: it is rewritten and imported like that
  diagnose::FailureSignature signature;  ///< how both fail
  std::string raw;                       ///< the RAW module of the reduced program; "" where it fails before there is one
  std::string minimal;                   ///< that module with less in it where less fails in the same way; `raw` where not
  std::chrono::duration<double> seconds{0};
  std::string statement;  ///< one sentence: "reduced from 1984 operations to 2 in 1.3 s, with 57 programs tried"
};

/// The snapshot must be imported with an engine: Usage otherwise. InvalidInput when nothing fails at the node, or at all.
/// Progress is "reducing: 12 of 1984 operations left". A stop gives the best so far, where there is one already, else Cancelled.
Result<std::shared_ptr<const ReducedFailure>> reduce(const SnapshotPtr&, const ReduceOptions&, const Environment&, const RunContext&);

}  // namespace fxs::session
