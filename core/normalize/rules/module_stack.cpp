// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nn_module_stack: one string in the file, a dict of key -> (path, type) in torch.fx.
#include "normalize/rule.h"
#include "normalize/value_text.h"

namespace fxs::normalize {
namespace {

void normalizeModuleStack(const Values& values, const fx::Node& node, NodeMetadata& out,
                          std::vector<MetadataChange>& changes) {
  const std::optional<std::string_view> text = values.program().meta(node, "nn_module_stack");
  if (!text) return;
  out.moduleStack = fx::parseModuleStack(*text);
  std::string after;
  for (const fx::ModuleFrame& frame : out.moduleStack)
    after += (after.empty() ? "" : ", ") +
             ("'" + frame.key + "': ('" + frame.path + "', '" + frame.type + "')");
  changes.push_back({"nn_module_stack", shortened(*text), "{" + shortened(after) + "}", "", ""});
}

}  // namespace

void registerModuleStack(NormalizeRules& rules) {
  rules.add({"module-stack", "the module calls around the node, outermost first", 50,
             normalizeModuleStack});
}

}  // namespace fxs::normalize
