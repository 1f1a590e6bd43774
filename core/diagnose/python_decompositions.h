// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tries PyTorch's decompositions of blocked operations in a Python with PyTorch: the program is
// written without weights, PyTorch decomposes one operator at a time, and the result is surveyed
// again.
#include <string>
#include <vector>

#include "diagnose/diagnosed_type.h"

namespace fxs::diagnose {

/// Adds an experiment "torch-decompose" to every entry with a PyTorch operator; returns the text
/// for Diagnosis::python, which also reports a missing or failing Python. Cancelled on a stop
/// request. `python`: a path, or "auto" for python3.
Result<std::string> tryPythonDecompositions(const std::string& python, std::vector<DiagnosedType>&,
                                            const session::Environment&, const RunContext&);

}  // namespace fxs::diagnose
