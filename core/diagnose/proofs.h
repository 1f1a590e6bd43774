#pragma once
// Verifies fixes on the whole program: each passed trial is applied to the program with the other blocked operations
// replaced by placeholders, and finally one fix of every operation together.
#include "diagnose/trial_runner.h"

namespace fxs::diagnose {

/// Sets the proof of passed trials, best first, until one of each entry is proved.
Result<> prove(const TrialRunner&, std::vector<Trial>& trials);
/// For each target that does not lower and whose entries all have a fix: whether the program lowers with all of them.
Result<> applyTogether(const TrialRunner&, const std::vector<Trial>& trials, std::vector<TargetDiagnosis>& targets);

}  // namespace fxs::diagnose
