// Matrices made of diagonals: diag, diagflat, block_diag, vander. aten.diag_embed and aten.diagonal are ops of the dialect,
// but not of every backend, so a diagonal matrix is made by comparing row and column numbers.
#include <algorithm>
#include <cstdlib>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// A 2-d tensor with `v` on diagonal `offset`.
Tensor diagonalMatrix(Emitter& e, const Tensor& v, std::int64_t offset) {
  const std::int64_t shift = std::abs(offset);
  const std::int64_t n = e.fixed(v, 0) + shift;
  // Row r of a matrix with a positive offset holds v[r] in column r + offset; with a negative one v[r + offset] in column r + offset.
  const Tensor row = e.unsqueeze(e.arange(Size::of(n)), 1), column = e.unsqueeze(e.arange(Size::of(n)), 0);
  const Tensor onDiagonal = e.compare("eq", offset == 0 ? row : e.add(row, offset), column);
  const Tensor padded = shift == 0 ? v : offset > 0 ? e.pad(v, {0, shift}, 0) : e.pad(v, {shift, 0}, 0);
  const Tensor zero = e.zeros({}, v.dtype());
  return e.where(onDiagonal, e.unsqueeze(padded, 1), zero);
}

/// The diagonal of a 2-d tensor: a 1-d index of its flattened form.
Tensor diagonalOf(Emitter& e, const Tensor& x, std::int64_t offset) {
  const std::int64_t rows = e.fixed(x, 0), columns = e.fixed(x, 1);
  const std::int64_t firstRow = offset < 0 ? -offset : 0, firstColumn = offset > 0 ? offset : 0;
  const std::int64_t count = std::max<std::int64_t>(0, std::min(rows - firstRow, columns - firstColumn));
  const std::int64_t start = firstRow * columns + firstColumn;
  const Tensor index = e.arange(start, start + count * (columns + 1), columns + 1);
  return e.indexSelect(e.flatten(x), 0, index);
}

Results diag(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  const std::int64_t offset = e.integer("diagonal");
  e.require((x.rank() == 1 || x.rank() == 2) && e.isStatic(x) && std::abs(offset) < 1 << 20);
  if (!e.valid()) return {};
  return one(x.rank() == 1 ? diagonalMatrix(e, x, offset) : diagonalOf(e, x, offset));
}

Results diagflat(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  const std::int64_t offset = e.integer("offset");
  e.require(e.isStatic(x) && std::abs(offset) < 1 << 20);
  if (!e.valid()) return {};
  return one(diagonalMatrix(e, e.flatten(x), offset));
}

Results blockDiag(RuleContext& context) {
  Emitter e(context);
  std::vector<Tensor> blocks = e.tensors("tensors");
  e.require(!blocks.empty());
  std::int64_t width = 0;
  for (Tensor& block : blocks) {
    e.require(e.isStatic(block) && block.rank() <= 2);
    if (!e.valid()) return {};
    while (block.rank() < 2) block = e.unsqueeze(block, 0);
    width += e.fixed(block, 1);
  }
  std::vector<Tensor> rows;
  std::int64_t before = 0;
  for (const Tensor& block : blocks) {
    const std::int64_t columns = e.fixed(block, 1);
    rows.push_back(e.pad(block, {before, width - before - columns}, 0));
    before += columns;
  }
  return one(e.cat(rows, 0));
}

Results vander(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("x");
  const std::optional<std::int64_t> given = e.optionalInteger("N");
  const bool increasing = e.flag("increasing");
  e.require(x.rank() == 1 && isFloating(x.dtype()));
  const std::int64_t n = given.value_or(e.fixed(x, 0));
  e.require(n >= 0 && n <= 1 << 12);
  if (!e.valid() || n == 0) return {};
  const Tensor base = e.unsqueeze(x, 1);
  std::vector<Tensor> columns{e.full(e.sizes(base), 1.0, x.dtype())};
  for (std::int64_t i = 1; i < n; ++i) columns.push_back(i == 1 ? base : e.mul(columns.back(), base));
  if (!increasing) std::reverse(columns.begin(), columns.end());
  return one(e.cat(columns, 1));
}

}  // namespace

void registerDiagonals(RewriteRules& rules) {
  rules.add({"aten.diag.default", "decompose:aten.diag", "becomes a comparison of rows and columns, or an index into the flattened matrix", true, diag});
  rules.add({"aten.diagflat.default", "decompose:aten.diagflat", "becomes a comparison of rows and columns", true, diagflat});
  rules.add({"aten.block_diag.default", "decompose:aten.block_diag", "becomes padded rows, joined", true, blockDiag});
  rules.add({"aten.vander.default", "decompose:aten.vander", "becomes repeated products, joined", true, vander});
}

}  // namespace fxs::rewrite
