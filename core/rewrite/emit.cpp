// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/emit.h"

#include <algorithm>
#include <numeric>

#include "ops/promotion.h"
#include "ops/schema.h"
#include "ops/shapes.h"

namespace fxs::rewrite {

using fx::Argument;
using fx::SymInt;
using fx::TensorMeta;

ops::TypedOperand Operand::typed() const {
  if (const Tensor* t = tensor()) return fx::typedOperand(t->meta);
  // A node that is not a tensor is a scalar, such as a size.
  return fx::typedNumber(argument())
      .value_or(ops::TypedOperand{DType::Int64, ops::OperandKind::Number});
}

DType Emitter::resultType(const std::vector<ops::TypedOperand>& operands) {
  const std::optional<DType> type = ops::resultType(operands);
  require(type.has_value());
  return *type;
}

std::vector<SymInt> Emitter::broadcastSizes(const std::vector<SymInt>& a,
                                            const std::vector<SymInt>& b) {
  auto sizes = ops::broadcastShapes(
      a, b, [](const SymInt& size, const SymInt& other) -> std::optional<SymInt> {
        if (!size.isStatic()) return other.isStatic() ? other : size;
        if (other.isStatic() && size != other) return std::nullopt;
        return size;
      });
  require(sizes.has_value());
  return *std::move(sizes);
}

std::vector<std::size_t> allDims(const Tensor& x) {
  std::vector<std::size_t> out(x.rank());
  std::iota(out.begin(), out.end(), std::size_t{0});
  return out;
}

bool isEmpty(const Tensor& x) {
  return std::ranges::find(x.meta.sizes, fx::SymInt(0)) != x.meta.sizes.end();
}

std::size_t classDim(const Tensor& x) { return x.rank() < 2 ? 0 : 1; }

std::vector<std::size_t> normalizedDims(Emitter& e, const Tensor& x) {
  const std::size_t count = e.integers("normalized_shape").size();
  e.require(count > 0 && count <= x.rank());
  std::vector<std::size_t> dims = allDims(x);
  dims.erase(dims.begin(), dims.end() - static_cast<std::ptrdiff_t>(count));
  return dims;
}

std::vector<SymInt> reducedSizes(const std::vector<SymInt>& sizes,
                                 const std::vector<std::size_t>& dims, bool keepDims) {
  std::vector<SymInt> out;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool gone = std::find(dims.begin(), dims.end(), i) != dims.end();
    if (!gone) out.push_back(sizes[i]);
    else if (keepDims) out.emplace_back(1);
  }
  return out;
}

std::vector<SymInt> valuesOf(const Sizes& sizes) {
  std::vector<SymInt> out;
  for (const Size& size : sizes) out.push_back(size.value);
  return out;
}

Sizes sizesOf(const std::vector<std::int64_t>& values) {
  Sizes out;
  for (const std::int64_t value : values) out.push_back(Size::of(value));
  return out;
}

fx::ArgumentList argumentsOf(const Sizes& sizes) {
  fx::ArgumentList out;
  for (const Size& s : sizes) out.push_back(s.argument);
  return out;
}

fx::ArgumentList argumentsOf(const std::vector<Tensor>& tensors) {
  fx::ArgumentList out;
  for (const Tensor& t : tensors) out.push_back(t.value);
  return out;
}

fx::ArgumentList integersOf(const std::vector<std::size_t>& values) {
  fx::ArgumentList out;
  for (const std::size_t v : values) out.emplace_back(static_cast<std::int64_t>(v));
  return out;
}

Tensor Emitter::tensor(std::string_view name) {
  Argument value = context_.argument(name);
  const TensorMeta* known = context_.tensor(value);
  require(known != nullptr);
  return {std::move(value), *known};
}

std::optional<Tensor> Emitter::optionalTensor(std::string_view name) {
  if (context_.argument(name).isNone()) return std::nullopt;
  return tensor(name);
}

std::vector<std::optional<Tensor>> Emitter::optionalTensors(std::string_view name) {
  std::vector<std::optional<Tensor>> out;
  const Argument value = context_.argument(name);
  require(value.list() != nullptr);
  for (const Argument& item : *value.list()) {
    const TensorMeta* known = context_.tensor(item);
    require(known != nullptr || item.isNone());
    out.push_back(item.isNone() ? std::nullopt : std::optional(Tensor{item, *known}));
  }
  return out;
}

std::vector<Tensor> Emitter::tensors(std::string_view name) {
  std::vector<Tensor> out;
  for (std::optional<Tensor>& item : optionalTensors(name)) {
    require(item.has_value());
    out.push_back(*std::move(item));
  }
  return out;
}

namespace {
bool isUsual(std::int64_t v) { return (v >= -kMaxNumber && v <= kMaxNumber) || v == kToEnd; }
}  // namespace

std::optional<std::int64_t> Emitter::optionalInteger(std::string_view name) {
  const Argument value = context_.argument(name);
  if (value.isNone()) return std::nullopt;
  if (const bool* b = std::get_if<bool>(&value)) return *b ? 1 : 0;
  require(value.integer() != nullptr && isUsual(*value.integer()));
  return *value.integer();
}

std::int64_t Emitter::integer(std::string_view name) {
  const std::optional<std::int64_t> value = optionalInteger(name);
  require(value.has_value());
  return *value;
}

std::optional<std::vector<std::int64_t>> Emitter::optionalIntegers(std::string_view name) {
  const Argument value = context_.argument(name);
  if (value.isNone()) return std::nullopt;
  if (value.integer()) {
    require(isUsual(*value.integer()));
    return std::vector<std::int64_t>{*value.integer()};
  }
  std::vector<std::int64_t> out;
  require(value.list() != nullptr);
  for (const Argument& item : *value.list()) {
    require(item.integer() != nullptr && isUsual(*item.integer()));
    out.push_back(*item.integer());
  }
  return out;
}

std::vector<std::int64_t> Emitter::integers(std::string_view name) {
  return optionalIntegers(name).value_or(std::vector<std::int64_t>{});
}

std::optional<double> Emitter::optionalNumber(std::string_view name) {
  const Argument value = context_.argument(name);
  if (value.isNone()) return std::nullopt;
  if (const double* d = std::get_if<double>(&value)) return *d;
  return static_cast<double>(integer(name));
}

double Emitter::number(std::string_view name) {
  const std::optional<double> value = optionalNumber(name);
  require(value.has_value());
  return *value;
}

bool Emitter::flag(std::string_view name) {
  const Argument value = context_.argument(name);
  const bool* b = std::get_if<bool>(&value);
  require(b != nullptr || value.isNone());
  return b && *b;
}

std::string Emitter::text(std::string_view name) {
  const Argument value = context_.argument(name);
  const std::string* s = std::get_if<std::string>(&value);
  require(s != nullptr || value.isNone());
  return s ? *s : std::string();
}

std::size_t Emitter::dimOf(std::int64_t dim, std::size_t rank) {
  const std::optional<std::size_t> wrapped = ops::wrapDim(dim, rank);
  require(wrapped.has_value());
  return *wrapped;
}

std::vector<std::size_t> Emitter::dims(std::string_view name, const Tensor& of) {
  const std::vector<std::int64_t> given = integers(name);
  if (given.empty()) return allDims(of);
  std::vector<std::size_t> out;
  for (const std::int64_t d : given) {
    const std::size_t wrapped = dim(d, of);
    require(std::find(out.begin(), out.end(), wrapped) == out.end());
    out.push_back(wrapped);
  }
  if (of.rank() == 0) out.clear();
  return out;
}

TensorMeta Emitter::result(std::size_t index) {
  const TensorMeta* known = context_.result(index);
  require(known != nullptr);
  return *known;
}

Size Emitter::size(const Tensor& of, std::size_t dim) {
  require(dim < of.rank());
  const SymInt& known = of.meta.sizes[dim];
  if (known.isStatic()) return Size::of(known.value());
  return {known, context_.size(of.value, static_cast<std::int64_t>(dim))};
}

Sizes Emitter::sizes(const Tensor& of) {
  Sizes out;
  for (std::size_t i = 0; i < of.rank(); ++i) out.push_back(size(of, i));
  return out;
}

std::int64_t Emitter::fixed(const Tensor& of, std::size_t dim) {
  require(dim < of.rank() && of.meta.sizes[dim].isStatic() &&
          of.meta.sizes[dim].value() <= kMaxNumber);
  return of.meta.sizes[dim].value();
}

Size Emitter::combined(std::string_view function, const Size& a, const Size& b,
                       const SymInt& value) {
  if (value.isStatic()) return Size::of(value.value());
  fx::SymValue symbol{fx::SymKind::Int, value.expr(), {}};
  if (value.hint()) symbol.constant = *value.hint();
  return {value, context_.callValue(function, {{"", a.argument}, {"", b.argument}}, symbol)};
}

Size Emitter::times(const Size& a, const Size& b) {
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  return combined("_operator.mul", a, b, a.value * b.value);
}

Size Emitter::plus(const Size& a, const Size& b) {
  if (a.is(0)) return b;
  if (b.is(0)) return a;
  return combined("_operator.add", a, b, a.value + b.value);
}

Size Emitter::product(const Sizes& sizes) {
  Size out = Size::of(1);
  for (const Size& s : sizes) out = times(out, s);
  return out;
}

Size Emitter::quotient(const Size& a, const Size& b, const SymInt& value) {
  return combined("_operator.floordiv", a, b, value);
}

TensorMeta Emitter::meta(DType dtype, std::vector<SymInt> sizes) const {
  TensorMeta out;
  out.dtype = dtype;
  out.strides = fx::contiguousStrides(sizes);
  out.sizes = std::move(sizes);
  if (const TensorMeta* result = context_.result()) out.device = result->device;
  return out;
}

Tensor Emitter::op(std::string_view target, std::vector<Argument> args, TensorMeta result) {
  std::vector<fx::NodeArgument> named;
  const ops::Schema* schema = ops::SchemaTable::builtin().find(target);
  for (std::size_t i = 0; i < args.size(); ++i) {
    const ops::SchemaArgument* argument =
        schema && i < schema->arguments.size() ? &schema->arguments[i] : nullptr;
    const bool keyword = argument && argument->keywordOnly;
    if (keyword && args[i].isNone()) continue;
    named.push_back(
        {argument ? std::string(argument->name) : std::string(), std::move(args[i]), keyword});
  }
  TensorMeta known = result;
  return {context_.call(target, std::move(named), std::move(result)), std::move(known)};
}

std::vector<Argument> Emitter::call(std::string_view target, std::vector<fx::NodeArgument> args,
                                    const fx::Value& results) {
  const Argument made = context_.callValue(target, std::move(args), results);
  const fx::ValueList* parts = results.list();
  if (!parts) return {made};
  std::vector<Argument> out;
  for (std::size_t i = 0; i < parts->size(); ++i) out.push_back(context_.getitem(made, i));
  return out;
}

Tensor Emitter::op(std::string_view target, std::vector<Argument> args, DType dtype,
                   std::vector<SymInt> sizes) {
  return op(target, std::move(args), meta(dtype, std::move(sizes)));
}

void RewriteRules::addFormula(std::initializer_list<std::string_view> targets,
                              std::string_view reason, bool essential,
                              Tensor (*formula)(Emitter&, const Tensor&)) {
  addEach(targets, reason, essential, [formula](Emitter& e) {
    const Tensor x = e.tensor("self");
    const DType result = e.result().dtype;
    e.require(isFloating(result) && !isComplex(x.dtype()));
    return one(e.cast(formula(e, e.cast(x, ops::computationType(result))), result));
  });
}

}  // namespace fxs::rewrite
