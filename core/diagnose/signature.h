// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The failure of a lowering: where the engine failed, why, and at which operation. Always derived
// from a lowering, so that another run of the engine can reproduce it.
#include <optional>
#include <string>

#include "diagnose/reduce.h"
#include "lower/lower.h"

namespace fxs::diagnose {

/// The stage that failed; null if none did.
const lower::StageResult* failingStage(const lower::Lowering&);
/// The input of the failing stage: the module of the last good one, `raw` when the first failed.
const std::string& inputOfFailure(const lower::Lowering&, const std::string& raw);

/// The failure at a node or, if `node` is invalid, the failure at the first node that has one.
/// nullopt if the lowering succeeded or has no failure at that node.
std::optional<Failure> failureOf(const lower::Lowering&, fx::NodeId node = {});
/// Whether the failures of the lowering include this one. If it dependsOnMachine(), the pass is
/// ignored, and so is an operation that only one of the two runs names.
bool fails(const lower::Lowering&, const FailureSignature&);

/// Whether a failure depends on the machine: its kind is "timeout", "memory" or "output" (output
/// limit).
bool dependsOnMachine(const FailureSignature&);

}  // namespace fxs::diagnose
