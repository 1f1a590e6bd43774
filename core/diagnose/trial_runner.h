// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Runs trials of fixes: holds the subject, its blocked operations, the time budget and the outcome
// cache, and imports changed programs to modules whose outcomes are taken from the cache or the
// engine.
#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "diagnose/change.h"
#include "diagnose/experiments.h"
#include "diagnose/outcome_cache.h"

namespace fxs::diagnose {

/// One experiment on one entry: its changes, and the modules that show whether they work.
struct Trial {
  std::size_t entry = 0;
  std::vector<Change> changes;  ///< two if sizes are made static first
  Experiment experiment;
  bool vacuous = false;  ///< the changed operation is dead code, because its result is unused
  bool cut = false;      ///< `modules` is filled in; empty if the changed operation is dead code
  std::vector<std::string> modules;

  bool isStatic() const;
  bool isDecomposition() const;
  bool runsDecompositions() const;
  std::optional<BoundedResults> upperBounds() const;
  std::set<std::string> backendLegal() const;
};
std::vector<const Change*> changesOf(const Trial&);
/// Lower is better: proved, passed, failed; then no cost, one change before two, the same output
/// type before another.
int rank(const Experiment&);

class TrialRunner {
 public:
  TrialRunner(const Subject& subject, const std::vector<BlockedEntry>& entries,
              const ExperimentOptions& options, const RunContext& context);

  const Subject& subject() const { return subject_; }
  const RunContext& context() const { return context_; }
  const ExperimentOptions& options() const { return options_; }
  std::size_t size() const { return entries_.size(); }
  const BlockedEntry& entry(std::size_t e) const { return entries_[e]; }
  lower::OutputType targetOf(std::size_t e) const { return entries_[e].blocked.target; }
  /// The user's nodes in other entries of the same target.
  std::set<fx::NodeId> othersOf(std::size_t e) const;

  bool timeIsUp() const;
  /// Cancelled if a stop was requested.
  Result<> stopped() const;

  /// The RAW module of a changed program; Unsupported, with the importer's message, if it cannot be
  /// imported. `changes`: those that were made; of what PyTorch decomposed it is the module that
  /// torch-mlir imports.
  Result<std::string> moduleOf(const fx::Program&, const std::vector<const Change*>& changes) const;
  lower::LowerOptions optionsFor(const lower::OutputType& target,
                                 const std::set<std::string>& backendLegal) const;
  /// Outcomes of modules, from the cache where possible.
  Result<std::vector<TrialOutcome>> outcomesOf(const std::vector<std::string>& modules,
                                               const lower::LowerOptions&) const;

 private:
  const Subject& subject_;
  const std::vector<BlockedEntry>& entries_;
  const ExperimentOptions& options_;
  const RunContext& context_;
  OutcomeCache cache_;
};

}  // namespace fxs::diagnose
