#pragma once
// A node as seen by handlers: arguments by the operator's schema, values from the lowering's table of (node, result).
#include "ops/schema.h"
#include "registry/handler.h"

namespace fxs::registry {

/// By NodeId: the values of a node's results.
using ValueTable = std::vector<Values>;

class NodeCall final : public Call {
 public:
  NodeCall(const fx::Program&, const fx::Node&, OpBuilder&, const ValueTable&);

  fx::Argument argument(std::string_view name) const override;
  tl::expected<Value, Refusal> operand(std::string_view name) const override;
  tl::expected<Value, Refusal> operandOf(const fx::Argument&) const override;
  tl::expected<std::vector<std::optional<Value>>, Refusal> operands(std::string_view name) const override;
  tl::expected<std::int64_t, Refusal> integer(std::string_view name) const override;
  tl::expected<std::vector<std::int64_t>, Refusal> integers(std::string_view name) const override;
  tl::expected<bool, Refusal> flag(std::string_view name) const override;
  tl::expected<Scalar, Refusal> number(std::string_view name) const override;
  tl::expected<TensorType, Refusal> result(std::size_t index = 0) const override;
  DType dtypeOf(const fx::Argument&) const override;
  DType resultDtype(std::size_t index = 0) const override;

 private:
  tl::expected<Value, Refusal> tensor(const fx::Argument&, std::string_view what) const;
  const fx::TensorMeta* resultMeta(std::size_t index) const;
  const ops::Schema* schema_;
  const ValueTable& values_;
};

/// The static tensor type of a recorded value; why it has none otherwise.
tl::expected<TensorType, Refusal> tensorTypeOf(const fx::Value&);
/// The number that a node evaluates to when it is known (a size of a static tensor, or computed from such): a constant Argument.
std::optional<fx::Argument> knownNumber(const fx::Value&);

}  // namespace fxs::registry
