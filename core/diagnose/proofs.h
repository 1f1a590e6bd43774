#pragma once
// From an operation by itself to the whole program: what passed alone is applied to the program with all else that blocks it
// replaced by placeholders, and in the end one change of every operation together.
#include "diagnose/workbench.h"

namespace fxs::diagnose {

/// Sets the proof of passed trials, best first, until one of each entry is proved.
Result<> prove(const Workbench&, std::vector<Trial>& trials);
/// For each target that does not lower and whose entries all have help: whether the program lowers with all of it.
Result<> applyTogether(const Workbench&, const std::vector<Trial>& trials, std::vector<TargetDiagnosis>& targets);

}  // namespace fxs::diagnose
