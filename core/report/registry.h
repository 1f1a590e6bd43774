// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli registry`, which registry lowered which node: as text and as JSON
// (resources/schemas/registry.schema.json).
#include <optional>
#include <string>
#include <vector>

#include "base/terminal_text.h"
#include "fx/finding.h"
#include "lower/lower.h"
#include "registry/direct_lowering.h"
#include "registry/graph_driver.h"
#include "report/source_location.h"

namespace fxs::report {

struct RegistryReport {
  std::string input;  ///< path of the input, as given by the user
  const registry::DirectLowering& lowering;
  const fx::Program& program;  ///< the lowered program; the coverage refers to its nodes
  const fx::Program& user;     ///< the user's program; findings refer to its nodes
  const std::vector<std::string>& decomposed;
  const std::vector<fx::Finding>& findings;
  const std::optional<lower::StageResult>& verified;
  const std::string& notVerified;  ///< why the text was not verified; "" if it was
  std::string file;                ///< the file that the module was written to; "" for none
  bool everyNode = false;          ///< in the text report, list lowered nodes too
  Paths paths = {};
  std::vector<registry::DriverFile> driver = {};  ///< written for Buddy's builds
};

std::string registryText(const RegistryReport&, const TextLayout& = {});
std::string registryJson(const RegistryReport&);
std::string registrySchema();

}  // namespace fxs::report
