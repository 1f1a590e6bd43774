// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Verifies fixes on the whole program: each passed trial is applied to the program with the other
// blocked operations replaced by placeholders; finally one fix for every operation is applied
// together.
#include "diagnose/trial_runner.h"

namespace fxs::diagnose {

/// Sets the proof of passed trials, best first, until one for each entry is proved.
Result<> prove(const TrialRunner&, std::vector<Trial>& trials);
/// Sets fixedLowers and `changes` of a target that does not lower and whose entries all have a fix.
/// A trial that is all of them is proved.
Result<> applyTogether(const TrialRunner&, std::vector<Trial>& trials, TargetDiagnosis&);

}  // namespace fxs::diagnose
