// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/masked_rows.h"

#include <algorithm>
#include <array>

namespace fxs::diagnose {
namespace {

using rewrite::Emitter;
using rewrite::Tensor;

/// Above it, comparing all pairs of rows takes more memory than a device has.
constexpr std::int64_t kMostCompared = 8192;

fx::Argument valueOf(Neutral neutral, DType dtype) {
  if (neutral == Neutral::Lowest || neutral == Neutral::Highest)
    return rewrite::extremeOf(dtype, neutral == Neutral::Lowest);
  const int number = neutral == Neutral::One ? 1 : 0;
  if (isFloating(dtype)) return static_cast<double>(number);
  Emitter::require(!isComplex(dtype));
  return rewrite::fillValue(dtype, number);
}

/// For each element of a mask, in order, its index in one dimension.
Tensor indicesAlong(Emitter& e, const Tensor& mask, std::size_t dim) {
  rewrite::Sizes shape(mask.rank(), rewrite::Size::of(1));
  shape[dim] = e.size(mask, dim);
  return e.flatten(e.expand(e.reshape(e.arange(shape[dim]), shape), e.sizes(mask)));
}

/// The positions of a vector's true elements; beyond them, its size.
Tensor firstPositions(Emitter& e, const Tensor& valid) {
  const std::int64_t count = e.fixed(valid, 0);
  e.require(count <= kMostCompared);
  const Tensor position = e.arange(rewrite::Size::of(count));
  const Tensor upTo = e.compare("le", position, e.unsqueeze(position, 1));
  const Tensor trueUpTo =
      e.sum(e.cast(e.logicalAnd(upTo, e.unsqueeze(valid, 0)), DType::Int64), {1}, false);
  const Tensor isBefore = e.compare("le", trueUpTo, e.unsqueeze(position, 1));
  return e.sum(e.cast(isBefore, DType::Int64), {1}, false);
}

}  // namespace

fx::Argument unviewed(Emitter& e, fx::Argument value,
                      const std::function<bool(fx::NodeId)>& isEnd) {
  constexpr std::array<std::string_view, 8> kViews{
      "aten.reshape.default", "aten.view.default",      "aten.flatten.using_ints",
      "aten.squeeze.dim",     "aten.unsqueeze.default", "aten.alias.default",
      "aten.clone.default",   "aten.detach.default"};
  for (const fx::Node* node = e.context().producer(value);
       node != nullptr && !node->args.empty() && !isEnd(*value.node()) &&
       std::find(kViews.begin(), kViews.end(), node->target) != kViews.end();
       node = e.context().producer(value))
    value = fx::Argument(node->args.front().value);
  return value;
}

Tensor MaskedRows::positionsOf(Emitter& e, const Tensor& mask, const std::string& symbol) {
  const Tensor isTrue = mask.dtype() == DType::Bool ? mask : e.compare("ne", mask, 0);
  const Tensor flat = e.flatten(isTrue);
  const std::int64_t most = e.fixed(flat, 0);
  e.require(most == sizes_.bounds.at(symbol).most && mask.rank() > 0);
  std::vector<Tensor> columns;
  std::optional<Tensor> first;
  if (!inPlace_) first = e.clamp(firstPositions(e, flat), {}, static_cast<double>(most - 1));
  for (std::size_t d = 0; d < mask.rank(); ++d) {
    Tensor column = indicesAlong(e, mask, d);
    if (first) column = mask.rank() == 1 ? *first : e.indexSelect(column, 0, *first);
    columns.push_back(e.unsqueeze(column, 1));
  }
  const Tensor out = columns.size() == 1 ? columns.front() : e.cat(columns, 1);
  const fx::Argument base = unviewed(e, mask.value, [](fx::NodeId) { return false; });
  const auto known = std::find_if(positions_.begin(), positions_.end(),
                                  [&](const auto& p) { return p.second.symbol == symbol; });
  // Another mask has as many true elements; they need not be in the same places.
  e.require(known == positions_.end() || known->second.mask == base || !inPlace_);
  if (const fx::NodeId* id = out.value.node())
    positions_[*id] = {symbol, *fx::staticSizes(mask.meta.sizes), base};
  if (known != positions_.end() && valid_.contains(symbol)) return out;
  if (inPlace_) valid_.insert_or_assign(symbol, flat);
  else setNumber(symbol, e.sum(e.cast(flat, DType::Int64), {0}, false));
  return out;
}

Tensor MaskedRows::validOf(Emitter& e, const std::string& symbol) {
  if (const auto known = valid_.find(symbol); known != valid_.end()) return known->second;
  const auto number = numbers_.find(symbol);
  e.require(number != numbers_.end());
  const Tensor valid =
      e.compare("lt", e.arange(rewrite::Size::of(sizes_.bounds.at(symbol).most)),
                e.reshape(e.cast(number->second, DType::Int64), {rewrite::Size::of(1)}));
  return valid_.emplace(symbol, valid).first->second;
}

Tensor MaskedRows::countOf(Emitter& e, const std::string& symbol) {
  if (const auto number = numbers_.find(symbol); number != numbers_.end())
    return e.reshape(e.cast(number->second, DType::Int64), {});
  return e.sum(e.cast(validOf(e, symbol), DType::Int64), {0}, false);
}

Tensor MaskedRows::masked(Emitter& e, const Tensor& x, const std::vector<std::string>& symbols,
                          const std::vector<std::size_t>& dims, Neutral neutral) {
  e.require(symbols.size() == x.rank());
  std::optional<Tensor> valid;
  for (const std::size_t d : dims) {
    if (!has(symbols[d])) continue;
    rewrite::Sizes shape(x.rank(), rewrite::Size::of(1));
    shape[d] = e.size(x, d);
    const Tensor own = e.reshape(validOf(e, symbols[d]), shape);
    valid = valid ? e.logicalAnd(*valid, own) : own;
  }
  if (!valid) return x;
  return e.where(*valid, x, e.full({}, valueOf(neutral, x.dtype()), x.dtype()));
}

std::optional<MaskedRows::Column> MaskedRows::columnOf(Emitter& e,
                                                       const fx::Argument& value) const {
  const auto at = [&](const fx::Argument& of) {
    return of.node() ? positions_.find(*of.node()) : positions_.end();
  };
  std::size_t dim = 0;
  const fx::Argument rows =
      unviewed(e, value, [&](fx::NodeId id) { return positions_.contains(id); });
  auto found = at(rows);
  if (found == positions_.end()) {
    const fx::Node* select = e.context().producer(rows);
    if (select == nullptr || select->target != "aten.select.int" || select->args.size() != 3)
      return std::nullopt;
    const std::int64_t* along = select->args[1].value.integer();
    const std::int64_t* index = select->args[2].value.integer();
    found = at(select->args[0].value);
    if (found == positions_.end() || along == nullptr || *along != 1 || index == nullptr ||
        *index < 0)
      return std::nullopt;
    dim = static_cast<std::size_t>(*index);
  }
  const Mask& mask = found->second;
  if (dim >= mask.shape.size()) return std::nullopt;
  return Column{mask.symbol, dim, mask.shape};
}

bool MaskedRows::isMask(Emitter& e, const std::string& symbol, const fx::Argument& mask) const {
  const fx::Argument base = unviewed(e, mask, [](fx::NodeId) { return false; });
  return std::any_of(positions_.begin(), positions_.end(), [&](const auto& p) {
    return p.second.symbol == symbol && p.second.mask == base;
  });
}

}  // namespace fxs::diagnose
