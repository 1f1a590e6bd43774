#pragma once
// What makes two failures the same one: where the engine stopped, why, and at which operation. Taken from a lowering, never from
// a text, so that it can be found again by running the engine again.
#include <optional>
#include <string>

#include "lower/lower.h"

namespace fxs::bundle {

struct Signature {
  std::string stage;     ///< StageSpec::id: "tosa"
  std::string pass;      ///< the pass that failed; "" when the engine named none
  std::string kind;      ///< as fx::Finding has it: "illegal-op", "crash" ..
  std::string op;        ///< the MLIR operation, "torch.aten.erfinv"; "" when the engine named none
  std::string fxTarget;  ///< of the node, "aten.erfinv.default"; "" when the failure has no node
  friend bool operator==(const Signature&, const Signature&) = default;
};

/// "illegal-op of torch.aten.erfinv (aten.erfinv.default) in tosa, pass tosa-finalize"
std::string text(const Signature&);

/// The stage that failed; null when none did.
const lower::StageResult* failingStage(const lower::Lowering&);
/// The input of the failing stage: the module of the last good one, `raw` when the first failed.
const std::string& inputOfFailure(const lower::Lowering&, const std::string& raw);

struct Failure {
  Signature signature;
  fx::NodeId node;  ///< of the user's program; invalid when the failure has none
};
/// The failure at a node, or the first one that has a node, when `node` is invalid. Nothing when the lowering succeeded, or says
/// nothing about that node.
std::optional<Failure> failureOf(const lower::Lowering&, fx::NodeId node = {});
/// Whether the lowering fails in that way, among others that its stage may show. Of a failure that depends on the machine the pass does
/// not count, nor an operation that only one of the two runs could name.
bool fails(const lower::Lowering&, const Signature&);

/// Whether a failure depends on the machine: it ran out of time or memory.
bool dependsOnMachine(const Signature&);

}  // namespace fxs::bundle
