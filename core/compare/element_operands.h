// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The operands of one call as ranges, numbers and sizes: what rules of bounds and of demands look
// at.
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "compare/element_ranges.h"
#include "ops/shapes.h"

namespace fxs::compare {

using MaybeRange = std::optional<ElementRange>;

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

class RangedOperands {
 public:
  RangedOperands(const fx::Program& program, const fx::Node& node, const Sizes& sizes,
                 const std::vector<MaybeRange>& ranges)
      : program_(program), node_(node), sizes_(sizes), ranges_(ranges) {}

  const fx::Program& program() const { return program_; }
  const fx::Node& node() const { return node_; }
  const fx::Argument* argument(std::string_view name) const {
    const fx::NodeArgument* found = node_.find(name);
    return found == nullptr ? nullptr : &found->value;
  }
  const fx::Argument* at(std::size_t position) const {
    return position < node_.args.size() ? &node_.args[position].value : nullptr;
  }

  MaybeRange range(const fx::Argument* argument) const {
    if (argument == nullptr) return std::nullopt;
    if (const fx::NodeId* id = argument->node()) {
      if (const fx::SymValue* symbol = program_.node(*id).val.symbol();
          symbol != nullptr && symbol->expr)
        if (const auto value = fx::evaluate(*symbol->expr, sizes_))
          return point(static_cast<double>(*value));
      return ranges_[id->index()];
    }
    if (const std::int64_t* integer = argument->integer())
      return point(static_cast<double>(*integer));
    if (const double* real = std::get_if<double>(argument))
      return std::isnan(*real) ? std::nullopt : MaybeRange(point(*real));
    if (const bool* flag = std::get_if<bool>(argument)) return point(*flag ? 1 : 0);
    return std::nullopt;
  }
  MaybeRange range(std::string_view name) const { return range(argument(name)); }
  MaybeRange self() const { return range(at(0)); }
  std::optional<double> number(std::string_view name,
                               std::optional<double> otherwise = std::nullopt) const {
    const fx::Argument* found = argument(name);
    if (found == nullptr || found->isNone()) return otherwise;
    const MaybeRange value = range(found);
    return value && value->min == value->max ? std::optional(value->min) : std::nullopt;
  }
  const fx::TensorMeta* tensor(const fx::Argument* argument) const {
    const fx::NodeId* id = argument == nullptr ? nullptr : argument->node();
    return id == nullptr ? nullptr : program_.node(*id).val.tensor();
  }
  std::optional<std::int64_t> size(const fx::SymInt& size) const {
    return size.isStatic() ? std::optional(size.value()) : fx::evaluate(*size.expr(), sizes_);
  }
  std::optional<std::int64_t> size(const fx::TensorMeta* tensor, std::int64_t dimension) const {
    if (tensor == nullptr) return std::nullopt;
    if (tensor->rank() == 0) return 1;
    const auto position = ops::wrapIndex(dimension, tensor->rank());
    return position ? size(tensor->sizes[*position]) : std::nullopt;
  }
  std::optional<std::int64_t> elements(const fx::TensorMeta* tensor) const {
    if (tensor == nullptr) return std::nullopt;
    std::int64_t out = 1;
    for (const fx::SymInt& s : tensor->sizes) {
      const auto factor = size(s);
      if (!factor || __builtin_mul_overflow(out, *factor, &out)) return std::nullopt;
    }
    return out;
  }
  std::optional<std::int64_t> dimension() const {
    const auto value = number("dim");
    return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
  }

  static ElementRange point(double value) { return {value, value, {}}; }

 private:
  const fx::Program& program_;
  const fx::Node& node_;
  const Sizes& sizes_;
  const std::vector<MaybeRange>& ranges_;
};
}  // namespace fxs::compare
