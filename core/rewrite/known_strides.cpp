// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/known_strides.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

#include "ops/operators.h"
#include "ops/shapes.h"
#include "rewrite/emit.h"
#include "rewrite/transcription.h"
#include "rewrite/view_ops.h"

namespace fxs::rewrite {
namespace {

using Strides = std::vector<fx::SymInt>;
using Names = std::unordered_set<std::string_view>;

/// Views that PyTorch refuses if the strides of the operand do not allow them; in every other call
/// aten.reshape copies.
const Names& refusedViews() {
  static const Names kViews{"aten.view.default", "aten._unsafe_view.default", "aten.unflatten.int",
                            "aten.view_as.default"};
  return kViews;
}

/// What is written to keeps its layout.
bool returnsRowMajor(const fx::Node& node) {
  return ops::operatorNamed(packetOf(node.target)).is(ops::Trait::RowMajor) &&
         node.target.starts_with("aten.") && !node.target.ends_with("out");
}

/// Without elements to add, padding copies a slice, which keeps its layout.
bool isEnlarged(const fx::Node& node) {
  if (node.target != "aten.constant_pad_nd.default") return false;
  const fx::Argument pad = argumentOf(node, "pad");
  return pad.list() != nullptr && std::ranges::any_of(*pad.list(), [](const fx::Argument& by) {
           return by.integer() != nullptr && *by.integer() > 0;
         });
}

/// Where PyTorch multiplies a vector or matrix with several matrices, it transposes.
bool isRowMajorProduct(const fx::Program& program, const fx::Node& node) {
  if (node.target != "aten.matmul.default" || node.args.size() != 2) return false;
  std::array<std::size_t, 2> ranks{};
  for (std::size_t i = 0; i < 2; ++i) {
    const fx::NodeId* id = node.args[i].value.node();
    const fx::TensorMeta* meta = id != nullptr ? program.node(*id).val.tensor() : nullptr;
    if (meta == nullptr) return false;
    ranks[i] = meta->rank();
  }
  return ranks[0] > 2 || ranks[1] <= 2;
}

/// Whether PyTorch takes a tensor of four or five dimensions for channels_last (c10's
/// is_channels_last_strides); true if that depends on symbolic sizes.
bool mayBeChannelsLast(const fx::TensorMeta& meta) {
  if (meta.strides.size() != meta.rank()) return true;
  std::vector<std::size_t> order{1};
  for (std::size_t d = meta.rank(); d-- > 2;) order.push_back(d);
  order.push_back(0);
  std::int64_t least = 0;
  for (const std::size_t d : order) {
    if (!meta.strides[d].isStatic() || !meta.sizes[d].isStatic()) return true;
    const std::int64_t stride = meta.strides[d].value(), size = meta.sizes[d].value();
    const bool isOuter = d == 0 && meta.strides[1].value() == least;
    if (size == 0 || stride < least || (d == 1 && stride == 0) || isOuter) return false;
    least = size > 1 ? stride * size : stride;
  }
  return true;
}

bool hasRowMajorStrides(const fx::TensorMeta& meta) {
  return meta.strides == fx::contiguousStrides(meta.sizes);
}

/// Whether a new tensor in preserve_format has the same strides.
bool isKept(const fx::TensorMeta& meta) { return freshMeta(meta).strides == meta.strides; }

const fx::Argument* operandOf(const fx::Node& node) {
  return node.args.empty() ? nullptr : &node.args.front().value;
}

std::optional<std::size_t> dimension(const fx::Node& node, std::string_view name,
                                     std::size_t rank) {
  const fx::Argument value = argumentOf(node, name);
  return value.integer() != nullptr ? ops::wrapIndex(*value.integer(), rank) : std::nullopt;
}

std::optional<Strides> permuted(const fx::Node& node, const fx::TensorMeta& in) {
  const fx::Argument dims = argumentOf(node, "dims");
  if (dims.list() == nullptr || dims.list()->size() != in.rank()) return std::nullopt;
  Strides out;
  for (const fx::Argument& item : *dims.list()) {
    const auto dim =
        item.integer() != nullptr ? ops::wrapIndex(*item.integer(), in.rank()) : std::nullopt;
    if (!dim) return std::nullopt;
    out.push_back(in.strides[*dim]);
  }
  return out;
}

std::optional<Strides> expanded(const fx::TensorMeta& in, const fx::TensorMeta& out) {
  if (out.rank() < in.rank()) return std::nullopt;
  const std::size_t added = out.rank() - in.rank();
  Strides strides(added, fx::SymInt(0));
  for (std::size_t d = 0; d < in.rank(); ++d)
    strides.push_back(in.sizes[d] == out.sizes[d + added] ? in.strides[d] : fx::SymInt(0));
  return strides;
}

std::optional<Strides> withoutOnes(const fx::TensorMeta& in, const fx::TensorMeta& out) {
  Strides strides;
  for (std::size_t d = 0; d < in.rank(); ++d)
    if (in.sizes[d] != fx::SymInt(1)) strides.push_back(in.strides[d]);
  return strides.size() == out.rank() ? std::optional(strides) : std::nullopt;
}

std::optional<Strides> transposed(const fx::Node& node, const fx::TensorMeta& in) {
  const auto a = dimension(node, "dim0", in.rank()), b = dimension(node, "dim1", in.rank());
  if (!a || !b) return std::nullopt;
  Strides strides = in.strides;
  std::swap(strides[*a], strides[*b]);
  return strides;
}

/// Of a view that adds a dimension, removes one, or steps over its elements.
std::optional<Strides> changedInOneDim(const fx::Node& node, const fx::TensorMeta& in) {
  const bool isUnsqueeze = packetOf(node.target) == "unsqueeze";
  const auto dim = dimension(node, "dim", isUnsqueeze ? in.rank() + 1 : in.rank());
  if (!dim) return std::nullopt;
  Strides strides = in.strides;
  const auto at = strides.begin() + static_cast<std::ptrdiff_t>(*dim);
  if (isUnsqueeze) {
    strides.insert(at, *dim < in.rank() ? in.sizes[*dim] * in.strides[*dim] : fx::SymInt(1));
    return strides;
  }
  if (node.target == "aten.select.int") {
    strides.erase(at);
    return strides;
  }
  const fx::Argument step = argumentOf(node, "step");
  if (node.target != "aten.slice.Tensor" || step.integer() == nullptr) return std::nullopt;
  *at = *at * fx::SymInt(*step.integer());
  return strides;
}

/// Strides of a view of one tensor.
std::optional<Strides> viewed(const fx::Node& node, const fx::TensorMeta& in,
                              const fx::TensorMeta& out) {
  const std::string_view packet = packetOf(node.target);
  if (packet == "alias" || packet == "detach") return in.strides;
  if (packet == "permute") return permuted(node, in);
  if (packet == "expand") return expanded(in, out);
  if (packet == "squeeze") return withoutOnes(in, out);
  if (packet == "t" && in.rank() == 2) return Strides{in.strides[1], in.strides[0]};
  if (node.target == "aten.transpose.int") return transposed(node, in);
  return changedInOneDim(node, in);
}

/// A copy is row-major. The strides of a view are so where the operand is.
std::optional<Strides> reshaped(const fx::TensorMeta& in, const fx::TensorMeta& out) {
  const std::optional<bool> fits = viewable(in, out.sizes);
  return fits && (!*fits || isContiguous(in).value_or(false))
             ? std::optional(fx::contiguousStrides(out.sizes))
             : std::nullopt;
}

/// Of a copy, or of another tensor like the operand.
std::optional<Strides> cloned(const fx::Node& node, const fx::TensorMeta& in) {
  const fx::Argument given = argumentOf(node, "memory_format");
  const MemoryFormat* format = std::get_if<MemoryFormat>(&given);
  if (format != nullptr && *format == MemoryFormat::Contiguous)
    return fx::contiguousStrides(in.sizes);
  const bool keeps = format == nullptr || *format == MemoryFormat::Preserve;
  return keeps && isKept(in) ? std::optional(in.strides) : std::nullopt;
}

}  // namespace

KnownStrides::KnownStrides(const fx::Program& program) : program_(program) {
  for (const fx::Node& node : program.nodes) known_.emplace(node.id, partsOf(node));
}

std::optional<fx::TensorMeta> KnownStrides::of(fx::NodeId id) const {
  const auto found = known_.find(id);
  const fx::TensorMeta* recorded = program_.node(id).val.tensor();
  if (recorded == nullptr || found == known_.end() || found->second.size() != 1 ||
      !found->second.front())
    return std::nullopt;
  fx::TensorMeta out = *recorded;
  out.strides = *found->second.front();
  return out;
}

bool KnownStrides::isSame(const fx::Argument& mine, const fx::Argument& users) const {
  if (const fx::NodeId *a = mine.node(), *b = users.node(); a != nullptr && b != nullptr) {
    const fx::Value &value = program_.node(*a).val, &recorded = program_.original->node(*b).val;
    if (const fx::TensorMeta* meta = recorded.tensor()) {
      const std::optional<fx::TensorMeta> known = of(*a);
      return known && known->dtype == meta->dtype && known->sizes == meta->sizes &&
             known->strides == meta->strides;
    }
    return value.tensor() == nullptr && value.list() == nullptr &&
           value.index() == recorded.index();
  }
  const fx::ArgumentList *a = mine.list(), *b = users.list();
  if (a == nullptr || b == nullptr)
    return mine.node() == nullptr && users.node() == nullptr && mine == users;
  return std::equal(a->begin(), a->end(), b->begin(), b->end(),
                    [&](const auto& x, const auto& y) { return isSame(x, y); });
}

bool KnownStrides::isAsRecorded(const fx::Node& node) const {
  if (program_.original == nullptr) return true;
  const fx::Node& users = program_.originOf(node);
  return users.op == node.op && users.target == node.target &&
         std::equal(node.args.begin(), node.args.end(), users.args.begin(), users.args.end(),
                    [&](const fx::NodeArgument& a, const fx::NodeArgument& b) {
                      return a.name == b.name && isSame(a.value, b.value);
                    });
}

/// The tensors among the arguments of a call; std::nullopt if the strides of one are unknown.
std::optional<std::vector<fx::TensorMeta>> KnownStrides::operandsOf(const fx::Node& node) const {
  std::vector<fx::TensorMeta> operands;
  for (const fx::NodeArgument& argument : node.args) {
    const fx::NodeId* id = argument.value.node();
    if (id == nullptr || program_.node(*id).val.tensor() == nullptr) continue;
    std::optional<fx::TensorMeta> operand = of(*id);
    if (!operand) return std::nullopt;
    operands.push_back(*std::move(operand));
  }
  return operands;
}

std::optional<Strides> KnownStrides::ofElementwise(const fx::Node& node,
                                                   const fx::TensorMeta& out) const {
  const auto operands = operandsOf(node);
  if (!operands) return std::nullopt;
  if (std::all_of(operands->begin(), operands->end(), hasRowMajorStrides))
    return fx::contiguousStrides(out.sizes);
  const auto first = std::find_if(operands->begin(), operands->end(),
                                  [](const fx::TensorMeta& meta) { return meta.rank() > 0; });
  const bool agree = std::all_of(first, operands->end(), [&](const fx::TensorMeta& meta) {
    return meta.rank() == 0 || (meta.strides == first->strides && meta.sizes == out.sizes);
  });
  return first != operands->end() && agree && isKept(*first) ? std::optional(first->strides)
                                                             : std::nullopt;
}

/// Of four and five dimensions it is channels_last if all operands are.
bool KnownStrides::isRowMajorCatOrPad(const fx::Node& node, const fx::TensorMeta& out) const {
  if (node.target != "aten.cat.default" && !isEnlarged(node)) return false;
  if (out.rank() != 4 && out.rank() != 5) return true;
  const fx::Argument* operand = operandOf(node);
  if (operand == nullptr) return false;
  const fx::ArgumentList one{*operand}, &tensors = operand->list() ? *operand->list() : one;
  return std::any_of(tensors.begin(), tensors.end(), [&](const fx::Argument& tensor) {
    const std::optional<fx::TensorMeta> in =
        tensor.node() != nullptr ? of(*tensor.node()) : std::nullopt;
    return in && in->rank() == out.rank() && !mayBeChannelsLast(*in);
  });
}

/// From the operands, for a call with one result.
std::optional<Strides> KnownStrides::determinedBy(const fx::Node& node) const {
  const fx::TensorMeta* out = node.val.tensor();
  if (out == nullptr) return std::nullopt;
  if (returnsRowMajor(node) || isRowMajorCatOrPad(node, *out) || isRowMajorProduct(program_, node))
    return fx::contiguousStrides(out->sizes);
  const std::string_view packet = packetOf(node.target);
  if (ops::operatorNamed(packet).is(ops::Trait::KeepsLayout)) return ofElementwise(node, *out);
  const fx::Argument* operand = operandOf(node);
  if (operand == nullptr || operand->node() == nullptr) return std::nullopt;
  const std::optional<fx::TensorMeta> in = of(*operand->node());
  if (!in) return std::nullopt;
  if (packet == "reshape" || refusedViews().contains(node.target)) return reshaped(*in, *out);
  if (in->strides.size() != in->rank()) return std::nullopt;
  const bool isNew = packet == "clone" || packet.ends_with("_like");
  return isNew ? cloned(node, *in) : viewed(node, *in, *out);
}

KnownStrides::Parts KnownStrides::partsOf(const fx::Node& node) const {
  const auto recorded = [](const fx::Value& value) {
    Parts out;
    const auto add = [&](const fx::Value& part) {
      out.push_back(part.tensor() != nullptr ? std::optional(part.tensor()->strides)
                                             : std::nullopt);
    };
    if (const fx::ValueList* parts = value.list()) std::for_each(parts->begin(), parts->end(), add);
    else add(value);
    return out;
  };
  if (node.op == fx::NodeOp::Placeholder) return recorded(node.val);
  if (node.op != fx::NodeOp::CallFunction) return {std::nullopt};
  if (node.target == fx::kGetitem && node.args.size() == 2) {
    const fx::NodeId* of = node.args[0].value.node();
    const std::int64_t* index = node.args[1].value.integer();
    const auto found = of != nullptr ? known_.find(*of) : known_.end();
    if (found == known_.end() || index == nullptr || *index < 0 ||
        static_cast<std::size_t>(*index) >= found->second.size())
      return {std::nullopt};
    return {found->second[static_cast<std::size_t>(*index)]};
  }
  if (isAsRecorded(node)) return recorded(program_.originOf(node).val);
  return {determinedBy(node)};
}

namespace {

bool mayBeRefused(const fx::Node& node, const KnownStrides& strides) {
  if (node.op != fx::NodeOp::CallFunction || !refusedViews().contains(node.target) ||
      strides.isAsRecorded(node))
    return false;
  const fx::TensorMeta* result = node.val.tensor();
  const fx::Argument* operand = operandOf(node);
  if (result == nullptr || operand == nullptr || operand->node() == nullptr) return false;
  const std::optional<fx::TensorMeta> in = strides.of(*operand->node());
  return !in || viewable(*in, result->sizes) != true;
}

/// A refused view as a reshape; std::nullopt if that requires symbolic sizes.
std::optional<fx::Node> asReshape(fx::Node view) {
  const fx::TensorMeta& result = *view.val.tensor();
  if (view.target == "aten.view_as.default") {
    view.target = "aten.reshape_as.default";
    return view;
  }
  if (view.target != "aten.unflatten.int") {
    for (fx::NodeArgument& argument : view.args)
      if (argument.name == "size") argument.name = "shape";
  } else {
    if (!result.isStaticShape()) return std::nullopt;
    fx::ArgumentList shape;
    for (const fx::SymInt& size : result.sizes) shape.emplace_back(size.value());
    view.args = {view.args.front(), {"shape", std::move(shape), false}};
  }
  view.target = "aten.reshape.default";
  return view;
}

}  // namespace

fx::ProgramPtr withReshapes(const fx::ProgramPtr& program, std::vector<fx::NodeId>& changed) {
  const KnownStrides strides(*program);
  auto out = std::make_shared<fx::Program>(*program);
  for (fx::Node& node : out->nodes) {
    if (!mayBeRefused(node, strides)) continue;
    std::optional<fx::Node> reshape = asReshape(node);
    if (!reshape) continue;
    node = *std::move(reshape);
    changed.push_back(node.id);
  }
  return changed.empty() ? program : out;
}

std::vector<fx::NodeId> readUnknownStrides(const fx::Program& program) {
  static const Names kReaders{"aten.as_strided.default",         "aten.as_strided_copy.default",
                              "aten.as_strided_scatter.default", "aten.view.dtype",
                              "aten.view_as_complex.default",    "aten.unflatten.int"};
  const KnownStrides strides(program);
  // A view of what is row-major; as_strided reads memory beside its operand, too.
  const auto isRowMajorView = [&](const fx::Node& node) {
    const fx::Argument* operand = operandOf(node);
    if (operand == nullptr || operand->node() == nullptr ||
        node.target.starts_with("aten.as_strided"))
      return false;
    const std::optional<fx::TensorMeta> in = strides.of(*operand->node());
    return in && hasRowMajorStrides(*in);
  };
  std::vector<fx::NodeId> out;
  for (const fx::Node& node : program.nodes)
    if (node.op == fx::NodeOp::CallFunction && kReaders.contains(node.target) &&
        !strides.isAsRecorded(node) && !isRowMajorView(node))
      out.push_back(node.id);
  return out;
}

}  // namespace fxs::rewrite
