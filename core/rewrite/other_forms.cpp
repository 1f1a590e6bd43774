// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/other_forms.h"

#include <algorithm>

#include "ops/operators.h"
#include "ops/schema.h"
#include "rewrite/transcription.h"

namespace fxs::rewrite {
namespace {

/// Operators that remove the dimension they reduce, unless `keepdim` is set.
bool removesDimension(const fx::Node& node) {
  const fx::NodeArgument* keep = node.find("keepdim");
  return ops::operatorNamed(packetOf(node.target)).is(ops::Trait::DropsDimension) &&
         (keep == nullptr || keep->value != fx::Argument(true));
}

/// Calls `change` with a tensor, or with every tensor of a tuple.
template <class Change>
void forEachTensor(fx::Value& value, const Change& change) {
  const auto visit = [&](fx::Value& v) {
    if (auto* meta = std::get_if<fx::TensorMeta>(&v)) change(*meta);
  };
  if (auto* list = std::get_if<fx::ValueList>(&value))
    std::for_each(list->begin(), list->end(), visit);
  else visit(value);
}

/// The results of a call that returns `value`: convert(result, its value, the recorded value).
template <class Convert>
Results convertedResults(Emitter& e, const fx::Argument& made, const fx::Value& value,
                         const Convert& convert) {
  const fx::Value& recorded = e.matched().val;
  const fx::ValueList *now = value.list(), *then = recorded.list();
  if (now == nullptr) return std::vector<fx::Argument>{convert(made, value, recorded)};
  std::vector<fx::Argument> out;
  for (std::size_t i = 0; i < now->size(); ++i)
    out.push_back(convert(e.context().getitem(made, i), (*now)[i], (*then)[i]));
  return out;
}

bool isCast(const fx::TensorMeta* meta, Takes takes, DType to) {
  return meta != nullptr && takes(meta->dtype) && meta->dtype != to;
}

bool castsAny(Emitter& e, Takes takes, DType to) {
  bool casts = false;
  for (const fx::NodeArgument& argument : e.matched().args)
    fx::forEachNode(argument.value, [&](fx::NodeId id) {
      casts |= isCast(e.context().tensor(fx::Argument(id)), takes, to);
    });
  return casts;
}

std::vector<fx::NodeArgument> castArguments(Emitter& e, Takes takes, DType to) {
  std::vector<fx::NodeArgument> args = e.matched().args;
  for (fx::NodeArgument& argument : args) {
    argument.value = fx::mapNodes(argument.value, [&](fx::NodeId id) -> fx::Argument {
      const fx::TensorMeta* meta = e.context().tensor(fx::Argument(id));
      if (!isCast(meta, takes, to)) return id;
      return e.cast({fx::Argument(id), *meta}, to).value;
    });
    if (auto* dtype = std::get_if<DType>(&argument.value); dtype != nullptr && takes(*dtype))
      *dtype = to;
  }
  return args;
}

/// PyTorch sums and multiplies integers as int64, unless it is told otherwise.
void keepIntegers(const fx::Node& node, DType to, std::vector<fx::NodeArgument>& args) {
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  const ops::SchemaArgument* dtype = schema == nullptr ? nullptr : schema->find("dtype");
  if (dtype == nullptr || !isIntegral(to)) return;
  const auto given =
      std::find_if(args.begin(), args.end(), [](const auto& a) { return a.name == "dtype"; });
  if (given == args.end()) args.push_back({"dtype", to, dtype->keywordOnly});
  else if (given->value.isNone()) given->value = to;
}

}  // namespace

Results inElementType(Emitter& e, Takes takes, DType to) {
  const fx::Node& node = e.matched();
  if (!castsAny(e, takes, to)) return std::nullopt;
  if (node.val.list() == nullptr && node.val.tensor() == nullptr) return std::nullopt;
  std::vector<fx::NodeArgument> args = castArguments(e, takes, to);
  fx::Value value = node.val;
  forEachTensor(value, [&](fx::TensorMeta& meta) {
    if (takes(meta.dtype)) meta.dtype = to;
  });
  keepIntegers(node, to, args);
  const fx::Argument made = e.context().callValue(node.target, std::move(args), value);
  const auto back = [&](const fx::Argument& result, const fx::Value& now, const fx::Value& then) {
    const fx::TensorMeta *from = now.tensor(), *wanted = then.tensor();
    if (from == nullptr || wanted == nullptr || from->dtype == wanted->dtype) return result;
    return e.cast({result, *from}, wanted->dtype).value;
  };
  return convertedResults(e, made, value, back);
}

Results withLeadingDimension(Emitter& e, std::size_t rank) {
  const fx::Node& node = e.matched();
  if (node.args.empty()) return {};
  const fx::TensorMeta* input = e.context().tensor(node.args.front().value);
  if (input == nullptr || input->rank() + 1 != rank) return {};
  const bool isScalar = input->rank() == 0, isRemoved = isScalar && removesDimension(node);
  std::vector<fx::NodeArgument> args = node.args;
  for (fx::NodeArgument& argument : args) {
    const fx::TensorMeta* meta = e.context().tensor(argument.value);
    if (meta != nullptr && (&argument == &args.front() || (isScalar && meta->rank() == 0)))
      argument.value = e.unsqueeze({argument.value, *meta}, 0).value;
  }
  fx::Value value = node.val;
  forEachTensor(value, [&](fx::TensorMeta& meta) {
    if (isRemoved) return;
    meta.sizes.insert(meta.sizes.begin(), fx::SymInt(1));
    meta.strides = fx::contiguousStrides(meta.sizes);
  });
  const fx::Argument made = e.context().callValue(node.target, std::move(args), value);
  const auto shrink = [&](const fx::Argument& result, const fx::Value& now, const fx::Value&) {
    return now.tensor() != nullptr && !isRemoved ? e.squeeze({result, *now.tensor()}, 0).value
                                                 : result;
  };
  return convertedResults(e, made, value, shrink);
}

}  // namespace fxs::rewrite
