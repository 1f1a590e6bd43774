// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Searches for the changes with which a program lowers: the fixes that a diagnosis finds are
// applied, and the rest is diagnosed again, until it lowers to each output type or none is new.
#include <memory>
#include <set>
#include <vector>

#include "fix/fix.h"

namespace fxs::fix {

/// The changes that were found, and what the program with them lowers to.
struct Found {
  std::vector<diagnose::Change> applied;
  std::vector<FixedChange> changes;
  std::vector<diagnose::Blocked> blocked;  ///< what still does
  std::vector<FixedTarget> targets;
  /// Those to which what lowers is not the user's program, or its text breaks the contract.
  std::set<lower::OutputType> breached;
};

/// For all of the output types together. Cancelled; errors of rewriting and lowering.
Result<Found> searched(const session::SnapshotPtr& base, const FixOptions&,
                       const session::Environment&, const RunContext&);

/// The snapshot with this program in place of the rewritten one, to be imported.
std::shared_ptr<session::Snapshot> withProgram(const session::SnapshotPtr&, fx::ProgramPtr);
diagnose::RewriteBase userBase(const session::Snapshot& base,
                               const std::vector<diagnose::Change>& applied);
/// The snapshot of the program with the changes.
Result<session::SnapshotPtr> withChanges(const session::SnapshotPtr& base,
                                         const std::vector<diagnose::Change>& applied,
                                         const RunContext&);
/// A rewritten program, imported and lowered.
Result<session::SnapshotPtr> lowered(const session::SnapshotPtr& program, const lower::OutputType&,
                                     const session::Environment&, const RunContext&);

}  // namespace fxs::fix
