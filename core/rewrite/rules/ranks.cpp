// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts without a sort: the rank of an element is how many come before it, and the order is the
// inverse of the ranks. TOSA has no sort. Quadratic in the dimension's size.
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// Above it, comparing all pairs takes more memory than a device has.
constexpr std::int64_t kMostRanked = 8192;

/// The positions of the elements with ranks first .. end-1 along `dim`, as int64. Stable; NaN is
/// greater than any number.
Tensor positionsOfRanks(Emitter& e, const Tensor& given, std::size_t dim, bool descending,
                        std::int64_t first, std::int64_t end) {
  const std::int64_t count = e.fixed(given, dim);
  e.require(count > 0 && count <= kMostRanked && first >= 0 && first <= end && end <= count);
  const std::size_t last = given.rank() - 1;
  const Tensor moved = e.transpose(given, dim, last);
  const Tensor x = moved.dtype() == DType::Bool ? e.cast(moved, DType::Int64) : moved;
  const Tensor element = e.unsqueeze(x, last + 1), other = e.unsqueeze(x, last);
  const Tensor position = e.arange(Size::of(count));
  const Tensor isEarlier = e.compare("lt", position, e.unsqueeze(position, 1));
  Tensor isBefore = e.compare(descending ? "gt" : "lt", other, element),
         isEqual = e.compare("eq", other, element);
  if (isFloating(x.dtype())) {
    const Tensor isNan = e.compare("ne", x, x);
    const Tensor elementNan = e.unsqueeze(isNan, last + 1), otherNan = e.unsqueeze(isNan, last);
    const Tensor onlyOther = e.logicalAnd(otherNan, e.logicalNot(elementNan)),
                 onlyElement = e.logicalAnd(elementNan, e.logicalNot(otherNan));
    isBefore = e.logicalOr(isBefore, descending ? onlyOther : onlyElement);
    isEqual = e.logicalOr(isEqual, e.logicalAnd(otherNan, elementNan));
  }
  isBefore = e.logicalOr(isBefore, e.logicalAnd(isEqual, isEarlier));
  const Tensor rank = e.sum(e.cast(isBefore, DType::Int64), {last + 1}, false);
  const Tensor isPlace =
      e.compare("eq", e.unsqueeze(rank, last), e.unsqueeze(e.arange(first, end), 1));
  const Tensor positions = e.sum(
      e.where(isPlace, position, e.full({}, std::int64_t{0}, DType::Int64)), {last + 1}, false);
  return e.transpose(positions, dim, last);
}

struct Line {
  Tensor x;
  std::size_t dim = 0;
};
Line lineOf(Emitter& e) {
  Line line{e.tensor("self")};
  e.require(line.x.rank() > 0);
  line.dim = e.dim(e.integer("dim"), line.x);
  return line;
}

Results valuesAt(Emitter& e, const Line& line, const Tensor& positions) {
  return std::vector<fx::Argument>{e.gather(line.x, line.dim, positions).value, positions.value};
}

Tensor orderOf(Emitter& e, const Line& line) {
  return positionsOfRanks(e, line.x, line.dim, e.flag("descending"), 0, e.fixed(line.x, line.dim));
}

Results sort(Emitter& e) {
  const Line line = lineOf(e);
  return valuesAt(e, line, orderOf(e, line));
}

Results argsort(Emitter& e) { return one(orderOf(e, lineOf(e))); }

Results topk(Emitter& e) {
  const Line line = lineOf(e);
  return valuesAt(e, line,
                  positionsOfRanks(e, line.x, line.dim, e.flag("largest"), 0, e.integer("k")));
}

Results kthValue(Emitter& e) {
  const Line line = lineOf(e);
  const std::int64_t k = e.integer("k");
  e.require(k >= 1);
  const Tensor position = positionsOfRanks(e, line.x, line.dim, false, k - 1, k);
  if (e.flag("keepdim")) return valuesAt(e, line, position);
  const Tensor value = e.gather(line.x, line.dim, position);
  return std::vector<fx::Argument>{e.squeeze(value, line.dim).value,
                                   e.squeeze(position, line.dim).value};
}

}  // namespace

void registerRanks(RewriteRules& rules) {
  const std::string reason =
      "becomes comparisons of all pairs of elements, whose counts are the ranks";
  rules.add({"aten.sort.default", reason, false, sort});
  rules.add({"aten.argsort.default", reason, false, argsort});
  rules.add({"aten.topk.default", reason, false, topk});
  rules.add({"aten.kthvalue.default", reason, false, kthValue});
}

}  // namespace fxs::rewrite
