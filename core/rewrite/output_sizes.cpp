// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/output_sizes.h"

#include <algorithm>

#include "fx/evaluated_text.h"
#include "ops/operators.h"
#include "ops/schema.h"

namespace fxs::rewrite {
namespace {

/// std::nullopt if a size is symbolic.
std::optional<std::int64_t> staticElements(const fx::TensorMeta& meta) {
  std::int64_t count = 1;
  for (const fx::SymInt& size : meta.sizes)
    if (!size.isStatic() || __builtin_mul_overflow(count, size.value(), &count))
      return std::nullopt;
  return count;
}

bool writesOutputsOnly(const ops::Schema& schema) {
  return std::all_of(schema.arguments.begin(), schema.arguments.end(),
                     [](const ops::SchemaArgument& argument) {
                       return argument.alias != ops::Alias::Write || argument.keywordOnly;
                     });
}

bool returnsAllOf(const ops::Schema* schema, const WrittenTensors& written) {
  return schema && schema->returns.size() == written.size() &&
         std::all_of(schema->returns.begin(), schema->returns.end(),
                     [](const ops::SchemaReturn& r) { return r.alias == ops::Alias::Write; });
}

/// Whether its out= form keeps the sizes of a tensor that has as many elements as the result.
bool keepsSizes(std::string_view target) {
  return ops::operatorNamed(fx::packetOf(target)).is(ops::Trait::FillsOutput);
}

}  // namespace

const fx::TensorMeta* recordedOutput(const fx::Node& node, std::size_t index) {
  if (const fx::ValueList* parts = node.val.list())
    return index < parts->size() ? (*parts)[index].tensor() : nullptr;
  return index == 0 ? node.val.tensor() : nullptr;
}

const std::vector<fx::NodeId>& WrittenSizes::usersOf(fx::NodeId id) {
  if (!users_) users_ = fx::usersOf(program_);
  return (*users_)[id.index()];
}

OutputSizes WrittenSizes::of(const fx::Node& node, const WrittenTensors& written) {
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  const bool returnsAll = returnsAllOf(schema, written);
  const bool isOut = schema && writesOutputsOnly(*schema);
  // In-place calls that return other results, too, keep the sizes of what they write.
  if (!returnsAll) return isOut ? OutputSizes::Unknown : OutputSizes::Same;
  bool same = true, alone = true;
  std::size_t index = 0;
  for (const auto& group : written)
    for (const fx::NodeId id : group) {
      const fx::TensorMeta *has = program_.node(id).val.tensor(),
                           *result = recordedOutput(node, index++);
      if (!has || !result) return isOut ? OutputSizes::Unknown : OutputSizes::Same;
      same = same && has->sizes == result->sizes;
      alone = alone && program_.node(id).op == fx::NodeOp::CallFunction && usersOf(id).size() == 1;
    }
  if (same) return OutputSizes::Same;
  if (!isOut) return OutputSizes::Unknown;
  const fx::TensorMeta& first = *program_.node(written.front().front()).val.tensor();
  if (keepsSizes(node.target) && staticElements(first) &&
      staticElements(first) == staticElements(*recordedOutput(node, 0))) {
    // The file records wrong sizes for what is computed of the result or of the tensor.
    const bool isReturned =
        isReturnedOnly(node.id, node.id) && isReturnedOnly(written.front().front(), node.id);
    return isReturned ? OutputSizes::Filled : OutputSizes::Unknown;
  }
  return alone ? OutputSizes::Replaced : OutputSizes::Unknown;
}

bool WrittenSizes::isReturnedOnly(fx::NodeId value, fx::NodeId writer) {
  const std::vector<fx::NodeId>& users = usersOf(value);
  return std::all_of(users.begin(), users.end(), [&](fx::NodeId user) {
    return user == writer || program_.node(user).op == fx::NodeOp::Output;
  });
}

}  // namespace fxs::rewrite
