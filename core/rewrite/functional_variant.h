#pragma once
// The functional variant of an in-place or out= operator: the overload with the same arguments that returns what would have been
// written (add_ -> add, normal_ -> normal_functional, add.out -> add.Tensor). Found in the schema table by argument names and
// types, so no list needs to be maintained.
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
  /// For each mutated argument of the original, in schema order: which result of the variant is its new value.
  std::vector<std::size_t> newValue;
};

class FunctionalVariants {
 public:
  /// std::nullopt when PyTorch has none.
  std::optional<FunctionalVariant> of(const ops::Schema& writing);

 private:
  std::vector<std::string> overloadsOf(std::string_view ns, std::string_view packet);
  std::vector<std::string> names_;  // filled on first use
};

/// The arguments that a schema mutates, in order.
std::vector<const ops::SchemaArgument*> writtenArguments(const ops::Schema&);
/// The type that a variant's result has before it is cast back to its target's: comparisons give bool, arithmetic promotes `operands`.
/// `rounds`: it has a rounding mode, with which a division of integers gives integers.
DType variantResultType(const ops::Schema& variant, const fx::TensorMeta& target, const std::vector<ops::TypedOperand>& operands,
                        bool rounds);

}  // namespace fxs::rewrite
