// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/view_ops.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "ops/schema.h"
#include "rewrite/transcription.h"

namespace fxs::rewrite {
namespace {

using Numbers = std::vector<std::int64_t>;

/// Numbers, or hints for symbolic sizes: the values on which the exporter based its decisions.
std::optional<Numbers> numbersOf(const std::vector<fx::SymInt>& values) {
  Numbers out;
  for (const fx::SymInt& value : values) {
    const auto hint = value.hint();
    if (!hint) return std::nullopt;
    out.push_back(*hint);
  }
  return out;
}

/// On overflow, which a hostile file can cause, a value that equals no size.
std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? -1 : product;
}

bool denseInOrder(const Numbers& sizes, const Numbers& strides,
                  const std::vector<std::size_t>& innermostFirst) {
  std::int64_t expected = 1;
  for (std::size_t dim : innermostFirst) {
    if (sizes[dim] == 1) continue;
    if (strides[dim] != expected) return false;
    expected = times(expected, sizes[dim]);
  }
  return true;
}

std::vector<std::size_t> orderOf(std::size_t rank, MemoryFormat format) {
  if (format == MemoryFormat::ChannelsLast && rank == 4) return {1, 3, 2, 0};
  if (format == MemoryFormat::ChannelsLast3d && rank == 5) return {1, 4, 3, 2, 0};
  std::vector<std::size_t> order(rank);
  for (std::size_t i = 0; i < rank; ++i) order[i] = rank - 1 - i;
  return order;
}

const fx::TensorMeta* metaOf(const fx::Program& program, fx::NodeId id) {
  return program.node(id).val.tensor();
}

/// The first argument that is a tensor node.
std::optional<Shares> firstTensor(const fx::Program& program, const fx::Node& node, Sharing how) {
  for (std::size_t i = 0; i < node.args.size(); ++i)
    if (const fx::NodeId* id = node.args[i].value.node(); id && metaOf(program, *id))
      return Shares{how, *id, i};
  return std::nullopt;
}

bool hasTensors(const fx::Program& program, const fx::Node& node) {
  bool found = false;
  for (const fx::NodeArgument& argument : node.args)
    fx::forEachNode(argument.value, [&](fx::NodeId id) { found = found || metaOf(program, id); });
  return found;
}

Shares fromKnown(std::optional<bool> same, Shares yes) {
  if (!same) return {Sharing::Perhaps, yes.of, yes.argument};
  return *same ? yes : Shares{};
}

bool isTrue(const fx::Node& node, std::string_view name) {
  const fx::Argument value = argumentOf(node, name);
  const bool* flag = std::get_if<bool>(&value);
  return flag && *flag;
}

/// aten.to.*, type_as, _cast_*: the operand when nothing changes.
Shares conversion(const fx::Node& node, const fx::TensorMeta& in, const fx::TensorMeta& out,
                  Shares self) {
  if (isTrue(node, "copy")) return {};
  if (in.dtype != out.dtype || !(in.device == out.device) || in.layout != out.layout) return {};
  const fx::Argument format = argumentOf(node, "memory_format");
  const MemoryFormat* wanted = std::get_if<MemoryFormat>(&format);
  if (!wanted || *wanted == MemoryFormat::Preserve) return self;
  return fromKnown(isContiguous(in, *wanted), self);
}

/// What an operator aliases if it returns a view or a copy depending on its operands.
std::optional<Shares> conditional(const fx::Program& program, const fx::Node& node) {
  const std::string_view packet = packetOf(node.target);
  static const std::unordered_set<std::string_view> kReshapes = {"reshape", "reshape_as", "flatten",
                                                                 "unflatten", "ravel"};
  static const std::unordered_set<std::string_view> kConversions = {
      "to",          "type_as",    "_cast_Byte", "_cast_Char", "_cast_Double",
      "_cast_Float", "_cast_Half", "_cast_Int",  "_cast_Long", "_cast_Short"};
  static const std::unordered_set<std::string_view> kRealIsSame = {
      "conj", "_conj", "real", "conj_physical", "resolve_conj", "resolve_neg"};
  static const std::unordered_set<std::string_view> kDropouts = {
      "dropout", "feature_dropout", "alpha_dropout", "feature_alpha_dropout"};
  static const std::unordered_set<std::string_view> kLists = {"broadcast_tensors", "meshgrid",
                                                              "cartesian_prod", "chain_matmul"};

  if (kLists.contains(packet) || packet == "einsum")
    return hasTensors(program, node) ? Shares{Sharing::Perhaps, {}, 0} : Shares{};
  const std::optional<Shares> view = firstTensor(program, node, Sharing::View);
  if (!view) return std::nullopt;
  const Shares same{Sharing::Same, view->of, view->argument};
  const fx::TensorMeta& in = *metaOf(program, view->of);
  const fx::TensorMeta* out = node.val.tensor();

  if (kReshapes.contains(packet))
    return out ? fromKnown(viewable(in, out->sizes), *view)
               : Shares{Sharing::Perhaps, view->of, view->argument};
  if (packet == "contiguous") {
    const fx::Argument format = argumentOf(node, "memory_format");
    const MemoryFormat* wanted = std::get_if<MemoryFormat>(&format);
    return fromKnown(isContiguous(in, wanted ? *wanted : MemoryFormat::Contiguous), same);
  }
  if (kConversions.contains(packet))
    return out ? conversion(node, in, *out, same)
               : Shares{Sharing::Perhaps, view->of, view->argument};
  if (kRealIsSame.contains(packet) && !isComplex(in.dtype)) return same;
  if (packet == "resolve_conj" || packet == "resolve_neg")
    return Shares{Sharing::Perhaps, view->of, view->argument};
  if (packet == "conj_physical") return Shares{};
  if (packet == "positive") return same;
  if (kDropouts.contains(packet)) {
    const fx::Argument p = argumentOf(node, "p");
    const double* rate = std::get_if<double>(&p);
    const std::int64_t* whole = p.integer();
    return !isTrue(node, "train") || (rate && *rate == 0) || (whole && *whole == 0) ? same
                                                                                    : Shares{};
  }
  if (packet == "sum_to_size") return out && out->sizes == in.sizes ? same : Shares{};
  if (packet.starts_with("atleast_")) {
    if (node.val.list()) return Shares{Sharing::Perhaps, {}, 0};
    return out && out->sizes == in.sizes ? same : *view;
  }
  if (packet == "unsafe_split" || packet == "unsafe_split_with_sizes" || packet == "unsafe_chunk")
    return view;
  return std::nullopt;
}

}  // namespace

std::optional<bool> isContiguous(const fx::TensorMeta& meta, MemoryFormat format) {
  if (format == MemoryFormat::Contiguous && meta.strides == fx::contiguousStrides(meta.sizes))
    return true;
  const auto sizes = numbersOf(meta.sizes), strides = numbersOf(meta.strides);
  if (!sizes || !strides || sizes->size() != strides->size()) return std::nullopt;
  if (std::find(sizes->begin(), sizes->end(), 0) != sizes->end()) return true;
  return denseInOrder(*sizes, *strides, orderOf(sizes->size(), format));
}

std::optional<bool> viewable(const fx::TensorMeta& meta, const std::vector<fx::SymInt>& shape) {
  if (meta.sizes == shape || meta.strides == fx::contiguousStrides(meta.sizes)) return true;
  const auto oldSizes = numbersOf(meta.sizes), strides = numbersOf(meta.strides),
             newSizes = numbersOf(shape);
  if (!oldSizes || !strides || !newSizes || oldSizes->size() != strides->size())
    return std::nullopt;
  if (std::find(oldSizes->begin(), oldSizes->end(), 0) != oldSizes->end()) return true;
  if (oldSizes->empty()) return true;
  // PyTorch's rule: old dimensions are grouped into runs that are contiguous relative to the stride
  // of their last dimension, and each run must be a product of new dimensions.
  std::size_t next = newSizes->size();
  std::size_t last = oldSizes->size() - 1;
  std::int64_t oldElements = 1, newElements = 1;
  for (std::size_t dim = oldSizes->size(); dim-- > 0;) {
    oldElements = times(oldElements, (*oldSizes)[dim]);
    const bool runGoesOn = dim > 0 && ((*oldSizes)[dim - 1] == 1 ||
                                       (*strides)[dim - 1] == times(oldElements, (*strides)[last]));
    if (runGoesOn) continue;
    while (next > 0 && (newElements < oldElements || (*newSizes)[next - 1] == 1))
      newElements = times(newElements, (*newSizes)[--next]);
    if (newElements != oldElements) return false;
    oldElements = newElements = 1;
    if (dim > 0) last = dim - 1;
  }
  return next == 0;
}

fx::TensorMeta freshMeta(fx::TensorMeta meta) {
  meta.storageOffset = 0;
  const auto sizes = numbersOf(meta.sizes), strides = numbersOf(meta.strides);
  bool dense = sizes && strides && sizes->size() == strides->size();
  if (dense) {
    std::vector<std::size_t> order(sizes->size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return (*strides)[a] < (*strides)[b]; });
    dense = denseInOrder(*sizes, *strides, order);
  }
  if (!dense) meta.strides = fx::contiguousStrides(meta.sizes);
  return meta;
}

Shares sharesOf(const fx::Program& program, const fx::Node& node) {
  if (node.op != fx::NodeOp::CallFunction) return {};
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  if (!schema) return {};
  if (schema->ns == "aten")
    if (const std::optional<Shares> shares = conditional(program, node)) return *shares;
  if (schema->returns.empty() || schema->returns.front().alias == ops::Alias::None) return {};
  for (const ops::SchemaArgument& formal : schema->arguments) {
    if (formal.alias != ops::Alias::Read) continue;
    for (std::size_t i = 0; i < node.args.size(); ++i) {
      if (node.args[i].name != formal.name) continue;
      const fx::NodeId* id = node.args[i].value.node();
      return id && metaOf(program, *id) ? Shares{Sharing::View, *id, i}
                                        : Shares{Sharing::Perhaps, {}, i};
    }
  }
  return {};
}

}  // namespace fxs::rewrite
