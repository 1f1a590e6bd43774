// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views, concatenations and slices: reshapes by collapsing to 1-d and expanding, slices by
// extract_slice, the rest by linalg.generic.
#include <algorithm>
#include <utility>

#include "ops/shapes.h"
#include "registry/linalg/arith.h"
#include "registry/linalg/loops.h"
#include "registry/registry.h"

namespace fxs::registry {
namespace {
using namespace linalg;

/// The same elements in the result's shape: views, squeezes, unsqueezes.
Handled reshape(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(result, call.result());
  return Values{reshaped(call.emit, self, result.sizes)};
}

Handled expand(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(result, call.result());
  return Values{broadcast(call.emit, self, result.sizes)};
}

Handled permute(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(dims, call.integers("dims"));
  Sizes perm;
  for (const std::int64_t d : dims) {
    FXS_TAKE(dim, Call::dim(d, self.tensor.rank()));
    perm.push_back(dim);
  }
  return Values{permuted(call.emit, self, perm)};
}

Value swapped(OpBuilder& emit, const Value& x, std::int64_t a, std::int64_t b) {
  if (a == b || x.tensor.rank() == 0) return x;
  Sizes perm;
  for (std::int64_t i = 0; i < x.tensor.rank(); ++i) perm.push_back(i);
  std::swap(perm[static_cast<std::size_t>(a)], perm[static_cast<std::size_t>(b)]);
  return permuted(emit, x, perm);
}

Handled transpose(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(a, call.dim("dim0", self.tensor.rank()));
  FXS_TAKE(b, call.dim("dim1", self.tensor.rank()));
  return Values{swapped(call.emit, self, a, b)};
}

Handled t(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  return Values{self.tensor.rank() < 2 ? self : swapped(call.emit, self, 0, 1)};
}

/// Where a slice of `count` elements begins and how many it takes, with Python's clamping.
struct Cut {
  std::int64_t dim, start, step, size;
};
/// Where a slice or selection begins: counted from the end when negative, and within the dimension.
std::int64_t symbolicStart(OpBuilder& emit, std::int64_t first, std::int64_t count) {
  if (first == 0) return 0;
  const Arith arith(emit, DType::Int64);
  const Value zero = index(emit, 0), size = index(emit, count), given = index(emit, first);
  Value start = given;
  if (isSymbolic(first))
    start = arith.select(arith.compare(Relation::Less, given, zero), arith.add(size, given), given);
  else if (first < 0) start = arith.add(size, given);
  return emit.symbol(arith.minimum(arith.maximum(start, zero), size));
}
tl::expected<Cut, Refusal> cutOf(Call& call, const TensorType& of) {
  FXS_TAKE(dim, call.dim("dim", of.rank()));
  const std::int64_t count = of.sizes.empty() ? 1 : of.sizes[static_cast<std::size_t>(dim)];
  FXS_TAKE(first, call.has("start") ? call.size("start") : 0);
  FXS_TAKE(stop, call.has("end") ? call.size("end") : count);
  FXS_TAKE(step, call.integer("step"));
  if (step <= 0) return refuse("a step of " + std::to_string(step) + " is not a slice");
  if (isSymbolic(count) || isSymbolic(first) || isSymbolic(stop)) {
    FXS_TAKE(result, call.result());
    return Cut{dim, symbolicStart(call.emit, first, count), step,
               result.sizes[static_cast<std::size_t>(dim)]};
  }
  const std::int64_t start = ops::sliceBound(first, count), end = ops::sliceBound(stop, count);
  return Cut{dim, start, step, end > start ? (end - start - 1) / step + 1 : 0};
}

/// Offsets 0, strides 1, and `value` at `dim`.
Sizes at(std::size_t rank, std::int64_t dim, std::int64_t value, std::int64_t others) {
  Sizes out(rank, others);
  out[static_cast<std::size_t>(dim)] = value;
  return out;
}

Value part(OpBuilder& emit, const Value& x, const Cut& cut) {
  const std::size_t rank = x.tensor.sizes.size();
  Sizes sizes = x.tensor.sizes;
  sizes[static_cast<std::size_t>(cut.dim)] = cut.size;
  return sizes == x.tensor.sizes ? x
                                 : sliced(emit, x, at(rank, cut.dim, cut.start, 0), sizes,
                                          at(rank, cut.dim, cut.step, 1));
}

Handled slice(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  if (self.tensor.rank() == 0) return refuse("a 0-d tensor cannot be sliced");
  FXS_TAKE(cut, cutOf(call, self.tensor));
  return Values{part(call.emit, self, cut)};
}

/// An index, counted from the end when negative, as one from the front.
tl::expected<std::int64_t, Refusal> positionOf(OpBuilder& emit, std::int64_t index,
                                               std::int64_t count) {
  if (isSymbolic(count)) return symbolicStart(emit, index, count);
  if (const auto position = ops::wrapIndex(index, static_cast<std::size_t>(count)))
    return static_cast<std::int64_t>(*position);
  return refuse("index " + std::to_string(index) + " is out of range for " + std::to_string(count));
}

Handled select(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(index, call.integer("index"));
  if (self.tensor.rank() == 0) return refuse("a 0-d tensor cannot be indexed");
  FXS_TAKE(dim, call.dim("dim", self.tensor.rank()));
  FXS_TAKE(position,
           positionOf(call.emit, index, self.tensor.sizes[static_cast<std::size_t>(dim)]));
  const Value one = part(call.emit, self, {dim, position, 1, 1});
  return Values{reshaped(call.emit, one, without(self.tensor.sizes, std::span(&dim, 1)))};
}

/// A write of `part` over `self` at `cut`; the part may have the cut's dimension dropped.
Value written(OpBuilder& emit, const Value& self, const Value& part, const Cut& cut) {
  const std::size_t rank = self.tensor.sizes.size();
  Sizes sizes = self.tensor.sizes;
  sizes[static_cast<std::size_t>(cut.dim)] = cut.size;
  return overwritten(emit, reshaped(emit, part, sizes), self, at(rank, cut.dim, cut.start, 0),
                     at(rank, cut.dim, cut.step, 1));
}

Handled sliceScatter(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(src, call.operand("src"));
  if (self.tensor.rank() == 0) return refuse("a 0-d tensor cannot be sliced");
  FXS_TAKE(cut, cutOf(call, self.tensor));
  if (src.tensor.element != self.tensor.element)
    return refuse("the element types of src and self differ");
  Sizes sizes = self.tensor.sizes;
  const auto dim = static_cast<std::size_t>(cut.dim);
  // The program says that they are equal, also where they are computed in different ways.
  if (src.tensor.rank() == self.tensor.rank() && src.tensor.sizes[dim] != 1 &&
      (isSymbolic(cut.size) || isSymbolic(src.tensor.sizes[dim])))
    cut.size = src.tensor.sizes[dim];
  sizes[dim] = cut.size;
  return Values{written(call.emit, self, broadcast(call.emit, src, sizes), cut)};
}

Handled selectScatter(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(src, call.operand("src"));
  FXS_TAKE(index, call.integer("index"));
  if (self.tensor.rank() == 0) return refuse("a 0-d tensor cannot be indexed");
  FXS_TAKE(dim, call.dim("dim", self.tensor.rank()));
  if (src.tensor.element != self.tensor.element)
    return refuse("the element types of src and self differ");
  FXS_TAKE(position,
           positionOf(call.emit, index, self.tensor.sizes[static_cast<std::size_t>(dim)]));
  const Value full = broadcast(call.emit, src, without(self.tensor.sizes, std::span(&dim, 1)));
  return Values{written(call.emit, self, full, {dim, position, 1, 1})};
}

/// start + size, computed in the text where one is symbolic.
std::int64_t after(OpBuilder& emit, std::int64_t start, std::int64_t size) {
  if (start == 0 || (!isSymbolic(start) && !isSymbolic(size))) return plus(start, size);
  return emit.symbol(Arith(emit, DType::Int64).add(index(emit, start), index(emit, size)));
}

Handled cat(Call& call) {
  FXS_TAKE(tensors, call.operands("tensors"));
  FXS_TAKE(result, call.result());
  FXS_TAKE(dim, call.dim("dim", result.rank()));
  Value full = empty(call.emit, result);
  std::int64_t start = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!tensors[i]) return refuse("a tensor to concatenate is None");
    const Value& one = *tensors[i];
    // PyTorch allows empty 1-d tensors in any concatenation.
    if (one.tensor.rank() == 1 && one.tensor.sizes[0] == 0 && result.rank() != 1) continue;
    if (one.tensor.element != result.element)
      return refuse("the tensors have different element types");
    const std::int64_t size = one.tensor.sizes[static_cast<std::size_t>(dim)];
    full = written(call.emit, full, one, {dim, start, 1, size});
    start = i + 1 == tensors.size() ? start : after(call.emit, start, size);
  }
  return Values{full};
}

Values partsOf(Call& call, const Value& self, std::int64_t dim,
               std::span<const std::int64_t> sizes) {
  Values out;
  std::int64_t start = 0;
  for (const std::int64_t size : sizes) {
    out.push_back(part(call.emit, self, {dim, start, 1, size}));
    start = plus(start, size);
  }
  return out;
}

Handled split(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(each, call.integer("split_size"));
  FXS_TAKE(dim, call.dim("dim", self.tensor.rank()));
  if (self.tensor.rank() == 0) return refuse("a 0-d tensor cannot be split");
  Sizes sizes;
  const std::int64_t count = self.tensor.sizes[static_cast<std::size_t>(dim)];
  if (isSymbolic(count))
    return refuse("the size of the dimension is symbolic, so the number of parts is not known");
  if (each <= 0 && count > 0) return refuse("parts of " + std::to_string(each) + " elements");
  const std::int64_t parts = count == 0 ? 1 : (count - 1) / each + 1;
  const fx::ValueList* said = call.node().val.list();
  if (said == nullptr || static_cast<std::int64_t>(said->size()) != parts)
    return refuse("the program records a different number of parts");
  for (std::int64_t i = 0; i < parts; ++i) sizes.push_back(std::min(each, count - i * each));
  return partsOf(call, self, dim, sizes);
}

Handled splitWithSizes(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(sizes, call.integers("split_sizes"));
  FXS_TAKE(dim, call.dim("dim", self.tensor.rank()));
  return partsOf(call, self, dim, sizes);
}

Handled repeat(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(result, call.result());
  // Element i of the result is element i mod size of self.
  const std::size_t rank = result.sizes.size();
  if (rank < self.tensor.sizes.size()) noSuchDimension(self.tensor.sizes.size() - 1, rank);
  Sizes padded(rank - self.tensor.sizes.size(), 1);
  padded.insert(padded.end(), self.tensor.sizes.begin(), self.tensor.sizes.end());
  const Value x = reshaped(call.emit, self, padded);
  if (x.tensor.isEmpty() || result.isEmpty()) return Values{empty(call.emit, result)};
  return Values{generate(call.emit, result, [&](Elements indices) {
    std::vector<Value> from;
    for (std::size_t i = 0; i < rank; ++i) {
      const std::vector<Value> pair{indices[i], index(call.emit, padded[i])};
      from.push_back(call.emit.ops("arith.remui", pair, std::span(&pair[0].type, 1)).front());
    }
    return extract(call.emit, x, from);
  })};
}

/// Whether a node's tensor is contiguous and starts at offset 0, so that its elements are its
/// storage.
bool isWholeStorage(const Call& call, std::string_view name) {
  const fx::Argument argument = call.argument(name);
  const fx::TensorMeta* meta =
      argument.node() != nullptr ? call.program().node(*argument.node()).val.tensor() : nullptr;
  return meta != nullptr && meta->storageOffset == fx::SymInt(0) &&
         meta->strides == fx::contiguousStrides(meta->sizes);
}

struct Strided {
  Sizes sizes, strides;
  std::int64_t offset;
};
tl::expected<Strided, Refusal> stridedOf(Call& call, const Value& self) {
  FXS_TAKE(size, call.integers("size"));
  FXS_TAKE(stride, call.integers("stride"));
  FXS_TAKE(offset, call.integerOr(0, "storage_offset"));
  Strided out{size, stride, offset};
  if (!isWholeStorage(call, "self"))
    return refuse("self is not contiguous, and a tensor value has no storage beyond its elements");
  std::int64_t last = out.offset;
  for (std::size_t i = 0; i < out.sizes.size(); ++i)
    last = plus(last, times(std::max<std::int64_t>(out.sizes[i], 1) - 1, out.strides[i]));
  if (last >= self.tensor.elements()) return refuse("it reads beyond the elements of self");
  return out;
}

/// offset + i0 * stride0 + ..
Value position(OpBuilder& emit, const Strided& of, Elements indices) {
  Value out = index(emit, of.offset);
  for (std::size_t i = 0; i < of.sizes.size(); ++i) {
    const std::vector<Value> factors{indices[i], index(emit, of.strides[i])};
    const std::vector<Value> terms{
        out, emit.ops("arith.muli", factors, std::span(&out.type, 1)).front()};
    out = emit.ops("arith.addi", terms, std::span(&terms[0].type, 1)).front();
  }
  return out;
}

Handled asStrided(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(result, call.result());
  FXS_TAKE(view, stridedOf(call, self));
  const Value line = reshaped(call.emit, self, {self.tensor.elements()});
  return Values{generate(call.emit, result, [&](Elements indices) {
    const Value from = position(call.emit, view, indices);
    return extract(call.emit, line, std::span(&from, 1));
  })};
}

Handled asStridedScatter(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(src, call.operand("src"));
  FXS_TAKE(view, stridedOf(call, self));
  if (src.tensor.element != self.tensor.element)
    return refuse("the element types of src and self differ");
  const Value line = reshaped(call.emit, self, {self.tensor.elements()});
  const Values done =
      loop(call.emit, view.sizes, {line}, [&](Elements indices, Elements carried) -> Values {
        const Value to = position(call.emit, view, indices);
        return {insert(call.emit, extract(call.emit, src, indices), carried[0], std::span(&to, 1))};
      });
  return Values{reshaped(call.emit, done.front(), self.tensor.sizes)};
}

/// The two dimensions of a diagonal, where it begins in each, and its length.
struct Diagonal {
  std::int64_t dim1, dim2, start1, start2, length;
};
tl::expected<Diagonal, Refusal> diagonalOf(Call& call, const TensorType& of) {
  FXS_TAKE(offset, call.integer("offset"));
  FXS_TAKE(dim1, call.dim("dim1", of.rank()));
  FXS_TAKE(dim2, call.dim("dim2", of.rank()));
  if (of.rank() < 2 || dim1 == dim2) return refuse("a diagonal requires two dimensions");
  const std::int64_t start1 = std::max<std::int64_t>(minus(0, offset), 0),
                     start2 = std::max<std::int64_t>(offset, 0);
  const std::int64_t length = std::min(minus(of.sizes[static_cast<std::size_t>(dim1)], start1),
                                       minus(of.sizes[static_cast<std::size_t>(dim2)], start2));
  return Diagonal{dim1, dim2, start1, start2, std::max<std::int64_t>(length, 0)};
}

/// The indices in the whole tensor of an element of the diagonal, whose last index runs along it.
std::vector<Value> positionOf(OpBuilder& emit, const Diagonal& d, std::size_t rank,
                              Elements indices) {
  std::vector<Value> out;
  const auto shifted = [&](std::int64_t start) {
    const std::vector<Value> terms{indices.back(), index(emit, start)};
    return emit.ops("arith.addi", terms, std::span(&terms[0].type, 1)).front();
  };
  std::size_t next = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    const auto dim = static_cast<std::int64_t>(i);
    if (dim == d.dim1) out.push_back(shifted(d.start1));
    else out.push_back(dim == d.dim2 ? shifted(d.start2) : indices[next++]);
  }
  return out;
}

Handled diagonal(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(result, call.result());
  FXS_TAKE(d, diagonalOf(call, self.tensor));
  return Values{generate(call.emit, result, [&](Elements indices) {
    return extract(call.emit, self, positionOf(call.emit, d, self.tensor.sizes.size(), indices));
  })};
}

Handled diagonalScatter(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(src, call.operand("src"));
  FXS_TAKE(d, diagonalOf(call, self.tensor));
  if (src.tensor.element != self.tensor.element)
    return refuse("the element types of src and self differ");
  return loop(call.emit, src.tensor.sizes, {self},
              [&](Elements indices, Elements carried) -> Values {
                return {insert(call.emit, extract(call.emit, src, indices), carried[0],
                               positionOf(call.emit, d, self.tensor.sizes.size(), indices))};
              });
}

}  // namespace

void registerLinalgShape(Registries& registries) {
  registries.add(
      "linalg",
      {"ViewOp", "ReshapeOp", "UnsqueezeOp", "SqueezeOp", "SqueezeDimOp", "SqueezeDimsOp"},
      reshape);
  registries.add("linalg", {"ExpandOp"}, expand);
  registries.add("linalg", {"PermuteOp"}, permute);
  registries.add("linalg", {"TransposeOp"}, transpose);
  registries.add("linalg", {"TOp"}, t);
  registries.add("linalg", {"SliceOp"}, slice);
  registries.add("linalg", {"SelectOp"}, select);
  registries.add("linalg", {"SliceScatterOp"}, sliceScatter);
  registries.add("linalg", {"SelectScatterOp"}, selectScatter);
  registries.add("linalg", {"CatOp"}, cat);
  registries.add("linalg", {"SplitOp"}, split);
  registries.add("linalg", {"SplitWithSizesOp"}, splitWithSizes);
  registries.add("linalg", {"RepeatOp"}, repeat);
  registries.add("linalg", {"AsStridedOp"}, asStrided);
  registries.add("linalg", {"AsStridedScatterOp"}, asStridedScatter);
  registries.add("linalg", {"DiagonalOp"}, diagonal);
  registries.add("linalg", {"DiagonalScatterOp"}, diagonalScatter);
  registries.anySizes(
      "linalg", {"ViewOp", "ReshapeOp", "UnsqueezeOp", "SqueezeOp", "SqueezeDimOp", "SqueezeDimsOp",
                 "ExpandOp", "PermuteOp", "TransposeOp", "TOp", "SliceOp", "SelectOp", "CatOp",
                 "SplitOp", "SplitWithSizesOp", "RepeatOp", "SliceScatterOp", "SelectScatterOp"});
}

}  // namespace fxs::registry
