// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How a program becomes texts of its output type: a value of the request. advance() runs it, so
// that the result of each is the same: stages with texts, origins, findings, contract. A route that
// needs more than a session is defined by the component that has it; core/routes lists all.
#include <cstdint>
#include <functional>
#include <string_view>

#include "base/result.h"
#include "base/run_context.h"
#include "lower/lower.h"

namespace fxs::session {

struct Environment;
struct Snapshot;
enum class Phase : std::uint8_t;

/// Called as each stage ends, in order.
using OnStage = std::function<void(const lower::StageResult&)>;

struct Route {
  std::string_view name;   ///< "nodes": of --via, in JSON
  std::string_view title;  ///< "Node by node"
  std::string_view help;   ///< "each node separately, then composed"
  Phase
      after;  ///< the last phase that it needs. Before Rewrite: it rewrites the program by itself.
  /// Sets what Phase::Lower sets in a snapshot. Usage if the request cannot be lowered by it.
  Result<> (*lower)(Snapshot&, const Environment&, const RunContext&, const OnStage&);
};

/// The engine's pipelines, those of other tools included.
extern const Route kPipelines;
/// The chain of registries of Request::registries.
extern const Route kRegistries;

}  // namespace fxs::session
