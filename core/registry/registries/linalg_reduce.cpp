// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans: extrema, means and sums, running sums and products.
#include <limits>
#include <numbers>
#include <optional>

#include "registry/linalg/arith.h"
#include "registry/linalg/loops.h"
#include "registry/numbers.h"
#include "registry/registry.h"

namespace fxs::registry {
namespace {
using namespace linalg;

/// The reduction of x, converted to `compute`, over dims.
Value reducedAs(
    Call& call, const Value& x, DType from, DType compute, std::span<const std::int64_t> dims,
    const Scalar& init,
    const std::function<Value(const Arith&, const Value& element, const Value& soFar)>& body) {
  const Arith arith(call.emit, compute);
  return reduce(call.emit, x, dims, arith.constant(numberOf(init, compute)),
                [&](const Value& element, const Value& soFar) {
                  return body(arith, convert(call.emit, element, from, compute), soFar);
                });
}

Handled greatest(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(result, call.result());
  FXS_TAKE(dims, call.dims("dim", self.tensor.rank()));
  const DType dtype = call.resultDtype();
  if (!isArithmetic(dtype)) return refuse("the maximum of " + self.type + " is not supported");
  const Value most = reducedAs(call, self, dtype, dtype, dims, lowest(dtype),
                               [](const Arith& a, const Value& element, const Value& soFar) {
                                 return a.maximum(element, soFar);
                               });
  return Values{reshaped(call.emit, most, result.sizes)};
}

/// How many elements are reduced to one; nullopt if that is symbolic.
std::optional<double> countOf(const Value& x, std::span<const std::int64_t> dims) {
  double out = 1;
  for (const std::int64_t d : dims) {
    const std::int64_t size = x.tensor.sizes[static_cast<std::size_t>(d)];
    if (isSymbolic(size)) return std::nullopt;
    out *= static_cast<double>(size);
  }
  return out;
}
Value countOf(OpBuilder& emit, const Arith& arith, const Value& x,
              std::span<const std::int64_t> dims) {
  const Arith counts(emit, DType::Int64);
  Value out = index(emit, 1);
  for (const std::int64_t d : dims)
    out = counts.mul(out, index(emit, x.tensor.sizes[static_cast<std::size_t>(d)]));
  return convert(emit, fromIndex(emit, out, "i64"), DType::Int64, arith.dtype());
}

/// The sum over dims in the type that PyTorch sums in, divided by the number of elements for a
/// mean.
Handled summed(Call& call, const Value& self, std::span<const std::int64_t> dims, bool isMean) {
  FXS_TAKE(result, call.result());
  const DType from = call.dtypeOf(call.argument("self")), to = call.resultDtype(),
              compute = ops::computationType(to);
  if (!isArithmetic(from) || !isArithmetic(to))
    return refuse("the sum of " + self.type + " is not supported");
  const Value total = reducedAs(call, self, from, compute, dims, numberOf(std::int64_t{0}, compute),
                                [](const Arith& a, const Value& element, const Value& soFar) {
                                  return a.add(element, soFar);
                                });
  const Value full = reshaped(call.emit, total, result.sizes);
  const std::optional<double> count = isMean ? countOf(self, dims) : 1.0;
  const bool divides = count != 1.0;
  if (!divides && compute == to) return Values{full};
  const Arith arith(call.emit, compute);
  const Value symbolic = count ? Value{} : countOf(call.emit, arith, self, dims);
  return Values{pointwise(call.emit, result, std::span(&full, 1), [&](Elements v) {
    if (!divides) return convert(call.emit, v[0], compute, to);
    return convert(call.emit, arith.div(v[0], count ? arith.constant(*count) : symbolic), compute,
                   to);
  })};
}

Handled sum(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(dims, call.dims("dim", self.tensor.rank()));
  return summed(call, self, dims, false);
}
Handled mean(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(dims, call.dims("dim", self.tensor.rank()));
  if (!isFloating(call.resultDtype()))
    return refuse("the mean of " + self.type + " is not supported");
  return summed(call, self, dims, true);
}

/// out[.., i, ..] = body(out[.., i - 1, ..], x[.., i, ..]) along one dimension.
Handled scan(
    Call& call, const Scalar& init,
    const std::function<Value(const Arith&, const Value& soFar, const Value& element)>& body) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(result, call.result());
  FXS_TAKE(dim, call.dim("dim", self.tensor.rank()));
  const DType from = call.dtypeOf(call.argument("self")), to = call.resultDtype(),
              compute = ops::computationType(to);
  if (!isArithmetic(from) || !isArithmetic(to))
    return refuse("a running value of " + self.type + " is not supported");
  OpBuilder& emit = call.emit;
  const Arith arith(emit, compute);
  const Value start = arith.constant(numberOf(init, compute));
  if (self.tensor.rank() == 0) {
    return Values{pointwise(emit, result, std::span(&self, 1), [&](Elements v) {
      return convert(emit,
                     body(arith, start, convert(emit, convert(emit, v[0], from, to), to, compute)),
                     compute, to);
    })};
  }
  const Sizes outer = without(self.tensor.sizes, std::span(&dim, 1));
  const Sizes along{self.tensor.sizes[static_cast<std::size_t>(dim)]};
  return loop(
      emit, outer, {empty(emit, result)}, [&](Elements outside, Elements carried) -> Values {
        const Values line =
            loop(emit, along, {start, carried[0]}, [&](Elements i, Elements now) -> Values {
              std::vector<Value> at(outside.begin(), outside.end());
              at.insert(at.begin() + static_cast<std::ptrdiff_t>(dim), i[0]);
              const Value element =
                  convert(emit, convert(emit, extract(emit, self, at), from, to), to, compute);
              const Value next = body(arith, now[0], element);
              return {next, insert(emit, convert(emit, next, compute, to), now[1], at)};
            });
        return {line[1]};
      });
}

Handled cumsum(Call& call) {
  return scan(call, std::int64_t{0}, [](const Arith& a, const Value& soFar, const Value& element) {
    return a.add(soFar, element);
  });
}
Handled cumprod(Call& call) {
  return scan(call, std::int64_t{1}, [](const Arith& a, const Value& soFar, const Value& element) {
    return a.mul(soFar, element);
  });
}
/// log(exp(a) + exp(b)) as the larger plus log1p(exp of the difference); equal infinities are
/// themselves.
Handled logcumsumexp(Call& call) {
  if (!isFloating(call.resultDtype()))
    return refuse("logcumsumexp requires floating-point elements");
  return scan(call, -std::numeric_limits<double>::infinity(),
              [](const Arith& a, const Value& soFar, const Value& element) {
                const Value high = a.maximum(soFar, element), low = a.minimum(soFar, element);
                const Value sumOf =
                    a.add(high, a.function("log1p", a.function("exp", a.sub(low, high))));
                return a.select(a.compare(Relation::Equal, soFar, element),
                                a.add(high, a.constant(std::numbers::ln2)), sumOf);
              });
}

}  // namespace

void registerLinalgReduce(Registries& registries) {
  registries.add("linalg", {"MaxOp", "AmaxOp"}, greatest);
  registries.add("linalg", {"SumDimOp", "SumDefaultOp"}, sum);
  registries.add("linalg", {"MeanOp"}, mean);
  registries.add("linalg", {"CumsumOp"}, cumsum);
  registries.add("linalg", {"CumProdOp"}, cumprod);
  registries.add("linalg", {"LogCumsumExpOp"}, logcumsumexp);
  registries.anySizes("linalg", {"MaxOp", "AmaxOp", "SumDimOp", "SumDefaultOp", "MeanOp",
                                 "CumsumOp", "CumProdOp", "LogCumsumExpOp"});
}

}  // namespace fxs::registry
