// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A handler lowers one op class: a function from a call, with schema defaults filled in, to the
// values of its results. It refuses calls that it does not support, with a reason; the next
// registry of the chain that has a handler for the class is tried then.
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
/// Why a handler refuses a call: one clause, "a step of 0 is not a slice".
struct Refusal {
  std::string message;
};
using Handled = tl::expected<Values, Refusal>;

/// One call_function node as a handler sees it.
class Call {
 public:
  Call(const fx::Program& program, const fx::Node& node, OpBuilder& builder)
      : emit(builder), program_(program), node_(node) {}
  virtual ~Call() = default;

  OpBuilder& emit;
  const fx::Program& program() const { return program_; }
  const fx::Node& node() const { return node_; }

  /// The argument with this schema name, or the schema's default if the node omits it; None if
  /// there is neither. A node whose integer value is known is replaced by that value.
  virtual fx::Argument argument(std::string_view name) const = 0;
  bool has(std::string_view name) const { return !argument(name).isNone(); }
  /// The value of a tensor argument (a node). Refused unless it is a tensor.
  virtual tl::expected<Value, Refusal> operand(std::string_view name) const = 0;
  virtual tl::expected<Value, Refusal> operandOf(const fx::Argument&) const = 0;
  /// A Tensor[] or Tensor?[] argument; nullopt for entries that are None.
  virtual tl::expected<std::vector<std::optional<Value>>, Refusal> operands(
      std::string_view name) const = 0;
  /// Constant arguments. Refused if the argument is None, a node, or of another kind. A bool is
  /// accepted as the number 0 or 1.
  virtual tl::expected<std::int64_t, Refusal> integer(std::string_view name) const = 0;
  /// As integer(), but also a symbolic size.
  virtual tl::expected<std::int64_t, Refusal> size(std::string_view name) const = 0;
  virtual tl::expected<std::vector<std::int64_t>, Refusal> integers(
      std::string_view name) const = 0;  ///< a single integer gives a list of one
  virtual tl::expected<bool, Refusal> flag(std::string_view name) const = 0;
  virtual tl::expected<Scalar, Refusal> number(std::string_view name) const = 0;
  // As above, but `otherwise` if the argument is None.
  tl::expected<std::int64_t, Refusal> integerOr(std::int64_t otherwise,
                                                std::string_view name) const {
    return has(name) ? integer(name) : otherwise;
  }
  tl::expected<bool, Refusal> flagOr(bool otherwise, std::string_view name) const {
    return has(name) ? flag(name) : otherwise;
  }
  tl::expected<Scalar, Refusal> numberOr(Scalar otherwise, std::string_view name) const {
    return has(name) ? number(name) : otherwise;
  }
  /// `dim` wrapped as by PyTorch's maybe_wrap_dim: 0 <= result < rank (a 0-d tensor counts as rank
  /// 1). Refused if it is out of range.
  static tl::expected<std::int64_t, Refusal> dim(std::int64_t dim, std::int64_t rank);
  tl::expected<std::int64_t, Refusal> dim(std::string_view name, std::int64_t rank) const;
  /// The dimensions in an argument, wrapped and ascending; all if it is None or empty; empty for a
  /// 0-d tensor. Refused if a dimension is out of range or repeated.
  tl::expected<Sizes, Refusal> dims(std::string_view name, std::int64_t rank) const;

  /// The recorded type of result `index`. Refused if there is none.
  virtual tl::expected<TensorType, Refusal> result(std::size_t index = 0) const = 0;
  /// The DType of a tensor argument or of a result. Unlike the signless TensorType, it
  /// distinguishes unsigned from signed integers.
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
  return [handler, ... bound = static_cast<std::decay_t<P>>(arguments)](Call& call) {
    return handler(call, bound...);
  };
}

/// The type in which PyTorch combines these arguments (torch.result_type). Those without a type are
/// ignored, since reading their value is refused. Refused where PyTorch refuses.
tl::expected<DType, Refusal> commonType(const Call&, std::initializer_list<std::string_view> names);

inline tl::unexpected<Refusal> refuse(std::string reason) {
  return tl::unexpected<Refusal>(Refusal{std::move(reason)});
}

}  // namespace fxs::registry

/// Declares `name` as the value of a tl::expected, or returns its refusal.
#define FXS_TAKE(name, expression)                                                        \
  auto name##Taken = (expression);                                                        \
  if (!name##Taken) return tl::unexpected<::fxs::registry::Refusal>(name##Taken.error()); \
  auto& name = *name##Taken
