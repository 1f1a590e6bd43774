// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagonals and diagonal matrices. Not every backend supports aten.diag_embed and aten.diagonal: a
// diagonal matrix is made by comparing row and column indices, a diagonal is read from the
// flattened matrix.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

constexpr std::int64_t kFarthest = 1 << 20;

/// Whether a diagonal offset is plausible.
bool isNear(std::int64_t diagonal) { return -kFarthest < diagonal && diagonal < kFarthest; }

/// Where column == row + offset in a matrix.
Tensor onDiagonal(Emitter& e, std::int64_t rows, std::int64_t columns, std::int64_t offset) {
  const Tensor row = e.unsqueeze(e.arange(Size::of(rows)), 1),
               column = e.unsqueeze(e.arange(Size::of(columns)), 0);
  return e.compare("eq", offset == 0 ? row : e.add(row, offset), column);
}

/// The last dimension of `x` on the diagonal `offset` of two new ones.
Tensor diagonalMatrices(Emitter& e, const Tensor& x, std::int64_t offset) {
  e.require(x.rank() > 0);
  const std::int64_t n = e.fixed(x, x.rank() - 1) + std::abs(offset);
  const Tensor positions = onDiagonal(e, n, n, offset);
  // Row r holds element r of a positive offset's line, element r + offset of a negative one's.
  Tensor line = x;
  if (offset > 0) line = e.pad(x, {0, offset}, 0);
  else if (offset < 0) line = e.pad(x, {-offset, 0}, 0);
  const Tensor zero = e.zeros({}, x.dtype());
  return e.where(positions, e.unsqueeze(line, x.rank()), zero);
}

/// The diagonal of a 2-d tensor: a 1-d index of its flattened form.
Tensor diagonalOf(Emitter& e, const Tensor& x, std::int64_t offset) {
  const std::int64_t rows = e.fixed(x, 0), columns = e.fixed(x, 1);
  const std::int64_t firstRow = offset < 0 ? -offset : 0, firstColumn = offset > 0 ? offset : 0;
  const std::int64_t count =
      std::max<std::int64_t>(0, std::min(rows - firstRow, columns - firstColumn));
  const std::int64_t start = saturated(firstRow, columns) + firstColumn;
  const Tensor index = e.arange(start, start + count * (columns + 1), columns + 1);
  return e.indexSelect(e.flatten(x), 0, index);
}

Results diag(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::int64_t offset = e.integer("diagonal");
  e.require((x.rank() == 1 || x.rank() == 2) && e.isStatic(x) && isNear(offset));
  return one(x.rank() == 1 ? diagonalMatrices(e, x, offset) : diagonalOf(e, x, offset));
}

Results diagflat(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::int64_t offset = e.integer("offset");
  e.require(e.isStatic(x) && isNear(offset));
  return one(diagonalMatrices(e, e.flatten(x), offset));
}

/// Moves `dim1` and `dim2` to the end, flattens them, and reads at the diagonal's indices.
Tensor generalDiagonal(Emitter& e, const Tensor& x, std::int64_t offset, std::int64_t dim1,
                       std::int64_t dim2) {
  const std::size_t a = e.dim(dim1, x), b = e.dim(dim2, x);
  e.require(x.rank() >= 2 && a != b && e.isStatic(x));
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < x.rank(); ++i)
    if (i != a && i != b) order.push_back(i);
  order.push_back(a);
  order.push_back(b);
  const std::int64_t rows = e.fixed(x, a), columns = e.fixed(x, b);
  const std::int64_t firstRow = offset < 0 ? -offset : 0, firstColumn = offset > 0 ? offset : 0;
  const std::int64_t count = std::min(rows - firstRow, columns - firstColumn);
  e.require(count > 0);
  const Tensor last = e.permute(x, order);
  Sizes flat = e.sizes(last);
  flat.pop_back();
  flat.back() = Size::of(rows * columns);
  const std::int64_t start = firstRow * columns + firstColumn;
  return e.indexSelect(e.reshape(last, flat), flat.size() - 1,
                       e.arange(start, start + count * (columns + 1), columns + 1));
}

Results diagonal(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::int64_t offset = e.integer("offset"), dim1 = e.integer("dim1"),
                     dim2 = e.integer("dim2");
  return one(generalDiagonal(e, x, offset, dim1, dim2));
}

Results trace(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(x.rank() == 2);
  return one(e.sum(generalDiagonal(e, x, 0, 0, 1), {0}, false));
}

/// Puts the last dimension on the diagonal of two new dimensions, and moves these to their places.
Results diagEmbed(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::int64_t offset = e.integer("offset");
  const std::size_t rank = x.rank() + 1;
  std::size_t a = e.dimOf(e.integer("dim1"), rank), b = e.dimOf(e.integer("dim2"), rank);
  e.require(a != b && isNear(offset));
  const Tensor made = diagonalMatrices(e, x, offset);
  std::vector<std::size_t> order(rank, SIZE_MAX);
  order[a] = rank - 2;
  order[b] = rank - 1;
  std::size_t next = 0;
  for (std::size_t& slot : order)
    if (slot == SIZE_MAX) slot = next++;
  return one(e.permute(made, order));
}

/// Replaces the diagonal of a matrix.
Results diagonalScatter(Emitter& e) {
  const Tensor x = e.tensor("self"), src = e.tensor("src");
  const std::int64_t offset = e.integer("offset");
  const std::size_t a = e.dim(e.integer("dim1"), x), b = e.dim(e.integer("dim2"), x);
  e.require(x.rank() == 2 && src.rank() == 1 && a == 0 && b == 1 && e.isStatic(x) &&
            e.isStatic(src));
  const std::int64_t rows = e.fixed(x, 0), columns = e.fixed(x, 1), count = e.fixed(src, 0);
  const std::int64_t firstRow = offset < 0 ? -offset : 0;
  e.require(firstRow + count <= rows);
  const Tensor positions = onDiagonal(e, rows, columns, offset);
  const Tensor line = e.unsqueeze(e.pad(src, {firstRow, rows - firstRow - count}, 0), 1);
  return one(e.where(positions, line, x));
}

Results blockDiag(Emitter& e) {
  std::vector<Tensor> blocks = e.tensors("tensors");
  e.require(!blocks.empty());
  std::int64_t width = 0;
  for (Tensor& block : blocks) {
    e.require(e.isStatic(block) && block.rank() <= 2);
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

Results vander(Emitter& e) {
  const Tensor x = e.tensor("x");
  const std::optional<std::int64_t> given = e.optionalInteger("N");
  const bool increasing = e.flag("increasing");
  e.require(x.rank() == 1 && isFloating(x.dtype()));
  const std::int64_t n = given.value_or(e.fixed(x, 0));
  e.require(n >= 0 && n <= 1 << 12);
  if (n == 0) return {};
  const Tensor base = e.unsqueeze(x, 1);
  std::vector<Tensor> columns{e.full(e.sizes(base), 1.0, x.dtype())};
  for (std::int64_t i = 1; i < n; ++i)
    columns.push_back(i == 1 ? base : e.mul(columns.back(), base));
  if (!increasing) std::reverse(columns.begin(), columns.end());
  return one(e.cat(columns, 1));
}

/// Rows and columns of a triangle, row by row.
template <bool lower>
Results triangleIndices(Emitter& e) {
  const std::int64_t rows = e.integer("row"), columns = e.integer("col"),
                     offset = e.integer("offset");
  const fx::TensorMeta result = e.result();
  e.require(rows > 0 && columns > 0 && rows <= kMaxNumber && columns <= kMaxNumber &&
            std::abs(offset) <= kMaxNumber);
  std::vector<Tensor> row, column;
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t begin = lower ? 0 : std::clamp<std::int64_t>(r + offset, 0, columns);
    const std::int64_t end = lower ? std::clamp<std::int64_t>(r + offset + 1, 0, columns) : columns;
    if (begin >= end) continue;
    e.expectNodes(3 * static_cast<std::uint64_t>(rows - r));
    row.push_back(e.full({Size::of(end - begin)}, r, DType::Int64));
    column.push_back(e.arange(begin, end));
  }
  e.require(!row.empty());
  return one(e.cast(e.stack({e.cat(row, 0), e.cat(column, 0)}, 0), result.dtype));
}

constexpr std::string_view kPythonDiagonal =
    "    down, right = max(-offset, 0), max(offset, 0)\n"
    "    rows, columns = self.shape[dim1], self.shape[dim2]\n"
    "    start, step = down * columns + right, columns + 1\n"
    "    end = start + min(rows - down, columns - right) * step\n"
    "    flat = self.movedim((dim1, dim2), (-2, -1)).flatten(-2)\n"
    "    return flat.index_select(-1, torch.arange(start, end, step))\n";
constexpr std::string_view kPythonTrace =
    "    step = self.shape[1] + 1\n"
    "    index = torch.arange(0, min(self.shape) * step, step)\n"
    "    return aten.reshape(self, [-1]).index_select(0, index).sum([0])\n";
constexpr std::string_view kPythonBlocks =
    "    blocks = [x if x.dim() == 2 else x.reshape(1, -1) for x in tensors]\n"
    "    width, before, rows = sum(x.shape[1] for x in blocks), 0, []\n"
    "    for x in blocks:\n"
    "        rows.append(aten.constant_pad_nd(x, [before, width - before - x.shape[1]]))\n"
    "        before += x.shape[1]\n"
    "    return torch.cat(rows)\n";

/// Diagonal matrices of the last dimension of `line`, at the offset that a parameter names, and
/// what `moves` their two dimensions.
std::string pythonMatrix(std::string_view line, std::string_view offset,
                         std::string_view moves = "") {
  return fmt::format(
      "    line, offset = {}, {}\n"
      "    size = line.shape[-1] + abs(offset)\n"
      "    positions = torch.arange(size).unsqueeze(1) + offset == torch.arange(size)\n"
      "    if offset:\n"
      "        line = aten.constant_pad_nd(line, [max(-offset, 0), max(offset, 0)])\n"
      "    zero = torch.zeros([], dtype=line.dtype)\n"
      "    return torch.where(positions, line.unsqueeze(-1), zero){}\n",
      line, offset, moves);
}

/// `body` of a function in a block of it, one level deeper.
std::string indented(std::string_view body) {
  std::string out;
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t end = body.find('\n', at) + 1;
    out += "    " + std::string(body.substr(at, end - at));
    at = end;
  }
  return out;
}

constexpr std::string_view kPythonScatter =
    "    if self.dim() != 2:\n"
    "        return NotImplemented\n"
    "    (rows, columns), down = self.shape, max(-offset, 0)\n"
    "    line = aten.constant_pad_nd(src, [down, rows - down - src.shape[0]])\n"
    "    positions = torch.arange(rows).unsqueeze(1) + offset == torch.arange(columns)\n"
    "    return torch.where(positions, line.unsqueeze(1), self)\n";

}  // namespace

void registerDiagonals(RewriteRules& rules) {
  // The rules refer to them.
  static const std::string pythonDiag = "    if self.dim() == 1:\n" +
                                        indented(pythonMatrix("self", "diagonal")) +
                                        "    offset, dim1, dim2 = diagonal, 0, 1\n" +
                                        std::string(kPythonDiagonal),
                           pythonFlat = pythonMatrix("self.reshape(-1)", "offset"),
                           pythonEmbed =
                               pythonMatrix("self", "offset", ".movedim((-2, -1), (dim1, dim2))");
  rules.add({"aten.diag.default",
             "becomes a comparison of rows and columns, or an index into the flattened matrix",
             true,
             diag,
             {},
             pythonDiag});
  rules.add({"aten.diagflat.default",
             "becomes a comparison of rows and columns",
             true,
             diagflat,
             {},
             pythonFlat});
  const std::string flat = "becomes an index into the flattened matrices",
                    compared = "becomes a comparison of rows and columns";
  for (const char* target : {"aten.diagonal.default", "aten.diagonal_copy.default"})
    rules.add({target, flat, true, diagonal, {}, kPythonDiagonal});
  rules.add(
      {"aten.trace.default", "becomes the sum of the diagonal", true, trace, {}, kPythonTrace});
  rules.add({"aten.diag_embed.default", compared, true, diagEmbed, {}, pythonEmbed});
  rules.add({"aten.diagonal_scatter.default", compared, true, diagonalScatter, {}, kPythonScatter});
  rules.add({"aten.block_diag.default",
             "becomes padded rows, concatenated",
             true,
             blockDiag,
             {},
             kPythonBlocks});
  rules.add({"aten.vander.default", "becomes repeated products, concatenated", true, vander});
  rules.add(
      {"aten.tril_indices.default", "becomes ramps, concatenated", false, triangleIndices<true>});
  rules.add(
      {"aten.triu_indices.default", "becomes ramps, concatenated", false, triangleIndices<false>});
}

}  // namespace fxs::rewrite
