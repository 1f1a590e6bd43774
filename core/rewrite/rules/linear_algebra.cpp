// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Systems of linear equations, inverses, determinants and Cholesky factors of small matrices of a
// fixed size, by elimination, a column at a time. The engine has none of them.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "ops/shapes.h"
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// Limit for rows; each becomes some fifteen operations.
constexpr std::int64_t kMostRows = 32;
constexpr std::uint64_t kNodesOfRow = 24;

std::size_t rowDim(const Tensor& matrix) { return matrix.rank() - 2; }
std::size_t columnDim(const Tensor& matrix) { return matrix.rank() - 1; }
Tensor rows(Emitter& e, const Tensor& x, std::int64_t start, std::int64_t end) {
  return e.slice(x, rowDim(x), start, end);
}
Tensor columns(Emitter& e, const Tensor& x, std::int64_t start, std::int64_t end) {
  return e.slice(x, columnDim(x), start, end);
}
Tensor transposed(Emitter& e, const Tensor& x) { return e.transpose(x, rowDim(x), columnDim(x)); }
Tensor reversed(Emitter& e, const Tensor& x) { return e.flip(e.flip(x, rowDim(x)), columnDim(x)); }

/// The number of rows of a square matrix, or of each of a batch.
std::int64_t orderOf(Emitter& e, const Tensor& matrix) {
  e.require(matrix.rank() >= 2 && isFloating(matrix.dtype()));
  const std::int64_t order = e.fixed(matrix, rowDim(matrix));
  e.require(order == e.fixed(matrix, columnDim(matrix)) && order > 0 && order <= kMostRows);
  e.expectNodes(static_cast<std::uint64_t>(order) * kNodesOfRow);
  return order;
}

/// The lower factor, from the lower triangle.
Tensor factorOf(Emitter& e, Tensor matrix) {
  const std::int64_t order = orderOf(e, matrix);
  std::vector<Tensor> parts;
  for (std::int64_t k = 0; k < order; ++k) {
    const Tensor first = columns(e, matrix, 0, 1);
    const Tensor column = e.div(first, e.sqrt(rows(e, first, 0, 1)));
    parts.push_back(k == 0 ? column : e.pad(column, {0, 0, k, 0}, 0.0));
    if (k + 1 == order) break;
    const Tensor below = rows(e, column, 1, order - k);
    matrix = e.sub(columns(e, rows(e, matrix, 1, order - k), 1, order - k),
                   e.mul(below, transposed(e, below)));
  }
  return parts.size() == 1 ? parts.front() : e.cat(parts, columnDim(matrix));
}
constexpr std::string_view kCholeskyInPython =
    "    self, columns = self.mT if upper else self, []\n"
    "    for k in range(self.shape[-1]):\n"
    "        column = self[..., :1] / self[..., :1, :1].sqrt()\n"
    "        columns.append(torch.nn.functional.pad(column, (0, 0, k, 0)))\n"
    "        self = self[..., 1:, 1:] - column[..., 1:, :] * column[..., 1:, :].mT\n"
    "    return torch.cat(columns, -1).mT if upper else torch.cat(columns, -1)\n";

Results cholesky(Emitter& e) {
  const Tensor self = e.tensor("self");
  e.require(self.rank() >= 2);
  const bool isUpper = e.flag("upper");
  const Tensor factor = factorOf(e, isUpper ? transposed(e, self) : self);
  return one(isUpper ? transposed(e, factor) : factor);
}

/// Two batches of matrices with the same batch dimensions.
std::pair<Tensor, Tensor> sameBatch(Emitter& e, const Tensor& a, const Tensor& b) {
  e.require(a.rank() >= 2 && b.rank() >= 2 && a.dtype() == b.dtype());
  const auto batch =
      ops::broadcastShapes(std::vector<fx::SymInt>(a.meta.sizes.begin(), a.meta.sizes.end() - 2),
                           std::vector<fx::SymInt>(b.meta.sizes.begin(), b.meta.sizes.end() - 2));
  e.require(batch.has_value());
  const auto expanded = [&](const Tensor& x) {
    if (std::equal(batch->begin(), batch->end(), x.meta.sizes.begin(), x.meta.sizes.end() - 2))
      return x;
    Sizes shape;
    for (const fx::SymInt& size : *batch) {
      e.require(size.isStatic());
      shape.push_back(Size::of(size.value()));
    }
    shape.push_back(e.size(x, rowDim(x)));
    shape.push_back(e.size(x, columnDim(x)));
    return e.expand(x, shape);
  };
  return {expanded(a), expanded(b)};
}
constexpr std::string_view kSameBatchInPython =
    "    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])\n"
    "    a, b = a.expand(batch + a.shape[-2:]), b.expand(batch + b.shape[-2:])\n";

/// The solution x of `lower` x = `right`, from the lower triangle.
Tensor forward(Emitter& e, Tensor lower, Tensor right, bool isUnit) {
  const std::int64_t order = orderOf(e, lower);
  e.require(e.fixed(right, rowDim(right)) == order);
  std::vector<Tensor> parts;
  for (std::int64_t left = order; left > 0; --left) {
    const Tensor column = columns(e, lower, 0, 1), first = rows(e, right, 0, 1);
    parts.push_back(isUnit ? first : e.div(first, rows(e, column, 0, 1)));
    if (left == 1) break;
    right = e.sub(rows(e, right, 1, left), e.mul(rows(e, column, 1, left), parts.back()));
    lower = columns(e, rows(e, lower, 1, left), 1, left);
  }
  return parts.size() == 1 ? parts.front() : e.cat(parts, rowDim(right));
}

Results solveTriangular(Emitter& e) {
  const bool isLeft = e.flag("left"), isReversed = e.flag("upper") == isLeft;
  auto [matrix, right] = sameBatch(e, e.tensor("self"), e.tensor("B"));
  if (!isLeft) {
    matrix = transposed(e, matrix);
    right = transposed(e, right);
  }
  if (isReversed) {
    matrix = reversed(e, matrix);
    right = e.flip(right, rowDim(right));
  }
  Tensor solution = forward(e, matrix, right, e.flag("unitriangular"));
  if (isReversed) solution = e.flip(solution, rowDim(solution));
  return one(isLeft ? solution : transposed(e, solution));
}
const std::string& solveTriangularInPython() {
  static const std::string kText =
      "    a, b = (self, B) if left else (self.mT, B.mT)\n"
      "    if upper == left:\n"
      "        a, b = a.flip(-2, -1), b.flip(-2)\n" +
      std::string(kSameBatchInPython) +
      "    parts = []\n"
      "    for _ in range(a.shape[-1]):\n"
      "        parts.append(b[..., :1, :] if unitriangular else b[..., :1, :] / a[..., :1, :1])\n"
      "        b = b[..., 1:, :] - a[..., 1:, :1] * parts[-1]\n"
      "        a = a[..., 1:, 1:]\n"
      "    x = torch.cat(parts, -2)\n"
      "    x = x.flip(-2) if upper == left else x\n"
      "    return x if left else x.mT\n";
  return kText;
}

Tensor solvedTriangle(Emitter& e, const Tensor& matrix, const Tensor& right, bool isUpper,
                      bool isUnit) {
  const auto [a, b] = sameBatch(e, matrix, right);
  const fx::TensorMeta solution = e.meta(b.dtype(), b.meta.sizes);
  return {e.call("aten.linalg_solve_triangular.default",
                 {{"self", a.value, false},
                  {"B", b.value, false},
                  {"upper", isUpper, true},
                  {"unitriangular", isUnit, true}},
                 solution)
              .front(),
          solution};
}

Results triangularSolve(Emitter& e) {
  const Tensor right = e.tensor("self"), matrix = e.tensor("A");
  e.require(matrix.rank() >= 2 && matrix.meta.sizes == e.result(1).sizes);
  const bool isTransposed = e.flag("transpose");
  const Tensor solution = solvedTriangle(e, isTransposed ? transposed(e, matrix) : matrix, right,
                                         e.flag("upper") != isTransposed, e.flag("unitriangular"));
  return std::vector<fx::Argument>{solution.value, e.clone(matrix).value};
}

/// The solution of a system by the factor of its matrix.
Tensor solvedByFactor(Emitter& e, const Tensor& factor, const Tensor& right) {
  e.require(factor.rank() >= 2);
  const bool isUpper = e.flag("upper");
  const Tensor other = transposed(e, factor);
  const Tensor half = solvedTriangle(e, isUpper ? other : factor, right, false, false);
  return solvedTriangle(e, isUpper ? factor : other, half, true, false);
}
Tensor identity(Emitter& e, const Tensor& like) {
  e.require(like.rank() >= 2);
  const Tensor at = e.arange(e.size(like, rowDim(like)));
  return e.expandAs(e.cast(e.compare("eq", e.unsqueeze(at, 1), at), like.dtype()), like);
}
Results choleskySolve(Emitter& e) {
  return one(solvedByFactor(e, e.tensor("input2"), e.tensor("self")));
}
Results choleskyInverse(Emitter& e) {
  const Tensor factor = e.tensor("self");
  return one(solvedByFactor(e, factor, identity(e, factor)));
}

/// A row of what is left, with the greatest first element, and the others.
struct Pivoted {
  Tensor row;                    ///< [.., 1, columns]
  std::optional<Tensor> others;  ///< [.., rows - 1, columns]: the first is where the row was
  std::optional<Tensor> place;   ///< int64 [.., 1, 1]: where the row was
};
Pivoted pivoted(Emitter& e, const Tensor& x, std::int64_t left) {
  if (left == 1) return {x, std::nullopt, std::nullopt};
  const Tensor first = e.abs(columns(e, x, 0, 1));
  const auto dim = static_cast<std::int64_t>(rowDim(x));
  const Tensor place = e.op("aten.argmax.default", {first.value, dim, true}, DType::Int64,
                            reducedSizes(first.meta.sizes, {rowDim(x)}, true));
  const Tensor isPivot = e.compare("eq", e.unsqueeze(e.arange(Size::of(left)), 1), place);
  const Tensor zero = e.full({}, 0.0, x.dtype());
  return {e.sum(e.where(isPivot, x, zero), {rowDim(x)}, true),
          e.where(rows(e, isPivot, 1, left), rows(e, x, 0, 1), rows(e, x, 1, left)), place};
}
constexpr std::string_view kPivotInPython =
    "        place = x[..., :1].abs().argmax(-2, True)\n"
    "        is_pivot = torch.arange(n).unsqueeze(1) == place\n"
    "        row = torch.where(is_pivot, x, 0.0).sum(-2, True)\n"
    "        others = torch.where(is_pivot[..., 1:, :], x[..., :1, :], x[..., 1:, :])\n";

/// `rows` without their first column, which a row that begins with 1 makes 0.
Tensor cleared(Emitter& e, const Tensor& of, const Tensor& row) {
  return columns(e, e.sub(of, e.mul(columns(e, of, 0, 1), row)), 1, kToEnd);
}

Results solve(Emitter& e) {
  const Tensor matrix = e.tensor("A"), given = e.tensor("B");
  const bool isLeft = e.flag("left");
  e.require(matrix.rank() >= 2);
  const std::vector<fx::SymInt> lines(matrix.meta.sizes.begin(), matrix.meta.sizes.end() - 1);
  const bool isVector = given.rank() == 1 || given.meta.sizes == lines;
  auto [a, b] = sameBatch(e, matrix, isVector ? e.unsqueeze(given, given.rank()) : given);
  const std::int64_t order = orderOf(e, a);
  if (!isLeft) {
    a = transposed(e, a);
    b = transposed(e, b);
  }
  e.require(e.fixed(b, rowDim(b)) == order && e.isStatic(b));
  Tensor x = e.cat({a, b}, columnDim(a));
  std::optional<Tensor> solved;
  for (std::int64_t left = order; left > 0; --left) {
    const Pivoted next = pivoted(e, x, left);
    const Tensor row = e.div(next.row, columns(e, next.row, 0, 1));
    const Tensor value = columns(e, row, 1, kToEnd);
    solved = solved ? e.cat({cleared(e, *solved, row), value}, rowDim(value)) : value;
    if (next.others) x = cleared(e, *next.others, row);
  }
  const Tensor solution = isLeft ? *solved : transposed(e, *solved);
  return one(isVector ? e.squeeze(solution, columnDim(solution)) : solution);
}
const std::string& solveInPython() {
  static const std::string kText =
      "    is_vector = B.dim() == 1 or B.shape == A.shape[:-1]\n"
      "    a, b = A, B.unsqueeze(-1) if is_vector else B\n"
      "    a, b = (a, b) if left else (a.mT, b.mT)\n" +
      std::string(kSameBatchInPython) +
      "    x, solved = torch.cat([a, b], -1), []\n"
      "    for n in range(a.shape[-1], 0, -1):\n" +
      std::string(kPivotInPython) +
      "        row = row / row[..., :1]\n"
      "        x = (others - others[..., :1] * row)[..., 1:]\n"
      "        parts = [(y - y[..., :1] * row)[..., 1:] for y in solved] + [row[..., 1:]]\n"
      "        solved = [torch.cat(parts, -2)]\n"
      "    x = solved[0] if left else solved[0].mT\n"
      "    return x.squeeze(-1) if is_vector else x\n";
  return kText;
}

Results inverse(Emitter& e) {
  const Tensor matrix = e.tensor("A");
  orderOf(e, matrix);
  return e.call("aten.linalg_solve.default",
                {{"A", matrix.value, false}, {"B", identity(e, matrix).value, false}},
                e.meta(matrix.dtype(), matrix.meta.sizes));
}

/// What elimination divides by, and the sign of the order of the rows.
struct Pivots {
  std::vector<Tensor> values;  ///< [..]
  std::optional<Tensor> sign;  ///< [..]: 1 or -1
};
Pivots pivotsOf(Emitter& e, Tensor x) {
  Pivots out;
  for (std::int64_t left = orderOf(e, x); left > 0; --left) {
    const Pivoted next = pivoted(e, x, left);
    const auto number = [&](const Tensor& t) {
      return e.squeeze(e.squeeze(t, rowDim(t) + 1), rowDim(t));
    };
    const Tensor pivot = columns(e, next.row, 0, 1);
    out.values.push_back(number(pivot));
    if (!next.others) break;
    const Tensor moved = e.cast(number(e.compare("ne", *next.place, 0)), x.dtype());
    const Tensor sign = e.sub(1.0, e.mul(moved, 2.0));
    out.sign = out.sign ? e.mul(*out.sign, sign) : sign;
    // A column of zeros stays.
    const Tensor isZero = e.compare("eq", pivot, 0.0);
    const Tensor divisor = e.where(isZero, e.full({}, 1.0, x.dtype()), pivot);
    x = cleared(e, *next.others, e.div(next.row, divisor));
  }
  return out;
}
Results determinant(Emitter& e) {
  const Pivots pivots = pivotsOf(e, e.tensor("A"));
  Tensor out = pivots.values.front();
  for (std::size_t i = 1; i < pivots.values.size(); ++i) out = e.mul(out, pivots.values[i]);
  return one(pivots.sign ? e.mul(out, *pivots.sign) : out);
}
std::string eliminationInPython(const std::string& begin, const std::string& step) {
  return begin + "    for n in range(x.shape[-1], 0, -1):\n" + std::string(kPivotInPython) +
         "        pivot, moved = row[..., :1], (place != 0).to(x.dtype)\n" + step +
         "        row = row / torch.where(pivot == 0, torch.ones_like(pivot), pivot)\n"
         "        x = (others - others[..., :1] * row)[..., 1:]\n";
}
const std::string& determinantInPython() {
  static const std::string kText =
      eliminationInPython("    x, product = A, 1\n",
                          "        product = product * (pivot * (1 - 2 * moved))[..., 0, 0]\n") +
      "    return product\n";
  return kText;
}
Results signAndLog(Emitter& e) {
  const Pivots pivots = pivotsOf(e, e.tensor("A"));
  std::optional<Tensor> sign = pivots.sign, log;
  for (const Tensor& pivot : pivots.values) {
    const Tensor own = e.unary("sign", pivot), size = e.log(e.abs(pivot));
    sign = sign ? e.mul(*sign, own) : own;
    log = log ? e.add(*log, size) : size;
  }
  return std::vector<fx::Argument>{sign->value, log->value};
}
const std::string& signAndLogInPython() {
  static const std::string kText =
      eliminationInPython("    x, sign, log = A, 1, 0\n",
                          "        sign = sign * (pivot.sign() * (1 - 2 * moved))[..., 0, 0]\n"
                          "        log = log + pivot.abs().log()[..., 0, 0]\n") +
      "    return sign, log\n";
  return kText;
}
Results logDeterminant(Emitter& e) {
  const Tensor self = e.tensor("self");
  const fx::TensorMeta result = e.result();
  const std::vector<fx::Argument> parts = e.call(
      "aten.linalg_slogdet.default", {{"A", self.value, false}}, fx::ValueList{result, result});
  const Tensor sign{parts[0], result}, log{parts[1], result};
  return one(e.where(e.compare("lt", sign, 0.0), e.full({}, std::nan(""), result.dtype), log));
}

}  // namespace

void registerLinearAlgebra(RewriteRules& rules) {
  const std::string elimination = "becomes elimination, a column at a time";
  rules.add({"aten.linalg_cholesky.default", elimination, true, cholesky, {}, kCholeskyInPython});
  rules.add({"aten.linalg_solve_triangular.default",
             elimination,
             true,
             solveTriangular,
             {},
             solveTriangularInPython()});
  rules.add({"aten.linalg_solve.default", elimination, true, solve, {}, solveInPython()});
  rules.add(
      {"aten.linalg_det.default", elimination, false, determinant, {}, determinantInPython()});
  rules.add(
      {"aten.linalg_slogdet.default", elimination, false, signAndLog, {}, signAndLogInPython()});
  rules.add(
      {"aten.linalg_inv.default",
       "becomes aten.linalg_solve of the unit matrix",
       true,
       inverse,
       {},
       "    at = torch.arange(A.shape[-1], device=A.device)\n"
       "    return aten.linalg_solve(A, (at == at.unsqueeze(1)).to(A.dtype).expand_as(A))\n"});
  rules.add({"aten.logdet.default",
             "becomes aten.linalg_slogdet",
             true,
             logDeterminant,
             {},
             "    sign, log = aten.linalg_slogdet(self)\n"
             "    return torch.where(sign < 0, float('nan'), log)\n"});
  const std::string triangles = "becomes aten.linalg_solve_triangular";
  rules.add({"aten.triangular_solve.default",
             triangles,
             true,
             triangularSolve,
             {},
             "    matrix = A.mT if transpose else A\n"
             "    solved = aten.linalg_solve_triangular(\n"
             "        matrix, self, upper=upper != transpose, unitriangular=unitriangular)\n"
             "    return solved, A.clone()\n"});
  rules.add({"aten.cholesky_solve.default",
             triangles,
             true,
             choleskySolve,
             {},
             "    lower, upper = (input2.mT, input2) if upper else (input2, input2.mT)\n"
             "    half = aten.linalg_solve_triangular(lower, self, upper=False)\n"
             "    return aten.linalg_solve_triangular(upper, half, upper=True)\n"});
  rules.add({"aten.cholesky_inverse.default",
             triangles,
             true,
             choleskyInverse,
             {},
             "    lower, upper = (self.mT, self) if upper else (self, self.mT)\n"
             "    at = torch.arange(self.shape[-1], device=self.device)\n"
             "    unit = (at == at.unsqueeze(1)).to(self.dtype).expand_as(self)\n"
             "    half = aten.linalg_solve_triangular(lower, unit, upper=False)\n"
             "    return aten.linalg_solve_triangular(upper, half, upper=True)\n"});
}

}  // namespace fxs::rewrite
