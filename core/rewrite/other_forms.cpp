// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/other_forms.h"

#include <algorithm>
#include <array>

#include "rewrite/transcription.h"

namespace fxs::rewrite {
namespace {

/// Operators that remove the dimension they reduce, unless `keepdim` is set.
bool removesDimension(const fx::Node& node) {
  static constexpr std::array<std::string_view, 21> kReductions{
      "all",           "amax",     "amin",
      "any",           "argmax",   "argmin",
      "count_nonzero", "kthvalue", "linalg_vector_norm",
      "logsumexp",     "max",      "mean",
      "median",        "min",      "nanmedian",
      "norm",          "prod",     "select",
      "std",           "sum",      "var"};
  const fx::NodeArgument* keep = node.find("keepdim");
  return std::find(kReductions.begin(), kReductions.end(), packetOf(node.target)) !=
             kReductions.end() &&
         (keep == nullptr || keep->value != fx::Argument(true));
}

}  // namespace

Results inElementType(Emitter& e, Takes takes, DType to) {
  const fx::Node& node = e.matched();
  bool changes = false;
  const auto affected = [&](const fx::TensorMeta* meta) {
    return meta != nullptr && takes(meta->dtype) && meta->dtype != to;
  };
  for (const fx::NodeArgument& argument : node.args)
    fx::forEachNode(argument.value, [&](fx::NodeId id) {
      changes |= affected(e.context().tensor(fx::Argument(id)));
    });
  const fx::ValueList* parts = node.val.list();
  if (!changes || (parts == nullptr && node.val.tensor() == nullptr)) return std::nullopt;
  std::vector<fx::NodeArgument> args = node.args;
  for (fx::NodeArgument& argument : args) {
    argument.value = fx::mapNodes(argument.value, [&](fx::NodeId id) -> fx::Argument {
      const fx::TensorMeta* meta = e.context().tensor(fx::Argument(id));
      if (!affected(meta)) return id;
      return e.cast({fx::Argument(id), *meta}, to).value;
    });
    if (auto* dtype = std::get_if<DType>(&argument.value); dtype != nullptr && takes(*dtype))
      *dtype = to;
  }
  fx::Value value = node.val;
  const auto retype = [&](fx::Value& v) {
    if (auto* meta = std::get_if<fx::TensorMeta>(&v); meta != nullptr && takes(meta->dtype))
      meta->dtype = to;
  };
  if (auto* list = std::get_if<fx::ValueList>(&value))
    std::for_each(list->begin(), list->end(), retype);
  else retype(value);
  const fx::Argument made = e.context().callValue(node.target, std::move(args), value);
  const auto back = [&](const fx::Argument& result, const fx::Value& now, const fx::Value& then) {
    const fx::TensorMeta *from = now.tensor(), *wanted = then.tensor();
    if (from == nullptr || wanted == nullptr || from->dtype == wanted->dtype) return result;
    return e.cast({result, *from}, wanted->dtype).value;
  };
  if (parts == nullptr) return std::vector<fx::Argument>{back(made, value, node.val)};
  std::vector<fx::Argument> out;
  const fx::ValueList& now = *value.list();
  for (std::size_t i = 0; i < parts->size(); ++i)
    out.push_back(back(e.context().getitem(made, i), now[i], (*parts)[i]));
  return out;
}

Results withLeadingDimension(Emitter& e, std::size_t rank) {
  const fx::Node& node = e.matched();
  if (node.args.empty() || node.args.front().value.node() == nullptr) return {};
  const fx::TensorMeta* input = e.context().tensor(node.args.front().value);
  if (input == nullptr || input->rank() + 1 != rank) return {};
  const bool isScalar = input->rank() == 0, isRemoved = isScalar && removesDimension(node);
  std::vector<fx::NodeArgument> args = node.args;
  for (fx::NodeArgument& argument : args) {
    const fx::TensorMeta* meta =
        argument.value.node() != nullptr ? e.context().tensor(argument.value) : nullptr;
    if (meta != nullptr && (&argument == &args.front() || (isScalar && meta->rank() == 0)))
      argument.value = e.unsqueeze({argument.value, *meta}, 0).value;
  }
  fx::Value value = node.val;
  const auto grow = [&](fx::Value& v) {
    auto* meta = std::get_if<fx::TensorMeta>(&v);
    if (meta == nullptr || isRemoved) return;
    meta->sizes.insert(meta->sizes.begin(), fx::SymInt(1));
    meta->strides = fx::contiguousStrides(meta->sizes);
  };
  if (auto* list = std::get_if<fx::ValueList>(&value))
    std::for_each(list->begin(), list->end(), grow);
  else grow(value);
  const fx::Argument made = e.context().callValue(node.target, std::move(args), value);
  const auto shrink = [&](const fx::Argument& result, const fx::Value& v) -> fx::Argument {
    return v.tensor() != nullptr && !isRemoved ? e.squeeze({result, *v.tensor()}, 0).value : result;
  };
  if (value.list() == nullptr) return std::vector<fx::Argument>{shrink(made, value)};
  std::vector<fx::Argument> out;
  for (std::size_t i = 0; i < value.list()->size(); ++i)
    out.push_back(shrink(e.context().getitem(made, i), (*value.list())[i]));
  return out;
}

}  // namespace fxs::rewrite
