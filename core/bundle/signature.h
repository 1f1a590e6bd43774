#pragma once
// The failure that a lowering shows: where the engine stopped, why, and at which operation. Taken from a lowering, never from a text, so
// that it can be found again by running the engine again.
#include <optional>
#include <string>

#include "diagnose/reduce.h"
#include "lower/lower.h"

namespace fxs::bundle {

using diagnose::FailureSignature;

/// The stage that failed; null when none did.
const lower::StageResult* failingStage(const lower::Lowering&);
/// The input of the failing stage: the module of the last good one, `raw` when the first failed.
const std::string& inputOfFailure(const lower::Lowering&, const std::string& raw);

using diagnose::Failure;
/// The failure at a node, or the first one that has a node, when `node` is invalid. Nothing when the lowering succeeded, or says
/// nothing about that node.
std::optional<Failure> failureOf(const lower::Lowering&, fx::NodeId node = {});
/// Whether the lowering fails in that way, among others that its stage may show. Of a failure that depends on the machine the pass does
/// not count, nor an operation that only one of the two runs could name.
bool fails(const lower::Lowering&, const FailureSignature&);

/// Whether a failure depends on the machine: it ran out of time or memory.
bool dependsOnMachine(const FailureSignature&);

}  // namespace fxs::bundle
