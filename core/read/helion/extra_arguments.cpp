// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/helion/extra_arguments.h"

#include <algorithm>
#include <array>
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

/// Operators on elements that read each of their tensors, whatever the other arguments are.
constexpr std::array<std::string_view, 26> kReadEveryTensor{
    "add",          "atan2",       "bitwise_and", "bitwise_or", "bitwise_xor", "div", "eq",
    "floor_divide", "fmod",        "ge",          "gt",         "hypot",       "le",  "logical_and",
    "logical_or",   "logical_xor", "lt",          "maximum",    "minimum",     "mul", "ne",
    "pow",          "remainder",   "rsub",        "sub",        "where"};

/// Which tensors an operator requires and does not have.
std::vector<std::size_t> missingTensors(const ops::Schema& schema, const fx::Node& node) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < node.args.size(); ++i) {
    const ops::SchemaArgument* formal = schema.find(node.args[i].name);
    if (formal != nullptr && formal->type.isTensor() && !formal->type.optional &&
        node.args[i].value.isNone())
      out.push_back(i);
  }
  return out;
}

/// The nodes that stand before an argument, each once.
std::set<std::size_t> nodesBefore(const fx::Node& node, std::size_t argument) {
  std::set<std::size_t> out;
  for (std::size_t i = 0; i < argument; ++i)
    fx::forEachNode(node.args[i].value, [&](fx::NodeId id) { out.insert(id.index()); });
  return out;
}

bool isOfShape(const fx::Value& tensor, const fx::Value& like) {
  const fx::TensorMeta *a = tensor.tensor(), *b = like.tensor();
  return a != nullptr && b != nullptr && a->sizes == b->sizes;
}

/// x * x: Helion keeps the first of equal arguments.
Undo undoRepeated(fx::Builder& builder, fx::Node& node) {
  Undo out;
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  if (schema == nullptr || std::find(kReadEveryTensor.begin(), kReadEveryTensor.end(),
                                     schema->packet) == kReadEveryTensor.end())
    return out;
  const std::vector<std::size_t> missing = missingTensors(*schema, node);
  if (missing.empty()) return out;
  out.found = fx::dumpArguments(builder.program(), node);
  for (const std::size_t at : missing) {
    const std::set<std::size_t> before = nodesBefore(node, at);
    const fx::Value* only =
        before.size() == 1 ? &builder.node(fx::NodeId::of(*before.begin())).val : nullptr;
    if (only == nullptr || !isOfShape(*only, node.val)) {
      out.outcome = Rewritten::Unsure;
      out.reason = "a None stands for an argument that is there before, and which one is unknown";
      return out;
    }
  }
  for (const std::size_t at : missing)
    node.args[at].value = fx::NodeId::of(*nodesBefore(node, at).begin());
  out.outcome = Rewritten::Undone;
  return out;
}

}  // namespace

Undo undoExtraArguments(fx::Builder& builder, fx::NodeId id) {
  fx::Node& node = builder.node(id);
  Undo out;
  if (std::none_of(node.args.begin(), node.args.end(), isExtra)) return undoRepeated(builder, node);
  out.found = fx::dumpArguments(builder.program(), node);
  const auto unsure = [&](std::string reason) {
    out.outcome = Rewritten::Unsure;
    out.reason = std::move(reason);
    return out;
  };
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  if (schema == nullptr) return unsure("PyTorch has no operator '" + node.target + "'");

  Sources sources(builder);
  for (const fx::NodeArgument& each : node.args)
    if (isExtra(each)) sources.add(each.value);
  const std::vector<std::size_t> missing = missingTensors(*schema, node);
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
