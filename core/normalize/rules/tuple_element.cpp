// A getitem whose own value the file leaves out has the value of its part of the tuple.
#include "normalize/rule.h"
#include "normalize/value_text.h"

namespace fxs::normalize {
namespace {

void apply(const fx::Program& program, const fx::Node& node, NodeMetadata& out, std::vector<Change>& changes) {
  if (node.target != "_operator.getitem" || node.args.size() != 2 || !std::holds_alternative<fx::Unknown>(out.val)) return;
  const fx::NodeId* of = node.args[0].value.node();
  const std::int64_t* index = node.args[1].value.integer();
  if (!of || !index) return;
  const fx::ValueList* parts = program.node(*of).val.list();
  if (!parts || *index < 0 || static_cast<std::size_t>(*index) >= parts->size()) return;
  out.val = (*parts)[static_cast<std::size_t>(*index)];
  if (!std::holds_alternative<fx::Unknown>(out.val)) changes.push_back({"val", "(absent)", asFake(out.val), "", ""});
}

}  // namespace

void registerTupleElement(NormalizeRules& rules);
void registerTupleElement(NormalizeRules& rules) {
  rules.add({"tuple-element", "a part of a tuple is what the tuple says it is", 10, apply});
}

}  // namespace fxs::normalize
