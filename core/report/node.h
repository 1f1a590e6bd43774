#pragma once
// The answer of `fxscope-cli node`: one node by itself, as text for people and as JSON for scripts (resources/schemas/node.schema.json).
#include <memory>
#include <string>
#include <vector>

#include "lower/lower.h"
#include "node_lab/node_program.h"
#include "report/source_location.h"

namespace fxs::report {

struct NodeReport {
  std::string input;  ///< the file as it was given
  const fx::Program& user;
  fx::NodeId node;  ///< of `user`
  const node_lab::NodeProgram& extracted;
  const std::string& raw;
  const lower::Lowering* lowering = nullptr;  ///< null when there is no RAW to lower
  const std::vector<fx::Finding>& findings;   ///< of rewriting and importing
  bool showInlined = false;
  const std::string& inlined;
  bool verified = false;
  const std::string& verifierSays;
  Paths paths = {};
};

/// The minimal program, then RAW and the text of the last stage without locations, then the caller it is inlined into.
std::string nodeText(const NodeReport&);
std::string nodeJson(const NodeReport&);
/// Everything found at the node, of all steps.
std::vector<fx::Finding> findingsOf(const NodeReport&);

}  // namespace fxs::report
