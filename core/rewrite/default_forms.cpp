// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What torch.export.default_decompositions() makes of operators that models have, checked against
// PyTorch operation by operation.
#include <algorithm>
#include <cmath>

#include "ops/promotion.h"
#include "rewrite/default_parts.h"
#include "rewrite/pytorch_forms.h"
#include "rewrite/view_ops.h"

namespace fxs::rewrite {

Tensor expanded(Emitter& e, const Tensor& x, const Sizes& shape) {
  const Tensor out = e.expand(x, shape);
  return out.value == x.value ? e.op("aten.expand.default", {x.value, argumentsOf(shape)}, x.meta)
                              : out;
}

Tensor permuted(Emitter& e, const Tensor& x, std::size_t a, std::size_t b) {
  std::vector<std::size_t> order = allDims(x);
  std::swap(order.at(a), order.at(b));
  return e.permute(x, order);
}

Tensor repeated(Emitter& e, const Tensor& x, std::size_t dim, std::int64_t times) {
  Sizes wide = e.sizes(x), flat = wide;
  flat[dim] = e.times(flat[dim], Size::of(times));
  wide.insert(wide.begin() + static_cast<std::ptrdiff_t>(dim) + 1, Size::of(times));
  return e.reshape(e.contiguousCopy(expanded(e, e.unsqueeze(x, dim + 1), wide)), flat);
}

Tensor scalar(Emitter& e, fx::Argument number, DType dtype) {
  const fx::TensorMeta meta = e.meta(dtype, {});
  return e.op("aten.scalar_tensor.default",
              {std::move(number), dtype, Layout::Strided, meta.device, fx::None{}}, meta);
}

Tensor widened(Emitter& e, std::string_view name) {
  const Tensor x = e.tensor(name);
  e.require(isFloating(x.dtype()));
  return e.cast(x, ops::computationType(x.dtype()));
}

void addDefault(RewriteRules& forms, std::initializer_list<std::string_view> targets,
                Results (*apply)(Emitter&)) {
  forms.addEach(targets, "becomes what run_decompositions() makes of it", false, apply);
}

namespace {

/// A number as PyTorch promotes it beside a tensor of the type.
fx::Argument inType(const fx::Argument& number, DType dtype) {
  const std::int64_t* integer = number.integer();
  if (integer != nullptr && isFloating(dtype)) return static_cast<double>(*integer);
  return number;
}

Results transpose(Emitter& e) {
  const Tensor x = e.tensor("self");
  if (x.rank() == 0) return one(x);
  return one(permuted(e, x, e.dim(e.integer("dim0"), x), e.dim(e.integer("dim1"), x)));
}

template <bool logarithmic>
Results softmaxByDefault(Emitter& e) {
  Tensor x = e.tensor("self");
  if (!e.argument("dtype").isNone()) x = e.cast(x, e.result().dtype);
  return one(e.op(logarithmic ? "aten._log_softmax.default" : "aten._softmax.default",
                  {x.value, e.argument("dim"), false}, e.result()));
}

Results range(Emitter& e) {
  const bool fromZero = e.matched().target == "aten.arange.default";
  const fx::TensorMeta result = e.result();
  return one(
      e.op("aten.arange.start_step",
           {fromZero ? fx::Argument(std::int64_t{0}) : e.argument("start"), e.argument("end"),
            std::int64_t{1}, e.argument("dtype"), Layout::Strided, result.device, false},
           result));
}

Results filledWith(Emitter& e, const fx::Argument& value) {
  const fx::TensorMeta result = e.result();
  return one(e.op("aten.full.default",
                  {e.argument("size"), value, result.dtype, Layout::Strided, result.device, false},
                  result));
}

template <int number>
Results filled(Emitter& e) {
  return filledWith(e, fillValue(e.result().dtype, number));
}

Results newFull(Emitter& e) { return filledWith(e, e.argument("fill_value")); }

template <int number>
Results filledLike(Emitter& e) {
  const Tensor x = e.tensor("self");
  const fx::TensorMeta result = e.result();
  return one(e.op("aten.full_like.default",
                  {x.value, fillValue(result.dtype, number), e.argument("dtype"),
                   e.argument("layout"), e.argument("device"), false},
                  result));
}

Results typeAsByDefault(Emitter& e) { return one(e.cast(e.tensor("self"), e.result().dtype)); }

Results reversedSub(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(isNumber(e.argument("alpha"), 1));
  return one(e.op("aten.sub.Tensor", {e.argument("other"), x.value}, e.result()));
}

Results squeeze(Emitter& e) {
  const Tensor x = e.tensor("self");
  const fx::ArgumentList dims{e.argument("dim")};
  return one(e.op("aten.squeeze.dims", {x.value, dims}, e.result()));
}

/// One number for each spatial dimension; a single one is repeated.
std::vector<std::int64_t> eachDim(Emitter& e, std::string_view name, std::size_t spatial) {
  std::vector<std::int64_t> values = e.integers(name);
  if (values.size() == 1) values.assign(spatial, values.front());
  e.require(values.size() == spatial);
  return values;
}

Results convolved(Emitter& e, std::size_t spatial, const std::vector<std::int64_t>& padding,
                  bool transposed) {
  const Tensor x = e.tensor("input"), weight = e.tensor("weight");
  e.require(x.rank() == spatial + 2);
  const auto listed = [](const std::vector<std::int64_t>& values) {
    return fx::ArgumentList(values.begin(), values.end());
  };
  const std::vector<std::int64_t> none(spatial, 0);
  return one(e.op(
      "aten.convolution.default",
      {x.value, weight.value, e.argument("bias"), listed(eachDim(e, "stride", spatial)),
       listed(padding), listed(eachDim(e, "dilation", spatial)), transposed,
       listed(transposed ? eachDim(e, "output_padding", spatial) : none), e.argument("groups")},
      e.result()));
}

template <std::size_t spatial, bool transposed>
Results convolution(Emitter& e) {
  return convolved(e, spatial, eachDim(e, "padding", spatial), transposed);
}

/// By the name of its padding.
template <std::size_t spatial>
Results convolutionByName(Emitter& e) {
  const Tensor weight = e.tensor("weight");
  e.require(weight.rank() == spatial + 2);
  const bool same = e.text("padding") == "same";
  const std::vector<std::int64_t> dilation = eachDim(e, "dilation", spatial);
  std::vector<std::int64_t> padding;
  for (std::size_t i = 0; i < spatial; ++i) {
    const std::int64_t total = saturated(dilation[i], e.fixed(weight, i + 2) - 1);
    e.require(!same || total % 2 == 0);
    padding.push_back(same ? total / 2 : 0);
  }
  return convolved(e, spatial, padding, false);
}

Results adaptiveAverage(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::vector<std::int64_t> sizes = e.integers("output_size");
  if (sizes == std::vector<std::int64_t>{1, 1})
    return one(e.op("aten.mean.dim",
                    {x.value, fx::ArgumentList{std::int64_t{-1}, std::int64_t{-2}}, true},
                    e.result()));
  return one(
      e.op("aten._adaptive_avg_pool2d.default", {x.value, e.argument("output_size")}, e.result()));
}

/// The first result of aten.max_pool2d_with_indices, or of that in three dimensions.
Tensor maxPool(Emitter& e, std::string_view target, const Tensor& x, fx::TensorMeta result,
               fx::Argument kernel, fx::Argument stride, fx::Argument padding,
               fx::Argument dilation, fx::Argument ceil) {
  fx::TensorMeta positions = result;
  positions.dtype = DType::Int64;
  return {e.call(target,
                 {{"self", x.value, false},
                  {"kernel_size", std::move(kernel), false},
                  {"stride", std::move(stride), false},
                  {"padding", std::move(padding), false},
                  {"dilation", std::move(dilation), false},
                  {"ceil_mode", std::move(ceil), false}},
                 fx::ValueList{fx::Value(result), fx::Value(positions)})
              .front(),
          result};
}

constexpr std::string_view kMaxPool2d = "aten.max_pool2d_with_indices.default",
                           kMaxPool3d = "aten.max_pool3d_with_indices.default";

Results maxPools(Emitter& e) {
  const bool isFlat = e.matched().target == "aten.max_pool2d.default";
  return one(maxPool(e, isFlat ? kMaxPool2d : kMaxPool3d, e.tensor("self"), e.result(),
                     e.argument("kernel_size"), e.argument("stride"), e.argument("padding"),
                     e.argument("dilation"), e.argument("ceil_mode")));
}

Results repeatInterleave(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::int64_t times = e.integer("repeats");
  e.require(e.optionalInteger("dim").has_value() && times > 0 && times <= kMaxNumber);
  return one(repeated(e, x, e.dim(e.integer("dim"), x), times));
}

/// aten.where with tensors for its numbers.
Results chosen(Emitter& e) {
  const Tensor condition = e.tensor("condition");
  const fx::TensorMeta result = e.result();
  const auto operand = [&](std::string_view name) -> fx::Argument {
    const fx::Argument given = e.argument(name);
    return given.node() != nullptr ? given : scalar(e, given, result.dtype).value;
  };
  const fx::Argument other = operand("other"), self = operand("self");
  return one(e.op("aten.where.self", {condition.value, self, other}, result));
}

Results maskedFillByDefault(Emitter& e) {
  const Tensor x = e.tensor("self"), mask = e.tensor("mask");
  const Tensor value = scalar(e, inType(e.argument("value"), x.dtype()), x.dtype());
  return one(e.op("aten.where.self", {mask.value, value.value, x.value}, e.result()));
}

template <bool upper>
Results triangleByDefault(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(x.rank() >= 2);
  const std::int64_t diagonal = e.integer("diagonal");
  const Tensor columns = e.unsqueeze(e.arange(e.size(x, x.rank() - 1)), 0);
  const Tensor rows = e.unsqueeze(e.arange(e.size(x, x.rank() - 2)), 1);
  const Tensor kept = e.compare(upper ? "ge" : "le", e.sub(columns, rows), diagonal);
  if (x.dtype() == DType::Bool) return one(e.logicalAnd(kept, x));
  return one(e.op("aten.where.self",
                  {kept.value, x.value, scalar(e, std::int64_t{0}, x.dtype()).value}, e.result()));
}

template <bool greater>
Results elementwiseExtreme(Emitter& e) {
  const Tensor a = e.tensor("self"), b = e.tensor("other");
  return one(greater ? e.maximum(a, b) : e.minimum(a, b));
}

Results tile(Emitter& e) {
  const Tensor x = e.tensor("self");
  std::vector<std::int64_t> dims = e.integers("dims");
  if (dims.size() < x.rank()) dims.insert(dims.begin(), x.rank() - dims.size(), 1);
  return one(e.op("aten.repeat.default", {x.value, fx::ArgumentList(dims.begin(), dims.end())},
                  e.result()));
}

Results stack(Emitter& e) {
  const std::vector<Tensor> parts = e.tensors("tensors");
  e.require(!parts.empty() && parts.front().rank() > 0);
  const std::size_t dim = e.dimOf(e.integer("dim"), parts.front().rank() + 1);
  if (dim == parts.front().rank()) {
    std::vector<Tensor> columns;
    for (const Tensor& part : parts) columns.push_back(e.unsqueeze(part, dim));
    return one(e.cat(columns, dim));
  }
  Sizes shape = e.sizes(parts.front());
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(dim),
               Size::of(static_cast<std::int64_t>(parts.size())));
  return one(e.reshape(e.cat(parts, dim), shape));
}

template <bool upper>
Results limited(Emitter& e) {
  const Tensor x = e.tensor("self");
  if (upper)
    return one(e.op("aten.clamp.default", {x.value, fx::None{}, e.argument("max")}, e.result()));
  return one(e.op("aten.clamp.default", {x.value, e.argument("min")}, e.result()));
}

Results addedProduct(Emitter& e) {
  const Tensor self = widened(e, "self"), a = widened(e, "tensor1"), b = widened(e, "tensor2");
  const Tensor scaled = e.op("aten.mul.Tensor", {a.value, e.argument("value")}, a.meta);
  return one(e.asResult(e.add(self, e.mul(scaled, b))));
}

Results expandAs(Emitter& e) {
  return one(expanded(e, e.tensor("self"), e.sizes(e.tensor("other"))));
}

Results asView(Emitter& e) {
  return one(e.op("aten.view.default", {e.tensor("self").value, e.argument("size")}, e.result()));
}

Results splitBySize(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const std::int64_t size = e.integer("split_size"), all = e.fixed(x, dim);
  const fx::ValueList* parts = e.matched().val.list();
  e.require(size > 0 && parts != nullptr);
  e.expectNodes(parts->size());
  fx::ArgumentList sizes;
  for (std::int64_t at = 0; at < all; at += size) sizes.push_back(std::min(size, all - at));
  return e.call("aten.split_with_sizes.default",
                {{"self", x.value, false},
                 {"split_sizes", std::move(sizes), false},
                 {"dim", e.argument("dim"), false}},
                *parts);
}

Tensor varianceOf(Emitter& e, const Tensor& x, fx::Argument correction) {
  fx::TensorMeta result = e.result();
  result.dtype = x.dtype();
  return {e.call("aten.var.correction",
                 {{"self", x.value, false},
                  {"dim", e.argument("dim"), false},
                  {"correction", std::move(correction), true},
                  {"keepdim", e.argument("keepdim"), true}},
                 fx::Value(result))
              .front(),
          result};
}

Results variance(Emitter& e) {
  return one(varianceOf(e, e.tensor("self"), std::int64_t{e.flag("unbiased") ? 1 : 0}));
}

Results logSumExpByDefault(Emitter& e) {
  const Tensor x = widened(e, "self");
  const std::vector<std::size_t> dims = e.dims("dim", x);
  e.require(x.rank() > 0);
  const Tensor top = e.amax(x, dims, true);
  const Tensor infinite = e.compare("eq", e.abs(top), INFINITY);
  const Tensor shift = e.where(infinite, scalar(e, 0.0, x.dtype()), top);
  const bool keeps = e.flag("keepdim");
  const Tensor added = keeps ? shift
                             : e.op("aten.squeeze.dims", {shift.value, integersOf(dims)}, x.dtype(),
                                    reducedSizes(x.meta.sizes, dims, false));
  return one(e.asResult(e.add(e.log(e.sum(e.exp(e.sub(x, shift)), dims, keeps)), added)));
}

/// A pool of a line in two dimensions: an argument, with `first` for the added one.
fx::Argument wideArgument(Emitter& e, std::string_view name, std::int64_t first) {
  const std::vector<std::int64_t> given = e.integers(name);
  if (given.empty()) return fx::ArgumentList{};
  return fx::ArgumentList{first, given.front()};
}
/// Its result, before narrow().
fx::TensorMeta wideResult(Emitter& e) {
  const fx::TensorMeta result = e.result();
  e.require(result.rank() == 3);
  std::vector<fx::SymInt> sizes = result.sizes;
  sizes.insert(sizes.begin() + 2, fx::SymInt(1));
  return e.meta(result.dtype, sizes);
}
Results narrow(Emitter& e, const Tensor& wide) {
  return one(
      e.op("aten.squeeze.dims", {wide.value, fx::ArgumentList{std::int64_t{-2}}}, e.result()));
}

Results maxPool1d(Emitter& e) {
  const Tensor wide = e.unsqueeze(e.tensor("self"), 2);
  return narrow(e, maxPool(e, kMaxPool2d, wide, wideResult(e), wideArgument(e, "kernel_size", 1),
                           wideArgument(e, "stride", 1), wideArgument(e, "padding", 0),
                           wideArgument(e, "dilation", 1), e.argument("ceil_mode")));
}

Results averagePool1d(Emitter& e) {
  const Tensor wide = e.unsqueeze(e.tensor("self"), 2);
  return narrow(e, e.op("aten.avg_pool2d.default",
                        {wide.value, wideArgument(e, "kernel_size", 1),
                         wideArgument(e, "stride", 1), wideArgument(e, "padding", 0),
                         e.argument("ceil_mode"), e.argument("count_include_pad")},
                        wideResult(e)));
}

Results adaptiveAverage1d(Emitter& e) {
  e.require(e.integers("output_size") == std::vector<std::int64_t>{1});
  const Tensor wide = e.unsqueeze(e.tensor("self"), 2);
  return narrow(e, e.op("aten.mean.dim",
                        {wide.value, fx::ArgumentList{std::int64_t{-1}, std::int64_t{-2}}, true},
                        wideResult(e)));
}

Results unbindByDefault(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const std::int64_t count = e.fixed(x, dim);
  e.expectNodes(2 * static_cast<std::uint64_t>(count));
  std::vector<fx::Argument> out;
  for (std::int64_t i = 0; i < count; ++i) {
    const Tensor row = e.slice(x, dim, i, i + 1);
    fx::TensorMeta meta = row.meta;
    meta.sizes.erase(meta.sizes.begin() + static_cast<std::ptrdiff_t>(dim));
    meta.strides.erase(meta.strides.begin() + static_cast<std::ptrdiff_t>(dim));
    out.push_back(e.op("aten.squeeze.dims", {row.value, integersOf({dim})}, meta).value);
  }
  return out;
}

Results neighbourDifference(Emitter& e) {
  Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  e.require(e.integer("n") == 1 && x.dtype() != DType::Bool);
  std::vector<Tensor> parts{x};
  if (const std::optional<Tensor> before = e.optionalTensor("prepend"))
    parts.insert(parts.begin(), *before);
  if (const std::optional<Tensor> after = e.optionalTensor("append")) parts.push_back(*after);
  x = e.cat(parts, dim);
  const Size size = e.size(x, dim);
  const fx::TensorMeta result = e.result();
  const auto part = [&](const Size& start, const Size& end) {
    return e.op("aten.slice.Tensor",
                {x.value, static_cast<std::int64_t>(dim), start.argument, end.argument}, result);
  };
  const Size last = e.plus(size, Size::of(-1));
  const Tensor first = part(Size::of(0), last), second = part(Size::of(1), size);
  return one(e.sub(second, first));
}

Results deviation(Emitter& e) {
  return one(e.asResult(e.sqrt(varianceOf(e, widened(e, "self"), e.flag("unbiased") ? 1.0 : 0.0))));
}

Results rollByDefault(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::vector<std::int64_t> shifts = e.integers("shifts"), dims = e.integers("dims");
  e.require(!dims.empty() && shifts.size() == dims.size());
  Tensor out = x;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::size_t dim = e.dim(dims[i], x);
    const std::int64_t size = e.fixed(x, dim);
    e.require(size > 0);
    const std::int64_t start = ((size - shifts[i]) % size + size) % size;
    const Tensor shifted = e.add(e.arange(Size::of(size)), start);
    const Tensor index = e.op("aten.fmod.Scalar", {shifted.value, size}, shifted.meta);
    out = e.indexSelect(out, dim, index);
  }
  return one(out);
}

/// To a mean of all three dimensions.
Results adaptiveAverage3d(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(e.integers("output_size") == std::vector<std::int64_t>{1, 1, 1});
  const fx::ArgumentList dims{std::int64_t{-1}, std::int64_t{-2}, std::int64_t{-3}};
  return one(e.op("aten.mean.dim", {x.value, dims, true}, e.result()));
}

Results shuffledChannels(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::int64_t groups = e.integer("groups");
  e.require(x.rank() > 2 && groups > 0 && e.fixed(x, 1) % groups == 0);
  const Sizes shape = e.sizes(x);
  Sizes split = shape;
  split[1] = Size::of(e.fixed(x, 1) / groups);
  split.insert(split.begin() + 1, Size::of(groups));
  return one(e.reshape(e.contiguousCopy(permuted(e, e.reshape(x, split), 1, 2)), shape));
}

/// aten.sort, or sort.stable, of which the first result is not used.
Results argsortByDefault(Emitter& e) {
  const Tensor x = e.tensor("self");
  const bool isStable = e.matched().target == "aten.argsort.stable";
  std::vector<fx::NodeArgument> args{{"self", x.value, false}};
  if (isStable) args.push_back({"stable", e.argument("stable"), true});
  for (const char* name : {"dim", "descending"}) args.push_back({name, e.argument(name), isStable});
  const std::string target = isStable ? "aten.sort.stable" : "aten.sort.default";
  return std::vector<fx::Argument>{
      e.call(target, std::move(args), fx::ValueList{x.meta, e.result()}).back()};
}

Results transposeMatrix(Emitter& e) {
  const Tensor x = e.tensor("self");
  return one(x.rank() < 2 ? x : permuted(e, x, 0, 1));
}

Results sumOfAll(Emitter& e) {
  const Tensor x = e.tensor("self");
  return e.call("aten.sum.dim_IntList",
                {{"self", x.value, false},
                 {"dim", fx::ArgumentList{}, false},
                 {"dtype", e.argument("dtype"), true}},
                fx::Value(e.result()));
}

Results maskedByTensor(Emitter& e) {
  const Tensor x = e.tensor("self"), mask = e.tensor("mask"), value = e.tensor("value");
  e.require(value.dtype() == x.dtype());
  return one(e.op("aten.where.self", {mask.value, value.value, x.value}, e.result()));
}

/// aten.index_put along a dimension.
template <bool accumulate>
Results putAlong(Emitter& e) {
  const Tensor x = e.tensor("self"), index = e.tensor("index"), source = e.tensor("source");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  if (accumulate) e.require(isNumber(e.argument("alpha"), 1));
  e.require(x.rank() > 0 && index.rank() == 1);
  fx::ArgumentList indices(dim, fx::None{});
  indices.push_back(index.value);
  return one(e.op("aten.index_put.default", {x.value, indices, source.value, accumulate}, x.meta));
}

Results allAlong(Emitter& e) {
  const Tensor x = e.tensor("self");
  const fx::TensorMeta result = e.result();
  const Tensor any = e.op(
      "aten.any.dim", {e.logicalNot(x).value, e.argument("dim"), e.argument("keepdim")}, result);
  return one(e.logicalNot(any));
}

Results meshgridByDefault(Emitter& e) {
  const std::vector<Tensor> lines = e.tensors("tensors");
  const fx::Argument indexing = e.argument("indexing");
  e.require(indexing.isNone() || e.text("indexing") == "ij");
  Sizes grid;
  for (const Tensor& line : lines) {
    e.require(line.rank() == 1);
    grid.push_back(e.size(line, 0));
  }
  std::vector<fx::Argument> out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Sizes own(lines.size(), Size::of(1));
    own[i] = grid[i];
    out.push_back(expanded(e, e.reshape(lines[i], own), grid).value);
  }
  return out;
}

Results withoutDropout(Emitter& e) {
  e.require(!e.flag("train"));
  return one(e.clone(e.tensor("input")));
}

}  // namespace

const RewriteRules& defaultForms() {
  static const RewriteRules kForms = [] {
    RewriteRules forms;
    const auto add = [&](std::initializer_list<std::string_view> targets,
                         Results (*apply)(Emitter&)) { addDefault(forms, targets, apply); };
    addDefaultProducts(forms);
    addDefaultPadding(forms);
    addDefaultLosses(forms);
    addDefaultNorms(forms);
    addDefaultActivations(forms);
    addDefaultCells(forms);
    addDefaultUpsample(forms);
    addDefaultWrites(forms);
    add({"aten.transpose.int"}, transpose);
    add({"aten.softmax.int"}, softmaxByDefault<false>);
    add({"aten.log_softmax.int"}, softmaxByDefault<true>);
    add({"aten.arange.default", "aten.arange.start"}, range);
    add({"aten.zeros.default", "aten.new_zeros.default"}, filled<0>);
    add({"aten.ones.default", "aten.new_ones.default"}, filled<1>);
    add({"aten.new_full.default"}, newFull);
    add({"aten.zeros_like.default"}, filledLike<0>);
    add({"aten.ones_like.default"}, filledLike<1>);
    add({"aten.type_as.default"}, typeAsByDefault);
    add({"aten.rsub.Scalar"}, reversedSub);
    add({"aten.squeeze.dim"}, squeeze);
    add({"aten.conv1d.default"}, convolution<1, false>);
    add({"aten.conv2d.default"}, convolution<2, false>);
    add({"aten.conv3d.default"}, convolution<3, false>);
    add({"aten.conv_transpose1d.default"}, convolution<1, true>);
    add({"aten.conv_transpose2d.input"}, convolution<2, true>);
    add({"aten.conv_transpose3d.input"}, convolution<3, true>);
    add({"aten.adaptive_avg_pool2d.default"}, adaptiveAverage);
    add({"aten.max_pool2d.default", "aten.max_pool3d.default"}, maxPools);
    add({"aten.repeat_interleave.self_int"}, repeatInterleave);
    add({"aten.where.Scalar", "aten.where.ScalarOther", "aten.where.ScalarSelf"}, chosen);
    add({"aten.masked_fill.Scalar"}, maskedFillByDefault);
    add({"aten.triu.default"}, triangleByDefault<true>);
    add({"aten.tril.default"}, triangleByDefault<false>);
    add({"aten.max.other"}, elementwiseExtreme<true>);
    add({"aten.min.other"}, elementwiseExtreme<false>);
    add({"aten.tile.default"}, tile);
    add({"aten.stack.default"}, stack);
    add({"aten.clamp_min.default"}, limited<false>);
    add({"aten.clamp_max.default"}, limited<true>);
    add({"aten.addcmul.default"}, addedProduct);
    add({"aten.expand_as.default"}, expandAs);
    add({"aten._unsafe_view.default"}, asView);
    add({"aten.split.Tensor"}, splitBySize);
    add({"aten.var.dim"}, variance);
    add({"aten.logsumexp.default"}, logSumExpByDefault);
    add({"aten.max_pool1d.default"}, maxPool1d);
    add({"aten.unbind.int"}, unbindByDefault);
    add({"aten.diff.default"}, neighbourDifference);
    add({"aten.std.dim"}, deviation);
    add({"aten.roll.default"}, rollByDefault);
    add({"aten.adaptive_avg_pool3d.default"}, adaptiveAverage3d);
    add({"aten.channel_shuffle.default"}, shuffledChannels);
    add({"aten.argsort.default", "aten.argsort.stable"}, argsortByDefault);
    add({"aten.dropout.default"}, withoutDropout);
    add({"aten.t.default"}, transposeMatrix);
    add({"aten.meshgrid.default", "aten.meshgrid.indexing"}, meshgridByDefault);
    add({"aten.sum.default"}, sumOfAll);
    add({"aten.avg_pool1d.default"}, averagePool1d);
    add({"aten.adaptive_avg_pool1d.default"}, adaptiveAverage1d);
    add({"aten.masked_fill.Tensor"}, maskedByTensor);
    add({"aten.index_copy.default"}, putAlong<false>);
    add({"aten.index_add.default"}, putAlong<true>);
    add({"aten.all.dim"}, allAlong);
    add({"aten.conv1d.padding"}, convolutionByName<1>);
    add({"aten.conv2d.padding"}, convolutionByName<2>);
    add({"aten.conv3d.padding"}, convolutionByName<3>);
    return forms;
  }();
  return kForms;
}

}  // namespace fxs::rewrite
