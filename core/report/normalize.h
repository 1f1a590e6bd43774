// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli normalize`, metadata before and after normalization: as text and as
// JSON (resources/schemas/normalize.schema.json).
#include <optional>
#include <string>

#include "normalize/normalize.h"
#include "report/source_location.h"

namespace fxs::report {

struct NormalizeReport {
  std::string input;  ///< path of the input, as given by the user
  const normalize::NormalizedProgram& normalized;
  std::optional<fx::NodeId> only;  ///< show only this node; nullopt: all
  Paths paths = {};
};

std::string normalizeText(const NormalizeReport&);
std::string normalizeJson(const NormalizeReport&);
std::string normalizeSchema();

/// Finds a node by its name, "sub.name", or its index. Usage, suggesting a similar name, if there
/// is none.
Result<fx::NodeId> nodeCalled(const fx::Program&, const std::string& nameOrIndex);

}  // namespace fxs::report
