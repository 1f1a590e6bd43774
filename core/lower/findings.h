// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Turns the diagnostics of an engine run into findings at nodes of the program. The engine's
// message often names an unrelated constant: if the last conversion leaves operations of the torch
// dialect, the findings name those instead.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lower/engine_run.h"

namespace fxs::lower {

/// The findings of a run that failed, errors first. `extraLibrary`: unregistered operations were
/// allowed.
std::vector<fx::Finding> findingsOf(const EngineRun&, const StageSpec&, const fx::Program&,
                                    bool extraLibrary);
/// Whether a pass runs after all conversions, so that no pattern lowered the torch operations that
/// remain.
bool isFinalPass(std::string_view pass);
/// Findings for the operations of the torch dialect that remain in the IR, one per node and
/// operation.
std::vector<fx::Finding> leftovers(std::string_view ir, const std::string& pass, const StageSpec&,
                                   const fx::Program&);
/// A finding about the run as a whole: a crash, an exceeded limit, an engine that cannot be
/// started. Why a tool failed that does not run passes: by its diagnostics, which name nodes, else
/// by the first line that it printed.
std::vector<fx::Finding> toolFindings(const EngineRun&, const StageSpec&, const fx::Program&);
fx::Finding stageFinding(const EngineRun&, const LastAction&, const StageSpec&, const fx::Program&);
/// Mentions the built-in decomposition, if there is one, in findings about operations that a stage
/// does not lower.
void offerDecompositions(std::vector<fx::Finding>&,
                         const std::function<bool(std::string_view)>& decomposable);
/// Sets each finding's `count` to the number of nodes with the same kind and operation.
void countCauses(std::vector<fx::Finding>&);
/// Adds those of `more` whose node and operation have no finding in `into` yet.
void merge(std::vector<fx::Finding>& into, std::vector<fx::Finding> more);

}  // namespace fxs::lower
