// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions that skip or sort elements: nansum, nanmean, all and any over several dimensions,
// standard deviation with mean, medians and quantiles.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Results nanReduced(Emitter& e, bool mean) {
  const Tensor self = e.tensor("self");
  const std::vector<std::size_t> dims = e.dims("dim", self);
  const bool keep = e.flag("keepdim");
  const fx::TensorMeta result = e.result();
  const Tensor x = e.cast(self, result.dtype);
  const auto total = [&](const Tensor& of) { return of.rank() == 0 ? of : e.sum(of, dims, keep); };
  if (!mean && !isFloating(result.dtype)) return one(total(x));
  e.require(isFloating(result.dtype));
  const Tensor present = e.compare("eq", x, x);
  const Tensor sum = total(e.where(present, x, 0.0));
  if (!mean) return one(sum);
  return one(e.div(sum, total(e.cast(present, result.dtype))));
}
Results nanSum(Emitter& e) { return nanReduced(e, false); }
Results nanMean(Emitter& e) { return nanReduced(e, true); }

/// To a shape that broadcasts to the operand's.
Results sumToSize(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::vector<std::int64_t> size = e.integers("size");
  e.require(size.size() <= x.rank());
  const std::size_t more = x.rank() - size.size();
  std::vector<std::size_t> added(more), kept;
  for (std::size_t d = 0; d < more; ++d) added[d] = d;
  for (std::size_t d = more; d < x.rank(); ++d)
    if (size[d - more] == 1 && !e.size(x, d).is(1)) kept.push_back(d);
  Tensor out = kept.empty() ? x : e.sum(x, kept, true);
  if (more > 0) out = e.sum(out, added, false);
  return one(e.asResult(out));
}

/// all and any over several dimensions: by counting.
template <bool all>
Results truthOverDims(Emitter& e) {
  const Tensor self = e.tensor("self");
  const std::vector<std::size_t> dims = e.dims("dim", self);
  const bool keep = e.flag("keepdim");
  const fx::TensorMeta result = e.result();
  e.require(result.dtype == DType::Bool);
  const Operand zero = isFloating(self.dtype()) ? Operand(0.0) : Operand(std::int64_t{0});
  const Tensor truth = self.dtype() == DType::Bool ? self : e.compare("ne", self, zero);
  const Tensor counted = e.cast(all ? e.logicalNot(truth) : truth, DType::Int64);
  return one(e.compare(all ? "eq" : "gt", e.sum(counted, dims, keep), std::int64_t{0}));
}

struct Moments {
  Tensor variance, mean;
};
Moments momentsOf(Emitter& e, const Tensor& self, const std::vector<std::size_t>& dims, bool keep,
                  double correction) {
  const Tensor x = e.cast(self, ops::computationType(self.dtype()));
  const Tensor mean = e.mean(x, dims, true);
  Size count = Size::of(1);
  for (const std::size_t d : dims) count = e.times(count, e.size(x, d));
  const Tensor squares = e.sum(e.square(e.sub(x, mean)), dims, keep);
  const auto divisor = [&]() -> Operand {
    if (count.isStatic())
      return std::max(0.0, static_cast<double>(count.value.value()) - correction);
    const Tensor elements = e.cast(e.full({}, count.argument, DType::Int64), x.dtype());
    return e.clamp(e.sub(elements, correction), 0.0, {});
  };
  const Tensor variance = e.div(squares, divisor());
  return {e.cast(variance, self.dtype()),
          e.cast(keep ? mean : e.mean(x, dims, false), self.dtype())};
}

/// Subtracts the largest element first, unless it is infinite.
Results logSumExp(Emitter& e) {
  const Tensor self = e.tensor("self");
  const std::vector<std::size_t> dims = e.dims("dim", self);
  const bool keep = e.flag("keepdim");
  const fx::TensorMeta result = e.result();
  e.require(isFloating(result.dtype));
  if (self.rank() == 0) return one(e.cast(self, result.dtype));
  const Tensor x = e.cast(self, ops::computationType(result.dtype));
  const Tensor largest = e.amax(x, dims, true);
  const Tensor shift =
      e.where(e.compare("eq", e.abs(largest), INFINITY), e.zeros({}, x.dtype()), largest);
  const Tensor logarithm = e.log(e.sum(e.exp(e.sub(x, shift)), dims, keep));
  return one(
      e.cast(e.add(logarithm, keep ? shift : e.reshape(shift, e.sizes(logarithm))), result.dtype));
}

/// Cumulative sums and products by comparing every element with every position: quadratic in the
/// dimension's size.
template <bool product>
Results cumulative(Emitter& e) {
  const Tensor self = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), self);
  const fx::TensorMeta result = e.result();
  e.require(self.rank() > 0);
  const Tensor x = e.cast(self, result.dtype);
  const Tensor position = e.arange(e.size(x, dim));
  const Tensor source = e.unsqueeze(position, 1);
  Tensor counted = e.compare("le", source, position);
  // [from, to], then a dimension for each that follows `dim`.
  for (std::size_t i = dim + 1; i < x.rank(); ++i) counted = e.unsqueeze(counted, counted.rank());
  const Tensor kept = e.where(counted, e.unsqueeze(x, dim + 1),
                              e.full({}, std::int64_t{product ? 1 : 0}, x.dtype()));
  if (!product) return one(e.cast(e.sum(kept, {dim}, false), result.dtype));
  return one(e.op("aten.prod.dim_int", {kept.value, static_cast<std::int64_t>(dim), false},
                  result.dtype, reducedSizes(kept.meta.sizes, {dim}, false)));
}

/// The same in Python.
std::string cumulativeInPython(std::string_view neutral, std::string_view reduction) {
  return fmt::format(
      "    dim, is_exact = dim % self.dim(), not (self.is_floating_point() or self.is_complex())\n"
      "    x = self.to(dtype or (torch.int64 if is_exact else self.dtype))\n"
      "    to = torch.arange(x.shape[dim], device=x.device)\n"
      "    counted = (to.unsqueeze(1) <= to)[(...,) + (None,) * (x.dim() - 1 - dim)]\n"
      "    neutral = torch.full([], {}, dtype=x.dtype, device=x.device)\n"
      "    return torch.where(counted, x.unsqueeze(dim + 1), neutral).{}(dim)\n",
      neutral, reduction);
}

/// `given`: sets `dim`, `correction` and `keepdim` where they are no parameters.
std::string deviationInPython(std::string_view given) {
  return std::string(given) +
         "    x = self.float() if self.dtype in (torch.float16, torch.bfloat16) else self\n"
         "    dims, count = [d % max(x.dim(), 1) for d in dim or range(x.dim())], 1\n"
         "    for d in dims:\n"
         "        count *= x.shape[d]\n"
         "    mean = x.mean(dims, True)\n"
         "    variance = ((x - mean) * (x - mean)).sum(dims, keepdim) / max(count - correction, "
         "0.0)\n"
         "    return variance.sqrt().to(self.dtype), x.mean(dims, keepdim).to(self.dtype)\n";
}

/// How many boundaries are below each value, or not above it. NaN is above all.
Results searchSorted(Emitter& e) {
  const Tensor bounds = e.tensor("sorted_sequence"), x = e.tensor("self");
  const bool right = e.flag("right") || e.text("side") == "right";
  const fx::TensorMeta result = e.result();
  e.require(e.argument("sorter").isNone() && (bounds.rank() == 1 || bounds.rank() == x.rank()));
  const Tensor value = e.unsqueeze(x, x.rank());
  const Tensor line = bounds.rank() == 1 ? bounds : e.unsqueeze(bounds, bounds.rank() - 1);
  const Tensor passed = e.logicalNot(e.compare(right ? "gt" : "ge", line, value));
  return one(e.cast(e.sum(e.cast(passed, DType::Int64), {passed.rank() - 1}, false), result.dtype));
}

enum class Spread { Variance, Deviation };

/// var, std, var_mean and std_mean; `unbiased` or `correction` is subtracted from the count.
template <Spread spread, bool withMean>
Results spreadOf(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::string& target = e.matched().target;
  const bool full = target.ends_with(".default");
  const std::vector<std::size_t> dims = full ? allDims(x) : e.dims("dim", x);
  const bool keep = !full && e.flag("keepdim");
  double correction = 0;
  if (target.ends_with(".correction")) correction = e.optionalNumber("correction").value_or(1.0);
  else if (e.flag("unbiased")) correction = 1;
  e.require(isFloating(x.dtype()));
  const Moments m = momentsOf(e, x, dims, keep, correction);
  const Tensor first = spread == Spread::Deviation ? e.sqrt(m.variance) : m.variance;
  std::vector<fx::Argument> results{first.value};
  if (withMean) results.push_back(m.mean.value);
  return results;
}

Results sortStable(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const bool descending = e.flag("descending");
  const Sorted s = e.sort(x, dim, descending);
  return std::vector<fx::Argument>{s.values.value, s.order.value};
}

Results msort(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(x.rank() > 0);
  return one(e.sort(x, 0, false).values);
}

/// The lower of the two middle elements, or NaN, which sorts last, if there is any.
Tensor medianPosition(Emitter& e, const Tensor& x, std::size_t dim, const Tensor& ascending) {
  const std::int64_t count = x.meta.sizes[dim].value();
  const Tensor last = e.slice(ascending, dim, count - 1, count);
  const Tensor middle = e.full(e.sizes(last), (count - 1) / 2, DType::Int64);
  return isFloating(x.dtype())
             ? e.where(e.compare("ne", last, last), e.full({}, count - 1, DType::Int64), middle)
             : middle;
}

Results medianOfDim(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const bool keep = e.flag("keepdim");
  if (x.rank() == 0)
    return std::vector<fx::Argument>{e.clone(x).value, e.zeros({}, DType::Int64).value};
  e.require(e.fixed(x, dim) > 0);
  const Sorted s = e.sort(x, dim, false);
  const Tensor position = medianPosition(e, x, dim, s.values);
  const auto pick = [&](const Tensor& t) {
    const Tensor row = e.gather(t, dim, position);
    return (keep ? row : e.squeeze(row, dim)).value;
  };
  return std::vector<fx::Argument>{pick(s.values), pick(s.order)};
}

Results medianOfAll(Emitter& e) {
  const Tensor self = e.tensor("self");
  for (std::size_t i = 0; i < self.rank(); ++i) e.require(e.fixed(self, i) > 0);
  const Tensor x = e.flatten(self);
  const Tensor ascending = e.sort(x, 0, false).values;
  return one(e.squeeze(e.gather(ascending, 0, medianPosition(e, x, 0, ascending)), 0));
}

/// The element at a position between two of a sorted dimension.
Tensor interpolated(Emitter& e, const Tensor& sorted, std::size_t dim, double position,
                    const std::string& interpolation) {
  const auto at = [&](double element) {
    const auto i = static_cast<std::int64_t>(element);
    return e.slice(sorted, dim, i, i + 1);
  };
  const double below = std::floor(position), above = std::ceil(position);
  const double rounded = interpolation == "nearest" ? std::nearbyint(position) : below;
  Tensor out = at(interpolation == "higher" ? above : rounded);
  if (interpolation == "linear" || interpolation == "midpoint") {
    const double share = interpolation == "linear" ? position - below : 0.5;
    return above != below ? e.add(out, e.mul(e.sub(at(above), out), share)) : out;
  }
  e.require(interpolation == "lower" || interpolation == "higher" || interpolation == "nearest");
  return out;
}

/// Between the two elements next to q * (count - 1), or NaN, which sorts last, if there is any.
Results quantile(Emitter& e) {
  const Tensor self = e.tensor("self");
  const double q = e.number("q");
  const bool full = e.argument("dim").isNone(), keep = e.flag("keepdim");
  const std::string interpolation = e.text("interpolation");
  for (std::size_t i = 0; i < self.rank(); ++i) e.fixed(self, i);
  const Tensor x = full ? e.flatten(self) : self;
  e.require(q >= 0 && q <= 1 && isFloating(x.dtype()) && x.rank() > 0);
  const std::size_t dim = full ? 0 : e.dim(e.integer("dim"), x);
  const std::int64_t count = e.fixed(x, dim);
  e.require(count > 0);
  const Tensor ascending = e.sort(x, dim, false).values;
  Tensor out = interpolated(e, ascending, dim, q * static_cast<double>(count - 1), interpolation);
  const Tensor last = e.slice(ascending, dim, count - 1, count);
  out = e.where(e.compare("ne", last, last), last, out);
  if (!keep) return one(e.squeeze(out, dim));
  return one(full ? e.reshape(out, Sizes(self.rank(), Size::of(1))) : out);
}

/// How many elements each bin has; those out of range are not counted, and the last bin has the
/// upper end.
Results histogram(Emitter& e) {
  const Tensor self = e.tensor("self");
  const std::int64_t bins = e.integer("bins");
  const double least = e.number("min"), most = e.number("max");
  const fx::TensorMeta result = e.result();
  e.require(isFloating(self.dtype()) && bins > 0 && least <= most && e.isStatic(self));
  const Tensor line = self.rank() == 0 ? e.unsqueeze(self, 0) : e.flatten(self),
               x = e.unsqueeze(line, 0);
  Operand low = least, high = most, width = most - least;
  if (least ==
      most) {  // the ends are those of the data, one below and one above if it is one value
    e.require(e.fixed(line, 0) > 0);
    const Tensor first = e.amin(line, {0}, false), last = e.amax(line, {0}, false),
                 isOne = e.compare("eq", first, last);
    const Tensor from = e.where(isOne, e.sub(first, 1.0), first),
                 to = e.where(isOne, e.add(last, 1.0), last);
    low = from;
    high = to;
    width = e.sub(to, from);
  }
  const Tensor inside = e.logicalAnd(e.compare("ge", x, low), e.compare("le", x, high));
  const Tensor position = e.floor(e.div(e.mul(e.sub(x, low), static_cast<double>(bins)), width));
  const Tensor own = e.unsqueeze(e.cast(e.arange(Size::of(bins)), x.dtype()), 1);
  const Tensor hit = e.logicalAnd(
      e.compare("eq", e.clamp(position, {}, static_cast<double>(bins - 1)), own), inside);
  return one(e.sum(e.cast(hit, result.dtype), {1}, false));
}

Results argWhere(Emitter& e) {
  return one(e.op("aten.nonzero.default", {e.tensor("self").value}, e.result()));
}

}  // namespace

void registerStatistics(RewriteRules& rules) {
  // The rules refer to them.
  static const std::string sumInPython = cumulativeInPython("0", "sum"),
                           productInPython = cumulativeInPython("1", "prod");
  static const std::array<std::pair<const char*, std::string>, 3> deviations{
      {{"default",
        deviationInPython("    dim, correction, keepdim = None, int(unbiased), False\n")},
       {"dim", deviationInPython("    correction = int(unbiased)\n")},
       {"correction",
        deviationInPython("    correction = 1 if correction is None else correction\n")}}};
  rules.add({"aten.nansum.default", "becomes a sum with NaN as 0", true, nanSum});
  rules.add({"aten.nanmean.default", "becomes a sum with NaN as 0, and a count", true, nanMean});
  rules.add({"aten.sum_to_size.default", "becomes a sum", true, sumToSize});
  rules.add({"aten.all.dims", "becomes a count of false elements", true, truthOverDims<true>});
  rules.add({"aten.any.dims", "becomes a count of true elements", true, truthOverDims<false>});
  for (const auto& [overload, deviation] : deviations) {
    const std::string o = "." + std::string(overload), formula = "becomes means of squares";
    rules.add({"aten.var" + o, formula, false, spreadOf<Spread::Variance, false>});
    rules.add({"aten.std" + o, formula, false, spreadOf<Spread::Deviation, false>});
    rules.add({"aten.var_mean" + o, formula, false, spreadOf<Spread::Variance, true>});
    rules.add(
        {"aten.std_mean" + o, formula, true, spreadOf<Spread::Deviation, true>, {}, deviation});
  }
  rules.add({"aten.logsumexp.default", "becomes exponentials and the logarithm of their sum", true,
             logSumExp});
  rules.add({"aten.cumsum.default",
             "becomes a masked sum, which StableHLO supports even with symbolic sizes", false,
             cumulative<false>, "decompose:aten.cumsum", sumInPython});
  rules.add({"aten.cumprod.default", "becomes a masked product", false, cumulative<true>,
             "decompose:aten.cumprod", productInPython});
  rules.add(
      {"aten.searchsorted.Tensor", "becomes a count of the boundaries passed", true, searchSorted});
  rules.add({"aten.sort.stable",
             "becomes aten.sort",
             true,
             sortStable,
             {},
             "    return aten.sort(self, dim, descending)\n"});
  rules.add({"aten.msort.default",
             "becomes aten.sort along dimension 0",
             true,
             msort,
             {},
             "    return aten.sort(self, 0)[0]\n"});
  const std::string middle = "becomes the middle of aten.sort";
  rules.add(
      {"aten.median.dim",
       middle,
       true,
       medianOfDim,
       {},
       "    if self.dim() == 0:\n"
       "        return self.clone(), torch.zeros([], dtype=torch.int64)\n"
       "    sorted, n = aten.sort(self, dim), self.shape[dim]\n"
       "    middle, last = ([x.narrow(dim, i, 1) for x in sorted] for i in ((n - 1) // 2, n - 1))\n"
       "    is_nan = last[0] != last[0]\n"
       "    found = [torch.where(is_nan, *pair) for pair in zip(last, middle)]\n"
       "    return tuple(x if keepdim else x.squeeze(dim) for x in found)\n"});
  rules.add({"aten.median.default",
             middle,
             true,
             medianOfAll,
             {},
             "    sorted, n = aten.sort(self.reshape(-1))[0], self.numel()\n"
             "    middle, last = (sorted.narrow(0, i, 1) for i in ((n - 1) // 2, n - 1))\n"
             "    return torch.where(last != last, last, middle).squeeze(0)\n"});
  rules.add({"aten.quantile.scalar",
             "becomes an element of aten.sort, or lies between two",
             true,
             quantile,
             {},
             "    x, axis = (self.reshape(-1), 0) if dim is None else (self, dim)\n"
             "    n, x = x.shape[axis], aten.sort(x, axis)[0]\n"
             "    place = q * (n - 1)\n"
             "    low, high = math.floor(place), math.ceil(place)\n"
             "    first = {\"higher\": high, \"nearest\": round(place)}.get(interpolation, low)\n"
             "    found, above, last = (x.narrow(axis, i, 1) for i in (first, high, n - 1))\n"
             "    if interpolation in (\"linear\", \"midpoint\") and low != high:\n"
             "        share = place - low if interpolation == \"linear\" else 0.5\n"
             "        found = found + (above - found) * share\n"
             "    found = torch.where(last != last, last, found)\n"
             "    if not keepdim:\n"
             "        return found.squeeze(axis)\n"
             "    return found.reshape([1] * self.dim()) if dim is None else found\n"});
  rules.add(
      {"aten.histc.default", "becomes a comparison with each bin, and a count", true, histogram});
  rules.add({"aten.argwhere.default",
             "becomes aten.nonzero",
             true,
             argWhere,
             {},
             "    return aten.nonzero(self)\n"});
}

}  // namespace fxs::rewrite
