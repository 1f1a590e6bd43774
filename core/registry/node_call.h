// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Implements Call for a node: arguments by the operator's schema, values from the lowering's table
// of (node, result index).
#include "ops/schema.h"
#include "registry/handler.h"
#include "registry/symbolic_sizes.h"

namespace fxs::registry {

/// The values of each node's results, by NodeId.
using ValueTable = std::vector<Values>;

class NodeCall final : public Call {
 public:
  NodeCall(const fx::Program&, const fx::Node&, OpBuilder&, SymbolicSizes&, const ValueTable&);

  fx::Argument argument(std::string_view name) const override;
  tl::expected<Value, Refusal> operand(std::string_view name) const override;
  tl::expected<Value, Refusal> operandOf(const fx::Argument&) const override;
  tl::expected<std::vector<std::optional<Value>>, Refusal> operands(
      std::string_view name) const override;
  tl::expected<std::int64_t, Refusal> integer(std::string_view name) const override;
  tl::expected<std::int64_t, Refusal> size(std::string_view name) const override;
  tl::expected<std::vector<std::int64_t>, Refusal> integers(std::string_view name) const override;
  tl::expected<bool, Refusal> flag(std::string_view name) const override;
  tl::expected<Scalar, Refusal> number(std::string_view name) const override;
  tl::expected<TensorType, Refusal> result(std::size_t index = 0) const override;
  DType dtypeOf(const fx::Argument&) const override;
  DType resultDtype(std::size_t index = 0) const override;

 private:
  tl::expected<Value, Refusal> tensor(const fx::Argument&, std::string_view subject) const;
  const fx::TensorMeta* resultMeta(std::size_t index) const;
  const ops::Schema* schema_;
  SymbolicSizes& symbols_;
  const ValueTable& values_;
};

/// The tensor type of a recorded value, or why it has none; a symbolic size is one reason where
/// `symbols` is null.
tl::expected<TensorType, Refusal> tensorTypeOf(const fx::Value&, SymbolicSizes* symbols = nullptr);
/// The known number that a node evaluates to (such as a size of a static tensor), as a constant
/// Argument; nullopt if it is not known.
std::optional<fx::Argument> knownNumber(const fx::Value&);

}  // namespace fxs::registry
