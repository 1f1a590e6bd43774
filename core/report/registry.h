#pragma once
// Which registry lowered which node: the answer of `fxscope-cli registry`, as text for people and as JSON for scripts
// (resources/schemas/registry.schema.json).
#include <optional>
#include <string>
#include <vector>

#include "fx/finding.h"
#include "lower/lower.h"
#include "registry/direct_lowering.h"
#include "report/source_location.h"

namespace fxs::report {

struct RegistryReport {
  std::string input;  ///< the file as it was given
  const registry::DirectLowering& lowering;
  const fx::Program& program;  ///< that was lowered: its nodes are those of the coverage
  const fx::Program& user;     ///< the user's, which findings are about
  const std::vector<std::string>& decomposed;
  const std::vector<fx::Finding>& findings;
  const std::optional<lower::StageResult>& verified;
  const std::string& notVerified;  ///< why there is no verification; "" when there is one
  std::string file;                ///< where the text was written; "" when nowhere
  bool everyNode = false;          ///< of the text: a line for each node, lowered ones too
  Paths paths = {};
};

std::string registryText(const RegistryReport&);
std::string registryJson(const RegistryReport&);

}  // namespace fxs::report
