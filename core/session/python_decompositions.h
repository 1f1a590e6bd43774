#pragma once
// PyTorch's own decompositions of blocked operations, where a Python with PyTorch is at hand: the program is written without
// weights, PyTorch decomposes one operator of it at a time, and what comes back is surveyed again.
#include <string>
#include <vector>

#include "diagnose/confirm.h"
#include "session/session.h"

namespace fxs::session {

/// Adds an experiment "torch-decompose" to every entry with a target of PyTorch's; returns what Diagnosis::python says. No Error but
/// Cancelled: a Python that is not there or cannot do it is an answer. `python`: a path, or "auto" for python3.
Result<std::string> tryPythonDecompositions(const std::string& python, const Snapshot&, const diagnose::Subject&,
                                            std::vector<diagnose::BlockedEntry>&, const Environment&, const RunContext&);

}  // namespace fxs::session
