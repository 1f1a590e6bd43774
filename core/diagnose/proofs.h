#pragma once
// Verifies fixes on the whole program: each passed trial is applied to the program with the other blocked operations replaced by
// placeholders; finally one fix for every operation is applied together.
#include "diagnose/trial_runner.h"

namespace fxs::diagnose {

/// Sets the proof of passed trials, best first, until one for each entry is proved.
Result<> prove(const TrialRunner&, std::vector<Trial>& trials);
/// Sets fixedLowers and `changes` of each target that does not lower and whose entries all have a fix, and the proof of a trial that is all
/// of these changes.
Result<> applyTogether(const TrialRunner&, std::vector<Trial>& trials, std::vector<TargetDiagnosis>& targets);

}  // namespace fxs::diagnose
