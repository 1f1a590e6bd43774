#pragma once
// What an engine run says about the program, as findings at its nodes. The engine's own message often blames an innocent
// constant: when the last conversion leaves operations of the torch dialect behind, those are the culprits.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lower/engine_run.h"

namespace fxs::lower {

/// The findings of a run that failed, errors first; `extraLibrary`: operations outside the dialect were allowed to pass.
std::vector<fx::Finding> findingsOf(const EngineRun&, const StageSpec&, const fx::Program&, bool extraLibrary);
/// Whether a pass comes after every conversion: what is left of the torch dialect then is what no pattern took.
bool isFinalPass(std::string_view pass);
/// Findings for the operations of the torch dialect that a dump of the IR still holds, each node and operation once.
std::vector<fx::Finding> leftovers(std::string_view ir, const std::string& pass, const StageSpec&, const fx::Program&);
/// A finding of the stage itself: a crash, a limit, an engine that does not answer.
fx::Finding stageFinding(const EngineRun&, const LastAction&, const StageSpec&, const fx::Program&);
/// Adds to findings about operations that a stage does not take that their target can be decomposed, where it can.
void offerDecompositions(std::vector<fx::Finding>&, const std::function<bool(std::string_view)>& decomposable);
/// Sets each finding's `count` to the number of nodes with the same kind and operation.
void countCauses(std::vector<fx::Finding>&);
/// Adds those of `more` that are at nodes and operations not named yet.
void merge(std::vector<fx::Finding>& into, std::vector<fx::Finding> more);

}  // namespace fxs::lower
