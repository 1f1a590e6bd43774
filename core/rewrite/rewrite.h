#pragma once
// FX program -> FX program. Files as torch.export.save writes them are not functional: in-place ops, detach_, lift_fresh_copy,
// wrap_with_autocast and wrap_with_set_grad_enabled around subgraphs. This step inlines those regions, functionalizes writes
// (a write through a view becomes the matching scatter, or a finding at its node: never lowered silently wrong), and applies
// decompositions. Each new node remembers its origin in the user's program.
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "fx/finding.h"
#include "fx/program.h"

namespace fxs::rewrite {

struct Applied {
  std::string rule;   ///< "functionalize", "inline-context", "decompose:aten.squeeze.dims"
  fx::NodeId origin;  ///< in the user's program
};

struct RewriteOptions {
  bool functionalize = true;            ///< also inlines context regions
  bool essentialDecompositions = true;  ///< those without which files fail at once
  /// On request: targets ("aten.gelu.default", or "aten.gelu" for all overloads) to decompose where a rule exists.
  std::set<std::string> decompose;
  bool operator==(const RewriteOptions&) const = default;
};

struct Rewritten {
  fx::ProgramPtr program;  ///< `original` set; equal to the input when nothing applied
  std::vector<Applied> applied;
  std::vector<fx::Finding> findings;  ///< what could not be made functional; such a node stays as it was
};

/// Usage when a requested decomposition does not exist: the message lists the nearest that do.
Result<std::shared_ptr<const Rewritten>> rewrite(fx::ProgramPtr, const RewriteOptions&, const RunContext&);

}  // namespace fxs::rewrite
