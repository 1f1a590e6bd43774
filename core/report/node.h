// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli node`, a node lowered separately: as text and as JSON
// (resources/schemas/node.schema.json).
#include <memory>
#include <string>
#include <vector>

#include "lower/lower.h"
#include "node_lab/node_program.h"
#include "report/source_location.h"

namespace fxs::report {

struct NodeReport {
  std::string input;  ///< path of the input, as given by the user
  const fx::Program& user;
  fx::NodeId node;  ///< of `user`
  const node_lab::NodeProgram& extracted;
  const std::string& raw;
  const lower::Lowering* lowering = nullptr;  ///< null if there is no RAW module
  const std::vector<fx::Finding>& findings;   ///< of rewriting and importing
  bool showInlined = false;
  const std::string& inlined;
  bool verified = false;
  const std::string& verifierSays;
  Paths paths = {};
};

/// The minimal program, RAW and the text of the last stage without locations, and the function that
/// it is inlined into. Whether the node was lowered, and what is shown verifies.
bool isOk(const NodeReport&);

std::string nodeText(const NodeReport&);
std::string nodeJson(const NodeReport&);
std::string nodeSchema();
/// The findings of all steps at the node.
std::vector<fx::Finding> findingsOf(const NodeReport&);

}  // namespace fxs::report
