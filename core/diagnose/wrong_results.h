// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The part of a diagnosis about what a program computes: the operations that lower and compute a
// wrong value, and fixes for them.
#include <vector>

#include "diagnose/diagnose.h"
#include "diagnose/diagnosed_type.h"
#include "numbers/compare.h"

namespace fxs::diagnose {

/// Compares what the program computes at the output types that it reaches, and adds an entry for
/// each operation that computes wrong by itself. The experiments of a diagnosis are tried on each:
/// one passes if the changed operation computes right, and is proved if the whole program lowers,
/// keeps its contract and computes the same. Operations are looked for only if PyTorch says what is
/// expected. Errors as for compare().
Result<> diagnoseResults(const session::SnapshotPtr&, const numbers::CompareOptions&,
                         const DiagnoseOptions&, std::vector<DiagnosedType>&, Diagnosis&,
                         const session::Environment&, const RunContext&);

/// What the snapshot's program computes with changes (diagnose/change.h). Errors as for compare().
Result<Computed> computedByChanged(const session::Snapshot&, const Subject&,
                                   const fx::ProgramPtr& changed,
                                   const std::set<std::string>& backendLegal,
                                   const lower::OutputType&, const numbers::CompareOptions&,
                                   const session::Environment&, const RunContext&);

/// What a comparison says of an output type.
Computed computedOf(const compare::TargetComparison&, const compare::Comparison&);

}  // namespace fxs::diagnose
