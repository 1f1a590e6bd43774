// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointwise operators as one linalg.generic each.
#include "registry/linalg/elementwise.h"
#include "registry/numbers.h"
#include "registry/registry.h"

namespace fxs::registry {
namespace {
using namespace linalg;

constexpr Computing kComplexToo{.complex = true};

bool isOne(const Scalar& value) { return std::get<double>(numberOf(value, DType::Float64)) == 1.0; }

/// self + alpha * other and its like: `combine` of self and the scaled other.
template <Value (Arith::*combine)(const Value&, const Value&) const>
Handled scaled(Call& call) {
  FXS_TAKE(alpha, call.numberOr(std::int64_t{1}, "alpha"));
  return elementwise(call, {"self", "other"}, kComplexToo, [&](const Arith& arith, Elements x) {
    return (arith.*combine)(
        x[0],
        isOne(alpha) ? x[1] : arith.mul(arith.constant(numberOf(alpha, arith.dtype())), x[1]));
  });
}

Handled rsub(Call& call) {
  FXS_TAKE(alpha, call.number("alpha"));
  return elementwise(call, {"self", "other"}, kComplexToo, [&](const Arith& arith, Elements x) {
    return arith.sub(x[1], isOne(alpha)
                               ? x[0]
                               : arith.mul(arith.constant(numberOf(alpha, arith.dtype())), x[0]));
  });
}

Handled mul(Call& call) {
  return elementwise(call, {"self", "other"}, kComplexToo,
                     [](const Arith& arith, Elements x) { return arith.mul(x[0], x[1]); });
}
Handled div(Call& call) {
  return elementwise(call, {"self", "other"}, kComplexToo,
                     [](const Arith& arith, Elements x) { return arith.div(x[0], x[1]); });
}
Handled neg(Call& call) {
  return elementwise(call, {"self"}, kComplexToo,
                     [](const Arith& arith, Elements x) { return arith.neg(x[0]); });
}
Handled rsqrt(Call& call) {
  return elementwise(call, {"self"}, {}, [](const Arith& arith, Elements x) {
    return arith.div(arith.constant(1.0), arith.function("sqrt", x[0]));
  });
}

Handled compare(Call& call, Relation relation) {
  FXS_TAKE(common, commonType(call, {"self", "other"}));
  return elementwise(
      call, {"self", "other"}, {common, true, true},
      [&](const Arith& arith, Elements x) { return arith.compare(relation, x[0], x[1]); });
}

Handled power(Call& call) {
  const fx::Argument given = call.argument("exponent");
  if (given.node() == nullptr && isFloating(call.resultDtype())) {
    FXS_TAKE(exponent, call.number("exponent"));
    // The exponents that PyTorch has exact forms for.
    const double e = std::get<double>(numberOf(exponent, DType::Float64));
    return elementwise(call, {"self", "exponent"}, {}, [&](const Arith& arith, Elements x) {
      const auto inverse = [&](const Value& v) { return arith.div(arith.constant(1.0), v); };
      if (e == 2.0) return arith.mul(x[0], x[0]);
      if (e == 3.0) return arith.mul(arith.mul(x[0], x[0]), x[0]);
      if (e == 0.5) return arith.function("sqrt", x[0]);
      if (e == -0.5) return inverse(arith.function("sqrt", x[0]));
      if (e == -1.0) return inverse(x[0]);
      if (e == -2.0) return inverse(arith.mul(x[0], x[0]));
      return arith.power(x[0], x[1]);
    });
  }
  return elementwise(call, {"self", "exponent"}, {},
                     [](const Arith& arith, Elements x) { return arith.power(x[0], x[1]); });
}

/// condition is a mask; the rest has the result's type and is taken as it is, NaN and signed zeros
/// kept.
Handled where(Call& call) {
  FXS_TAKE(result, call.result());
  FXS_TAKE(condition, call.operand("condition"));
  FXS_TAKE(a, call.operand("self"));
  FXS_TAKE(b, call.operand("other"));
  const DType ofA = call.dtypeOf(call.argument("self")), ofB = call.dtypeOf(call.argument("other")),
              of = call.resultDtype();
  const DType mask = call.dtypeOf(call.argument("condition"));
  if ((ofA != of && !isArithmetic(ofA)) || (ofB != of && !isArithmetic(ofB)) ||
      (!isArithmetic(of) && (ofA != of || ofB != of)))
    return refuse("elements of " + std::string(facts(of).torchName) + " cannot be converted");
  const std::vector<Value> inputs{condition, a, b};
  return Values{pointwise(call.emit, result, inputs, [&](Elements x) {
    return Arith(call.emit, of)
        .select(convert(call.emit, x[0], mask, DType::Bool), convert(call.emit, x[1], ofA, of),
                convert(call.emit, x[2], ofB, of));
  })};
}

Handled maskedFill(Call& call) {
  FXS_TAKE(result, call.result());
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(mask, call.operand("mask"));
  FXS_TAKE(value, call.number("value"));
  if (!isArithmetic(call.resultDtype()))
    return refuse("a fill of " + std::string(facts(call.resultDtype()).torchName) +
                  " is not supported");
  const Arith arith(call.emit, call.resultDtype());
  const Value fill = arith.constant(numberOf(value, call.resultDtype()));
  const std::vector<Value> inputs{self, mask};
  return Values{pointwise(call.emit, result, inputs,
                          [&](Elements x) { return arith.select(x[1], fill, x[0]); })};
}

Handled toCopy(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  const DType from = call.dtypeOf(call.argument("self")), to = call.resultDtype();
  if (from == to) return Values{self};
  if (!isArithmetic(from) || !isArithmetic(to))
    return refuse(std::string(facts(from).torchName) + " cannot be converted to " +
                  std::string(facts(to).torchName));
  return Values{converted(call.emit, self, from, to)};
}

/// src as the type and shape of self.
Handled copy(Call& call) {
  FXS_TAKE(result, call.result());
  FXS_TAKE(src, call.operand("src"));
  const DType from = call.dtypeOf(call.argument("src")), to = call.resultDtype();
  if (from != to && (!isArithmetic(from) || !isArithmetic(to)))
    return refuse(std::string(facts(from).torchName) + " cannot be converted to " +
                  std::string(facts(to).torchName));
  return Values{broadcast(call.emit, converted(call.emit, src, from, to), result.sizes)};
}

Handled same(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  return Values{self};
}

/// Euclid's algorithm, at most as many steps as the Fibonacci numbers of 64 bits take.
Handled gcd(Call& call) {
  return elementwise(call, {"self", "other"}, {}, [&](const Arith& arith, Elements x) {
    const Value zero = arith.constant(std::int64_t{0}), one = arith.constant(std::int64_t{1});
    const auto absolute = [&](const Value& v) { return arith.maximum(v, arith.neg(v)); };
    return loop(call.emit, {93}, {absolute(x[0]), absolute(x[1])},
                [&](Elements, Elements now) -> Values {
                  const Value done = arith.compare(Relation::Equal, now[1], zero);
                  const Value rest = arith.remainder(now[0], arith.select(done, one, now[1]));
                  return {arith.select(done, now[0], now[1]), arith.select(done, zero, rest)};
                })
        .front();
  });
}

}  // namespace

void registerLinalgPointwise(Registries& registries) {
  registries.add("linalg", {"AddOp"}, scaled<&Arith::add>);
  registries.add("linalg", {"SubOp"}, scaled<&Arith::sub>);
  registries.add("linalg", {"RsubOp"}, rsub);
  registries.add("linalg", {"MulOp"}, mul);
  registries.add("linalg", {"DivOp"}, div);
  registries.add("linalg", {"NegOp"}, neg);
  registries.add("linalg", {"RsqrtOp"}, rsqrt);
  registries.add("linalg", {"PowOp"}, power);
  registries.add("linalg", {"WhereOp"}, where);
  registries.add("linalg", {"MaskedFillOp"}, maskedFill);
  registries.add("linalg", {"ToCopyOp"}, toCopy);
  registries.add("linalg", {"CopyOp"}, copy);
  registries.add("linalg", {"CloneOp", "LiftFreshCopyOp"}, same);
  registries.add("linalg", {"GcdOp"}, gcd);
  registries.add("linalg", {"GtOp", "GtTensorOp"}, with(compare, Relation::Greater));
  registries.add("linalg", {"GeOp", "GeTensorOp"}, with(compare, Relation::GreaterEqual));
  registries.add("linalg", {"LtScalarOp", "LtTensorOp"}, with(compare, Relation::Less));
  registries.add("linalg", {"LeScalarOp", "LeTensorOp"}, with(compare, Relation::LessEqual));
  registries.add("linalg", {"EqualOp", "EqTensorOp"}, with(compare, Relation::Equal));
  registries.add("linalg", {"NeScalarOp", "NeTensorOp"}, with(compare, Relation::NotEqual));
  registries.anySizes(
      "linalg",
      {"AddOp",      "SubOp",           "RsubOp",     "MulOp",        "DivOp",      "NegOp",
       "RsqrtOp",    "PowOp",           "WhereOp",    "MaskedFillOp", "ToCopyOp",   "CopyOp",
       "CloneOp",    "LiftFreshCopyOp", "GcdOp",      "GtOp",         "GtTensorOp", "GeOp",
       "GeTensorOp", "LtScalarOp",      "LtTensorOp", "LeScalarOp",   "LeTensorOp", "EqualOp",
       "EqTensorOp", "NeScalarOp",      "NeTensorOp"});
}

}  // namespace fxs::registry
