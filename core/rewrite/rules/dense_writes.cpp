// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes at indexed positions (index_put, scatter) without a scatter: every position is compared
// with every index, and the written elements are reduced. TOSA has no scatter that accumulates or
// reduces. Quadratic: positions times indices.
#include <fmt/format.h>

#include <algorithm>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// A write along one dimension of `self`. `index` has the rank of `self` and broadcasts to
/// `source`; an index that is no position of `self` writes nothing.
struct Write {
  Tensor self, index, source;
  std::size_t dim = 0;
};

/// 0 .. size-1 along dimension `dim` of `rank`.
Tensor counted(Emitter& e, const Size& size, std::size_t dim, std::size_t rank) {
  return e.along(e.arange(size), size, dim, rank);
}

class Writer {
 public:
  Writer(Emitter& e, Write write) : e_(e), w_(std::move(write)), rank_(w_.self.rank()) {
    const Tensor positions = counted(e_, e_.size(w_.self, w_.dim), w_.dim, rank_ + 1);
    hits_ = e_.compare("eq", e_.unsqueeze(w_.index, w_.dim), positions);
  }

  /// The last write to a position counts, as in PyTorch on the CPU.
  Tensor overwritten() {
    const Size count = e_.size(w_.index, w_.dim);
    e_.require(!count.is(0));
    const Tensor order = counted(e_, count, w_.dim + 1, rank_ + 1);
    const Tensor last = e_.amax(e_.where(hits_, order, e_.full({}, std::int64_t{-1}, DType::Int64)),
                                {w_.dim + 1}, false);
    const Tensor from = e_.clamp(last, 0, {});
    const Tensor picked = e_.gather(w_.source, w_.dim, from);
    return e_.where(e_.compare("ge", last, 0), picked, w_.self);
  }

  Tensor summed() { return e_.cast(e_.sum(chosen(0), {w_.dim + 1}, false), w_.self.dtype()); }
  Tensor multiplied() {
    const Tensor all = chosen(1);
    const bool isInteger = !isFloating(all.dtype());
    const DType dtype = isInteger ? DType::Int64 : all.dtype();
    const Tensor product =
        e_.op("aten.prod.dim_int", {all.value, static_cast<std::int64_t>(w_.dim + 1), false}, dtype,
              reducedSizes(all.meta.sizes, {w_.dim + 1}, false));
    return e_.cast(product, w_.self.dtype());
  }
  Tensor greatest() { return e_.amax(chosenOr(limit(true)), {w_.dim + 1}, false); }
  Tensor least() { return e_.amin(chosenOr(limit(false)), {w_.dim + 1}, false); }
  /// How many writes each position gets, int64.
  Tensor writes() { return e_.sum(e_.cast(hits_, DType::Int64), {w_.dim + 1}, false); }
  const Tensor& self() const { return w_.self; }

 private:
  fx::Argument limit(bool isLowest) const {
    Emitter::require(w_.self.dtype() != DType::Bool);
    return extremeOf(w_.self.dtype(), isLowest);
  }
  Tensor chosen(int neutral) {
    return isFloating(w_.self.dtype()) ? chosenOr(static_cast<double>(neutral))
                                       : chosenOr(std::int64_t{neutral});
  }
  /// The written elements of each position, [.., positions, indices, ..], with `neutral` for those
  /// of other positions.
  Tensor chosenOr(const fx::Argument& neutral) {
    return e_.where(hits_, e_.unsqueeze(w_.source, w_.dim),
                    e_.full({}, neutral, w_.source.dtype()));
  }

  Emitter& e_;
  Write w_;
  std::size_t rank_;
  Tensor hits_;
};

/// The indices of the indexed dimensions, as one index into these dimensions flattened.
Tensor linearIndex(Emitter& e, const Tensor& self, const std::vector<std::size_t>& indexed,
                   const std::vector<std::optional<Tensor>>& indices) {
  std::vector<fx::SymInt> shape;
  for (const std::size_t d : indexed) {
    e.require(indices[d]->dtype() == DType::Int64 || indices[d]->dtype() == DType::Int32);
    shape = Emitter::broadcastSizes(shape, indices[d]->meta.sizes);
  }
  std::optional<Tensor> linear;
  for (const std::size_t d : indexed) {
    const Size size = e.size(self, d);
    const Tensor index = e.cast(*indices[d], DType::Int64);
    const Tensor wrapped = e.where(e.compare("lt", index, 0), e.add(index, size), index);
    linear = linear ? e.add(e.mul(*linear, size), wrapped) : wrapped;
  }
  e.require(linear->meta.sizes == shape);
  return *linear;
}

/// `target` with the rows of `source` along `dim` added to those at `index`, or in their place; of
/// several for one, the last counts, as in PyTorch on the CPU.
Tensor withRows(Emitter& e, const Tensor& target, const Tensor& index, const Tensor& source,
                std::size_t dim, bool isAdded) {
  const Size rows = e.size(target, dim), count = e.size(index, 0);
  e.require(!count.is(0));
  // [rows, indices], then a dimension for each that follows `dim`.
  const Tensor hits = e.compare("eq", e.unsqueeze(e.arange(rows), 1), index);
  Sizes shape{rows};
  if (isAdded) {
    shape.push_back(count);
    shape.resize(target.rank() - dim + 1, Size::of(1));
    const Tensor chosen = e.where(e.reshape(hits, shape), e.unsqueeze(source, dim),
                                  e.full({}, fillValue(source.dtype(), 0), source.dtype()));
    return e.add(target, e.cast(e.sum(chosen, {dim + 1}, false), target.dtype()));
  }
  const Tensor none = e.full({}, std::int64_t{-1}, DType::Int64);
  const Tensor last = e.amax(e.where(hits, e.arange(count), none), {1}, false);
  const Tensor picked = e.indexSelect(source, dim, e.clamp(last, 0, {}));
  shape.resize(target.rank() - dim, Size::of(1));
  return e.where(e.reshape(e.compare("ge", last, 0), shape), picked, target);
}

/// index_put along adjacent dimensions, as one write along one dimension: those dimensions are
/// flattened, and the indices with them.
template <bool isAdded>
Results indexPut(Emitter& e) {
  const Tensor self = e.tensor("self"), values = e.tensor("values");
  const std::vector<std::optional<Tensor>> indices = e.optionalTensors("indices");
  e.require(indices.size() <= self.rank() && e.flag("accumulate") == isAdded &&
            !(isAdded && self.dtype() == DType::Bool));
  std::vector<std::size_t> indexed, rest;
  for (std::size_t i = 0; i < self.rank(); ++i)
    (i < indices.size() && indices[i] ? indexed : rest).push_back(i);
  e.require(!indexed.empty());
  // The indexed dimensions stay in place if they are adjacent, else they come first.
  const bool isAdjacent = indexed.back() - indexed.front() + 1 == indexed.size();
  const std::size_t at = isAdjacent ? indexed.front() : 0;
  std::vector<std::size_t> order(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(at));
  order.insert(order.end(), indexed.begin(), indexed.end());
  order.insert(order.end(), rest.begin() + static_cast<std::ptrdiff_t>(at), rest.end());

  const Tensor linear = linearIndex(e, self, indexed, indices);
  const Tensor turned = e.permute(self, order);
  Sizes flat, wide, written;  // of self; of the values, with the shape of the indices; of those,
                              // with one dimension of indices
  const Sizes turnedSizes = e.sizes(turned), indexSizes = e.sizes(linear);
  const auto append = [](Sizes& to, const Sizes& from, std::size_t begin, std::size_t end) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
              from.begin() + static_cast<std::ptrdiff_t>(end));
  };
  const std::size_t after = at + indexed.size();
  append(flat, turnedSizes, 0, at);
  wide = written = flat;
  Sizes positions;
  append(positions, turnedSizes, at, after);
  flat.push_back(e.product(positions));
  append(wide, indexSizes, 0, indexSizes.size());
  written.push_back(e.product(indexSizes));
  for (Sizes* sizes : {&flat, &wide, &written})
    append(*sizes, turnedSizes, after, turnedSizes.size());

  const Tensor target = e.reshape(turned, flat);
  const Tensor source = e.reshape(e.expand(e.cast(values, self.dtype()), wide), written);
  const Tensor done = withRows(e, target, e.reshape(linear, {written[at]}), source, at, isAdded);
  std::vector<std::size_t> back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) back[order[i]] = i;
  return one(e.permute(e.reshape(done, turnedSizes), back));
}

/// index_put where a mask is true, of values that do not depend on which element it is.
Results maskedPut(Emitter& e) {
  const Tensor self = e.tensor("self"), values = e.tensor("values");
  const std::vector<std::optional<Tensor>> indices = e.optionalTensors("indices");
  const auto isGiven = [](const std::optional<Tensor>& index) { return index.has_value(); };
  const auto first = std::find_if(indices.begin(), indices.end(), isGiven);
  e.require(first != indices.end() && first + 1 == indices.end());
  const Tensor mask = **first;
  const auto at = static_cast<std::size_t>(first - indices.begin());
  e.require(mask.dtype() == DType::Bool && at + mask.rank() <= self.rank());
  for (std::size_t d = 0; d < mask.rank(); ++d)
    e.require(mask.meta.sizes[d] == self.meta.sizes[at + d]);
  const std::size_t after = self.rank() - at - mask.rank();
  const bool isOne = std::all_of(values.meta.sizes.begin(), values.meta.sizes.end(),
                                 [](const fx::SymInt& size) { return size == fx::SymInt(1); });
  e.require(isOne || values.rank() <= after);
  Sizes shape = e.sizes(mask);
  shape.resize(mask.rank() + after, Size::of(1));
  const Tensor cast = e.cast(isOne ? e.reshape(values, {}) : values, self.dtype());
  const Tensor written = e.flag("accumulate") ? e.add(self, cast) : cast;
  return one(e.where(e.reshape(mask, shape), written, self));
}

/// indexPut() in Python. `lines` compute `x`, with one dimension for those that are indexed, from
/// the `source` and where an index `hits` a row.
std::string indexPutInPython(const std::string& lines) {
  return "    at = [d for d, index in enumerate(indices) if index is not None]\n"
         "    to = at if at[-1] - at[0] < len(at) else list(range(len(at)))\n"
         "    turned, rows, index = self.movedim(at, to), 1, 0\n"
         "    for d in at:\n"
         "        if indices[d].dtype not in (torch.int64, torch.int32):\n"
         "            return NotImplemented\n"
         "        wrapped = torch.where(indices[d] < 0, indices[d] + self.shape[d], indices[d])\n"
         "        rows, index = rows * self.shape[d], index * self.shape[d] + wrapped\n"
         "    before, after = turned.shape[:to[0]], turned.shape[to[-1] + 1:]\n"
         "    source = values.to(self.dtype).expand([*before, *index.shape, *after])\n"
         "    source, x = (t.reshape([*before, -1, *after]) for t in (source, turned))\n"
         "    hits = torch.arange(rows, device=x.device).unsqueeze(1) == index.flatten()\n" +
         lines + "    return x.reshape(turned.shape).movedim(to, at)\n";
}

const std::string& overwritingInPython() {
  static const std::string kText = indexPutInPython(
      "    last = torch.where(hits, torch.arange(hits.shape[1], device=x.device), -1).amax(1)\n"
      "    picked = source.index_select(to[0], last.clamp(min=0))\n"
      "    x = torch.where((last >= 0).view([-1] + [1] * len(after)), picked, x)\n");
  return kText;
}

const std::string& addingInPython() {
  static const std::string kText = indexPutInPython(
      "    hits = hits.view([*hits.shape] + [1] * len(after))\n"
      "    x = x + torch.where(hits, source.unsqueeze(to[0]), 0).sum(to[0] + 1).to(x.dtype)\n");
  return kText;
}

/// The write of a scatter: the source cut to the index's sizes, and where the index covers less
/// than `self`, an index of -1.
Write scattered(Emitter& e, const Tensor& source) {
  const Tensor self = e.tensor("self"), index = e.tensor("index");
  e.require(self.rank() > 0 && index.rank() == self.rank());
  Write w{self, index, source, e.dim(e.integer("dim"), self)};
  const auto samePerDim = [&](std::size_t d) {
    return w.source.rank() == 0 || w.source.meta.sizes[d] == index.meta.sizes[d];
  };
  e.require(source.rank() == 0 || source.rank() == self.rank());
  for (std::size_t d = 0; d < self.rank(); ++d)
    if (!samePerDim(d)) w.source = e.slice(w.source, d, 0, e.fixed(index, d));
  if (source.rank() == 0) w.source = e.expandAs(source, index);
  std::vector<std::int64_t> pads;
  for (std::size_t d = self.rank(); d-- > 0;) {
    const bool isCovered = d == w.dim || index.meta.sizes[d] == self.meta.sizes[d];
    pads.push_back(0);
    pads.push_back(isCovered ? 0 : e.fixed(self, d) - e.fixed(index, d));
  }
  w.index = e.pad(w.index, pads, -1);
  w.source = e.pad(w.source, pads, 0);
  return w;
}

Tensor scatterValue(Emitter& e) {
  const Tensor self = e.tensor("self");
  return e.full({}, e.argument("value"), self.dtype());
}

Results scatterSource(Emitter& e) {
  return one(Writer(e, scattered(e, e.tensor("src"))).overwritten());
}
Results scatterNumber(Emitter& e) {
  return one(Writer(e, scattered(e, scatterValue(e))).overwritten());
}

Results scatterAdd(Emitter& e) {
  Writer writer(e, scattered(e, e.tensor("src")));
  return one(e.add(writer.self(), writer.summed()));
}

Results scatterReduce(Emitter& e) {
  const std::string reduce = e.text("reduce");
  const bool includeSelf = e.flag("include_self");
  Writer writer(e, scattered(e, e.tensor("src")));
  const Tensor self = writer.self();
  const auto orSelf = [&](const Tensor& with, const Tensor& alone) {
    return one(includeSelf ? with : e.where(e.compare("gt", writer.writes(), 0), alone, self));
  };
  if (reduce == "sum") {
    const Tensor sum = writer.summed();
    return orSelf(e.add(self, sum), sum);
  }
  if (reduce == "prod") {
    const Tensor product = writer.multiplied();
    return orSelf(e.mul(self, product), product);
  }
  if (reduce == "amax") {
    const Tensor greatest = writer.greatest();
    return orSelf(e.maximum(self, greatest), greatest);
  }
  if (reduce == "amin") {
    const Tensor least = writer.least();
    return orSelf(e.minimum(self, least), least);
  }
  e.require(reduce == "mean" && isFloating(self.dtype()));
  const Tensor sum = writer.summed(), count = e.cast(writer.writes(), self.dtype());
  if (includeSelf) return one(e.div(e.add(self, sum), e.add(count, 1.0)));
  return one(e.where(e.compare("gt", count, 0), e.div(sum, e.clamp(count, 1.0, {})), self));
}

/// scattered() and Writer in Python. `source`: an expression of the elements; `lines` return what
/// becomes of `self`, from the `source` and where it `hits` a position.
std::string scatterInPython(std::string_view source, std::string_view lines) {
  return fmt::format(
      "    dim, source = dim % self.dim(), {}\n"
      "    missing = [n - own for n, own in zip(self.shape, index.shape)]\n"
      "    missing[dim] = 0\n"
      "    if any(missing):\n"
      "        pads = [pad for n in reversed(missing) for pad in (0, n)]\n"
      "        index = aten.constant_pad_nd(index, pads, -1)\n"
      "        source = aten.constant_pad_nd(source, pads)\n"
      "    ones = [1] * (self.dim() - dim - 1)\n"
      "    hits = index.unsqueeze(dim) == torch.arange(self.shape[dim]).view([-1, 1, *ones])\n"
      "{}",
      source, lines);
}
constexpr std::string_view kSourceInPython = "src[tuple(slice(n) for n in index.shape)]";

/// `value` instead of a source.
std::string valueInPython(std::string_view lines) {
  return scatterInPython("torch.full([], value, dtype=self.dtype).expand(index.shape)", lines);
}

constexpr std::string_view kLastInPython =
    "    order = torch.arange(hits.shape[dim + 1]).view([-1, *ones])\n"
    "    last = torch.where(hits, order, -1).amax([dim + 1])\n"
    "    return torch.where(last >= 0, source.gather(dim, last.clamp(min=0)), self)\n";
constexpr std::string_view kAddedInPython =
    "    added = torch.where(hits, source.unsqueeze(dim), 0).sum([dim + 1])\n"
    "    return self + added.to(self.dtype)\n";
constexpr std::string_view kReducedInPython =
    "    if reduce not in (\"amax\", \"amin\"):\n"
    "        neutral = 1 if reduce == \"prod\" else 0\n"
    "    elif self.is_floating_point():\n"
    "        neutral = -math.inf if reduce == \"amax\" else math.inf\n"
    "    elif self.dtype == torch.bool:\n"
    "        return NotImplemented\n"
    "    else:\n"
    "        limits = torch.iinfo(self.dtype)\n"
    "        neutral = limits.min if reduce == \"amax\" else limits.max\n"
    "    neutral = torch.full([], neutral, dtype=self.dtype)\n"
    "    written = torch.where(hits, source.unsqueeze(dim), neutral)\n"
    "    writes = hits.to(torch.int64).sum([dim + 1])\n"
    "    if reduce == \"amax\":\n"
    "        alone = written.amax([dim + 1])\n"
    "        both = torch.maximum(self, alone)\n"
    "    elif reduce == \"amin\":\n"
    "        alone = written.amin([dim + 1])\n"
    "        both = torch.minimum(self, alone)\n"
    "    elif reduce == \"prod\":\n"
    "        alone = written.prod(dim + 1).to(self.dtype)\n"
    "        both = self * alone\n"
    "    else:\n"
    "        alone = written.sum([dim + 1]).to(self.dtype)\n"
    "        both = self + alone\n"
    "    if reduce == \"mean\":\n"
    "        if not self.is_floating_point():\n"
    "            return NotImplemented\n"
    "        both = both / (writes + 1).to(self.dtype)\n"
    "        alone = alone / writes.clamp(min=1).to(self.dtype)\n"
    "    return both if include_self else torch.where(writes > 0, alone, self)\n";

}  // namespace

void registerDenseWrites(RewriteRules& rules) {
  const std::string reason =
      "becomes comparisons of every position with every index, and a reduction";
  const std::string byMask = "becomes aten.where if its index is a mask; else it " + reason;
  const std::string id = "decompose:aten.index_put";
  rules.add({"aten.index_put.default", byMask, false, indexPut<false>, id, overwritingInPython()});
  rules.add({"aten.index_put.default", byMask, false, indexPut<true>, id, addingInPython()});
  rules.add({"aten.index_put.default", byMask, false, maskedPut, id,
             "    at = next(d for d, index in enumerate(indices) if index is not None)\n"
             "    mask, after = indices[at], self.dim() - at - indices[at].dim()\n"
             "    if len(indices) > at + 1 or mask.dtype != torch.bool:\n"
             "        return NotImplemented\n"
             "    if values.numel() > 1 and values.dim() > after:\n"
             "        return NotImplemented\n"
             "    values = values.reshape([]) if values.numel() == 1 else values\n"
             "    values = values.to(self.dtype) + (self if accumulate else 0)\n"
             "    return torch.where(mask.reshape([*mask.shape] + [1] * after), values, self)\n"});
  // The rules refer to them.
  static const std::string source = scatterInPython(kSourceInPython, kLastInPython),
                           number = valueInPython(kLastInPython),
                           added = scatterInPython(kSourceInPython, kAddedInPython),
                           reduced = scatterInPython(kSourceInPython, kReducedInPython);
  rules.add({"aten.scatter.src", reason, false, scatterSource, {}, source});
  rules.add({"aten.scatter.value", reason, false, scatterNumber, {}, number});
  rules.add({"aten.scatter_add.default", reason, false, scatterAdd, {}, added});
  rules.add({"aten.scatter_reduce.two", reason, false, scatterReduce, {}, reduced});
}

}  // namespace fxs::rewrite
