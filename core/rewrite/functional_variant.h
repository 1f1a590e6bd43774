// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Finds the functional variant of an in-place or out= operator: the overload with the same
// arguments that returns the written values (add_ -> add, normal_ -> normal_functional, add.out ->
// add.Tensor). The search compares argument names and types in the schema table, so there is no
// list to maintain.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fx/program.h"
#include "ops/promotion.h"
#include "ops/schema.h"

namespace fxs::rewrite {

struct FunctionalVariant {
  const ops::Schema* schema = nullptr;
  bool dropsOutputs = false;  ///< an out= variant: the written arguments are not passed
  /// For each mutated argument of the original, in schema order: the index of the variant's result
  /// that is its new value.
  std::vector<std::size_t> newValue;
};

class FunctionalVariants {
 public:
  /// std::nullopt if PyTorch has none.
  std::optional<FunctionalVariant> of(const ops::Schema& writing);

 private:
  std::vector<std::string> overloadsOf(std::string_view ns, std::string_view packet);
  std::vector<std::string> names_;  // filled on first use
};

/// The arguments that a schema mutates, in order.
std::vector<const ops::SchemaArgument*> writtenArguments(const ops::Schema&);
/// The dtype of a variant's result before it is cast to that of `target`: bool for comparisons,
/// promoted from `operands` for arithmetic. `rounds`: the call has a rounding mode, with which
/// integer division gives integers.
DType variantResultType(const ops::Schema& variant, const fx::TensorMeta& target,
                        const std::vector<ops::TypedOperand>& operands, bool rounds);

}  // namespace fxs::rewrite
