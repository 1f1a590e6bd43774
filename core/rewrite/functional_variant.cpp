// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/functional_variant.h"

#include <algorithm>
#include <string_view>

#include "ops/operators.h"

namespace fxs::rewrite {
namespace {

/// Possible packets of a variant: add_ -> add, __iand__ -> __and__, _native_batch_norm_legit ->
/// .._functional, add.out -> add.
std::vector<std::string> packetsFor(const ops::Schema& writing) {
  const std::string packet(writing.packet);
  std::vector<std::string> out;
  if (packet.starts_with("__i") && packet.ends_with("__")) out.push_back("__" + packet.substr(3));
  else if (packet.ends_with("_")) out.push_back(packet.substr(0, packet.size() - 1));
  out.push_back((packet.ends_with("_") ? packet.substr(0, packet.size() - 1) : packet) +
                "_functional");
  out.push_back(packet);
  return out;
}

bool sameType(const ops::SchemaType& a, const ops::SchemaType& b) {
  return a.kind == b.kind && a.optional == b.optional && a.listDepth == b.listDepth;
}

/// What a factory takes for a new tensor, and its out= overload does not: the tensor that is
/// written has it.
bool isTensorOption(const ops::SchemaArgument& argument) {
  return argument.keywordOnly && argument.hasDefault() &&
         (argument.name == "dtype" || argument.name == "layout" || argument.name == "device" ||
          argument.name == "pin_memory");
}

/// Whether the variant has the original's arguments (without pure outputs if `dropsOutputs`) and
/// mutates nothing.
bool takesTheSame(const ops::Schema& original, const ops::Schema& variant, bool dropsOutputs) {
  std::size_t next = 0;
  for (const ops::SchemaArgument& argument : original.arguments) {
    if (dropsOutputs && argument.alias == ops::Alias::Write) continue;
    if (next == variant.arguments.size()) return false;
    const ops::SchemaArgument& candidate = variant.arguments[next++];
    // The argument "input" of dropout is "self" in dropout_.
    const bool sameName = candidate.name == argument.name || argument.alias == ops::Alias::Write;
    if (!sameName || !sameType(candidate.type, argument.type) ||
        candidate.alias == ops::Alias::Write)
      return false;
  }
  return std::all_of(
      variant.arguments.begin() + static_cast<std::ptrdiff_t>(next), variant.arguments.end(),
      [&](const ops::SchemaArgument& rest) { return dropsOutputs && isTensorOption(rest); });
}

}  // namespace

std::vector<const ops::SchemaArgument*> writtenArguments(const ops::Schema& schema) {
  std::vector<const ops::SchemaArgument*> written;
  for (const ops::SchemaArgument& argument : schema.arguments)
    if (argument.alias == ops::Alias::Write) written.push_back(&argument);
  return written;
}

std::vector<std::string> FunctionalVariants::overloadsOf(std::string_view ns,
                                                         std::string_view packet) {
  if (names_.empty()) names_ = ops::SchemaTable::builtin().names();
  const std::string prefix = std::string(ns) + "." + std::string(packet) + ".";
  std::vector<std::string> out;
  for (auto name = std::lower_bound(names_.begin(), names_.end(), prefix);
       name != names_.end() && name->starts_with(prefix); ++name)
    out.push_back(*name);
  return out;
}

std::optional<FunctionalVariant> FunctionalVariants::of(const ops::Schema& writing) {
  const std::vector<const ops::SchemaArgument*> written = writtenArguments(writing);
  const bool pureOutputs =
      std::all_of(written.begin(), written.end(), [](const auto* a) { return a->keywordOnly; });
  for (const std::string& packet : packetsFor(writing)) {
    std::vector<std::string> candidates = overloadsOf(writing.ns, packet);
    // The overload of the same name first: add_.Scalar -> add.Scalar.
    const std::string wanted =
        std::string(writing.ns) + "." + packet + "." +
        (writing.overload.empty() ? "default" : std::string(writing.overload));
    std::stable_partition(candidates.begin(), candidates.end(),
                          [&](const std::string& name) { return name == wanted; });
    for (const std::string& name : candidates) {
      const ops::Schema* schema = ops::SchemaTable::builtin().find(name);
      if (!schema || schema->isMutable || !takesTheSame(writing, *schema, pureOutputs)) continue;
      FunctionalVariant variant{schema, pureOutputs, {}};
      // In-place and out-variants return what they mutate; others append it to their results.
      std::size_t own = 0;
      for (const ops::SchemaReturn& result : writing.returns)
        own += result.alias == ops::Alias::Write ? 0 : 1;
      for (std::size_t i = 0; i < written.size(); ++i) variant.newValue.push_back(own + i);
      if (own + written.size() != schema->returns.size() &&
          !(written.size() == 1 && schema->returns.size() == own + 1))
        continue;
      return variant;
    }
  }
  return std::nullopt;
}

DType variantResultType(const ops::Schema& variant, const fx::TensorMeta& target,
                        const std::vector<ops::TypedOperand>& operands, bool rounds) {
  const std::string_view type = ops::operatorNamed(variant.packet).rule(ops::Rule::Type);
  if (type == "truth") return DType::Bool;
  if (type == "double") return isComplex(target.dtype) ? DType::Complex128 : DType::Float64;
  if (type.empty()) return target.dtype;
  const DType common = ops::resultType(operands).value_or(target.dtype);
  // Those of floating type return floats for integers.
  return type == "floating" && !rounds ? ops::integerToFloat(common) : common;
}

}  // namespace fxs::rewrite
