// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/linalg/arith.h"

#include <array>

#include "registry/numbers.h"

namespace fxs::registry::linalg {
namespace {

/// Bits without a sign: unsigned integers and Bool.
bool isPlain(DType dtype) { return isUnsigned(dtype) || dtype == DType::Bool; }

int bitsOf(DType dtype) { return dtype == DType::Bool ? 1 : facts(dtype).bytes * 8; }

/// MLIR numbers the predicates of arith.cmpf and arith.cmpi.
int floatPredicate(Relation relation) {
  static constexpr std::array<int, 6> kOrdered{1, 13, 4, 5, 2, 3};  // oeq une olt ole ogt oge
  return kOrdered[static_cast<std::size_t>(relation)];
}
int integerPredicate(Relation relation, bool unsignedOrder) {
  static constexpr std::array<int, 6> kSigned{0, 1, 2, 3, 4, 5}, kUnsigned{0, 1, 6, 7, 8, 9};
  return (unsignedOrder ? kUnsigned : kSigned)[static_cast<std::size_t>(relation)];
}
std::string predicate(int number) { return "predicate = " + std::to_string(number) + " : i64"; }

/// One as the element's own type.
Scalar oneOf(DType dtype) {
  if (isFloating(dtype)) return 1.0;
  return dtype == DType::Bool ? Scalar(true) : Scalar(std::int64_t{1});
}
Scalar zeroOf(DType dtype) {
  if (isFloating(dtype)) return 0.0;
  return dtype == DType::Bool ? Scalar(false) : Scalar(std::int64_t{0});
}

/// The operation on floats, on integers without a sign and Bool, or on signed integers.
std::string_view opFor(DType dtype, std::string_view onFloats, std::string_view onPlain,
                       std::string_view onSigned) {
  if (isFloating(dtype)) return onFloats;
  return isPlain(dtype) ? onPlain : onSigned;
}

Value cast(OpBuilder& emit, std::string_view op, const Value& value, std::string_view element) {
  const std::string type = withElement(value, element);
  return emit.ops(op, std::span(&value, 1), std::span(&type, 1)).front();
}

}  // namespace

std::string_view elementOf(const Value& value) {
  return value.tensor.element.empty() ? std::string_view(value.type)
                                      : std::string_view(value.tensor.element);
}

std::string withElement(const Value& like, std::string_view element) {
  if (like.tensor.element.empty()) return std::string(element);
  return TensorType{like.tensor.sizes, std::string(element)}.text();
}

bool isArithmetic(DType dtype) {
  switch (dtype) {
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32:
    case DType::Float64:
    case DType::Bool: return true;
    default: return isIntegral(dtype);
  }
}

Value Arith::typed(std::string_view op, std::initializer_list<Value> operands,
                   const std::string& type, std::string_view attributes) const {
  return emit_
      .ops(op, std::span(operands.begin(), operands.size()), std::span(&type, 1), attributes)
      .front();
}
Value Arith::like(std::string_view op, std::initializer_list<Value> operands, const Value& result,
                  std::string_view attributes) const {
  return typed(op, operands, result.type, attributes);
}

Value Arith::constant(const Value& like, Scalar value) const {
  return like.tensor.element.empty() ? emit_.scalar(like.type, value)
                                     : emit_.splat(like.tensor, value, "arith.constant");
}

Value Arith::add(const Value& a, const Value& b) const {
  if (isComplex(dtype_)) return like("complex.add", {a, b}, a);
  if (dtype_ == DType::Bool) return either(a, b);
  return like(isFloating(dtype_) ? "arith.addf" : "arith.addi", {a, b}, a);
}
Value Arith::sub(const Value& a, const Value& b) const {
  if (isComplex(dtype_)) return like("complex.sub", {a, b}, a);
  return like(isFloating(dtype_) ? "arith.subf" : "arith.subi", {a, b}, a);
}
Value Arith::mul(const Value& a, const Value& b) const {
  if (isComplex(dtype_)) return like("complex.mul", {a, b}, a);
  if (dtype_ == DType::Bool) return both(a, b);
  return like(isFloating(dtype_) ? "arith.mulf" : "arith.muli", {a, b}, a);
}
Value Arith::div(const Value& a, const Value& b) const {
  if (isComplex(dtype_)) return like("complex.div", {a, b}, a);
  return like(opFor(dtype_, "arith.divf", "arith.divui", "arith.divsi"), {a, b}, a);
}
Value Arith::remainder(const Value& a, const Value& b) const {
  return like(opFor(dtype_, "arith.remf", "arith.remui", "arith.remsi"), {a, b}, a);
}
Value Arith::floorDiv(const Value& a, const Value& b) const {
  if (isFloating(dtype_)) return function("floor", div(a, b));
  return like(isPlain(dtype_) ? "arith.divui" : "arith.floordivsi", {a, b}, a);
}
Value Arith::maximum(const Value& a, const Value& b) const {
  return like(opFor(dtype_, "arith.maximumf", "arith.maxui", "arith.maxsi"), {a, b}, a);
}
Value Arith::minimum(const Value& a, const Value& b) const {
  return like(opFor(dtype_, "arith.minimumf", "arith.minui", "arith.minsi"), {a, b}, a);
}
Value Arith::neg(const Value& a) const {
  if (isComplex(dtype_)) return like("complex.neg", {a}, a);
  if (isFloating(dtype_)) return like("arith.negf", {a}, a);
  return sub(constant(a, std::int64_t{0}), a);
}

Value Arith::compare(Relation relation, const Value& a, const Value& b) const {
  const std::string type = withElement(a, "i1");
  if (isFloating(dtype_))
    return typed("arith.cmpf", {a, b}, type, predicate(floatPredicate(relation)));
  return typed("arith.cmpi", {a, b}, type, predicate(integerPredicate(relation, isPlain(dtype_))));
}
Value Arith::isNan(const Value& a) const { return compare(Relation::NotEqual, a, a); }
Value Arith::select(const Value& condition, const Value& a, const Value& b) const {
  return like("arith.select", {condition, a, b}, a);
}

Value Arith::power(const Value& base, const Value& exponent) const {
  if (isFloating(dtype_)) return like("math.powf", {base, exponent}, base);
  const Value zero = constant(base, zeroOf(dtype_)), one = constant(base, oneOf(dtype_));
  Value result = one, square = base, left = exponent;
  for (int bit = 0; bit + 1 < bitsOf(dtype_); ++bit) {
    const Value odd = compare(Relation::NotEqual, both(left, one), zero);
    result = select(odd, mul(result, square), result);
    square = mul(square, square);
    left = like("arith.shrui", {left, one}, left);
  }
  if (isPlain(dtype_)) return result;
  // 1 and -1 have inverses; of every other integer a negative power truncates to 0.
  const Value minusOne = constant(base, std::int64_t{-1});
  const Value odd = compare(Relation::NotEqual, both(exponent, one), zero);
  const Value inverse =
      select(compare(Relation::Equal, base, one), one,
             select(compare(Relation::Equal, base, minusOne), select(odd, minusOne, one), zero));
  return select(compare(Relation::Less, exponent, zero), inverse, result);
}

DType partOf(DType dtype) {
  if (dtype == DType::Complex128) return DType::Float64;
  return dtype == DType::Complex64 ? DType::Float32 : DType::Float16;
}

Value toComplex(OpBuilder& emit, const Value& value, DType from, DType to) {
  const DType part = partOf(to);
  const std::string type(elementOf(to)), given(elementOf(partOf(from)));
  const auto partOfValue = [&](std::string_view op) {
    return convert(emit, emit.ops(op, std::span(&value, 1), std::span(&given, 1)).front(),
                   partOf(from), part);
  };
  std::vector<Value> parts;
  if (isComplex(from)) parts = {partOfValue("complex.re"), partOfValue("complex.im")};
  else parts = {convert(emit, value, from, part), emit.scalar(elementOf(part), 0.0)};
  return emit.ops("complex.create", parts, std::span(&type, 1)).front();
}

Value convert(OpBuilder& emit, const Value& value, DType from, DType to) {
  if (from == to) return value;
  if (isComplex(to)) return toComplex(emit, value, from, to);
  const std::string target(elementOf(to));
  if (to == DType::Bool) {
    const Arith arith(emit, from);
    return arith.compare(Relation::NotEqual, value, arith.constant(value, zeroOf(from)));
  }
  if (isFloating(from) && isFloating(to)) {
    if (bitsOf(from) == bitsOf(to))
      return convert(emit, convert(emit, value, from, DType::Float32), DType::Float32, to);
    return cast(emit, bitsOf(from) < bitsOf(to) ? "arith.extf" : "arith.truncf", value, target);
  }
  if (isFloating(from)) {
    // Through i64, so that out-of-range values wrap as in PyTorch's kernels.
    const Value wide = cast(emit, "arith.fptosi", value, "i64");
    return target == "i64" ? wide : cast(emit, "arith.trunci", wide, target);
  }
  if (isFloating(to))
    return cast(emit, isPlain(from) ? "arith.uitofp" : "arith.sitofp", value, target);
  if (bitsOf(from) == bitsOf(to)) return value;  // signless: the bits are the same
  if (bitsOf(from) > bitsOf(to)) return cast(emit, "arith.trunci", value, target);
  return cast(emit, isPlain(from) ? "arith.extui" : "arith.extsi", value, target);
}

Value toIndex(OpBuilder& emit, const Value& integer) {
  return cast(emit, "arith.index_cast", integer, "index");
}
Value fromIndex(OpBuilder& emit, const Value& index, std::string_view element) {
  return cast(emit, "arith.index_cast", index, element);
}

}  // namespace fxs::registry::linalg
