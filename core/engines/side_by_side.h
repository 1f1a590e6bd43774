// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Engines side by side: the outcomes of one program, and how the text of each node differs between
// an engine and the next one.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "engines/outcome.h"
#include "lower/engine.h"
#include "trace/node_changes.h"
#include "trace/origins.h"

namespace fxs::engines {

struct NodeChange {
  fx::NodeId node;  ///< of the user's program
  trace::OpsChange ops;
};

/// How the text of a stage differs.
struct StageChange {
  std::string stage;
  std::string unread;  ///< why the texts were not compared; "" if they were
  std::size_t added = 0, removed = 0, changed = 0,
              moved = 0;          ///< operations, as mlir::Diff counts them
  std::vector<NodeChange> nodes;  ///< by node
  std::string
      unplaced;  ///< why the operations of an engine are not assigned to nodes; "" if they are
};

/// An engine and the next one.
struct Step {
  std::size_t from = 0, to = 0;     ///< indices of SideBySide::engines
  std::vector<StageChange> stages;  ///< those that both reach and whose texts differ
};

struct TypeOutcomes {
  lower::OutputType type;
  std::vector<Outcome> outcomes;  ///< by engine
  std::vector<Step> steps;        ///< one less than engines
};

struct SideBySide {
  std::vector<lower::Engine> engines;  ///< at least two
  std::vector<std::optional<std::size_t>>
      sameAs;  ///< by engine: an earlier one that is the same program, so that it was not run again
  std::vector<TypeOutcomes> types;
  bool differs() const;
  bool isUnanswered() const;  ///< whether some outcome is not known
};
/// What `--engine` named: the name of a known engine, else the path.
const std::string& labelOf(const lower::Engine&);
/// By engine, the first one with the same checksum before it.
std::vector<std::optional<std::size_t>> repeated(const std::vector<lower::Engine>&);

/// A lowering with the origins of its stages.
struct Side {
  const lower::Lowering& lowering;
  const std::vector<std::shared_ptr<const trace::SnapshotOrigins>>& origins;
};
std::vector<StageChange> changesBetween(const Side& from, const Side& to, const RunContext&);

}  // namespace fxs::engines
