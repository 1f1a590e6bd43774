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

/// Of one number without a dimension, at which the engine crashes.
Results argsortOfOne(Emitter& e) {
  e.require(e.tensor("self").rank() == 0);
  return one(e.zeros({}, DType::Int64));
}
Results sortOfOne(Emitter& e) {
  const Tensor self = e.tensor("self");
  e.require(self.rank() == 0);
  return std::vector<fx::Argument>{self.value, e.zeros({}, DType::Int64).value};
}

Results stableArgsort(Emitter& e) {
  const Tensor self = e.tensor("self");
  return one(e.sort(self, e.dim(e.integer("dim"), self), e.flag("descending")).order);
}

constexpr std::string_view kAscending = "x.unsqueeze(-1), x.unsqueeze(-2)";
std::string descendingIf(const std::string& flag) {
  return "(x.unsqueeze(-2), x.unsqueeze(-1)) if " + flag + " else (" + std::string(kAscending) +
         ")";
}

/// positionsOfRanks() in Python, for a function that has `dim`. `order`: each element beside the
/// others, the one that is greater if it comes first. `lines` use `position`.
std::string ranksInPython(const std::string& order, const std::string& first,
                          const std::string& end, const std::string& lines) {
  return "    x = (self.long() if self.dtype == torch.bool else self).transpose(dim, -1)\n"
         "    a, b = " +
         order + "\n" +
         "    place = torch.arange(x.shape[-1], device=x.device)\n"
         "    equal = (a == b).logical_or((a != a).logical_and(b != b))\n"
         "    earlier = equal.logical_and(place < place.unsqueeze(1))\n"
         "    before = (a > b).logical_or((a != a).logical_and(b == b)).logical_or(earlier)\n"
         "    ranks = torch.arange(" +
         first + ", " + end +
         ", device=x.device).unsqueeze(1)\n"
         "    hits = before.to(torch.int64).sum(-1).unsqueeze(-2) == ranks\n"
         "    position = torch.where(hits, place, 0).sum(-1).transpose(dim, -1)\n" +
         lines;
}

constexpr const char* kAll = "x.shape[-1]";
constexpr const char* kWithValues = "    return self.gather(dim, position), position\n";

const std::string& sortInPython() {
  static const std::string kText =
      ranksInPython(descendingIf("descending"), "0", kAll, kWithValues);
  return kText;
}
const std::string& argsortInPython() {
  static const std::string kText =
      ranksInPython(descendingIf("descending"), "0", kAll, "    return position\n");
  return kText;
}
const std::string& topkInPython() {
  static const std::string kText = ranksInPython(descendingIf("largest"), "0", "k", kWithValues);
  return kText;
}
const std::string& kthValueInPython() {
  static const std::string kText =
      ranksInPython(std::string(kAscending), "k - 1", "k",
                    "    found = self.gather(dim, position), position\n"
                    "    return found if keepdim else tuple(x.squeeze(dim) for x in found)\n");
  return kText;
}

}  // namespace

void registerRanks(RewriteRules& rules) {
  const std::string reason =
      "becomes comparisons of all pairs of elements, whose counts are the ranks";
  rules.add(
      {"aten.sort.default", "of one number without a dimension is that number", true, sortOfOne});
  rules.add({"aten.argsort.default", "of one number without a dimension is 0", true, argsortOfOne});
  rules.add({"aten.argsort.stable",
             "becomes aten.sort",
             true,
             stableArgsort,
             {},
             "    return aten.sort(self, dim, descending)[1]\n"});
  rules.add({"aten.sort.default", reason, false, sort, {}, sortInPython()});
  rules.add({"aten.argsort.default", reason, false, argsort, {}, argsortInPython()});
  rules.add({"aten.topk.default", reason, false, topk, {}, topkInPython()});
  rules.add({"aten.kthvalue.default", reason, false, kthValue, {}, kthValueInPython()});
}

}  // namespace fxs::rewrite
