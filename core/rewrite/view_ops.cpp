// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/view_ops.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "ops/operators.h"
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
std::optional<Shares> firstTensor(const fx::Program& program, const fx::Node& node,
                                  Sharing sharing) {
  for (std::size_t i = 0; i < node.args.size(); ++i)
    if (const fx::NodeId* id = node.args[i].value.node(); id && metaOf(program, *id))
      return Shares{sharing, *id, i};
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

std::optional<MemoryFormat> memoryFormatOf(const fx::Node& node) {
  const fx::Argument value = argumentOf(node, "memory_format");
  const MemoryFormat* format = std::get_if<MemoryFormat>(&value);
  return format ? std::optional(*format) : std::nullopt;
}

/// A call, and its first tensor operand.
struct OperandCall {
  const fx::Node& node;
  const fx::TensorMeta& in;
  const fx::TensorMeta* out;  ///< null unless the result is one tensor
  Shares view, same, perhaps;

  bool keepsShape() const { return out && out->sizes == in.sizes; }
};

std::optional<Shares> ofReshape(const OperandCall& call) {
  return call.out ? fromKnown(viewable(call.in, call.out->sizes), call.view) : call.perhaps;
}

std::optional<Shares> ofContiguous(const OperandCall& call) {
  const MemoryFormat format = memoryFormatOf(call.node).value_or(MemoryFormat::Contiguous);
  return fromKnown(isContiguous(call.in, format), call.same);
}

/// aten.to.*, type_as, _cast_*: the operand when nothing changes.
std::optional<Shares> ofConversion(const OperandCall& call) {
  if (!call.out) return call.perhaps;
  if (isTrue(call.node, "copy")) return Shares{};
  const fx::TensorMeta &in = call.in, &out = *call.out;
  if (in.dtype != out.dtype || !(in.device == out.device) || in.layout != out.layout)
    return Shares{};
  const MemoryFormat wanted = memoryFormatOf(call.node).value_or(MemoryFormat::Preserve);
  return wanted == MemoryFormat::Preserve ? call.same
                                          : fromKnown(isContiguous(in, wanted), call.same);
}

/// conj, real: the operand if it is real; as in the schema if not.
std::optional<Shares> ofComplexView(const OperandCall& call) {
  return isComplex(call.in.dtype) ? std::nullopt : std::optional(call.same);
}

std::optional<Shares> ofConjugatedCopy(const OperandCall& call) {
  return isComplex(call.in.dtype) ? Shares{} : call.same;
}

std::optional<Shares> ofResolution(const OperandCall& call) {
  return isComplex(call.in.dtype) ? call.perhaps : call.same;
}

std::optional<Shares> ofDropout(const OperandCall& call) {
  const fx::Argument p = argumentOf(call.node, "p");
  const double* rate = std::get_if<double>(&p);
  const std::int64_t* integer = p.integer();
  const bool isIdle =
      !isTrue(call.node, "train") || (rate && *rate == 0) || (integer && *integer == 0);
  return isIdle ? call.same : Shares{};
}

std::optional<Shares> ofAtLeast(const OperandCall& call) {
  if (call.node.val.list()) return Shares{Sharing::Perhaps, {}, 0};
  return call.keepsShape() ? call.same : call.view;
}

using SharesOf = std::optional<Shares> (*)(const OperandCall&);

/// Null for operators that share what their schema says.
SharesOf sharesNamed(std::string_view name) {
  static const std::unordered_map<std::string_view, SharesOf> kRules = {
      {"contiguous", ofContiguous},
      {"complex-view", ofComplexView},
      {"conjugated-copy", ofConjugatedCopy},
      {"resolution", ofResolution},
      {"operand", [](const OperandCall& call) { return std::optional(call.same); }},
      {"same-shape",
       [](const OperandCall& call) {
         return std::optional(call.keepsShape() ? call.same : Shares{});
       }},
      {"reshape", ofReshape},
      {"conversion", ofConversion},
      {"dropout", ofDropout},
      {"at-least", ofAtLeast},
      {"view", [](const OperandCall& call) { return std::optional(call.view); }},
  };
  const auto rule = kRules.find(name);
  return rule == kRules.end() ? nullptr : rule->second;
}

/// What an operator aliases if it returns a view or a copy depending on its operands.
std::optional<Shares> conditional(const fx::Program& program, const fx::Node& node) {
  const std::string_view name = ops::operatorNamed(packetOf(node.target)).rule(ops::Rule::Shares);
  if (name == "list") return hasTensors(program, node) ? Shares{Sharing::Perhaps, {}, 0} : Shares{};
  const SharesOf rule = sharesNamed(name);
  const std::optional<Shares> view =
      rule == nullptr ? std::nullopt : firstTensor(program, node, Sharing::View);
  if (!view) return std::nullopt;
  return rule({node,
               *metaOf(program, view->of),
               node.val.tensor(),
               *view,
               {Sharing::Same, view->of, view->argument},
               {Sharing::Perhaps, view->of, view->argument}});
}

/// PyTorch's rule: old dimensions are grouped into runs that are contiguous relative to the stride
/// of their last dimension, and each run must be a product of new dimensions.
bool areProductsOfRuns(const Numbers& newSizes, const Numbers& oldSizes, const Numbers& strides) {
  std::size_t next = newSizes.size();
  std::size_t last = oldSizes.size() - 1;
  std::int64_t oldElements = 1, newElements = 1;
  for (std::size_t dim = oldSizes.size(); dim-- > 0;) {
    oldElements = times(oldElements, oldSizes[dim]);
    const bool runGoesOn = dim > 0 && (oldSizes[dim - 1] == 1 ||
                                       strides[dim - 1] == times(oldElements, strides[last]));
    if (runGoesOn) continue;
    while (next > 0 && (newElements < oldElements || newSizes[next - 1] == 1))
      newElements = times(newElements, newSizes[--next]);
    if (newElements != oldElements) return false;
    oldElements = newElements = 1;
    if (dim > 0) last = dim - 1;
  }
  return next == 0;
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
  return oldSizes->empty() || areProductsOfRuns(*newSizes, *oldSizes, *strides);
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

bool isSharesRule(std::string_view name) { return name == "list" || sharesNamed(name) != nullptr; }

}  // namespace fxs::rewrite
