// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Emitter for decompositions: accessors for the matched node's arguments, and one function per op,
// which computes the dtype, shape and strides of the result as PyTorch does. Offers only ops that
// every backend of torch-mlir lowers.
//
// Accessors throw Misfit if the node does not have the argument, and require() if a condition is
// false; the matched node is then left unchanged.
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fx/typed_operand.h"
#include "rewrite/rule.h"

namespace fxs::rewrite {

/// A size in both forms: for a result's shape, and as an argument (a number or a node).
struct Size {
  fx::SymInt value;
  fx::Argument argument;
  static Size of(std::int64_t n) { return {n, n}; }
  bool isStatic() const { return value.isStatic(); }
  bool is(std::int64_t n) const { return isStatic() && value.value() == n; }
};
using Sizes = std::vector<Size>;

struct Tensor {
  fx::Argument value;
  fx::TensorMeta meta;
  std::size_t rank() const { return meta.sizes.size(); }
  DType dtype() const { return meta.dtype; }
};

/// A tensor, or a number.
class Operand {
 public:
  Operand(Tensor tensor) : value_(std::move(tensor)) {}
  Operand(double number) : value_(fx::Argument(number)) {}
  Operand(int number) : value_(fx::Argument(std::int64_t{number})) {}
  Operand(std::int64_t number) : value_(fx::Argument(number)) {}
  Operand(const Size& size) : value_(size.argument) {}
  Operand(fx::Argument number) : value_(std::move(number)) {}
  const Tensor* tensor() const { return std::get_if<Tensor>(&value_); }
  const fx::Argument& argument() const {
    return tensor() ? tensor()->value : std::get<fx::Argument>(value_);
  }
  ops::TypedOperand typed() const;
  std::vector<fx::SymInt> sizes() const {
    return tensor() ? tensor()->meta.sizes : std::vector<fx::SymInt>{};
  }

 private:
  std::variant<Tensor, fx::Argument> value_;
};

/// Thrown if the rule does not handle this form of the matched node, or the metadata of its
/// operands is inconsistent. Nodes emitted so far have no users and are removed.
struct Misfit {};

struct Sorted {
  Tensor values, order;  ///< `order`: int64 positions in the unsorted tensor
};

class Emitter {
 public:
  explicit Emitter(RuleContext& context) : context_(context) {}

  // Arguments of the matched node, by schema name. Throw Misfit if the argument is missing or of
  // another kind.
  Tensor tensor(std::string_view name);
  std::optional<Tensor> optionalTensor(std::string_view name);
  std::vector<Tensor> tensors(std::string_view name);
  /// std::nullopt for elements that are None.
  std::vector<std::optional<Tensor>> optionalTensors(std::string_view name);
  std::int64_t integer(std::string_view name);
  std::optional<std::int64_t> optionalInteger(std::string_view name);
  /// Constants only; a single integer counts as a list of one.
  std::vector<std::int64_t> integers(std::string_view name);
  std::optional<std::vector<std::int64_t>> optionalIntegers(std::string_view name);
  double number(std::string_view name);
  std::optional<double> optionalNumber(std::string_view name);
  bool flag(std::string_view name);
  std::string text(std::string_view name);
  fx::Argument argument(std::string_view name) { return context_.argument(name); }
  /// Wraps a negative dimension of `of`; throws Misfit if it is out of range.
  std::size_t dim(std::int64_t dim, const Tensor& of) { return dimOf(dim, of.rank()); }
  std::size_t dimOf(std::int64_t dim, std::size_t rank);
  /// Wrapped dimensions; all dimensions of `of` if the list is empty or None.
  std::vector<std::size_t> dims(std::string_view name, const Tensor& of);
  /// Call before a loop whose number of emitted nodes depends on the matched node; see
  /// RuleContext::expectNodes.
  void expectNodes(std::uint64_t count) { context_.expectNodes(count); }
  /// The recorded result of the matched node.
  fx::TensorMeta result(std::size_t index = 0);
  /// `x` in the type of a result, if that is recorded.
  Tensor asResult(const Tensor& x, std::size_t index = 0) {
    const fx::TensorMeta* known = context_.result(index);
    return known != nullptr ? cast(x, known->dtype) : x;
  }
  /// Throws Misfit when false.
  static void require(bool condition) {
    if (!condition) throw Misfit{};
  }
  /// ops::resultType; throws Misfit if there is none.
  static DType resultType(const std::vector<ops::TypedOperand>& operands);
  /// The broadcast shape; unknown sizes are assumed to match. Throws Misfit if known sizes do not.
  static std::vector<fx::SymInt> broadcastSizes(const std::vector<fx::SymInt>& a,
                                                const std::vector<fx::SymInt>& b);
  RuleContext& context() { return context_; }
  const fx::Node& matched() const { return context_.matched(); }

  // Sizes.
  Size size(const Tensor& of, std::size_t dim);
  Sizes sizes(const Tensor& of);
  Size times(const Size& a, const Size& b);
  Size plus(const Size& a, const Size& b);
  Size product(const Sizes&);
  Size quotient(const Size& a, const Size& b,
                const fx::SymInt& value);  ///< `value`: what a divided by b, rounded down, is
  /// The static size; throws Misfit if it is symbolic.
  std::int64_t fixed(const Tensor& of, std::size_t dim);
  bool isStatic(const Tensor& of) const { return of.meta.isStaticShape(); }

  /// Emits any op with positional arguments. With `dtype` and `sizes`, the result is contiguous.
  Tensor op(std::string_view target, std::vector<fx::Argument> args, fx::TensorMeta result);
  Tensor op(std::string_view target, std::vector<fx::Argument> args, DType dtype,
            std::vector<fx::SymInt> sizes);
  fx::TensorMeta meta(DType dtype, std::vector<fx::SymInt> sizes) const;
  /// Emits a call with arguments by name; returns one value per result.
  std::vector<fx::Argument> call(std::string_view target, std::vector<fx::NodeArgument> args,
                                 const fx::Value& results);

  // Pointwise, one operand: "relu" is aten.relu.default. The result has the operand's type, or a
  // floating one if the op requires it.
  Tensor unary(std::string_view packet, const Tensor& x);
  Tensor neg(const Tensor& x) { return unary("neg", x); }
  Tensor exp(const Tensor& x) { return unary("exp", x); }
  Tensor log(const Tensor& x) { return unary("log", x); }
  Tensor log1p(const Tensor& x) { return unary("log1p", x); }
  Tensor sqrt(const Tensor& x) { return unary("sqrt", x); }
  Tensor rsqrt(const Tensor& x) { return unary("rsqrt", x); }
  Tensor abs(const Tensor& x) { return unary("abs", x); }
  Tensor sigmoid(const Tensor& x) { return unary("sigmoid", x); }
  Tensor tanh(const Tensor& x) { return unary("tanh", x); }
  Tensor relu(const Tensor& x) { return unary("relu", x); }
  Tensor reciprocal(const Tensor& x) { return unary("reciprocal", x); }
  Tensor floor(const Tensor& x) { return unary("floor", x); }
  Tensor logicalNot(const Tensor& x);
  Tensor pow(const Tensor& x, double exponent);
  Tensor square(const Tensor& x) { return mul(x, x); }
  Tensor clamp(const Tensor& x, std::optional<double> low, std::optional<double> high);
  Tensor cast(const Tensor& x, DType dtype);
  Tensor clone(const Tensor& x);

  // Pointwise, two operands, broadcast and promoted. At least one is a tensor.
  Tensor add(const Operand& a, const Operand& b) { return arithmetic("add", a, b); }
  Tensor sub(const Operand& a, const Operand& b) { return arithmetic("sub", a, b); }
  Tensor mul(const Operand& a, const Operand& b) { return arithmetic("mul", a, b); }
  Tensor div(const Operand& a, const Operand& b);
  Tensor maximum(const Tensor& a, const Tensor& b) {
    return promoted("aten.maximum.default", a, b);
  }
  Tensor minimum(const Tensor& a, const Tensor& b) {
    return promoted("aten.minimum.default", a, b);
  }
  /// `relation` is "eq", "ne", "lt", "le", "gt" or "ge"; the result is a bool tensor.
  Tensor compare(std::string_view relation, const Tensor& a, const Operand& b);
  Tensor logicalAnd(const Tensor& a, const Tensor& b);
  Tensor logicalOr(const Tensor& a, const Tensor& b);
  Tensor where(const Tensor& condition, const Operand& a, const Operand& b);

  // Shape.
  Tensor reshape(const Tensor& x, const Sizes& shape);
  Tensor flatten(const Tensor& x);
  Tensor permute(const Tensor& x, const std::vector<std::size_t>& order);
  Tensor transpose(const Tensor& x, std::size_t a, std::size_t b);
  Tensor expand(const Tensor& x, const Sizes& shape);
  Tensor contiguousCopy(const Tensor& x);
  /// A tensor of one dimension as dimension `dim` of `rank`, of which the others have size 1.
  Tensor along(const Tensor& line, const Size& size, std::size_t dim, std::size_t rank);
  /// Broadcasts to the shape of `like`.
  Tensor expandAs(const Tensor& x, const Tensor& like) { return expand(x, sizes(like)); }
  Tensor unsqueeze(const Tensor& x, std::size_t dim);
  Tensor squeeze(const Tensor& x, std::size_t dim);
  /// Elements start, start+step .. below `end`. Bounds are within the size; if it is symbolic,
  /// `end` is kToEnd.
  Tensor slice(const Tensor& x, std::size_t dim, std::int64_t start, std::int64_t end,
               std::int64_t step = 1);
  Tensor select(const Tensor& x, std::size_t dim, std::int64_t index);
  Tensor cat(const std::vector<Tensor>& parts, std::size_t dim);
  Tensor stack(const std::vector<Tensor>& parts, std::size_t dim);
  Tensor flip(const Tensor& x, std::size_t dim);
  /// Constant padding; `pads` are pairs (before, after) from the last dimension backwards, as in
  /// aten.constant_pad_nd.
  Tensor pad(const Tensor& x, const std::vector<std::int64_t>& pads, double value);

  // Reductions.
  Tensor sum(const Tensor& x, const std::vector<std::size_t>& dims, bool keepDims);
  Tensor mean(const Tensor& x, const std::vector<std::size_t>& dims, bool keepDims);
  Tensor amax(const Tensor& x, const std::vector<std::size_t>& dims, bool keepDims) {
    return reduced("aten.amax.default", x, dims, keepDims, x.dtype());
  }
  Tensor amin(const Tensor& x, const std::vector<std::size_t>& dims, bool keepDims) {
    return reduced("aten.amin.default", x, dims, keepDims, x.dtype());
  }

  // Creation and indexing.
  Tensor full(const Sizes& shape, const fx::Argument& number, DType dtype);
  Tensor zeros(const Sizes& shape, DType dtype);
  /// `packet` is "rand" or "randn".
  Tensor random(std::string_view packet, const Sizes& shape, DType dtype);
  /// int64 0 .. end-1.
  Tensor arange(const Size& end, std::int64_t step = 1);
  Tensor arange(std::int64_t start, std::int64_t end, std::int64_t step = 1);
  Tensor gather(const Tensor& x, std::size_t dim, const Tensor& index);
  /// aten.sort, whose order of equal elements is not defined.
  Sorted sort(const Tensor& x, std::size_t dim, bool descending);
  /// x.index_select(dim, index) for a 1-d index.
  Tensor indexSelect(const Tensor& x, std::size_t dim, const Tensor& index);
  /// x[..., index, ...] with index (of any rank) at `dim`.
  Tensor indexAt(const Tensor& x, std::size_t dim, const Tensor& index);

  // Products.
  Tensor matmul(const Tensor& a, const Tensor& b);
  Tensor linear(const Tensor& x, const Tensor& weight, const std::optional<Tensor>& bias);

 private:
  Tensor arithmetic(std::string_view packet, const Operand& a, const Operand& b);
  Tensor promoted(std::string_view target, const Operand& a, const Operand& b);
  Tensor reduced(std::string_view target, const Tensor& x, const std::vector<std::size_t>& dims,
                 bool keepDims, DType dtype);
  Size combined(std::string_view function, const Size& a, const Size& b, const fx::SymInt& value);
  static void requireDim(const Tensor& x, std::size_t dim) {
    require(dim < x.rank() && x.meta.strides.size() == x.rank());
  }
  RuleContext& context_;
};

/// Limit of numbers and sizes; rules leave nodes with larger ones unchanged, so that sums of a few
/// do not overflow. Rules have to check products.
inline constexpr std::int64_t kMaxNumber = std::int64_t{1} << 40;
/// a * b, saturated.
inline std::int64_t saturated(std::int64_t a, std::int64_t b) {
  return (fx::SymInt(a) * fx::SymInt(b)).value();
}
/// 0 or 1, as PyTorch fills a tensor of this type with it.
fx::Argument fillValue(DType, int number);
/// The lowest value of a type, infinity included, or the highest one. Throws Misfit for one without
/// an order.
fx::Argument extremeOf(DType, bool isLowest);
/// The end of a slice up to the last element, as in PyTorch.
inline constexpr std::int64_t kToEnd = INT64_MAX;

/// Whether an argument is `number` as an integer or a float.
inline bool isNumber(const fx::Argument& argument, int number) {
  return argument == fx::Argument(std::int64_t{number}) ||
         argument == fx::Argument(static_cast<double>(number));
}
/// All dimensions of a tensor.
std::vector<std::size_t> allDims(const Tensor&);
/// Whether one of its sizes is 0.
bool isEmpty(const Tensor&);
/// That of the classes of a loss's operand, [C] or [N, C, ...].
std::size_t classDim(const Tensor&);
/// Those of the matched node's `normalized_shape`, the last ones of its operand.
std::vector<std::size_t> normalizedDims(Emitter&, const Tensor&);
/// The shape with `dims` reduced.
std::vector<fx::SymInt> reducedSizes(const std::vector<fx::SymInt>&,
                                     const std::vector<std::size_t>& dims, bool keepDims);
std::vector<fx::SymInt> valuesOf(const Sizes&);
Sizes sizesOf(const std::vector<std::int64_t>&);
fx::ArgumentList argumentsOf(const Sizes&);
fx::ArgumentList argumentsOf(const std::vector<Tensor>&);
fx::ArgumentList integersOf(const std::vector<std::size_t>&);

inline Results one(const Tensor& result) { return std::vector<fx::Argument>{result.value}; }

}  // namespace fxs::rewrite
