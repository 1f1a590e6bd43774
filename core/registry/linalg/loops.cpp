// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/linalg/loops.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "registry/linalg/arith.h"
#include "registry/linalg/slices.h"

namespace fxs::registry::linalg {
namespace {

/// MLIR's number for a size that an operand gives.
constexpr std::int64_t kDynamic = std::numeric_limits<std::int64_t>::min();

std::string arrayText(std::span<const std::int64_t> values, std::string_view type = "i64") {
  std::string out = "array<" + std::string(type);
  for (std::size_t i = 0; i < values.size(); ++i)
    out += (i == 0 ? ": " : ", ") + std::to_string(isSymbolic(values[i]) ? kDynamic : values[i]);
  return out + ">";
}

std::string mapText(std::size_t rank, const Map& map) {
  std::string out = "affine_map<(";
  for (std::size_t i = 0; i < rank; ++i) out += (i == 0 ? "d" : ", d") + std::to_string(i);
  out += ") -> (";
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (i != 0) out += ", ";
    out += map[i] < 0 ? "0" : "d" + std::to_string(map[i]);
  }
  return out + ")>";
}

Map identity(std::size_t rank) {
  Map out(rank);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

void yield(OpBuilder& emit, std::string_view op, std::span<const Value> values) {
  emit.ops(op, values, {});
}

/// [[0, 1, 2]]: all dimensions in one group; [] for rank 0.
std::string oneGroup(std::size_t rank) {
  if (rank == 0) return "[]";
  std::string out = "[[";
  for (std::size_t i = 0; i < rank; ++i) out += (i == 0 ? "" : ", ") + std::to_string(i);
  return out + "]]";
}

Value collapsed(OpBuilder& emit, const Value& x, const Sizes& to) {
  return emit.op("tensor.collapse_shape", {x}, {to, x.tensor.element},
                 "reassociation = " + (to.empty() ? "[]" : oneGroup(x.tensor.sizes.size())));
}

Value expanded(OpBuilder& emit, const Value& x, const Sizes& to) {
  std::vector<Value> operands = emit.symbolsIn(to);
  operands.insert(operands.begin(), x);
  return emit.op("tensor.expand_shape", operands, {to, x.tensor.element},
                 "reassociation = " + (x.tensor.sizes.empty() ? "[]" : oneGroup(to.size())) +
                     ", static_output_shape = " + arrayText(to));
}

std::int64_t symbolsIn(const Sizes& sizes) {
  return std::count_if(sizes.begin(), sizes.end(), isSymbolic);
}

/// `tensors`: how many operands come before the symbolic offsets and sizes.
std::string sliceAttributes(std::string_view tensors, const Sizes& offsets, const Sizes& sizes,
                            const Sizes& strides) {
  return "operandSegmentSizes = array<i32: " + std::string(tensors) + ", " +
         std::to_string(symbolsIn(offsets)) + ", " + std::to_string(symbolsIn(sizes)) +
         ", 0>, static_offsets = " + arrayText(offsets) + ", static_sizes = " + arrayText(sizes) +
         ", static_strides = " + arrayText(strides);
}

std::vector<Value> sliceOperands(OpBuilder& emit, std::vector<Value> tensors, const Sizes& offsets,
                                 const Sizes& sizes) {
  for (const Sizes* each : {&offsets, &sizes}) {
    const std::vector<Value> symbols = emit.symbolsIn(*each);
    tensors.insert(tensors.end(), symbols.begin(), symbols.end());
  }
  return tensors;
}

/// Throws BadSizes if a slice is not within a tensor, as far as its sizes are known. MLIR refuses
/// also an empty slice at the end.
void checkWithin(const Sizes& full, const Sizes& offsets, const Sizes& sizes,
                 const Sizes& strides) {
  for (std::size_t i = 0; i < full.size(); ++i) {
    if (isSymbolic(full[i]) || isSymbolic(offsets[i]) || isSymbolic(sizes[i])) continue;
    const std::int64_t last =
        sizes[i] == 0 ? offsets[i] - 1 : plus(offsets[i], times(sizes[i] - 1, strides[i]));
    if (offsets[i] < 0 || sizes[i] < 0 || last >= full[i])
      throw BadSizes("incompatible sizes: " + std::to_string(sizes[i]) + " elements from " +
                     std::to_string(offsets[i]) + " on are out of range for size " +
                     std::to_string(full[i]));
  }
}

struct Slice {
  Sizes offsets, sizes, strides;
};

Value extractedSlice(OpBuilder& emit, const Value& x, const Slice& slice, const Sizes& result) {
  checkWithin(x.tensor.sizes, slice.offsets, slice.sizes, slice.strides);
  const TensorType type{result, x.tensor.element};
  if (type.isEmpty()) return empty(emit, type);
  return emit.op("tensor.extract_slice", sliceOperands(emit, {x}, slice.offsets, slice.sizes), type,
                 sliceAttributes("1", slice.offsets, slice.sizes, slice.strides));
}

Value insertedSlice(OpBuilder& emit, const Value& part, const Value& full, const Slice& slice) {
  checkWithin(full.tensor.sizes, slice.offsets, slice.sizes, slice.strides);
  if (part.tensor.isEmpty()) return full;
  return emit.op("tensor.insert_slice",
                 sliceOperands(emit, {part, full}, slice.offsets, slice.sizes), full.tensor,
                 sliceAttributes("1, 1", slice.offsets, slice.sizes, slice.strides));
}

/// [[0], [1, 2, 3], [4]]: each dimension by itself but `count` from `first` on.
std::string groups(std::size_t rank, std::size_t first, std::size_t count) {
  std::string out = "[";
  for (std::size_t i = 0; i < rank; i += i == first ? count : 1) {
    out += (i == 0 ? "[" : ", [") + std::to_string(i);
    for (std::size_t j = i + 1; i == first && j < first + count; ++j)
      out += ", " + std::to_string(j);
    out += "]";
  }
  return out + "]";
}

/// A reshape with symbolic sizes: what both shapes begin and end with stays, the rest becomes one
/// dimension and then the others.
Value regrouped(OpBuilder& emit, const Value& x, const Sizes& to) {
  const Sizes& from = x.tensor.sizes;
  const std::size_t shorter = std::min(from.size(), to.size());
  std::size_t begin = 0, end = 0;
  // At least one dimension remains of each, which takes up sizes of 1.
  while (begin + 1 < shorter && from[begin] == to[begin]) ++begin;
  while (begin + end + 1 < shorter && from[from.size() - 1 - end] == to[to.size() - 1 - end]) ++end;
  const std::size_t before = from.size() - begin - end, after = to.size() - begin - end;
  const auto middle = [&](const Sizes& of, std::size_t count) {
    return TensorType{Sizes(of.begin() + static_cast<std::ptrdiff_t>(begin),
                            of.begin() + static_cast<std::ptrdiff_t>(begin + count)),
                      {}};
  };
  const TensorType gone = middle(from, before), come = middle(to, after);
  if (gone.isStatic() != come.isStatic() || (gone.isStatic() && gone.elements() != come.elements()))
    throw BadSizes("incompatible sizes: " + x.type + " cannot be reshaped to " +
                   TensorType{to, x.tensor.element}.text());
  Sizes line(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(begin));
  if (after == 1) line.push_back(come.sizes[0]);
  else if (gone.isStatic()) line.push_back(gone.elements());
  else line.push_back(before == 1 ? gone.sizes[0] : emit.symbol());
  line.insert(line.end(), from.end() - static_cast<std::ptrdiff_t>(end), from.end());
  Value flat = before == 1 ? x
                           : emit.op("tensor.collapse_shape", {x}, {line, x.tensor.element},
                                     "reassociation = " + groups(from.size(), begin, before));
  if (after == 1) return flat;
  std::vector<Value> operands = emit.symbolsIn(to);
  operands.insert(operands.begin(), flat);
  return emit.op("tensor.expand_shape", operands, {to, x.tensor.element},
                 "reassociation = " + groups(to.size(), begin, after) +
                     ", static_output_shape = " + arrayText(to));
}

}  // namespace

Value generic(OpBuilder& emit, const Generic& spec, std::span<const Value> inputs,
              const Value& init, const std::function<Value(Elements)>& body) {
  std::string attributes = "indexing_maps = [";
  for (const Map& map : spec.inputs) attributes += mapText(spec.rank, map) + ", ";
  attributes += mapText(spec.rank, spec.output) + "], iterator_types = [";
  for (std::size_t i = 0; i < spec.rank; ++i) {
    const bool reduced = i < spec.reduced.size() && spec.reduced[i];
    attributes += std::string(i == 0 ? "" : ", ") + "#linalg.iterator_type<" +
                  (reduced ? "reduction" : "parallel") + ">";
  }
  attributes += "], operandSegmentSizes = array<i32: " + std::to_string(inputs.size()) + ", 1>";
  std::vector<Value> operands(inputs.begin(), inputs.end());
  operands.push_back(init);
  std::vector<std::string> elements;
  for (const Value& operand : operands) elements.push_back(operand.tensor.element);
  auto open = emit.begin("linalg.generic", operands, std::span(&init.type, 1), attributes);
  const std::vector<Value> arguments = emit.beginRegion(open, elements);
  const Value result = body(arguments);
  if (result.type != init.tensor.element)
    throw BadSizes("incompatible types: an element is " + result.type + ", not " +
                   init.tensor.element);
  yield(emit, "linalg.yield", std::span(&result, 1));
  emit.endRegion(open);
  return emit.finish(open).front();
}

Value pointwise(OpBuilder& emit, const TensorType& result, std::span<const Value> inputs,
                const std::function<Value(Elements)>& body) {
  const std::size_t rank = result.sizes.size();
  Generic spec{rank, {}, {}, identity(rank)};
  for (const Value& input : inputs) {
    const Sizes& sizes = input.tensor.sizes;
    if (broadcastSizes(result.sizes, sizes) != result.sizes)
      throw BadSizes("incompatible sizes: " + input.type + " does not broadcast to " +
                     result.text());
    Map map;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::size_t at = rank - sizes.size() + i;
      map.push_back(sizes[i] == 1 && result.sizes[at] != 1 ? -1 : static_cast<std::int64_t>(at));
    }
    spec.inputs.push_back(std::move(map));
  }
  return generic(emit, spec, inputs, empty(emit, result),
                 [&](Elements elements) { return body(elements.first(inputs.size())); });
}

Value generate(OpBuilder& emit, const TensorType& result,
               const std::function<Value(Elements)>& body) {
  const std::size_t rank = result.sizes.size();
  return generic(emit, {rank, {}, {}, identity(rank)}, {}, empty(emit, result), [&](Elements) {
    std::vector<Value> indices;
    const std::string type = "index";
    for (std::size_t i = 0; i < rank; ++i)
      indices.push_back(
          emit.ops("linalg.index", {}, std::span(&type, 1), "dim = " + std::to_string(i) + " : i64")
              .front());
    return body(indices);
  });
}

Value reduce(OpBuilder& emit, const Value& x, std::span<const std::int64_t> dims, const Value& init,
             const std::function<Value(const Value&, const Value&)>& body) {
  const std::size_t rank = x.tensor.sizes.size();
  Generic spec{rank, std::vector<bool>(rank, false), {identity(rank)}, {}};
  for (const std::int64_t dim : dims) spec.reduced[static_cast<std::size_t>(dim)] = true;
  for (std::size_t i = 0; i < rank; ++i)
    if (!spec.reduced[i]) spec.output.push_back(static_cast<std::int64_t>(i));
  const Value start =
      filled(emit, {without(x.tensor.sizes, dims), std::string(elementOf(init))}, init);
  return generic(emit, spec, std::span(&x, 1), start,
                 [&](Elements elements) { return body(elements[0], elements[1]); });
}

Values loop(OpBuilder& emit, const Sizes& sizes, const Values& carried,
            const std::function<Values(Elements, Elements)>& body) {
  const Value zero = index(emit, 0), one = index(emit, 1);
  std::vector<std::string> types, inside{"index"};
  for (const Value& value : carried) types.push_back(value.type);
  inside.insert(inside.end(), types.begin(), types.end());
  std::vector<Value> indices;
  const std::function<Values(const Values&)> level = [&](const Values& now) -> Values {
    if (indices.size() == sizes.size()) return body(indices, now);
    std::vector<Value> operands{zero, index(emit, sizes[indices.size()]), one};
    operands.insert(operands.end(), now.begin(), now.end());
    auto open = emit.begin("scf.for", operands, types);
    std::vector<Value> arguments = emit.beginRegion(open, inside);
    indices.push_back(arguments.front());
    const Values next = level({arguments.begin() + 1, arguments.end()});
    indices.pop_back();
    yield(emit, "scf.yield", next);
    emit.endRegion(open);
    return emit.finish(open);
  };
  return level(carried);
}

Value empty(OpBuilder& emit, const TensorType& type) {
  return emit.op("tensor.empty", emit.symbolsIn(type.sizes), type);
}

Value filled(OpBuilder& emit, const TensorType& type, const Value& scalar) {
  const Value init = empty(emit, type);
  const std::vector<Value> operands{scalar, init};
  auto open = emit.begin("linalg.fill", operands, std::span(&init.type, 1),
                         "operandSegmentSizes = array<i32: 1, 1>");
  const std::vector<std::string> elements{scalar.type, type.element};
  const std::vector<Value> arguments = emit.beginRegion(open, elements);
  yield(emit, "linalg.yield", std::span(arguments).first(1));
  emit.endRegion(open);
  return emit.finish(open).front();
}

Value extract(OpBuilder& emit, const Value& tensor, Elements indices) {
  std::vector<Value> operands{tensor};
  operands.insert(operands.end(), indices.begin(), indices.end());
  return emit.ops("tensor.extract", operands, std::span(&tensor.tensor.element, 1)).front();
}

Value insert(OpBuilder& emit, const Value& element, const Value& tensor, Elements indices) {
  std::vector<Value> operands{element, tensor};
  operands.insert(operands.end(), indices.begin(), indices.end());
  return emit.op("tensor.insert", operands, tensor.tensor);
}

Value index(OpBuilder& emit, std::int64_t value) { return emit.index(value); }

Value reshaped(OpBuilder& emit, const Value& x, const Sizes& sizes) {
  if (x.tensor.sizes == sizes) return x;
  const TensorType type{sizes, x.tensor.element};
  if (x.tensor.isStatic() && type.isStatic() && x.tensor.elements() != type.elements())
    throw BadSizes("incompatible sizes: " + x.type + " cannot be reshaped to " + type.text());
  if (sizes.empty()) return collapsed(emit, x, {});
  if (x.tensor.sizes.empty()) return expanded(emit, x, sizes);
  if (!x.tensor.isStatic() || !type.isStatic()) return regrouped(emit, x, sizes);
  const Sizes flat{x.tensor.elements()};
  const Value line = x.tensor.sizes.size() == 1 ? x : collapsed(emit, x, flat);
  return sizes.size() == 1 ? line : expanded(emit, line, sizes);
}

Value sliced(OpBuilder& emit, const Value& x, const Sizes& offsets, const Sizes& sizes,
             const Sizes& strides) {
  return extractedSlice(emit, x, {offsets, sizes, strides}, sizes);
}

Value overwritten(OpBuilder& emit, const Value& part, const Value& full, const Sizes& offsets,
                  const Sizes& strides) {
  return insertedSlice(emit, part, full, {offsets, part.tensor.sizes, strides});
}

Value slicedTo(OpBuilder& emit, const Value& x, const Sizes& offsets, const Sizes& sizes,
               const Sizes& result) {
  return extractedSlice(emit, x, {offsets, sizes, Sizes(Sizes::Base(sizes.size(), 1))}, result);
}

Value overwrittenAt(OpBuilder& emit, const Value& part, const Value& full, const Sizes& offsets,
                    const Sizes& sizes) {
  return insertedSlice(emit, part, full, {offsets, sizes, Sizes(Sizes::Base(sizes.size(), 1))});
}

void overwrittenInParallel(OpBuilder& emit, const Value& part, const Value& full,
                           const Sizes& offsets, const Sizes& sizes) {
  const Sizes ones(Sizes::Base(sizes.size(), 1));
  emit.ops("tensor.parallel_insert_slice", sliceOperands(emit, {part, full}, offsets, sizes), {},
           sliceAttributes("1, 1", offsets, sizes, ones));
}

Value padded(OpBuilder& emit, const Value& x, const Sizes& sizes) {
  if (x.tensor.sizes == sizes) return x;
  const TensorType type{sizes, x.tensor.element};
  const Value zeros = filled(emit, type, emit.scalar(type.element, std::int64_t{0}));
  return overwrittenAt(emit, x, zeros, Sizes(Sizes::Base(sizes.size(), 0)), x.tensor.sizes);
}

std::string staticSizes(std::span<const std::int64_t> sizes) { return arrayText(sizes); }

Value permuted(OpBuilder& emit, const Value& x, std::span<const std::int64_t> perm) {
  TensorType type{{}, x.tensor.element};
  Map map(perm.size());
  for (std::size_t i = 0; i < perm.size(); ++i) {
    type.sizes.push_back(x.tensor.sizes[static_cast<std::size_t>(perm[i])]);
    map[static_cast<std::size_t>(perm[i])] = static_cast<std::int64_t>(i);
  }
  return generic(emit, {perm.size(), {}, {map}, identity(perm.size())}, std::span(&x, 1),
                 empty(emit, type), [](Elements elements) { return elements[0]; });
}

Value broadcast(OpBuilder& emit, const Value& x, const Sizes& sizes) {
  if (x.tensor.sizes == sizes) return x;
  return pointwise(emit, {sizes, x.tensor.element}, std::span(&x, 1),
                   [](Elements elements) { return elements[0]; });
}

Value complexOf(OpBuilder& emit, const Value& pairs) {
  if (pairs.tensor.sizes.empty() || pairs.tensor.sizes.back() != 2)
    throw BadSizes(pairs.type + " holds no pairs");
  const TensorType type{Sizes(pairs.tensor.sizes.begin(), pairs.tensor.sizes.end() - 1),
                        "complex<" + pairs.tensor.element + ">"};
  return generate(emit, type, [&](Elements at) {
    std::vector<Value> re(at.begin(), at.end()), im = re;
    re.push_back(index(emit, 0));
    im.push_back(index(emit, 1));
    const std::vector<Value> parts{extract(emit, pairs, re), extract(emit, pairs, im)};
    return emit.ops("complex.create", parts, std::span(&type.element, 1)).front();
  });
}

Value converted(OpBuilder& emit, const Value& x, DType from, DType to) {
  if (from == to) return x;
  return pointwise(emit, {x.tensor.sizes, elementOf(to)}, std::span(&x, 1),
                   [&](Elements elements) { return convert(emit, elements[0], from, to); });
}

Sizes without(const Sizes& sizes, std::span<const std::int64_t> dims) {
  Sizes out;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (std::find(dims.begin(), dims.end(), static_cast<std::int64_t>(i)) == dims.end())
      out.push_back(sizes[i]);
  return out;
}

}  // namespace fxs::registry::linalg
