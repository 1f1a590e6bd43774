// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// custom (the user's own JSON), source_fn_stack (strict mode's functions), and any key no other
// rule knows.
#include "base/json.h"
#include "base/take_until.h"
#include "normalize/rule.h"
#include "normalize/value_text.h"

namespace fxs::normalize {
namespace {

std::string shape(const Json& json) {
  if (json.isObject()) {
    std::string keys;
    for (const Json member : json) keys += (keys.empty() ? "" : ", ") + std::string(member.key());
    return "a dict with " + (keys.empty() ? "no keys" : keys);
  }
  return json.isArray() ? "a list of " + std::to_string(json.size())
                        : std::string(name(json.kind()));
}

void normalizeOtherMetadata(const Values& values, const fx::Node& node, NodeMetadata&,
                            std::vector<MetadataChange>& changes) {
  if (const std::optional<std::string_view> text = values.program().meta(node, "custom")) {
    Result<std::shared_ptr<const JsonDocument>> parsed =
        JsonDocument::parse(*text, "custom", {}, values.context());
    changes.push_back({"custom", shortened(*text),
                       parsed ? shortened(shape((*parsed)->root())) : "unknown", "",
                       parsed ? "JSON attached by the user's code" : "the text is not JSON"});
  }
  if (const std::optional<std::string_view> text = values.program().meta(node, "source_fn_stack")) {
    std::string after;
    for (std::string_view rest = *text; !rest.empty();) {
      std::string_view item = takeUntil(';', rest);
      const std::string_view name = takeUntil(',', item);
      after += (after.empty() ? "" : ", ") + ("('" + std::string(name) + "', '") +
               std::string(item) + "')";
    }
    changes.push_back({"source_fn_stack", shortened(*text), "[" + shortened(after) + "]", "",
                       "the Python functions or modules called, outermost first"});
  }
}

}  // namespace

void registerOtherMetadata(NormalizeRules& rules) {
  rules.add({"other-metadata", "text in the file, a Python value in torch.fx", 80,
             normalizeOtherMetadata});
}

}  // namespace fxs::normalize
