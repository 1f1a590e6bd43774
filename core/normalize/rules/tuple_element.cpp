// A getitem whose own value the file leaves out has the value of its part of the tuple.
#include "normalize/rule.h"
#include "normalize/value_text.h"

namespace fxs::normalize {
namespace {

constexpr const char* kId = "tuple-element";

void apply(const Values& values, const fx::Node& node, NodeMetadata& out, std::vector<Change>& changes) {
  const Inferred* inferred = values.inferred(node.id);
  if (inferred && inferred->rule == kId) changes.push_back({"val", "(absent)", asFake(out.val), "", inferred->reason});
}

}  // namespace

void registerTupleElement(NormalizeRules& rules);
void registerTupleElement(NormalizeRules& rules) { rules.add({kId, "a part of a tuple is what the tuple says it is", 10, apply}); }

}  // namespace fxs::normalize
