// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/helion/extra_arguments.h"

#include <algorithm>
#include <set>

#include "fx/text.h"
#include "ops/schema.h"

namespace fxs::read::helion {
namespace {

constexpr std::string_view kExtraArgs = "_extra_args", kExtraDeps = "_extra_deps";
constexpr std::string_view kExtraNode = "._inductor_lowering_extra", kMask = "._mask_to";

bool isExtra(const fx::NodeArgument& a) { return a.name == kExtraArgs || a.name == kExtraDeps; }

/// Finds the transitive operands of the extra nodes, including through each other's masks.
class Sources {
 public:
  explicit Sources(const fx::Builder& builder) : builder_(const_cast<fx::Builder&>(builder)) {}

  void add(const fx::Argument& argument) {
    fx::forEachNode(argument, [&](fx::NodeId id) { pending_.push_back(id); });
    while (!pending_.empty()) {
      const fx::NodeId id = pending_.back();
      pending_.pop_back();
      if (!seen_.insert(id.index()).second) continue;
      builder_.context().spend(Resource::Values, 1, "the extra arguments");
      const fx::Node& node = builder_.node(id);
      if (node.target.ends_with(kExtraNode) || (node.target.ends_with(kMask) && masksExtra(node))) {
        for (const fx::NodeArgument& a : node.args)
          fx::forEachNode(a.value, [&](fx::NodeId next) { pending_.push_back(next); });
      } else {
        found_.insert(id.index());
      }
    }
  }
  const std::set<std::size_t>& found() const { return found_; }

 private:
  bool masksExtra(const fx::Node& node) const {
    const fx::NodeId* of = node.args.empty() ? nullptr : node.args[0].value.node();
    return of != nullptr && builder_.node(*of).target.ends_with(kExtraNode);
  }

  fx::Builder& builder_;
  std::vector<fx::NodeId> pending_;
  std::set<std::size_t> seen_, found_;
};

}  // namespace

Undo undoExtraArguments(fx::Builder& builder, fx::NodeId id) {
  fx::Node& node = builder.node(id);
  Undo out;
  if (std::none_of(node.args.begin(), node.args.end(), isExtra)) return out;
  out.found = fx::dumpArguments(builder.program(), node);
  const auto unsure = [&](std::string reason) {
    out.outcome = Rewritten::Unsure;
    out.reason = std::move(reason);
    return out;
  };
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  if (schema == nullptr) return unsure("PyTorch has no operator '" + node.target + "'");

  Sources sources(builder);
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < node.args.size(); ++i) {
    if (isExtra(node.args[i])) sources.add(node.args[i].value);
    const ops::SchemaArgument* formal = schema->find(node.args[i].name);
    if (formal != nullptr && formal->type.isTensor() && !formal->type.optional &&
        node.args[i].value.isNone())
      missing.push_back(i);
  }
  if (missing.size() > 1)
    return unsure(std::to_string(missing.size()) + " tensors were extracted from its arguments");
  if (missing.size() == 1) {
    if (sources.found().size() != 1)
      return unsure("its extra arguments come from " + std::to_string(sources.found().size()) +
                    " values, so its tensor is unknown");
    const fx::NodeId source = fx::NodeId::of(*sources.found().begin());
    if (builder.node(source).val.tensor() == nullptr)
      return unsure("'" + builder.node(source).name + "' is not a tensor");
    node.args[missing.front()].value = source;
  }
  std::erase_if(node.args, isExtra);
  out.outcome = Rewritten::Undone;
  return out;
}

}  // namespace fxs::read::helion
