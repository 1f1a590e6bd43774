// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices and vectors, written with mm, matmul and sums.
#include <algorithm>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// beta * self + alpha * product; with beta 0, NaN in self is ignored. `first` and `second` are the
/// names of the factors.
Results scaledSum(Emitter& e, std::string_view first, std::size_t firstRank,
                  std::string_view second, std::size_t secondRank,
                  Tensor (*productOf)(Emitter&, const Tensor&, const Tensor&)) {
  const Tensor self = e.tensor("self"), a = e.tensor(first), b = e.tensor(second);
  e.require(a.rank() == firstRank && b.rank() == secondRank);
  const Tensor product = productOf(e, a, b);
  const fx::Argument alpha = e.argument("alpha"), beta = e.argument("beta");
  const auto times = [&](const Tensor& x, const fx::Argument& factor) {
    return isNumber(factor, 1) ? x : e.mul(e.cast(x, ops::computationType(x.dtype())), factor);
  };
  const Tensor scaled = times(product, alpha);
  if (isNumber(beta, 0)) return one(e.asResult(e.expand(scaled, e.sizes(product))));
  return one(e.asResult(e.add(times(self, beta), scaled)));
}

Tensor matrixProduct(Emitter& e, const Tensor& a, const Tensor& b) { return e.matmul(a, b); }
Tensor outerProduct(Emitter& e, const Tensor& a, const Tensor& b) {
  return e.mul(e.unsqueeze(a, 1), e.unsqueeze(b, 0));
}
Tensor summedProducts(Emitter& e, const Tensor& a, const Tensor& b) {
  return e.sum(e.matmul(a, b), {0}, false);
}

/// Sums of products of 8-bit integers are exact in f32 up to 2^24, and in i32 beyond.
Results productOfBytes(Emitter& e) {
  const Tensor a = e.tensor("self"), b = e.tensor("mat2");
  const bool isUnsigned = a.dtype() == DType::UInt8;
  e.require(a.rank() == 2 && b.rank() == 2 && (isUnsigned || a.dtype() == DType::Int8) &&
            b.dtype() == DType::Int8);
  const DType dtype = e.fixed(a, 1) <= (isUnsigned ? 512 : 1024) ? DType::Float32 : DType::Int32;
  return one(e.cast(e.matmul(e.cast(a, dtype), e.cast(b, dtype)), DType::Int32));
}

/// Dequantized: one scale for the tensor, or for each row of `self` and column of `mat2`.
Results scaledProduct(Emitter& e) {
  const Tensor a = e.tensor("self"), b = e.tensor("mat2"), scaleA = e.tensor("scale_a"),
               scaleB = e.tensor("scale_b");
  const std::optional<Tensor> bias = e.optionalTensor("bias");
  const fx::TensorMeta result = e.result();
  e.require(a.rank() == 2 && b.rank() == 2 && isFloating(result.dtype) &&
            e.argument("scale_result").isNone());
  const auto isScale = [&](const Tensor& scale, const Tensor& x, std::size_t dim) {
    if (scale.dtype() != DType::Float32) return false;
    const bool isOne = std::all_of(scale.meta.sizes.begin(), scale.meta.sizes.end(),
                                   [](const fx::SymInt& s) { return s == fx::SymInt(1); });
    return isOne || (scale.rank() == 2 && scale.meta.sizes[dim] == x.meta.sizes[dim] &&
                     scale.meta.sizes[1 - dim] == fx::SymInt(1));
  };
  e.require(isScale(scaleA, a, 0) && isScale(scaleB, b, 1));
  const auto wide = [&](const Tensor& x) { return e.cast(x, DType::Float32); };
  Tensor out = e.mul(e.mul(e.matmul(wide(a), wide(b)), scaleA), scaleB);
  if (bias) out = e.add(out, wide(*bias));
  return one(e.cast(out, result.dtype));
}

Results addmm(Emitter& e) { return scaledSum(e, "mat1", 2, "mat2", 2, matrixProduct); }
Results addmv(Emitter& e) { return scaledSum(e, "mat", 2, "vec", 1, matrixProduct); }
Results addr(Emitter& e) { return scaledSum(e, "vec1", 1, "vec2", 1, outerProduct); }
Results addbmm(Emitter& e) { return scaledSum(e, "batch1", 3, "batch2", 3, summedProducts); }
Results baddbmm(Emitter& e) { return scaledSum(e, "batch1", 3, "batch2", 3, matrixProduct); }

Results vecdot(Emitter& e) {
  const Tensor x = e.tensor("x"), y = e.tensor("y");
  e.require(!isComplex(x.dtype()) && x.rank() > 0 && y.rank() > 0);
  const Tensor products = e.mul(x, y);
  return one(e.sum(products, {e.dim(e.integer("dim"), products)}, false));
}

Results vdot(Emitter& e) {
  const Tensor a = e.tensor("self"), b = e.tensor("other");
  e.require(a.rank() == 1 && b.rank() == 1 && !isComplex(a.dtype()));
  return one(e.cast(e.sum(e.mul(a, b), {0}, false), a.dtype()));
}

/// Last dimensions contracted.
Results inner(Emitter& e) {
  const Tensor a = e.tensor("self"), b = e.tensor("other");
  if (a.rank() == 0 || b.rank() == 0) return one(e.mul(a, b));
  if (b.rank() == 1 || a.rank() == 1)
    return one(e.sum(e.mul(a, b), {std::max(a.rank(), b.rank()) - 1}, false));
  const Size depth = e.size(a, a.rank() - 1);
  const auto rows = [&](const Tensor& x) {
    Sizes lead = e.sizes(x);
    lead.pop_back();
    return e.reshape(x, {e.product(lead), depth});
  };
  const Tensor product = e.matmul(rows(a), e.transpose(rows(b), 0, 1));
  Sizes shape = e.sizes(a), tail = e.sizes(b);
  shape.pop_back();
  tail.pop_back();
  shape.insert(shape.end(), tail.begin(), tail.end());
  return one(e.reshape(product, shape));
}

/// Contracted dimensions are moved together, flattened, and multiplied as matrices.
Results tensordot(Emitter& e) {
  Tensor a = e.tensor("self"), b = e.tensor("other");
  const std::vector<std::int64_t> givenA = e.integers("dims_self"),
                                  givenB = e.integers("dims_other");
  e.require(givenA.size() == givenB.size());
  std::vector<std::size_t> gone[2];
  for (std::size_t i = 0; i < givenA.size(); ++i) {
    gone[0].push_back(e.dim(givenA[i], a));
    gone[1].push_back(e.dim(givenB[i], b));
    // A size of 1 counts for each element of the other.
    const fx::SymInt &sizeA = a.meta.sizes[gone[0].back()], &sizeB = b.meta.sizes[gone[1].back()];
    if (sizeA == sizeB) continue;
    if (sizeA == fx::SymInt(1)) b = e.cast(e.sum(b, {gone[1].back()}, true), b.dtype());
    else if (sizeB == fx::SymInt(1)) a = e.cast(e.sum(a, {gone[0].back()}, true), a.dtype());
  }
  const auto kept = [](const Tensor& x, const std::vector<std::size_t>& without) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < x.rank(); ++i)
      if (std::find(without.begin(), without.end(), i) == without.end()) out.push_back(i);
    return out;
  };
  const std::vector<std::size_t> keptA = kept(a, gone[0]), keptB = kept(b, gone[1]);
  std::vector<std::size_t> orderA = keptA, orderB = gone[1];
  orderA.insert(orderA.end(), gone[0].begin(), gone[0].end());
  orderB.insert(orderB.end(), keptB.begin(), keptB.end());
  Sizes rows, columns, depth;
  for (const std::size_t d : keptA) rows.push_back(e.size(a, d));
  for (const std::size_t d : keptB) columns.push_back(e.size(b, d));
  for (const std::size_t d : gone[0]) depth.push_back(e.size(a, d));
  const Size k = e.product(depth);
  const Tensor left = e.reshape(e.permute(a, orderA), {e.product(rows), k});
  const Tensor right = e.reshape(e.permute(b, orderB), {k, e.product(columns)});
  Sizes shape = rows;
  shape.insert(shape.end(), columns.begin(), columns.end());
  return one(e.reshape(e.matmul(left, right), shape));
}

constexpr std::string_view kTensordot =
    "    pairs = [(i % self.dim(), j % other.dim()) for i, j in zip(dims_self, dims_other)]\n"
    "    for i, j in pairs:\n"
    "        if self.shape[i] == 1 and other.shape[j] != 1:\n"
    "            other = other.sum(j, True, dtype=other.dtype)\n"
    "        elif self.shape[i] != 1 and other.shape[j] == 1:\n"
    "            self = self.sum(i, True, dtype=self.dtype)\n"
    "    gone, taken = [i for i, _ in pairs], [j for _, j in pairs]\n"
    "    rows = [i for i in range(self.dim()) if i not in gone]\n"
    "    columns = [j for j in range(other.dim()) if j not in taken]\n"
    "    shape = [self.shape[i] for i in rows] + [other.shape[j] for j in columns]\n"
    "    depth = math.prod(self.shape[i] for i in gone)\n"
    "    left = self.permute(rows + gone).reshape(math.prod(shape[:len(rows)]), depth)\n"
    "    right = other.permute(taken + columns).reshape(depth, math.prod(shape[len(rows):]))\n"
    "    return (left @ right).reshape(shape)\n";

/// Sizes interleave: a[i1, 1, i2, 1] * b[1, j1, 1, j2], flattened in pairs.
Results kron(Emitter& e) {
  const Tensor a = e.tensor("self"), b = e.tensor("other");
  const std::size_t rank = std::max(a.rank(), b.rank());
  const auto spread = [&](const Tensor& x, bool first) {
    Sizes shape;
    for (std::size_t i = 0; i < rank; ++i) {
      const Size own = i + x.rank() >= rank ? e.size(x, i + x.rank() - rank) : Size::of(1);
      shape.push_back(first ? own : Size::of(1));
      shape.push_back(first ? Size::of(1) : own);
    }
    return shape;
  };
  const Sizes sizesA = spread(a, true), sizesB = spread(b, false);
  const Tensor product = e.mul(e.reshape(a, sizesA), e.reshape(b, sizesB));
  Sizes shape;
  for (std::size_t i = 0; i < rank; ++i) shape.push_back(e.times(sizesA[2 * i], sizesB[2 * i + 1]));
  return one(e.reshape(product, shape));
}

Tensor crossProduct(Emitter& e, const Tensor& a, const Tensor& b, std::size_t dim) {
  const Tensor x[3] = {e.slice(a, dim, 0, 1), e.slice(a, dim, 1, 2), e.slice(a, dim, 2, 3)};
  const Tensor y[3] = {e.slice(b, dim, 0, 1), e.slice(b, dim, 1, 2), e.slice(b, dim, 2, 3)};
  const auto part = [&](int i, int j) { return e.sub(e.mul(x[i], y[j]), e.mul(x[j], y[i])); };
  return e.cat({part(1, 2), part(2, 0), part(0, 1)}, dim);
}

Results cross(Emitter& e) {
  Tensor a = e.tensor("self"), b = e.tensor("other");
  const std::optional<std::int64_t> given = e.optionalInteger("dim");
  e.require(a.rank() == b.rank() && a.rank() > 0);
  std::size_t dim = given ? e.dim(*given, a) : a.rank();
  // Without `dim`, aten.cross takes the first dimension of size 3.
  for (std::size_t i = 0; !given && i < a.rank() && dim == a.rank(); ++i)
    if (a.meta.sizes[i] == fx::SymInt(3)) dim = i;
  e.require(dim < a.rank() && e.fixed(a, dim) == 3 && e.fixed(b, dim) == 3);
  return one(crossProduct(e, a, b, dim));
}

constexpr std::string_view kCross =
    "    dim = list(self.shape).index(3) if dim is None else dim\n"
    "    x = [self.narrow(dim, i, 1) for i in range(3)]\n"
    "    y = [other.narrow(dim, i, 1) for i in range(3)]\n"
    "    return torch.cat([x[i - 2] * y[i - 1] - x[i - 1] * y[i - 2] for i in range(3)], dim)\n";

Results multiDot(Emitter& e) {
  const std::vector<Tensor> parts = e.tensors("tensors");
  e.require(parts.size() >= 2);
  for (std::size_t i = 0; i < parts.size(); ++i)
    e.require(parts[i].rank() == 2 || (parts[i].rank() == 1 && (i == 0 || i + 1 == parts.size())));
  Tensor out = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) out = e.matmul(out, parts[i]);
  return one(out);
}

/// By squaring; negative powers need an inverse and are not handled.
Results matrixPower(Emitter& e) {
  const Tensor x = e.tensor("self");
  std::int64_t n = e.integer("n");
  e.require(x.rank() >= 2 && n >= 1);
  std::optional<Tensor> out;
  for (Tensor square = x;; square = e.matmul(square, square)) {
    if (n & 1) out = out ? e.matmul(*out, square) : square;
    n >>= 1;
    if (n == 0) return one(*out);
  }
}

Results cartesianProduct(Emitter& e) {
  const std::vector<Tensor> parts = e.tensors("tensors");
  e.require(!parts.empty());
  for (const Tensor& part : parts) e.require(part.rank() == 1);
  if (parts.size() == 1) return one(parts.front());
  Sizes grid;
  for (const Tensor& part : parts) grid.push_back(e.size(part, 0));
  const Size count = e.product(grid);
  std::vector<Tensor> columns;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Sizes own(parts.size(), Size::of(1));
    own[i] = grid[i];
    columns.push_back(e.reshape(e.expand(e.reshape(parts[i], own), grid), {count, Size::of(1)}));
  }
  return one(e.cat(columns, 1));
}

}  // namespace

void registerProducts(RewriteRules& rules) {
  rules.add(
      {"aten._int_mm.default", "becomes aten.matmul of wider numbers", false, productOfBytes});
  rules.add({"aten._scaled_mm.default", "becomes aten.matmul of the dequantized tensors", false,
             scaledProduct});
  rules.add({"aten.addmm.default", "becomes aten.mm and aten.add", false, addmm});
  rules.add({"aten.baddbmm.default", "becomes aten.matmul and aten.add", false, baddbmm});
  rules.add({"aten.addmv.default", "becomes aten.matmul and aten.add", true, addmv});
  rules.add({"aten.addr.default", "becomes a broadcast product and aten.add", true, addr});
  rules.add({"aten.addbmm.default", "becomes the sum of a batch of products", true, addbmm});
  rules.add({"aten.vdot.default", "becomes a sum of products", true, vdot});
  rules.add({"aten.linalg_vecdot.default", "becomes a sum of products", true, vecdot});
  rules.add(
      {"aten.inner.default", "becomes aten.mm with the second operand transposed", true, inner});
  rules.add({"aten.tensordot.default",
             "becomes aten.mm of the flattened tensors",
             true,
             tensordot,
             {},
             kTensordot});
  rules.add({"aten.kron.default", "becomes a broadcast product, reshaped", true, kron});
  rules.add({"aten.cross.default", "becomes products of slices", true, cross, {}, kCross});
  rules.add({"aten.linalg_cross.default", "becomes products of slices", false, cross, {}, kCross});
  rules.add(
      {"aten.linalg_multi_dot.default", "becomes products from left to right", true, multiDot});
  rules.addEach({"aten.matrix_power.default", "aten.linalg_matrix_power.default"},
                "becomes products by squaring", true, matrixPower);
  rules.add({"aten.cartesian_prod.default", "becomes expanded columns, concatenated", true,
             cartesianProduct});
}

}  // namespace fxs::rewrite
