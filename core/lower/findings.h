#pragma once
// Turns the diagnostics of an engine run into findings at nodes of the program. The engine's own message often blames an innocent
// constant: when the last conversion leaves operations of the torch dialect behind, those are the culprits.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lower/engine_run.h"

namespace fxs::lower {

/// The findings of a run that failed, errors first; `extraLibrary`: operations outside the dialect were allowed to pass.
std::vector<fx::Finding> findingsOf(const EngineRun&, const StageSpec&, const fx::Program&, bool extraLibrary);
/// Whether a pass comes after all conversions: torch operations that remain then were lowered by no pattern.
bool isFinalPass(std::string_view pass);
/// Findings for the operations of the torch dialect that a dump of the IR still holds, each node and operation once.
std::vector<fx::Finding> leftovers(std::string_view ir, const std::string& pass, const StageSpec&, const fx::Program&);
/// A finding of the stage itself: a crash, a limit, an engine that does not answer.
fx::Finding stageFinding(const EngineRun&, const LastAction&, const StageSpec&, const fx::Program&);
/// Mentions the built-in decomposition, if there is one, in findings about operations that a stage does not lower.
void offerDecompositions(std::vector<fx::Finding>&, const std::function<bool(std::string_view)>& decomposable);
/// Sets each finding's `count` to the number of nodes with the same kind and operation.
void countCauses(std::vector<fx::Finding>&);
/// Adds those of `more` that are at nodes and operations not named yet.
void merge(std::vector<fx::Finding>& into, std::vector<fx::Finding> more);

}  // namespace fxs::lower
