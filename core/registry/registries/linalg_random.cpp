// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers: splitmix64 of the element's place and the node. They are not PyTorch's, and the
// same at each call, as functions of tensors have no state.
#include <cmath>
#include <numbers>

#include "registry/linalg/arith.h"
#include "registry/linalg/loops.h"
#include "registry/numbers.h"
#include "registry/registry.h"

namespace fxs::registry {
namespace {
using namespace linalg;

constexpr std::int64_t constantOf(std::uint64_t bits) { return static_cast<std::int64_t>(bits); }

/// 64 random bits: the `stream`-th of the element at `at`.
Value bitsAt(Call& call, const Sizes& sizes, Elements at, std::uint64_t stream) {
  OpBuilder& emit = call.emit;
  const Arith arith(emit, DType::Int64);
  const auto op = [&](std::string_view name, const Value& a, const Value& b) {
    const std::vector<Value> operands{a, b};
    return emit.ops(name, operands, std::span(&a.type, 1)).front();
  };
  const auto number = [&](std::uint64_t bits) { return emit.scalar("i64", constantOf(bits)); };
  Value position = index(emit, 0);
  for (std::size_t d = 0; d < at.size(); ++d)
    position = arith.add(arith.mul(position, index(emit, sizes[d])), at[d]);
  const std::uint64_t seed =
      (std::uint64_t{call.node().id.index()} * 2 + stream + 1) * 0xD1B54A32D192ED03u;
  Value z = arith.add(arith.mul(fromIndex(emit, position, "i64"), number(0x9E3779B97F4A7C15u)),
                      number(seed));
  z = arith.mul(op("arith.xori", z, op("arith.shrui", z, number(30))), number(0xBF58476D1CE4E5B9u));
  z = arith.mul(op("arith.xori", z, op("arith.shrui", z, number(27))), number(0x94D049BB133111EBu));
  return op("arith.xori", z, op("arith.shrui", z, number(31)));
}

/// Of a floating type of at least 16 bits, with the leading one.
int significandBits(DType dtype) {
  if (dtype == DType::Float64) return 53;
  if (dtype == DType::Float32) return 24;
  return dtype == DType::Float16 ? 11 : 8;
}

/// In [0, 1), of as many bits as the type has in that range.
Value uniformAt(Call& call, DType dtype, const Sizes& sizes, Elements at,
                std::uint64_t stream = 0) {
  const int bits = significandBits(dtype);
  const DType compute = ops::computationType(dtype);
  const Value all = bitsAt(call, sizes, at, stream),
              unused = call.emit.scalar("i64", std::int64_t{64 - bits});
  const std::vector<Value> operands{all, unused};
  const Value kept = call.emit.ops("arith.shrui", operands, std::span(&all.type, 1)).front();
  const Arith arith(call.emit, compute);
  return arith.mul(convert(call.emit, kept, DType::Int64, compute),
                   arith.constant(std::ldexp(1.0, -bits)));
}

tl::expected<TensorType, Refusal> floatingResult(Call& call) {
  FXS_TAKE(result, call.result());
  if (!isFloating(call.resultDtype()) || !isArithmetic(call.resultDtype()))
    return refuse("random numbers of " + result.element);
  return result;
}

Handled uniform(Call& call) {
  FXS_TAKE(result, floatingResult(call));
  const DType dtype = call.resultDtype();
  return Values{generate(call.emit, result, [&](Elements at) {
    return convert(call.emit, uniformAt(call, dtype, result.sizes, at), ops::computationType(dtype),
                   dtype);
  })};
}

/// By Box and Muller, of two uniform numbers.
Handled normal(Call& call) {
  FXS_TAKE(result, floatingResult(call));
  const DType dtype = call.resultDtype(),
              compute = dtype == DType::Float64 ? dtype : DType::Float32;
  const Arith arith(call.emit, compute);
  return Values{generate(call.emit, result, [&](Elements at) {
    const Value logarithm =
        arith.function("log1p", arith.neg(uniformAt(call, compute, result.sizes, at, 0)));
    const Value radius = arith.function("sqrt", arith.mul(arith.constant(-2.0), logarithm));
    const Value angle = arith.mul(arith.constant(2 * std::numbers::pi),
                                  uniformAt(call, compute, result.sizes, at, 1));
    return convert(call.emit, arith.mul(radius, arith.function("cos", angle)), compute, dtype);
  })};
}

/// 1 with the probability in `p`, a number, or in a tensor.
Handled bernoulli(Call& call) {
  FXS_TAKE(result, floatingResult(call));
  const bool byNumber = call.node().target == "aten.bernoulli.p";
  const std::string_view name = call.node().target == "aten.bernoulli.Tensor" ? "p" : "self";
  double share = 0;
  if (byNumber) {
    FXS_TAKE(given, call.number("p"));
    share = realOf(given);
  }
  FXS_TAKE(shares, call.operand(name));
  const DType dtype = call.resultDtype(), from = call.dtypeOf(call.argument(name));
  if (shares.tensor.sizes != result.sizes || !isFloating(from) || !isArithmetic(from))
    return refuse("probabilities of " + shares.type + " for " + result.text());
  const Arith arith(call.emit, DType::Float64);
  return Values{generate(call.emit, result, [&](Elements at) {
    const Value limit =
        byNumber ? arith.constant(share)
                 : convert(call.emit, extract(call.emit, shares, at), from, DType::Float64);
    const Value isOne =
        arith.compare(Relation::Less, uniformAt(call, DType::Float64, result.sizes, at), limit);
    return convert(call.emit, isOne, DType::Bool, dtype);
  })};
}

/// In training, each element is dropped with probability p, and the others are scaled to keep the
/// expectation.
Handled dropout(Call& call) {
  FXS_TAKE(x, call.operand("input"));
  FXS_TAKE(result, floatingResult(call));
  FXS_TAKE(mask, call.result(1));
  FXS_TAKE(p, call.number("p"));
  FXS_TAKE(train, call.flagOr(true, "train"));
  if (!train) return refuse("dropout in evaluation draws no numbers");
  const double share = 1.0 - realOf(p);
  const DType dtype = call.resultDtype(), compute = ops::computationType(dtype);
  const Arith arith(call.emit, compute), shares(call.emit, DType::Float64);
  const Value kept = generate(call.emit, mask, [&](Elements at) {
    return shares.compare(Relation::Less, uniformAt(call, DType::Float64, mask.sizes, at),
                          shares.constant(share));
  });
  const std::vector<Value> inputs{x, kept};
  const Value out = pointwise(call.emit, result, inputs, [&](Elements in) {
    const Value factor = arith.mul(convert(call.emit, in[1], DType::Bool, compute),
                                   arith.constant(share > 0 ? 1.0 / share : 0.0));
    return convert(call.emit, arith.mul(convert(call.emit, in[0], dtype, compute), factor), compute,
                   dtype);
  });
  return Values{out, kept};
}

}  // namespace

void registerLinalgRandom(Registries& registries) {
  registries.add("linalg", {"RandOp", "RandLikeOp"}, uniform);
  registries.add("linalg", {"RandnOp", "RandnLikeOp"}, normal);
  registries.add("linalg", {"BernoulliOp"}, bernoulli);
  registries.add("linalg", {"NativeDropoutOp"}, dropout);
  registries.anySizes("linalg", {"RandOp", "RandLikeOp", "RandnOp", "RandnLikeOp", "BernoulliOp",
                                 "NativeDropoutOp"});
}

}  // namespace fxs::registry
