#pragma once
// A handler lowers one op class: a function from a call, with schema defaults filled in, to the values of its results. What it does
// not support it refuses with a reason; the chain then tries the next registry with a handler for the class.
//
//   Handled relu(Call& call) {
//     FXS_TAKE(x, call.operand("self"));
//     ..
//     return Values{call.emit.op("tosa.maximum", {x, zero}, x.tensor)};
//   }
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "fx/program.h"
#include "ops/promotion.h"
#include "registry/op_builder.h"

namespace fxs::registry {

using Values = std::vector<Value>;
/// Why a handler rejects a call: one clause, "a step of 0 is not a slice".
struct Refusal {
  std::string why;
};
using Handled = tl::expected<Values, Refusal>;

/// One call_function node as a handler sees it.
class Call {
 public:
  Call(const fx::Program& program, const fx::Node& node, OpBuilder& builder) : emit(builder), program_(program), node_(node) {}
  virtual ~Call() = default;

  OpBuilder& emit;
  const fx::Program& program() const { return program_; }
  const fx::Node& node() const { return node_; }

  /// The argument by its schema name, the schema's default when the node leaves it out; None when there is neither. An integer
  /// that is a node of known value is that value.
  virtual fx::Argument argument(std::string_view name) const = 0;
  bool has(std::string_view name) const { return !argument(name).isNone(); }
  /// The value of a tensor argument (a node). Refused when it is not a tensor, or not one with static sizes.
  virtual tl::expected<Value, Refusal> operand(std::string_view name) const = 0;
  virtual tl::expected<Value, Refusal> operandOf(const fx::Argument&) const = 0;
  /// A Tensor[] or Tensor?[] argument; entries without a value where it has None.
  virtual tl::expected<std::vector<std::optional<Value>>, Refusal> operands(std::string_view name) const = 0;
  /// Constants; refused when the argument is None, a node, or of another kind. bool reads as 0 and 1 where a number is expected.
  virtual tl::expected<std::int64_t, Refusal> integer(std::string_view name) const = 0;
  virtual tl::expected<std::vector<std::int64_t>, Refusal> integers(
      std::string_view name) const = 0;  ///< a single integer is a list of one
  virtual tl::expected<bool, Refusal> flag(std::string_view name) const = 0;
  virtual tl::expected<Scalar, Refusal> number(std::string_view name) const = 0;
  // The same, and `otherwise` when the argument is None.
  tl::expected<std::int64_t, Refusal> integerOr(std::int64_t otherwise, std::string_view name) const {
    return has(name) ? integer(name) : otherwise;
  }
  tl::expected<bool, Refusal> flagOr(bool otherwise, std::string_view name) const { return has(name) ? flag(name) : otherwise; }
  tl::expected<Scalar, Refusal> numberOr(Scalar otherwise, std::string_view name) const { return has(name) ? number(name) : otherwise; }
  /// `dim` counted from the front: 0 <= result < rank (a 0-d tensor counts as rank 1). Refused when it is out of range.
  static tl::expected<std::int64_t, Refusal> dim(std::int64_t dim, std::int64_t rank);
  tl::expected<std::int64_t, Refusal> dim(std::string_view name, std::int64_t rank) const;
  /// The dimensions that an argument names, ascending; all when it is None or empty, none of a 0-d tensor. Refused when one is out of range
  /// or repeated.
  tl::expected<Sizes, Refusal> dims(std::string_view name, std::int64_t rank) const;

  /// The recorded type of result `index`. Refused when there is none, or when it has symbolic sizes.
  virtual tl::expected<TensorType, Refusal> result(std::size_t index = 0) const = 0;
  /// The DType of a tensor argument or of a result: tells unsigned from signed, which TensorType does not.
  virtual DType dtypeOf(const fx::Argument&) const = 0;
  virtual DType resultDtype(std::size_t index = 0) const = 0;

 private:
  const fx::Program& program_;
  const fx::Node& node_;
};
using Handler = std::function<Handled(Call&)>;
/// A handler of one function with `arguments` behind the call.
template <class... P, class... A>
Handler with(Handled (*handler)(Call&, P...), const A&... arguments) {
  return [handler, ... bound = static_cast<std::decay_t<P>>(arguments)](Call& call) { return handler(call, bound...); };
}

/// The type in which PyTorch combines these arguments (torch.result_type). Those without a type are ignored, since reading their value is
/// refused. Refused where PyTorch refuses.
tl::expected<DType, Refusal> commonType(const Call&, std::initializer_list<std::string_view> names);

inline tl::unexpected<Refusal> refuse(std::string why) { return tl::unexpected<Refusal>(Refusal{std::move(why)}); }

}  // namespace fxs::registry

/// Declares `name` as the value of a tl::expected, or returns its refusal.
#define FXS_TAKE(name, expression)                                                        \
  auto name##Taken = (expression);                                                        \
  if (!name##Taken) return tl::unexpected<::fxs::registry::Refusal>(name##Taken.error()); \
  auto& name = *name##Taken
