// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments rewritten by Helion's lowering: the reader restored the original ones, or could not.
#include "fx/text.h"
#include "normalize/rule.h"
#include "normalize/value_text.h"

namespace fxs::normalize {
namespace {

void normalizeHelionArguments(const Values& values, const fx::Node& node, NodeMetadata&,
                              std::vector<MetadataChange>& changes) {
  const fx::Program& program = values.program();
  const std::optional<std::string_view> found = program.meta(node, "helion_args");
  if (!found) return;
  const std::optional<std::string_view> unsure = program.meta(node, "helion_args_unsure");
  changes.push_back({"args", shortened(*found),
                     unsure ? "unknown" : shortened(fx::dumpArguments(program, node)), "",
                     unsure ? std::string(*unsure) : ""});
}

}  // namespace

void registerHelionArguments(NormalizeRules& rules) {
  rules.add({"helion-arguments", "what Helion left out can only be this tensor", 5,
             normalizeHelionArguments});
}

}  // namespace fxs::normalize
