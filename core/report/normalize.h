#pragma once
// Metadata before and after normalization: the answer of `fxscope-cli normalize`, as text for people and as JSON for scripts
// (resources/schemas/normalize.schema.json).
#include <optional>
#include <string>

#include "normalize/normalize.h"
#include "report/source_location.h"

namespace fxs::report {

struct NormalizeReport {
  std::string input;  ///< the file as it was given
  const normalize::NormalizedProgram& normalized;
  std::optional<fx::NodeId> only;  ///< one node; nothing: all
  Paths paths = {};
};

std::string normalizeText(const NormalizeReport&);
std::string normalizeJson(const NormalizeReport&);

/// A node by its name, "sub.name", or its index. Usage, with a close name.
Result<fx::NodeId> nodeCalled(const fx::Program&, const std::string& nameOrIndex);

}  // namespace fxs::report
