// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <limits>

#include "ops/shapes.h"
#include "rewrite/emit.h"

namespace fxs::rewrite {

using fx::Argument;
using fx::SymInt;
using fx::TensorMeta;

namespace {

Argument asInt(std::size_t value) { return static_cast<std::int64_t>(value); }

bool keepsIntegers(std::string_view packet) {
  for (const std::string_view name :
       {"neg", "abs", "relu", "sign", "floor", "ceil", "round", "trunc", "bitwise_not", "clone"})
    if (packet == name) return true;
  return false;
}

}  // namespace

Tensor Emitter::unary(std::string_view packet, const Tensor& x) {
  const DType dtype = keepsIntegers(packet) ? x.dtype() : ops::integerToFloat(x.dtype());
  return op("aten." + std::string(packet) + ".default", {x.value}, dtype, x.meta.sizes);
}

Tensor Emitter::logicalNot(const Tensor& x) {
  return op("aten.logical_not.default", {x.value}, DType::Bool, x.meta.sizes);
}

Tensor Emitter::pow(const Tensor& x, double exponent) {
  return op("aten.pow.Tensor_Scalar", {x.value, exponent}, ops::integerToFloat(x.dtype()),
            x.meta.sizes);
}

Tensor Emitter::clamp(const Tensor& x, std::optional<double> low, std::optional<double> high) {
  const auto bound = [&](const std::optional<double>& v) -> Argument {
    if (!v) return fx::None{};
    return isFloating(x.dtype()) ? Argument(*v) : Argument(static_cast<std::int64_t>(*v));
  };
  return op("aten.clamp.default", {x.value, bound(low), bound(high)}, x.dtype(), x.meta.sizes);
}

Tensor Emitter::cast(const Tensor& x, DType dtype) {
  if (x.dtype() == dtype) return x;
  return op("prims.convert_element_type.default", {x.value, dtype}, dtype, x.meta.sizes);
}

Tensor Emitter::clone(const Tensor& x) {
  return op("aten.clone.default", {x.value}, x.dtype(), x.meta.sizes);
}

Tensor Emitter::promoted(std::string_view target, const Operand& a, const Operand& b) {
  return op(target, {a.argument(), b.argument()}, resultType({a.typed(), b.typed()}),
            broadcastSizes(a.sizes(), b.sizes()));
}

Tensor Emitter::arithmetic(std::string_view packet, const Operand& a, const Operand& b) {
  if (!a.tensor() && packet == "sub")
    return op("aten.rsub.Scalar", {b.argument(), a.argument()}, resultType({a.typed(), b.typed()}),
              b.sizes());
  const std::string target = "aten." + std::string(packet) + ".Tensor";
  return a.tensor() ? promoted(target, a, b) : promoted(target, b, a);
}

Tensor Emitter::div(const Operand& a, const Operand& b) {
  if (!a.tensor()) {
    const Tensor inverse = reciprocal(*b.tensor());
    const double* number = std::get_if<double>(&a.argument());
    return number && *number == 1.0 ? inverse : mul(inverse, a);
  }
  return op("aten.div.Tensor", {a.argument(), b.argument()},
            ops::integerToFloat(resultType({a.typed(), b.typed()})),
            broadcastSizes(a.sizes(), b.sizes()));
}

Tensor Emitter::compare(std::string_view relation, const Tensor& a, const Operand& b) {
  const std::string target = "aten." + std::string(relation) + (b.tensor() ? ".Tensor" : ".Scalar");
  return op(target, {a.value, b.argument()}, DType::Bool, broadcastSizes(a.meta.sizes, b.sizes()));
}

Tensor Emitter::logicalAnd(const Tensor& a, const Tensor& b) {
  return op("aten.logical_and.default", {a.value, b.value}, DType::Bool,
            broadcastSizes(a.meta.sizes, b.meta.sizes));
}

Tensor Emitter::logicalOr(const Tensor& a, const Tensor& b) {
  return op("aten.logical_or.default", {a.value, b.value}, DType::Bool,
            broadcastSizes(a.meta.sizes, b.meta.sizes));
}

Tensor Emitter::where(const Tensor& condition, const Operand& a, const Operand& b) {
  std::string overload = b.tensor() ? "self" : "ScalarOther";
  if (!a.tensor()) overload = b.tensor() ? "ScalarSelf" : "Scalar";
  return op("aten.where." + overload, {condition.value, a.argument(), b.argument()},
            resultType({a.typed(), b.typed()}),
            broadcastSizes(condition.meta.sizes, broadcastSizes(a.sizes(), b.sizes())));
}

Tensor Emitter::reshape(const Tensor& x, const Sizes& shape) {
  std::vector<SymInt> sizes = valuesOf(shape);
  if (sizes == x.meta.sizes) return x;
  const auto elements = [](const std::vector<SymInt>& of) {
    SymInt count = 1;
    for (const SymInt& size : of) count = count * size;
    return count;
  };
  const SymInt before = elements(x.meta.sizes), after = elements(sizes);
  require(!before.isStatic() || !after.isStatic() || before == after);
  return op("aten.reshape.default", {x.value, argumentsOf(shape)}, x.dtype(), std::move(sizes));
}

Tensor Emitter::contiguousCopy(const Tensor& x) {
  const fx::TensorMeta copied = meta(x.dtype(), x.meta.sizes);
  return {
      call("aten.clone.default",
           {{"self", x.value, false}, {"memory_format", MemoryFormat::Contiguous, true}}, copied)
          .front(),
      copied};
}

Tensor Emitter::flatten(const Tensor& x) {
  if (x.rank() == 1) return x;
  SymInt count = 1;
  for (const SymInt& s : x.meta.sizes) count = count * s;
  return op("aten.reshape.default", {x.value, fx::ArgumentList{std::int64_t{-1}}}, x.dtype(),
            {count});
}

Tensor Emitter::permute(const Tensor& x, const std::vector<std::size_t>& order) {
  TensorMeta out = x.meta;
  require(order.size() == x.rank());
  for (std::size_t i = 0; i < order.size(); ++i) {
    requireDim(x, order[i]);
    out.sizes[i] = x.meta.sizes[order[i]];
    out.strides[i] = x.meta.strides[order[i]];
  }
  if (order == allDims(x)) return x;
  return op("aten.permute.default", {x.value, integersOf(order)}, std::move(out));
}

Tensor Emitter::transpose(const Tensor& x, std::size_t a, std::size_t b) {
  if (a == b) return x;
  requireDim(x, a);
  requireDim(x, b);
  TensorMeta out = x.meta;
  std::swap(out.sizes[a], out.sizes[b]);
  std::swap(out.strides[a], out.strides[b]);
  return op("aten.transpose.int", {x.value, asInt(a), asInt(b)}, std::move(out));
}

Tensor Emitter::expand(const Tensor& x, const Sizes& shape) {
  TensorMeta out = x.meta;
  out.sizes.clear();
  out.strides.clear();
  require(shape.size() >= x.rank() && x.meta.strides.size() == x.rank());
  const std::size_t added = shape.size() - x.rank();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    out.sizes.push_back(shape[i].value);
    const bool same = i >= added && x.meta.sizes[i - added] == shape[i].value;
    out.strides.push_back(same ? x.meta.strides[i - added] : SymInt(0));
  }
  if (out.sizes == x.meta.sizes) return x;
  return op("aten.expand.default", {x.value, argumentsOf(shape)}, std::move(out));
}

Tensor Emitter::unsqueeze(const Tensor& x, std::size_t dim) {
  TensorMeta out = x.meta;
  require(dim <= x.rank() && x.meta.strides.size() == x.rank());
  const auto at = static_cast<std::ptrdiff_t>(dim);
  const SymInt stride = dim < x.rank() ? x.meta.sizes[dim] * x.meta.strides[dim] : SymInt(1);
  out.sizes.insert(out.sizes.begin() + at, SymInt(1));
  out.strides.insert(out.strides.begin() + at, stride);
  return op("aten.unsqueeze.default", {x.value, asInt(dim)}, std::move(out));
}

Tensor Emitter::squeeze(const Tensor& x, std::size_t dim) {
  requireDim(x, dim);
  TensorMeta out = x.meta;
  out.sizes.erase(out.sizes.begin() + static_cast<std::ptrdiff_t>(dim));
  out.strides.erase(out.strides.begin() + static_cast<std::ptrdiff_t>(dim));
  return op("aten.squeeze.dim", {x.value, asInt(dim)}, std::move(out));
}

namespace {

/// Rounded down. `by` is positive.
SymInt quotientOf(const SymInt& size, std::int64_t by) {
  if (by == 1) return size;
  if (size.isStatic()) return size.value() / by;
  const auto hint = size.hint();
  return SymInt(fx::SymExpr::call("FloorDiv", {size.expr(), fx::SymExpr::integerOf(by)}),
                hint ? std::optional(*hint / by) : std::nullopt);
}

}  // namespace

Tensor Emitter::slice(const Tensor& x, std::size_t dim, std::int64_t start, std::int64_t end,
                      std::int64_t step) {
  TensorMeta out = x.meta;
  requireDim(x, dim);
  require(step > 0 && step <= kMaxNumber);
  const SymInt& size = x.meta.sizes[dim];
  if (size.isStatic()) {
    const std::int64_t count = size.value();
    require(count >= 0);
    const std::int64_t from = ops::sliceBound(start, count),
                       to = std::max(from, ops::sliceBound(end, count));
    if (from == 0 && to == count && step == 1) return x;
    out.sizes[dim] = (to - from + step - 1) / step;
  } else {
    SymInt& count = out.sizes[dim];
    if (end == kToEnd) count = start < 0 ? SymInt(-start) : size - SymInt(start);
    else count = end < 0 ? size + SymInt(end - start) : SymInt(end - start);
    count = quotientOf(count + SymInt(step - 1), step);
  }
  out.storageOffset = out.storageOffset + SymInt(start) * out.strides[dim];
  out.strides[dim] = out.strides[dim] * SymInt(step);
  return op("aten.slice.Tensor", {x.value, asInt(dim), start, end, step}, std::move(out));
}

Tensor Emitter::select(const Tensor& x, std::size_t dim, std::int64_t index) {
  requireDim(x, dim);
  TensorMeta out = x.meta;
  out.storageOffset = out.storageOffset + SymInt(index) * out.strides[dim];
  out.sizes.erase(out.sizes.begin() + static_cast<std::ptrdiff_t>(dim));
  out.strides.erase(out.strides.begin() + static_cast<std::ptrdiff_t>(dim));
  return op("aten.select.int", {x.value, asInt(dim), index}, std::move(out));
}

Tensor Emitter::cat(const std::vector<Tensor>& parts, std::size_t dim) {
  require(!parts.empty());
  for (const Tensor& part : parts) requireDim(part, dim);
  if (parts.size() == 1) return parts.front();
  std::vector<SymInt> sizes = parts.front().meta.sizes;
  DType dtype = parts.front().dtype();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    sizes[dim] = sizes[dim] + parts[i].meta.sizes[dim];
    const std::optional<DType> both = ops::promoteTypes(dtype, parts[i].dtype());
    require(both.has_value());
    dtype = *both;
  }
  return op("aten.cat.default", {argumentsOf(parts), asInt(dim)}, dtype, std::move(sizes));
}

Tensor Emitter::stack(const std::vector<Tensor>& parts, std::size_t dim) {
  std::vector<Tensor> rows;
  for (const Tensor& part : parts) rows.push_back(unsqueeze(part, dim));
  return cat(rows, dim);
}

Tensor Emitter::flip(const Tensor& x, std::size_t dim) {
  requireDim(x, dim);
  return op("aten.flip.default", {x.value, integersOf({dim})}, x.dtype(), x.meta.sizes);
}

Tensor Emitter::pad(const Tensor& x, const std::vector<std::int64_t>& pads, double value) {
  require(pads.size() / 2 <= x.rank());
  std::vector<SymInt> sizes = x.meta.sizes;
  fx::ArgumentList list;
  for (std::size_t i = 0; i + 1 < pads.size(); i += 2) {
    SymInt& size = sizes[sizes.size() - 1 - i / 2];
    size = size + SymInt(pads[i]) + SymInt(pads[i + 1]);
    list.emplace_back(pads[i]);
    list.emplace_back(pads[i + 1]);
  }
  if (std::all_of(pads.begin(), pads.end(), [](std::int64_t p) { return p == 0; })) return x;
  const Argument fill =
      isFloating(x.dtype()) ? Argument(value) : Argument(static_cast<std::int64_t>(value));
  return op("aten.constant_pad_nd.default", {x.value, std::move(list), fill}, x.dtype(),
            std::move(sizes));
}

Tensor Emitter::reduced(std::string_view target, const Tensor& x,
                        const std::vector<std::size_t>& dims, bool keepDims, DType dtype) {
  if (dims.empty()) return cast(x, dtype);
  return op(target, {x.value, integersOf(dims), keepDims}, dtype,
            reducedSizes(x.meta.sizes, dims, keepDims));
}

Tensor Emitter::sum(const Tensor& x, const std::vector<std::size_t>& dims, bool keepDims) {
  const bool integers = isIntegral(x.dtype()) || x.dtype() == DType::Bool;
  return reduced("aten.sum.dim_IntList", x, dims, keepDims, integers ? DType::Int64 : x.dtype());
}

Tensor Emitter::mean(const Tensor& x, const std::vector<std::size_t>& dims, bool keepDims) {
  return reduced("aten.mean.dim", x, dims, keepDims, x.dtype());
}

Tensor Emitter::full(const Sizes& shape, const Argument& number, DType dtype) {
  TensorMeta out = meta(dtype, valuesOf(shape));
  std::vector<Argument> args{argumentsOf(shape), number, dtype, fx::None{}, out.device, false};
  return op("aten.full.default", std::move(args), std::move(out));
}

Argument fillValue(DType dtype, int number) {
  return dtype == DType::Bool ? Argument(number != 0) : Argument(std::int64_t{number});
}

Argument extremeOf(DType dtype, bool isLowest) {
  if (isFloating(dtype)) return (isLowest ? -1 : 1) * std::numeric_limits<double>::infinity();
  switch (dtype) {
    case DType::Int64: return isLowest ? INT64_MIN : INT64_MAX;
    case DType::Int32: return std::int64_t{isLowest ? INT32_MIN : INT32_MAX};
    case DType::Int16: return std::int64_t{isLowest ? INT16_MIN : INT16_MAX};
    case DType::Int8: return std::int64_t{isLowest ? INT8_MIN : INT8_MAX};
    case DType::UInt8: return std::int64_t{isLowest ? 0 : UINT8_MAX};
    case DType::Bool: return !isLowest;
    default: throw Misfit{};
  }
}

Tensor Emitter::zeros(const Sizes& shape, DType dtype) {
  if (isFloating(dtype)) return full(shape, 0.0, dtype);
  return full(shape, fillValue(dtype, 0), dtype);
}

Tensor Emitter::random(std::string_view packet, const Sizes& shape, DType dtype) {
  TensorMeta out = meta(dtype, valuesOf(shape));
  return op("aten." + std::string(packet) + ".default",
            {argumentsOf(shape), dtype, fx::None{}, out.device, false}, out);
}

Tensor Emitter::along(const Tensor& line, const Size& size, std::size_t dim, std::size_t rank) {
  require(dim < rank);
  Sizes shape(rank, Size::of(1));
  shape[dim] = size;
  return reshape(line, shape);
}

Tensor Emitter::arange(const Size& end, std::int64_t step) {
  require(step > 0);
  TensorMeta out = meta(DType::Int64, {quotientOf(end.value + SymInt(step - 1), step)});
  std::vector<Argument> args{std::int64_t{0}, end.argument, step, DType::Int64,
                             fx::None{},      out.device,   false};
  return op("aten.arange.start_step", std::move(args), std::move(out));
}

Tensor Emitter::arange(std::int64_t start, std::int64_t end, std::int64_t step) {
  require(step != 0);
  TensorMeta out = meta(DType::Int64, {SymInt((end - start + step - (step > 0 ? 1 : -1)) / step)});
  std::vector<Argument> args{start, end, step, DType::Int64, fx::None{}, out.device, false};
  return op("aten.arange.start_step", std::move(args), std::move(out));
}

Tensor Emitter::gather(const Tensor& x, std::size_t dim, const Tensor& index) {
  return op("aten.gather.default", {x.value, asInt(dim), index.value}, x.dtype(), index.meta.sizes);
}

Sorted Emitter::sort(const Tensor& x, std::size_t dim, bool descending) {
  const TensorMeta values = meta(x.dtype(), x.meta.sizes), order = meta(DType::Int64, x.meta.sizes);
  const std::vector<Argument> both = call(
      "aten.sort.default",
      {{"self", x.value, false}, {"dim", asInt(dim), false}, {"descending", descending, false}},
      fx::ValueList{fx::Value(values), fx::Value(order)});
  return {{both[0], values}, {both[1], order}};
}

Tensor Emitter::indexSelect(const Tensor& x, std::size_t dim, const Tensor& index) {
  requireDim(x, dim);
  std::vector<SymInt> sizes = x.meta.sizes;
  sizes[dim] = index.rank() == 0 ? SymInt(1) : index.meta.sizes[0];
  return op("aten.index_select.default", {x.value, asInt(dim), index.value}, x.dtype(),
            std::move(sizes));
}

Tensor Emitter::indexAt(const Tensor& x, std::size_t dim, const Tensor& index) {
  requireDim(x, dim);
  std::vector<SymInt> sizes(x.meta.sizes.begin(),
                            x.meta.sizes.begin() + static_cast<std::ptrdiff_t>(dim));
  sizes.insert(sizes.end(), index.meta.sizes.begin(), index.meta.sizes.end());
  sizes.insert(sizes.end(), x.meta.sizes.begin() + static_cast<std::ptrdiff_t>(dim) + 1,
               x.meta.sizes.end());
  fx::ArgumentList indices(dim, fx::None{});
  indices.push_back(index.value);
  return op("aten.index.Tensor", {x.value, std::move(indices)}, x.dtype(), std::move(sizes));
}

Tensor Emitter::matmul(const Tensor& a, const Tensor& b) {
  const std::vector<SymInt>&sa = a.meta.sizes, &sb = b.meta.sizes;
  std::vector<SymInt> sizes;
  if (sa.size() > 2 || sb.size() > 2) {
    const auto batch = [](const std::vector<SymInt>& s) {
      return std::vector<SymInt>(
          s.begin(), s.begin() + static_cast<std::ptrdiff_t>(s.size() > 2 ? s.size() - 2 : 0));
    };
    sizes = broadcastSizes(batch(sa), batch(sb));
  }
  if (sa.size() > 1) sizes.push_back(sa[sa.size() - 2]);
  if (sb.size() > 1) sizes.push_back(sb.back());
  const bool plain = sa.size() == 2 && sb.size() == 2;
  return op(plain ? "aten.mm.default" : "aten.matmul.default", {a.value, b.value}, a.dtype(),
            std::move(sizes));
}

Tensor Emitter::linear(const Tensor& x, const Tensor& weight, const std::optional<Tensor>& bias) {
  std::vector<SymInt> sizes = x.meta.sizes;
  require(x.rank() > 0 && weight.rank() > 0);
  sizes.back() = weight.meta.sizes.front();
  std::vector<Argument> args{x.value, weight.value};
  if (bias) args.push_back(bias->value);
  return op("aten.linear.default", std::move(args), x.dtype(), std::move(sizes));
}

}  // namespace fxs::rewrite
