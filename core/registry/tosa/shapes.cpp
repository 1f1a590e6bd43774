// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/tosa/shapes.h"

#include <algorithm>

#include "registry/linalg/loops.h"

namespace fxs::registry::tosa {

TensorType withSizes(const TensorType& type, Sizes sizes) {
  return {std::move(sizes), type.element};
}
TensorType withElement(const TensorType& type, std::string element) {
  return {type.sizes, std::move(element)};
}
Sizes ones(std::int64_t rank) { return Sizes(static_cast<std::size_t>(rank), 1); }

Sizes firstDims(std::int64_t rank) {
  Sizes out;
  for (std::int64_t d = 0; d < rank; ++d) out.push_back(d);
  return out;
}

std::string arrayText(std::string_view element, std::span<const std::int64_t> values) {
  std::string out;
  for (const std::int64_t value : values)
    out += (out.empty() ? ": " : ", ") + std::to_string(value);
  return "array<" + std::string(element) + out + ">";
}

Value reshape(OpBuilder& emit, const Value& x, const Sizes& sizes) {
  if (x.tensor.sizes == sizes) return x;
  // The shape operand of tosa.reshape is constant.
  if (!x.tensor.isStatic() || std::any_of(sizes.begin(), sizes.end(), isSymbolic))
    return linalg::reshaped(emit, x, sizes);
  const TensorType type = withSizes(x.tensor, sizes);
  if (type.elements() != x.tensor.elements())
    throw BadSizes("incompatible sizes: " + x.type + " cannot be reshaped to " + type.text());
  return emit.op("tosa.reshape", {x, emit.shape(sizes)}, type);
}

Value withRank(OpBuilder& emit, const Value& x, std::int64_t rank) {
  if (x.tensor.rank() >= rank) return x;
  Sizes sizes = ones(rank - x.tensor.rank());
  sizes.insert(sizes.end(), x.tensor.sizes.begin(), x.tensor.sizes.end());
  return reshape(emit, x, sizes);
}

Value unsqueeze(OpBuilder& emit, const Value& x, std::int64_t dim) {
  Sizes sizes = x.tensor.sizes;
  sizes.insertAt(dim, 1);
  return reshape(emit, x, sizes);
}

Value dropDim(OpBuilder& emit, const Value& x, std::int64_t dim) {
  Sizes sizes = x.tensor.sizes;
  sizes.eraseAt(dim);
  return reshape(emit, x, sizes);
}

Value tile(OpBuilder& emit, const Value& x, const Sizes& repeats) {
  Sizes sizes = x.tensor.sizes;
  for (std::size_t d = 0; d < sizes.size(); ++d) sizes[d] = times(sizes[d], repeats[d]);
  if (sizes == x.tensor.sizes) return x;
  return emit.op("tosa.tile", {x, emit.shape(repeats)}, withSizes(x.tensor, sizes));
}

Value broadcastTo(OpBuilder& emit, const Value& x, const Sizes& sizes) {
  if (x.tensor.sizes == sizes) return x;
  if (std::any_of(sizes.begin(), sizes.end(), isSymbolic)) return linalg::broadcast(emit, x, sizes);
  const Value padded = withRank(emit, x, static_cast<std::int64_t>(sizes.size()));
  if (padded.tensor.rank() > static_cast<std::int64_t>(sizes.size()))
    noSuchDimension(padded.tensor.sizes.size() - 1, sizes.size());
  Sizes repeats = sizes;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (padded.tensor.sizes[d] == sizes[d]) repeats[d] = 1;
  return tile(emit, padded, repeats);
}

Value permute(OpBuilder& emit, const Value& x, const Sizes& order) {
  if (std::is_sorted(order.begin(), order.end())) return x;
  Sizes sizes;
  for (const std::int64_t d : order) sizes.push_back(x.tensor.sizes[static_cast<std::size_t>(d)]);
  return emit.op("tosa.transpose", {x}, withSizes(x.tensor, sizes),
                 "perms = " + arrayText("i32", order));
}

Value slice(OpBuilder& emit, const Value& x, std::int64_t dim, std::int64_t start,
            std::int64_t size, std::int64_t step) {
  const auto at = static_cast<std::size_t>(dim);
  Sizes sizes = x.tensor.sizes;
  if (start == 0 && size == sizes[at] && step == 1) return x;
  // The last element must be in range: size elements span (size - 1) * step + 1.
  if (start < 0 || size < 0 || step < 1 ||
      (size > 0 && plus(start, times(size - 1, step)) >= sizes[at]))
    throw BadSizes("incompatible sizes: " + std::to_string(size) + " elements from " +
                   std::to_string(start) + " on are out of range for size " +
                   std::to_string(sizes[at]));
  Sizes starts(sizes.size(), 0);
  starts[at] = start;
  sizes[at] = size;
  if (size == 0) return emit.constant(withSizes(x.tensor, sizes), {}, "arith.constant");
  if (step == 1)
    return emit.op("tosa.slice", {x, emit.shape(starts), emit.shape(sizes)},
                   withSizes(x.tensor, sizes));
  Sizes steps = ones(x.tensor.rank());
  steps[at] = step;
  return emit.op("tensor.extract_slice", {x}, withSizes(x.tensor, sizes),
                 "operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = " +
                     arrayText("i64", starts) + ", static_sizes = " + arrayText("i64", sizes) +
                     ", static_strides = " + arrayText("i64", steps));
}

Value concat(OpBuilder& emit, std::span<const Value> parts, std::int64_t dim) {
  if (parts.empty()) throw BadSizes("incompatible sizes: there are no tensors to concatenate");
  if (parts.size() == 1) return parts.front();
  if (std::any_of(parts.begin(), parts.end(),
                  [](const Value& part) { return part.tensor.isEmpty(); })) {
    std::vector<Value> kept;
    std::copy_if(parts.begin(), parts.end(), std::back_inserter(kept),
                 [](const Value& part) { return !part.tensor.isEmpty(); });
    return kept.empty() ? parts.front() : concat(emit, kept, dim);
  }
  Sizes sizes = parts.front().tensor.sizes;
  const auto at = static_cast<std::size_t>(dim);
  sizes[at] = 0;
  for (const Value& part : parts) sizes[at] = plus(sizes[at], part.tensor.sizes[at]);
  return emit.op("tosa.concat", parts, withSizes(parts.front().tensor, sizes),
                 "axis = " + std::to_string(dim) + " : i32");
}

Value reverse(OpBuilder& emit, const Value& x, std::int64_t dim) {
  if (x.tensor.sizes[static_cast<std::size_t>(dim)] == 1) return x;
  return emit.op("tosa.reverse", {x}, x.tensor, "axis = " + std::to_string(dim) + " : i32");
}

Value pad(OpBuilder& emit, const Value& x, const Sizes& before, const Sizes& after, Scalar value) {
  Sizes sizes = x.tensor.sizes;
  Sizes pairs;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    sizes[d] = plus(sizes[d], plus(before[d], after[d]));
    pairs.push_back(before[d]);
    pairs.push_back(after[d]);
  }
  if (sizes == x.tensor.sizes) return x;
  return emit.op("tosa.pad", {x, emit.shape(pairs), emit.splat({{1}, x.tensor.element}, value)},
                 withSizes(x.tensor, sizes));
}

}  // namespace fxs::registry::tosa
