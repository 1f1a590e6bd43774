// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Order statistics by counting: an element's rank is the number of elements before it. Stable and
// quadratic; NaN is greater than every number, as in PyTorch.
#include "registry/linalg/arith.h"
#include "registry/linalg/loops.h"
#include "registry/registry.h"

namespace fxs::registry {
namespace {
using namespace linalg;

/// One dimension of a tensor that is at least 1-d.
struct Line {
  Value x;
  std::int64_t dim;
  DType dtype;
  std::int64_t size() const { return x.tensor.sizes[static_cast<std::size_t>(dim)]; }
};

tl::expected<Line, Refusal> lineOf(Call& call, std::optional<std::int64_t> dim) {
  FXS_TAKE(self, call.operand("self"));
  const DType dtype = call.dtypeOf(call.argument("self"));
  if (!isArithmetic(dtype))
    return refuse("elements of " + self.tensor.element + " cannot be ordered");
  if (!dim) return Line{reshaped(call.emit, self, {self.tensor.elements()}), 0, dtype};
  FXS_TAKE(wrapped, Call::dim(*dim, self.tensor.rank()));
  return Line{self.tensor.sizes.empty() ? reshaped(call.emit, self, {1}) : self, wrapped, dtype};
}

std::vector<Value> at(Elements outside, std::int64_t dim, const Value& i) {
  std::vector<Value> out(outside.begin(), outside.end());
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(dim), i);
  return out;
}

/// a < b, with NaN after every number.
Value before(const Arith& arith, const Value& a, const Value& b) {
  Value less = arith.compare(Relation::Less, a, b);
  if (!isFloating(arith.dtype())) return less;
  const Value bIsNan = arith.isNan(b), aIsNumber = arith.compare(Relation::Equal, a, a);
  return arith.either(less, arith.both(bIsNan, aIsNumber));
}

/// How many elements of the line come before element `i`; equal ones in their order.
Value positionOf(OpBuilder& emit, const Line& line, Elements outside, const Value& i,
                 bool descending) {
  const Arith arith(emit, line.dtype), counts(emit, DType::Int64);
  const Value own = extract(emit, line.x, at(outside, line.dim, i));
  return loop(emit, {line.size()}, {index(emit, 0)},
              [&](Elements j, Elements soFar) -> Values {
                const Value other = extract(emit, line.x, at(outside, line.dim, j[0]));
                const Value first =
                    descending ? before(arith, own, other) : before(arith, other, own);
                const Value last =
                    descending ? before(arith, other, own) : before(arith, own, other);
                const Value earlier = counts.compare(Relation::Less, j[0], i);
                const Value isBefore = arith.either(
                    first, arith.both(earlier, counts.compare(Relation::Equal, first, last)));
                return {
                    counts.add(soFar[0], counts.select(isBefore, index(emit, 1), index(emit, 0)))};
              })
      .front();
}

/// The first `count` of the sorted line, and where they were.
Values sorted(Call& call, const Line& line, std::int64_t count, bool descending) {
  OpBuilder& emit = call.emit;
  Sizes sizes = line.x.tensor.sizes;
  const Sizes outer = without(sizes, std::span(&line.dim, 1));
  // Write all elements at their ranks, then slice.
  const Value values = empty(emit, line.x.tensor), positions = empty(emit, {sizes, "i64"});
  Values done =
      loop(emit, outer, {values, positions}, [&](Elements outside, Elements carried) -> Values {
        return loop(
            emit, {line.size()}, {carried[0], carried[1]}, [&](Elements i, Elements now) -> Values {
              const std::vector<Value> to =
                  at(outside, line.dim, positionOf(emit, line, outside, i[0], descending));
              return {insert(emit, extract(emit, line.x, at(outside, line.dim, i[0])), now[0], to),
                      insert(emit, fromIndex(emit, i[0], "i64"), now[1], to)};
            });
      });
  if (count != line.size()) {
    sizes[static_cast<std::size_t>(line.dim)] = count;
    for (Value& v : done)
      v = sliced(emit, v, Sizes(sizes.size(), 0), sizes, Sizes(sizes.size(), 1));
  }
  return done;
}

/// Both results, reshaped to the recorded shapes.
Handled shaped(Call& call, Values values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    FXS_TAKE(type, call.result(i));
    values[i] = reshaped(call.emit, values[i], type.sizes);
  }
  return values;
}

Handled sort(Call& call) {
  FXS_TAKE(dim, call.integer("dim"));
  FXS_TAKE(descending, call.flag("descending"));
  FXS_TAKE(line, lineOf(call, dim));
  return shaped(call, sorted(call, line, line.size(), descending));
}

Handled topk(Call& call) {
  FXS_TAKE(k, call.integer("k"));
  FXS_TAKE(dim, call.integer("dim"));
  FXS_TAKE(largest, call.flag("largest"));
  FXS_TAKE(line, lineOf(call, dim));
  if (k < 0 || k > line.size())
    return refuse("k is " + std::to_string(k) + " of " + std::to_string(line.size()) + " elements");
  return shaped(call, sorted(call, line, k, largest));
}

Handled kthvalue(Call& call) {
  FXS_TAKE(k, call.integer("k"));
  FXS_TAKE(dim, call.integer("dim"));
  FXS_TAKE(line, lineOf(call, dim));
  if (k < 1 || k > line.size())
    return refuse("k is " + std::to_string(k) + " of " + std::to_string(line.size()) + " elements");
  Values all = sorted(call, line, line.size(), false);
  const std::size_t rank = line.x.tensor.sizes.size();
  Sizes offsets(rank, 0), sizes = line.x.tensor.sizes;
  offsets[static_cast<std::size_t>(line.dim)] = k - 1;
  sizes[static_cast<std::size_t>(line.dim)] = 1;
  for (Value& v : all) v = sliced(call.emit, v, offsets, sizes, Sizes(rank, 1));
  return shaped(call, std::move(all));
}

/// The lower middle of a sorted line. Any NaN is the median; nanmedian ignores NaN.
template <bool skipsNan>
Handled median(Call& call) {
  std::optional<std::int64_t> dim;
  if (call.has("dim")) {
    FXS_TAKE(given, call.integer("dim"));
    dim = given;
  }
  FXS_TAKE(line, lineOf(call, dim));
  if (line.size() == 0) return refuse("the median of an empty tensor");
  OpBuilder& emit = call.emit;
  const Values all = sorted(call, line, line.size(), false);
  const Arith arith(emit, line.dtype), counts(emit, DType::Int64);
  const Sizes outer = without(line.x.tensor.sizes, std::span(&line.dim, 1));
  const Values picked = loop(
      emit, outer, {empty(emit, {outer, line.x.tensor.element}), empty(emit, {outer, "i64"})},
      [&](Elements outside, Elements carried) -> Values {
        Value middle = index(emit, (line.size() - 1) / 2);
        if (isFloating(line.dtype)) {
          const Value numbers =
              loop(emit, {line.size()}, {index(emit, 0)},
                   [&](Elements i, Elements soFar) -> Values {
                     const Value isNan =
                         arith.isNan(extract(emit, line.x, at(outside, line.dim, i[0])));
                     return {counts.add(soFar[0],
                                        counts.select(isNan, index(emit, 0), index(emit, 1)))};
                   })
                  .front();
          const Value zero = index(emit, 0), one = index(emit, 1);
          if constexpr (skipsNan) {
            middle = counts.div(counts.maximum(counts.sub(numbers, one), zero), index(emit, 2));
          } else {
            middle = counts.select(
                counts.compare(Relation::Less, numbers, index(emit, line.size())), numbers, middle);
          }
        }
        const std::vector<Value> from = at(outside, line.dim, middle);
        return {insert(emit, extract(emit, all[0], from), carried[0], outside),
                insert(emit, extract(emit, all[1], from), carried[1], outside)};
      });
  return shaped(call, dim ? picked : Values{picked.front()});
}

}  // namespace

void registerLinalgSort(Registries& registries) {
  registries.add("linalg", {"SortOp"}, sort);
  registries.add("linalg", {"TopkOp"}, topk);
  registries.add("linalg", {"KthValueOp"}, kthvalue);
  registries.add("linalg", {"MedianOp"}, median<false>);
  registries.add("linalg", {"NanMedianOp"}, median<true>);
}

}  // namespace fxs::registry
