// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tries PyTorch's decompositions of blocked operations in a Python with PyTorch: the program is
// written without weights, PyTorch decomposes one operator at a time, and the result is surveyed
// again.
#include <string>
#include <vector>

#include "diagnose/diagnosed_type.h"

namespace fxs::diagnose {

inline constexpr const char* kTorchDecompose = "torch-decompose";  ///< id of an experiment

/// Adds an experiment that was not run to every entry with an operator that PyTorch decomposes, for
/// which no change is known to help.
void noteUntriedDecompositions(std::vector<DiagnosedType>&);
/// Whether that is all that is left to try for an entry.
bool isLeftToPython(const Blocked&);

/// Adds an experiment "torch-decompose" to every entry with a PyTorch operator; returns the text
/// for Diagnosis::python, which also reports a missing or failing Python. Cancelled on a stop
/// request. `python`: a path, or "auto" for python3.
Result<std::string> tryPythonDecompositions(const std::string& python, std::vector<DiagnosedType>&,
                                            const session::Environment&, const RunContext&);

}  // namespace fxs::diagnose
