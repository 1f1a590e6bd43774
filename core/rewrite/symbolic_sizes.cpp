// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/symbolic_sizes.h"

#include <algorithm>
#include <array>

#include "rewrite/symbolic_shapes.h"
#include "rewrite/transcription.h"

namespace fxs::rewrite {
namespace {

using fx::Argument;
using fx::SymInt;

bool hasSymbolic(const fx::TensorMeta& meta) { return symbolicCount(meta.sizes) > 0; }

Tensor inDtype(Emitter& e, const Argument& value, DType dtype) {
  return e.cast(numberTensor(e, value), dtype);
}

Results symbolicReshape(Emitter& e) {
  const Tensor x = e.tensor("self");
  const fx::TensorMeta result = e.result();
  e.require(hasSymbolic(result));
  const bool isView = e.matched().target == "aten.view.default" && isContiguousCopy(e, x);
  const Argument shape = isView ? e.argument("size") : Argument(fx::None{});
  const auto isNumber = [](const Argument& size) { return size.integer() != nullptr; };
  if (shape.list() != nullptr && std::ranges::all_of(*shape.list(), isNumber)) return std::nullopt;
  return one(viewed(e, x, result.sizes));
}

/// By a sum of one element each, which converts.
Tensor converted(Emitter& e, const Tensor& x, DType dtype) {
  const auto unit = std::find(x.meta.sizes.begin(), x.meta.sizes.end(), SymInt(1));
  const bool hasUnit = unit != x.meta.sizes.end();
  std::vector<SymInt> sizes = x.meta.sizes;
  if (!hasUnit) sizes.emplace_back(1);
  const std::int64_t dim = hasUnit ? unit - x.meta.sizes.begin() : std::ssize(x.meta.sizes);
  return e.op("aten.sum.dim_IntList",
              {viewed(e, x, sizes).value, fx::ArgumentList{dim}, hasUnit, dtype}, dtype,
              x.meta.sizes);
}

/// A conversion by what promotes or reduces: aten.to lowers with static sizes only.
Results symbolicConversion(Emitter& e) {
  const Argument value =
      e.matched().args.empty() ? Argument(fx::None{}) : e.matched().args[0].value;
  const fx::TensorMeta* known = e.context().tensor(value);
  const fx::TensorMeta result = e.result();
  e.require(known != nullptr && hasSymbolic(*known) && !isComplex(known->dtype));
  const Tensor x{value, *known};
  const DType from = x.dtype(), to = result.dtype;
  if (from == to) return one(x);
  if (to == DType::Bool) return one(e.compare("ne", x, std::int64_t{0}));
  if (from == DType::Bool) return one(numbersOf(e, x, to));
  const Sizes units(x.rank(), Size::of(1));
  const Tensor factor = e.full(units, fillValue(to, 1), to);
  const bool isPromoted = Emitter::resultType({Operand(x).typed(), Operand(factor).typed()}) == to;
  return one(isPromoted ? e.mul(x, factor) : converted(e, x, to));
}

/// Nothing is random in evaluation, and what nothing uses then goes.
Results inEvaluation(Emitter& e) {
  const Tensor x = e.tensor("input");
  e.require(!e.flag("train"));
  return one(x);
}

/// Of a type that is known, and of no sizes: without it, what only it uses goes.
Results knownMetadata(Emitter& e) {
  const Argument dtype = e.argument("dtype");
  e.require(dtype.isNone() || dtype == Argument(e.tensor("a").dtype()));
  e.require(e.argument("size").isNone() && e.argument("stride").isNone());
  return std::vector<Argument>{fx::None{}};
}

/// A number of sizes that is the same for all: s0 - s0.
Results constantNumber(Emitter& e) {
  const fx::SymValue* symbol = e.matched().val.symbol();
  e.require(symbol != nullptr && symbol->kind == fx::SymKind::Int);
  const auto known = fx::evaluate(SymInt(symbol->expr), {});
  e.require(known.has_value());
  return std::vector<Argument>{*known};
}

/// In two dimensions.
Results symbolicConvolution(Emitter& e) {
  const Tensor x = e.tensor("input");
  const fx::TensorMeta result = e.result();
  e.require(hasSymbolic(x.meta) && x.rank() == 3);
  const auto flat = [](const std::vector<SymInt>& sizes) {
    return std::vector<SymInt>{sizes[0], sizes[1], 1, sizes[2]};
  };
  const auto wide = [&](const Tensor& t) { return viewed(e, t, flat(t.meta.sizes)); };
  const auto pair = [&](std::int64_t first, std::string_view name) {
    const std::vector<std::int64_t> given = e.integers(name);
    e.require(given.size() == 1);
    return fx::ArgumentList{first, given.front()};
  };
  const Tensor out = e.op("aten.convolution.default",
                          {wide(x).value, wide(e.tensor("weight")).value, e.argument("bias"),
                           pair(1, "stride"), pair(0, "padding"), pair(1, "dilation"), false,
                           fx::ArgumentList{std::int64_t{0}, std::int64_t{0}}, e.integer("groups")},
                          result.dtype, flat(result.sizes));
  return one(viewed(e, out, result.sizes));
}

/// unsqueeze and squeeze lower with one symbolic size.
Results withoutUnits(Emitter& e) {
  const fx::TensorMeta result = e.result();
  e.require(symbolicCount(result.sizes) > 1);
  return one(viewed(e, e.tensor("self"), result.sizes));
}

Results symbolicExpand(Emitter& e) {
  const Tensor x = e.tensor("self");
  const fx::TensorMeta result = e.result();
  e.require(hasSymbolic(result));
  return one(broadcastTo(e, x, result.sizes));
}

/// Each dimension beside one of size 1, which is expanded.
Results symbolicRepeat(Emitter& e) {
  const Tensor x = e.tensor("self");
  const fx::TensorMeta result = e.result();
  e.require(hasSymbolic(result) && result.rank() >= x.rank());
  const Argument repeats = e.argument("repeats");
  e.require(repeats.list() != nullptr && repeats.list()->size() == result.rank());
  std::vector<SymInt> apart, wide;
  for (std::size_t d = 0; d < result.rank(); ++d) {
    const std::size_t added = result.rank() - x.rank();
    const SymInt own = d < added ? SymInt(1) : x.meta.sizes[d - added];
    const SymInt times = numberOf(e, (*repeats.list())[d]);
    if (times != SymInt(1) && own != SymInt(1)) {
      apart.emplace_back(1);
      wide.push_back(times);
    }
    apart.push_back(own);
    wide.push_back(own == SymInt(1) ? result.sizes[d] : own);
  }
  return one(viewed(e, broadcastTo(e, viewed(e, x, apart), wide), result.sizes));
}

/// Of one value: "fill_value", or `number` if there is none.
Results filledSymbolic(Emitter& e, std::optional<int> number) {
  const fx::TensorMeta result = e.result();
  e.require(hasSymbolic(result) && result.dtype != DType::Unknown && !isComplex(result.dtype));
  const Argument given = number ? fillValue(result.dtype, *number) : e.argument("fill_value");
  const Tensor value = given.node() != nullptr ? inDtype(e, given, result.dtype)
                                               : e.full(sizesOf({1}), given, result.dtype);
  return one(broadcastTo(e, value, result.sizes));
}

/// A copy over all of a tensor.
Results symbolicCopy(Emitter& e) {
  const Tensor source = e.tensor("src");
  const fx::TensorMeta result = e.result();
  e.require(hasSymbolic(result));
  return one(broadcastTo(e, e.cast(source, result.dtype), result.sizes));
}

Results symbolicScatter(Emitter& e) {
  const Tensor x = e.tensor("self"), source = e.tensor("src");
  e.require(hasSymbolic(x.meta) && source.meta.sizes == x.meta.sizes && e.integer("step") == 1);
  return one(e.cast(source, x.dtype()));
}

Results constantScalar(Emitter& e) {
  const fx::TensorMeta result = e.result();
  const Argument value = e.argument("s");
  e.require(value.node() != nullptr && result.rank() == 0);
  return one(viewed(e, inDtype(e, value, result.dtype), {}));
}

/// The limit of what counts no positions along a symbolic size.
constexpr std::int64_t kNotCounted = 0;

/// What a slice takes, of a dimension.
struct Span {
  std::int64_t start = 0, step = 1;
  bool isFromEnd = false;  ///< `start` is before the end of a symbolic size
};

Tensor spanned(Emitter& e, const Tensor& x, std::size_t dim, const Span& span, const SymInt& count,
               std::int64_t limit) {
  Tensor index;
  if (count.isStatic() && !span.isFromEnd) {
    index = e.arange(span.start, span.start + count.value() * span.step, span.step);
  } else {
    index = positionsOf(e, count, limit);
    if (span.step != 1) index = e.mul(index, span.step);
    if (span.start != 0) index = e.add(index, span.start);
    if (span.isFromEnd) index = e.add(index, sizeTensor(e, x.meta.sizes[dim]));
  }
  return selectedAt(e, x, dim, index);
}

Results symbolicSlice(Emitter& e, std::int64_t limit) {
  const Tensor x = e.tensor("self");
  const fx::TensorMeta result = e.result();
  e.require(hasSymbolic(x.meta) || hasSymbolic(result));
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const SymInt &size = x.meta.sizes[dim], &count = result.sizes[dim];
  Span span{e.optionalInteger("start").value_or(0), e.integer("step")};
  if (count == size && span.step == 1) return one(x);
  if (span.start < 0 && size.isStatic()) span.start = std::max(span.start + size.value(), {});
  if (size.isStatic()) span.start = std::min(span.start, size.value());
  span.isFromEnd = span.start < 0;
  return one(spanned(e, x, dim, span, count, limit));
}

Results symbolicSelect(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(hasSymbolic(x.meta));
  const std::size_t dim = e.dim(e.integer("dim"), x);
  Span span{e.integer("index")};
  if (span.start < 0 && x.meta.sizes[dim].isStatic()) span.start += x.meta.sizes[dim].value();
  span.isFromEnd = span.start < 0;
  return one(viewed(e, spanned(e, x, dim, span, 1, kNotCounted), e.result().sizes));
}

/// Parts of a dimension, one after the other: the results of the matched node.
Results symbolicParts(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(hasSymbolic(x.meta) && e.matched().val.list() != nullptr);
  const std::size_t dim = e.dim(e.integer("dim"), x);
  e.require(x.meta.sizes[dim].isStatic());
  std::vector<Argument> out;
  std::int64_t start = 0;
  for (std::size_t i = 0; i < e.matched().val.list()->size(); ++i) {
    const fx::TensorMeta part = e.result(i);
    const bool isRemoved = part.rank() < x.rank();
    const SymInt count = isRemoved ? SymInt(1) : part.sizes[dim];
    e.require(count.isStatic());
    out.push_back(viewed(e, spanned(e, x, dim, {start}, count, kNotCounted), part.sizes).value);
    start += count.value();
  }
  return out;
}

/// One half along a static dimension, gated by the other.
Results symbolicGlu(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(hasSymbolic(x.meta));
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const std::int64_t half = e.fixed(x, dim) / 2;
  const Tensor gate = e.sigmoid(spanned(e, x, dim, {half}, half, kNotCounted));
  return one(e.mul(spanned(e, x, dim, {}, half, kNotCounted), gate));
}

/// Two tensors along a dimension, of which at least one has a static size there.
Tensor joinedPair(Emitter& e, const Tensor& a, const Tensor& b, std::size_t dim,
                  std::int64_t limit) {
  const SymInt &first = a.meta.sizes[dim], &second = b.meta.sizes[dim];
  e.require(first.isStatic() || second.isStatic());
  const auto padded = [&](const Tensor& x, std::int64_t before, std::int64_t after) {
    std::vector<std::int64_t> pads(2 * (x.rank() - dim), 0);
    pads[pads.size() - 2] = before;
    pads[pads.size() - 1] = after;
    return e.pad(x, pads, 0);
  };
  const SymInt whole = first + second;
  std::vector<SymInt> line(a.rank(), SymInt(1));
  line[dim] = whole;
  if (whole.isStatic()) {
    const Tensor isFirst = e.compare("lt", e.arange(Size::of(whole.value())), first.value());
    return e.where(viewed(e, isFirst, line), padded(a, 0, second.value()),
                   padded(b, first.value(), 0));
  }
  // The static one has an element for each place: which one does not matter where the other is.
  const bool isStaticFirst = first.isStatic();
  const Tensor wide = isStaticFirst ? padded(b, first.value(), 0) : padded(a, 0, second.value());
  const Tensor place = positionsOf(e, whole, limit);
  const Tensor begin = sizeTensor(e, isStaticFirst ? SymInt(0) : first);
  const Tensor isShort =
      isStaticFirst ? e.compare("lt", place, first.value()) : e.compare("ge", place, begin);
  const std::int64_t most = (isStaticFirst ? first : second).value() - 1;
  const Tensor index =
      e.clamp(isStaticFirst ? place : e.sub(place, begin), 0.0, static_cast<double>(most));
  return e.where(viewed(e, isShort, line), selectedAt(e, isStaticFirst ? a : b, dim, index), wide);
}

Results symbolicCat(Emitter& e, std::int64_t limit) {
  const fx::TensorMeta result = e.result();
  e.require(hasSymbolic(result));
  std::vector<Tensor> parts;
  for (const Tensor& part : e.tensors("tensors"))
    if (part.meta.sizes != std::vector<SymInt>{SymInt(0)})
      parts.push_back(part.dtype() == result.dtype ? part : e.cast(part, result.dtype));
  e.require(!parts.empty() && !isComplex(result.dtype));
  const bool isBool = result.dtype == DType::Bool;
  if (isBool)
    for (Tensor& part : parts) part = e.cast(part, DType::Int64);
  const std::size_t dim = e.dim(e.integer("dim"), parts.front());
  Tensor out = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) out = joinedPair(e, out, parts[i], dim, limit);
  return one(isBool ? e.compare("ne", out, std::int64_t{0}) : out);
}

Results symbolicStack(Emitter& e) {
  e.require(hasSymbolic(e.result()));
  const std::vector<Tensor> parts = e.tensors("tensors");
  return one(e.stack(parts, e.dimOf(e.integer("dim"), parts.front().rank() + 1)));
}

Results symbolicArange(Emitter& e, std::int64_t limit) {
  const fx::TensorMeta result = e.result();
  e.require(hasSymbolic(result) && result.rank() == 1);
  const Argument first = e.argument("start"), by = e.argument("step");
  Tensor out = positionsOf(e, result.sizes[0], limit);
  if (isFloating(result.dtype)) out = e.cast(out, result.dtype);
  if (!by.isNone() && !isNumber(by, 1)) out = e.mul(out, by);
  if (!first.isNone() && !isNumber(first, 0)) {
    if (first.node() != nullptr) out = e.add(out, numberTensor(e, first));
    else out = e.add(out, first);
  }
  return one(e.cast(out, result.dtype));
}

/// The sum of the elements up to each, of all pairs of places.
Results symbolicCumsum(Emitter& e, std::int64_t limit) {
  const Tensor x = e.tensor("self");
  const fx::TensorMeta result = e.result();
  e.require(hasSymbolic(x.meta) && x.rank() > 0 && !isComplex(result.dtype));
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const SymInt& size = x.meta.sizes[dim];
  const Tensor place = positionsOf(e, size, limit);
  std::vector<SymInt> row(x.rank() + 1, SymInt(1)), column = row;
  row[dim] = size;
  column[dim + 1] = size;
  const Tensor isUpTo = e.compare("le", viewed(e, place, column), viewed(e, place, row));
  std::vector<SymInt> beside = x.meta.sizes;
  beside.insert(beside.begin() + static_cast<std::ptrdiff_t>(dim), SymInt(1));
  const Tensor value = viewed(e, e.cast(x, result.dtype), beside);
  return one(e.sum(e.where(isUpTo, value, e.zeros({}, result.dtype)), {dim + 1}, false));
}

Results symbolicMatmul(Emitter& e) {
  const Tensor a = e.tensor("self"), b = e.tensor("other");
  const fx::TensorMeta result = e.result();
  e.require(result.rank() > 3 && a.rank() >= 3 && b.rank() >= 3 &&
            (symbolicCount(result.sizes) > 1 || symbolicCount(a.meta.sizes) > 1 ||
             symbolicCount(b.meta.sizes) > 1));
  return one(viewed(e, flatProduct(e, a, b), result.sizes));
}

Results symbolicBaddbmm(Emitter& e) {
  const fx::TensorMeta result = e.result();
  e.require(hasSymbolic(result));
  const Tensor a = e.tensor("batch1"), b = e.tensor("batch2");
  Tensor out = e.op("aten.bmm.default", {a.value, b.value}, result.dtype, result.sizes);
  const Argument alpha = e.argument("alpha"), beta = e.argument("beta");
  if (!isNumber(alpha, 1)) out = e.mul(out, alpha);
  if (isNumber(beta, 0)) return one(out);
  const Tensor self = e.tensor("self");
  return one(e.add(out, isNumber(beta, 1) ? self : e.mul(self, beta)));
}

/// Operands of fewer dimensions, several of which are symbolic, get those that they lack; a number
/// that is computed of sizes becomes a tensor.
Results symbolicElementwise(Emitter& e) {
  const fx::Node node = e.matched();
  const fx::TensorMeta result = e.result();
  std::vector<fx::NodeArgument> args = node.args;
  bool changed = false;
  for (fx::NodeArgument& argument : args) {
    const fx::TensorMeta* known = e.context().tensor(argument.value);
    if (known == nullptr || known->rank() >= result.rank() || symbolicCount(known->sizes) < 2)
      continue;
    const Tensor part{argument.value, *known};
    std::vector<SymInt> full(result.rank() - part.rank(), SymInt(1));
    full.insert(full.end(), part.meta.sizes.begin(), part.meta.sizes.end());
    argument.value = viewed(e, part, full).value;
    changed = true;
  }
  if (!changed) return std::nullopt;
  return e.call(node.target, std::move(args), node.val);
}

/// A number of the second operand that is computed of sizes becomes a tensor.
Results withSizeTensor(Emitter& e) {
  const fx::Node node = e.matched();
  const Argument other = e.argument("other");
  if (other.node() == nullptr || e.context().tensor(other) != nullptr)
    return symbolicElementwise(e);
  const Tensor x = e.tensor("self");
  const DType dtype = isIntegral(x.dtype()) ? DType::Int64 : x.dtype();
  std::string target = node.target;
  if (const std::size_t at = target.rfind(".Scalar"); at != std::string::npos)
    target = target.substr(0, at) + ".Tensor";
  std::vector<fx::NodeArgument> args = node.args;
  for (fx::NodeArgument& argument : args)
    if (argument.name == "other") argument.value = viewed(e, inDtype(e, other, dtype), {}).value;
  return e.call(target, std::move(args), node.val);
}

Results symbolicMean(Emitter& e) {
  const Tensor x = e.tensor("self");
  const fx::TensorMeta result = e.result();
  const std::vector<std::size_t> dims = e.dims("dim", x);
  SymInt count = 1;
  for (const std::size_t d : dims) count = count * x.meta.sizes[d];
  e.require(!count.isStatic() && isFloating(result.dtype));
  Tensor out = e.sum(e.cast(x, result.dtype), dims, e.flag("keepdim"));
  for (const std::size_t d : dims) {
    const Tensor size = e.cast(sizeTensor(e, x.meta.sizes[d]), result.dtype);
    out = e.div(out, viewed(e, size, {}));
  }
  return one(out);
}

Results indexedAlong(Emitter& e) {
  const Tensor x = e.tensor("self"), index = e.tensor("index");
  e.require(hasSymbolic(e.result()) || hasSymbolic(x.meta));
  return one(selectedAt(e, x, e.dim(e.integer("dim"), x), index));
}

/// Index tensors of neighbouring dimensions, as one of all of these together.
Results symbolicIndex(Emitter& e) {
  const Tensor x = e.tensor("self");
  const fx::TensorMeta result = e.result();
  e.require(hasSymbolic(result) || hasSymbolic(x.meta));
  const auto given = e.optionalTensors("indices");
  std::optional<Tensor> linear;
  std::size_t first = 0, end = 0;
  for (std::size_t d = 0; d < given.size(); ++d) {
    if (!given[d]) continue;
    e.require(isIntegral(given[d]->dtype()) && (!linear || end == d));
    const Tensor size = viewed(e, sizeTensor(e, x.meta.sizes[d]), {});
    const Tensor wide = e.cast(*given[d], DType::Int64);
    const Tensor place = e.where(e.compare("lt", wide, std::int64_t{0}), e.add(wide, size), wide);
    if (!linear) first = d;
    linear = linear ? e.add(e.mul(*linear, size), place) : place;
    end = d + 1;
  }
  e.require(linear.has_value());
  SymInt along = 1;
  for (std::size_t d = first; d < end; ++d) along = along * x.meta.sizes[d];
  const SymInt taken = fx::elementCount(linear->meta.sizes);
  std::vector<SymInt> merged(x.meta.sizes.begin(),
                             x.meta.sizes.begin() + static_cast<std::ptrdiff_t>(first));
  merged.push_back(along);
  merged.insert(merged.end(), x.meta.sizes.begin() + static_cast<std::ptrdiff_t>(end),
                x.meta.sizes.end());
  const Tensor out = selectedAt(e, viewed(e, x, merged), first, viewed(e, *linear, {taken}));
  return one(viewed(e, out, result.sizes));
}

/// Places along a static dimension in another order.
template <bool isRoll>
Results symbolicReorder(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(hasSymbolic(x.meta));
  const std::vector<std::int64_t> dims = e.integers("dims");
  const std::vector<std::int64_t> shifts = isRoll ? e.integers("shifts") : dims;
  e.require(!dims.empty() && shifts.size() == dims.size());
  Tensor out = x;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::size_t dim = e.dim(dims[i], x);
    const std::int64_t size = e.fixed(x, dim);
    const std::int64_t by = isRoll ? ((-shifts[i] % size) + size) % size : 0;
    const Tensor place = e.arange(Size::of(size));
    const Tensor index =
        isRoll ? e.op("aten.remainder.Scalar", {e.add(place, by).value, size}, place.meta)
               : e.arange(size - 1, -1, -1);
    out = selectedAt(e, out, dim, index);
  }
  return one(out);
}

/// The most that a size with these ranges can be.
std::int64_t limitOf(const fx::Program& program) {
  std::int64_t most = 1;
  for (const fx::RangeConstraint& range : program.ranges)
    most = std::max(most, range.max.value_or(kMostPositions));
  return most < kMostPositions / 2 ? 2 * most : kMostPositions;
}

using Apply = std::function<Results(Emitter&)>;
/// The id of rules that are right for every size.
constexpr std::string_view kNothingCounted = "symbolic-shapes";

void addLengths(RewriteRules& rules, std::int64_t limit) {
  const auto add = [&](std::initializer_list<std::string_view> targets, Apply apply) {
    for (const std::string_view target : targets)
      rules.add({std::string(target), "counts along a symbolic size", false, apply,
                 std::string(kCounted)});
  };
  const auto limited = [limit](Results (*apply)(Emitter&, std::int64_t)) -> Apply {
    return [apply, limit](Emitter& e) { return apply(e, limit); };
  };
  const std::string isNotCounted(kNothingCounted);
  rules.add({"aten.slice.Tensor", "takes places of a static dimension", false,
             [](Emitter& e) { return symbolicSlice(e, kNotCounted); }, isNotCounted});
  rules.add({"aten.cat.default", "chooses by the places of a static dimension", false,
             [](Emitter& e) { return symbolicCat(e, kNotCounted); }, isNotCounted});
  add({"aten.slice.Tensor"}, limited(symbolicSlice));
  add({"aten.cat.default"}, limited(symbolicCat));
  add({"aten.arange.default", "aten.arange.start", "aten.arange.start_step"},
      limited(symbolicArange));
  add({"aten.cumsum.default"}, limited(symbolicCumsum));
}

/// Adds rules for what counts nothing.
class ShapeRules {
 public:
  explicit ShapeRules(RewriteRules& rules) : rules_(rules) {}
  void operator()(std::initializer_list<std::string_view> targets, const Apply& apply) const {
    for (const std::string_view target : targets)
      rules_.add({std::string(target), "takes no symbolic size as a number", false, apply,
                  std::string(kNothingCounted)});
  }

 private:
  RewriteRules& rules_;
};

void addShapes(const ShapeRules& add) {
  add({"aten.view.default", "aten.reshape.default", "aten._unsafe_view.default",
       "aten.flatten.using_ints", "aten.unflatten.int", "aten.view_as.default",
       "aten.reshape_as.default", "aten.ravel.default"},
      symbolicReshape);
  add({"aten.unsqueeze.default", "aten.squeeze.dim", "aten.squeeze.dims", "aten.squeeze.default"},
      withoutUnits);
  add({"aten.expand.default", "aten.expand_as.default", "aten.broadcast_to.default"},
      symbolicExpand);
  add({"aten.repeat.default"}, symbolicRepeat);
  add({"prims.convert_element_type.default", "aten.to.dtype", "aten._to_copy.default",
       "aten.to.dtype_layout", "aten.type_as.default"},
      symbolicConversion);
  add({"aten.zeros.default", "aten.zeros_like.default", "aten.new_zeros.default",
       "aten.empty.memory_format", "aten.empty_like.default", "aten.new_empty.default"},
      [](Emitter& e) { return filledSymbolic(e, 0); });
  add({"aten.ones.default", "aten.ones_like.default", "aten.new_ones.default"},
      [](Emitter& e) { return filledSymbolic(e, 1); });
  add({"aten.full.default", "aten.full_like.default", "aten.new_full.default"},
      [](Emitter& e) { return filledSymbolic(e, std::nullopt); });
  add({"aten.scalar_tensor.default"}, constantScalar);
  add({"aten.dropout.default", "aten.feature_dropout.default"}, inEvaluation);
  add({fx::kAssertTensorMetadata}, knownMetadata);
  add({"_operator.add", "_operator.sub", "_operator.mul"}, constantNumber);
  add({"aten.copy.default"}, symbolicCopy);
  add({"aten.slice_scatter.default"}, symbolicScatter);
  add({"aten.select.int"}, symbolicSelect);
  add({"aten.split.Tensor", "aten.split_with_sizes.default", "aten.chunk.default",
       "aten.unbind.int"},
      symbolicParts);
  add({"aten.glu.default"}, symbolicGlu);
  add({"aten.stack.default"}, symbolicStack);
  add({"aten.index_select.default"}, indexedAlong);
  add({"aten.index.Tensor"}, symbolicIndex);
  add({"aten.flip.default"}, symbolicReorder<false>);
  add({"aten.roll.default"}, symbolicReorder<true>);
}

void addValues(const ShapeRules& add) {
  add({"aten.matmul.default"}, symbolicMatmul);
  add({"aten.baddbmm.default"}, symbolicBaddbmm);
  add({"aten.conv1d.default"}, symbolicConvolution);
  add({"aten.mean.dim"}, symbolicMean);
  add({"aten.add.Tensor", "aten.sub.Tensor", "aten.mul.Tensor", "aten.div.Tensor", "aten.eq.Tensor",
       "aten.ne.Tensor", "aten.lt.Tensor", "aten.le.Tensor", "aten.gt.Tensor", "aten.ge.Tensor",
       "aten.eq.Scalar", "aten.ne.Scalar", "aten.lt.Scalar", "aten.le.Scalar", "aten.gt.Scalar",
       "aten.ge.Scalar", "aten.remainder.Scalar"},
      withSizeTensor);
  add({"aten.where.self", "aten.where.ScalarOther", "aten.where.ScalarSelf", "aten.where.Scalar",
       "aten.masked_fill.Scalar", "aten.masked_fill.Tensor", "aten.logical_and.default",
       "aten.logical_or.default", "aten.bitwise_and.Tensor", "aten.bitwise_or.Tensor",
       "aten.minimum.default", "aten.maximum.default"},
      symbolicElementwise);
}

/// With a mask of other strides it has no form in TOSA, whatever its sizes are.
constexpr std::string_view kAttention = "aten.scaled_dot_product_attention.default";

/// Those of the built-in rules whose forms lower with a symbolic size where the operator does not.
void addKnown(RewriteRules& rules) {
  static constexpr std::array<std::string_view, 10> kTargets{"aten.triu.default",
                                                             "aten.tril.default",
                                                             kAttention,
                                                             "aten.layer_norm.default",
                                                             "aten.native_layer_norm.default",
                                                             "aten.group_norm.default",
                                                             "aten.convolution.default",
                                                             "aten.gelu.default",
                                                             "aten.max.other",
                                                             "aten.min.other"};
  for (const Rule& known : builtinRules().rules()) {
    if (std::find(kTargets.begin(), kTargets.end(), known.target) == kTargets.end()) continue;
    Rule rule = known;
    const bool isForAll = known.target == kAttention;
    rule.apply = [isForAll, apply = known.apply](Emitter& e) -> Results {
      if (!isForAll && !hasSymbolic(e.result())) return std::nullopt;
      return apply(e);
    };
    rules.add(std::move(rule));
  }
}

}  // namespace

std::vector<Rule> symbolicSizeRules(const fx::Program& program) {
  RewriteRules rules;
  addLengths(rules, limitOf(program));
  addShapes(ShapeRules(rules));
  addValues(ShapeRules(rules));
  addKnown(rules);
  return rules.rules();
}

}  // namespace fxs::rewrite
