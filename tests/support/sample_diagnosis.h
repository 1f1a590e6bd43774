// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A diagnosis with every kind of entry in it, for tests of its reports: two blocked operations at
// nodes (one with names that try to break out of a report), one that not named by the engine for,
// experiments with every mark, a target that lowers and one that the survey has only half an answer
// for.
#include "diagnose/diagnosis.h"
#include "fx/program.h"

namespace fxs::test {

/// x -> diff -> diff_1 -> attention -> the hostile node -> output; module stacks and Python lines
/// below /home/me/project.
fx::ProgramPtr sampleProgram();
/// Of that program, for tosa, linalg-on-tensors and stablehlo.
diagnose::Diagnosis sampleDiagnosis();
/// The stages of that program on the way to tosa: RAW, and a failing stage whose IR is longer than
/// a page wants.
std::shared_ptr<const lower::Lowering> sampleLowering();
/// The name of a node that closes scripts, tags, attributes, code fences and tables.
inline constexpr const char* kHostileName = "n\"'</script><b>`|&";

}  // namespace fxs::test
