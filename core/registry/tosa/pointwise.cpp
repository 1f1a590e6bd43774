// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/tosa/pointwise.h"

#include <algorithm>
#include <array>

#include "registry/tosa/shapes.h"

namespace fxs::registry::tosa {
namespace {

struct Relation {
  std::string_view name;
  int floats, unsignedIntegers;  // predicates of arith.cmpf and arith.cmpi
};
constexpr std::array kRelations{Relation{"eq", 1, 0}, Relation{"ne", 13, 1}, Relation{"gt", 2, 8},
                                Relation{"ge", 3, 9}, Relation{"lt", 4, 6},  Relation{"le", 5, 7}};

}  // namespace

Value number(OpBuilder& emit, const Value& like, Scalar value) {
  return emit.splat(withSizes(like.tensor, ones(like.tensor.rank())), value);
}

Value unary(OpBuilder& emit, std::string_view op, const Value& x, std::string_view attributes) {
  return emit.op(op, {x}, x.tensor, attributes);
}

Value binary(OpBuilder& emit, std::string_view op, const Value& a, const Value& b,
             std::string element, std::string_view attributes) {
  const std::int64_t rank = std::max(a.tensor.rank(), b.tensor.rank());
  const Value left = withRank(emit, a, rank);
  const Value right = withRank(emit, b, rank);
  if (element.empty()) element = a.tensor.element;
  return emit.op(op, {left, right},
                 {broadcastSizes(left.tensor.sizes, right.tensor.sizes), element}, attributes);
}

Value add(OpBuilder& emit, const Value& a, const Value& b) {
  return binary(emit, a.tensor.isBool() ? "tosa.logical_or" : "tosa.add", a, b);
}
Value sub(OpBuilder& emit, const Value& a, const Value& b) {
  return binary(emit, "tosa.sub", a, b);
}

Value mul(OpBuilder& emit, const Value& a, const Value& b) {
  if (a.tensor.isBool()) return binary(emit, "tosa.logical_and", a, b);
  const std::int64_t rank = std::max(a.tensor.rank(), b.tensor.rank());
  const Value left = withRank(emit, a, rank);
  const Value right = withRank(emit, b, rank);
  const Value shift = emit.splat({{1}, "i8"}, std::int64_t{0});
  return emit.op("tosa.mul", {left, right, shift},
                 withSizes(a.tensor, broadcastSizes(left.tensor.sizes, right.tensor.sizes)));
}

Value scaled(OpBuilder& emit, const Value& x, Scalar factor) {
  const Value constant = number(emit, x, factor);
  const auto* real = std::get_if<double>(&factor);
  return x.tensor.isFloat() && real != nullptr && *real == 0
             ? tensorOp(emit, "arith.mulf", {x, constant})
             : mul(emit, x, constant);
}

Value negate(OpBuilder& emit, const Value& x) {
  // The lowering of tosa.negate does not support 64-bit integers; for floats, 0 - x has the wrong
  // sign at 0.
  return x.tensor.isFloat() ? tensorOp(emit, "arith.negf", {x})
                            : sub(emit, number(emit, x, std::int64_t{0}), x);
}

Value select(OpBuilder& emit, const Value& condition, const Value& a, const Value& b) {
  const std::int64_t rank = std::max({condition.tensor.rank(), a.tensor.rank(), b.tensor.rank()});
  const Value p = withRank(emit, condition, rank);
  const Value yes = withRank(emit, a, rank);
  const Value no = withRank(emit, b, rank);
  return emit.op(
      "tosa.select", {p, yes, no},
      withSizes(a.tensor,
                broadcastSizes(p.tensor.sizes, broadcastSizes(yes.tensor.sizes, no.tensor.sizes))));
}

Value logicalNot(OpBuilder& emit, const Value& x) { return unary(emit, "tosa.logical_not", x); }

Value tensorOp(OpBuilder& emit, std::string_view op, std::initializer_list<Value> operands,
               std::string element, std::string_view attributes) {
  Sizes sizes;
  for (const Value& operand : operands) sizes = broadcastSizes(sizes, operand.tensor.sizes);
  std::vector<Value> same;
  for (const Value& operand : operands) same.push_back(broadcastTo(emit, operand, sizes));
  if (element.empty()) element = same.front().tensor.element;
  return emit.op(op, same, {sizes, element}, attributes);
}

Value divide(OpBuilder& emit, const Value& a, const Value& b) {
  return tensorOp(emit, "arith.divf", {a, b});
}

Value compare(OpBuilder& emit, std::string_view relation, const Value& a, const Value& b,
              bool isUnsigned) {
  const auto found = std::find_if(kRelations.begin(), kRelations.end(),
                                  [&](const Relation& r) { return r.name == relation; });
  const bool floats = a.tensor.isFloat();
  if (!isUnsigned && !a.tensor.isBool()) {
    if (relation == "eq") return binary(emit, "tosa.equal", a, b, "i1");
    if (relation == "ne") return logicalNot(emit, binary(emit, "tosa.equal", a, b, "i1"));
    if (relation == "gt") return binary(emit, "tosa.greater", a, b, "i1");
    if (relation == "ge") return binary(emit, "tosa.greater_equal", a, b, "i1");
    if (relation == "lt") return binary(emit, "tosa.greater", b, a, "i1");
    return binary(emit, "tosa.greater_equal", b, a, "i1");
  }
  const int predicate = floats ? found->floats : found->unsignedIntegers;
  return tensorOp(emit, floats ? "arith.cmpf" : "arith.cmpi", {a, b}, "i1",
                  "predicate = " + std::to_string(predicate) + " : i64");
}

}  // namespace fxs::registry::tosa
