// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What became of each node of a lowered program, beside its lines of Python: the output of
// `fxscope-cli lower --nodes`, as text and JSON (resources/schemas/lower_nodes.schema.json).
#include <memory>
#include <string>
#include <vector>

#include "base/terminal_text.h"
#include "fx/finding.h"
#include "lower/lower.h"
#include "report/source_location.h"
#include "trace/origins.h"

namespace fxs::report {

struct LoweredNodesReport {
  std::string input;  ///< path of the input, as given by the user
  const lower::Lowering& lowering;
  const std::vector<std::shared_ptr<const trace::SnapshotOrigins>>& origins;  ///< by stage
  const std::vector<fx::Finding>& findings;                                   ///< of all steps
  const fx::Program& program;                                                 ///< the user's
  Paths paths = {};
};

std::string loweredNodesText(const LoweredNodesReport&, const TextLayout& = {});
std::string loweredNodesJson(const LoweredNodesReport&);
std::string loweredNodesSchema();

}  // namespace fxs::report
