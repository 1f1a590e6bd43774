// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indexed reads and writes: reads as linalg.generic with tensor.extract, writes as loops in order,
// so that of several writes to one element the last one wins, as in PyTorch on one thread.
#include <optional>

#include "registry/linalg/arith.h"
#include "registry/linalg/loops.h"
#include "registry/numbers.h"
#include "registry/registry.h"

namespace fxs::registry {
namespace {
using namespace linalg;

Value added(OpBuilder& emit, const Value& a, const Value& b) {
  return Arith(emit, DType::Int64).add(a, b);
}

/// The element of `indices` at `at` as an index into `count` elements, counted from the end when it
/// is negative.
Value position(OpBuilder& emit, const Value& indices, Elements at, std::int64_t count) {
  const Arith arith(emit, DType::Int64);
  const Value given = toIndex(emit, extract(emit, indices, at));
  return arith.select(arith.compare(Relation::Less, given, index(emit, 0)),
                      arith.add(given, index(emit, count)), given);
}

bool isIndex(const Value& value) { return value.tensor.isInteger(); }

/// Indices of the elements that a broadcast operand has at `at`.
std::vector<Value> ownIndices(OpBuilder& emit, const Value& x, Elements at) {
  std::vector<Value> out;
  if (x.tensor.sizes.size() > at.size()) noSuchDimension(x.tensor.sizes.size() - 1, at.size());
  const std::size_t lead = at.size() - x.tensor.sizes.size();
  for (std::size_t i = 0; i < x.tensor.sizes.size(); ++i)
    out.push_back(x.tensor.sizes[i] == 1 ? index(emit, 0) : at[lead + i]);
  return out;
}

/// x[indices] of advanced indexing: where the indexed dimensions go, and how an element of the
/// result is found in x.
struct Indexing {
  std::vector<std::optional<Value>> indices;  ///< by dimension of x
  Sizes indexed;                              ///< the broadcast shape of the index tensors
  std::size_t first = 0;  ///< position of `indexed` among the result's dimensions
  Sizes result;
};

tl::expected<Indexing, Refusal> indexingOf(Call& call, const TensorType& x) {
  FXS_TAKE(given, call.operands("indices"));
  Indexing out{given, {}, 0, {}};
  out.indices.resize(x.sizes.size());
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < out.indices.size(); ++i) {
    if (!out.indices[i]) continue;
    if (!isIndex(*out.indices[i]))
      return refuse(
          "a bool mask selects a data-dependent number of elements; registries support static "
          "sizes only");
    positions.push_back(i);
    out.indexed = broadcastSizes(out.indexed, out.indices[i]->tensor.sizes);
  }
  if (positions.empty()) return refuse("no dimension is indexed");
  const bool adjacent = positions.back() - positions.front() + 1 == positions.size();
  out.first = adjacent ? positions.front() : 0;
  for (std::size_t i = 0; i < x.sizes.size(); ++i)
    if (!out.indices[i]) out.result.push_back(x.sizes[i]);
  out.result.insert(out.result.begin() + static_cast<std::ptrdiff_t>(out.first),
                    out.indexed.begin(), out.indexed.end());
  return out;
}

std::vector<Value> sourceOf(OpBuilder& emit, const Indexing& indexing, const TensorType& x,
                            Elements at) {
  const Elements indexed = at.subspan(indexing.first, indexing.indexed.size());
  std::vector<Value> out;
  std::size_t sliced = 0;
  for (std::size_t i = 0; i < x.sizes.size(); ++i) {
    if (indexing.indices[i]) {
      const Value& which = *indexing.indices[i];
      out.push_back(position(emit, which, ownIndices(emit, which, indexed), x.sizes[i]));
    } else {
      out.push_back(at[sliced < indexing.first ? sliced : sliced + indexed.size()]);
      ++sliced;
    }
  }
  return out;
}

Handled indexTensor(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(result, call.result());
  FXS_TAKE(indexing, indexingOf(call, self.tensor));
  if (indexing.result != result.sizes)
    return refuse("the recorded shape differs from that of the indices");
  return Values{generate(call.emit, result, [&](Elements at) {
    return extract(call.emit, self, sourceOf(call.emit, indexing, self.tensor, at));
  })};
}

/// How a write combines with the old element.
enum class Write : std::uint8_t { Replace, Add, Multiply, Maximum, Minimum };

/// The old element and the new one, both of the type of `arith`; not for Replace.
Value accumulated(const Arith& arith, Write write, const Value& old, const Value& now) {
  if (write == Write::Add) return arith.add(old, now);
  if (write == Write::Multiply) return arith.mul(old, now);
  return write == Write::Maximum ? arith.maximum(old, now) : arith.minimum(old, now);
}

Value combined(OpBuilder& emit, Write write, DType dtype, const Value& old, const Value& now) {
  if (write == Write::Replace) return now;
  const DType compute = ops::computationType(dtype);
  const Arith arith(emit, compute);
  const Value a = convert(emit, old, dtype, compute), b = convert(emit, now, dtype, compute);
  return convert(emit, accumulated(arith, write, a, b), compute, dtype);
}

Value writeAt(OpBuilder& emit, Write write, DType dtype, const Value& tensor, const Value& now,
              Elements at) {
  const Value value =
      write == Write::Replace ? now : combined(emit, write, dtype, extract(emit, tensor, at), now);
  return insert(emit, value, tensor, at);
}

Handled indexPut(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(values, call.operand("values"));
  FXS_TAKE(accumulate, call.flag("accumulate"));
  FXS_TAKE(indexing, indexingOf(call, self.tensor));
  if (values.tensor.element != self.tensor.element)
    return refuse("the element types of values and self differ");
  const DType dtype = call.resultDtype();
  if (accumulate && !isArithmetic(dtype))
    return refuse("elements of " + self.tensor.element + " are not supported in accumulation");
  return loop(call.emit, indexing.result, {self}, [&](Elements at, Elements carried) -> Values {
    const Value value = extract(call.emit, values, ownIndices(call.emit, values, at));
    return {writeAt(call.emit, accumulate ? Write::Add : Write::Replace, dtype, carried[0], value,
                    sourceOf(call.emit, indexing, self.tensor, at))};
  });
}

/// A non-negative dim of a tensor; 0-d tensors count as 1-d.
struct Along {
  Value self, index;
  std::int64_t dim;
};
tl::expected<Along, Refusal> alongOf(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(which, call.operand("index"));
  FXS_TAKE(dim, call.dim("dim", self.tensor.rank()));
  if (!isIndex(which)) return refuse("the index has element type " + which.tensor.element);
  const auto raised = [&](const Value& x) {
    return x.tensor.sizes.empty() ? reshaped(call.emit, x, {1}) : x;
  };
  return Along{raised(self), raised(which), dim};
}

std::vector<Value> movedTo(Elements at, std::int64_t dim, const Value& to) {
  std::vector<Value> out(at.begin(), at.end());
  if (static_cast<std::size_t>(dim) >= out.size())
    noSuchDimension(static_cast<std::size_t>(dim), out.size());
  out[static_cast<std::size_t>(dim)] = to;
  return out;
}

std::int64_t sizeOf(const Value& x, std::int64_t dim) {
  return x.tensor.sizes[static_cast<std::size_t>(dim)];
}

Handled gather(Call& call) {
  FXS_TAKE(result, call.result());
  FXS_TAKE(along, alongOf(call));
  const Value out =
      generate(call.emit, {along.index.tensor.sizes, result.element}, [&](Elements at) {
        return extract(
            call.emit, along.self,
            movedTo(at, along.dim,
                    position(call.emit, along.index, at, sizeOf(along.self, along.dim))));
      });
  return Values{reshaped(call.emit, out, result.sizes)};
}

/// index is 1-d (or 0-d): out[.., i, ..] = self[.., index[i], ..].
Handled indexSelect(Call& call) {
  FXS_TAKE(result, call.result());
  FXS_TAKE(along, alongOf(call));
  Sizes sizes = along.self.tensor.sizes;
  sizes[static_cast<std::size_t>(along.dim)] =
      along.index.tensor.rank() == 1 ? along.index.tensor.sizes[0] : along.index.tensor.elements();
  const Value out = generate(call.emit, {sizes, result.element}, [&](Elements at) {
    const Value from =
        position(call.emit, along.index, at.subspan(static_cast<std::size_t>(along.dim), 1),
                 sizeOf(along.self, along.dim));
    return extract(call.emit, along.self, movedTo(at, along.dim, from));
  });
  return Values{reshaped(call.emit, out, result.sizes)};
}

Handled scatter(Call& call, Write write, bool fromTensor) {
  FXS_TAKE(result, call.result());
  FXS_TAKE(along, alongOf(call));
  const DType dtype = call.resultDtype();
  if (!isArithmetic(dtype))
    return refuse("elements of " + result.element + " are not supported in scatter");
  Value src;
  if (fromTensor) {
    FXS_TAKE(given, call.operand("src"));
    if (given.tensor.element != result.element)
      return refuse("the element types of src and self differ");
    src = given.tensor.sizes.empty() ? reshaped(call.emit, given, {1}) : given;
  } else {
    FXS_TAKE(given, call.number("value"));
    src = Arith(call.emit, dtype).constant(numberOf(given, dtype));
  }
  const Values done =
      loop(call.emit, along.index.tensor.sizes, {along.self},
           [&](Elements at, Elements carried) -> Values {
             const Value value = fromTensor ? extract(call.emit, src, at) : src;
             return {writeAt(
                 call.emit, write, dtype, carried[0], value,
                 movedTo(at, along.dim,
                         position(call.emit, along.index, at, sizeOf(along.self, along.dim))))};
           });
  return Values{reshaped(call.emit, done.front(), result.sizes)};
}

Handled scatterReduce(Call& call) {
  const fx::Argument given = call.argument("reduce");
  const auto* reduce = std::get_if<std::string>(&given);
  if (reduce == nullptr) return refuse("argument 'reduce' is not a constant string");
  if (call.node().target == "aten.index_reduce.default")
    return refuse("index_reduce is not supported");
  FXS_TAKE(includes, call.flagOr(true, "include_self"));
  if (!includes) return refuse("include_self=False is not supported");
  const bool fromTensor = call.has("src");
  if (*reduce == "sum" || *reduce == "add") return scatter(call, Write::Add, fromTensor);
  if (*reduce == "prod" || *reduce == "multiply") return scatter(call, Write::Multiply, fromTensor);
  if (*reduce == "amax") return scatter(call, Write::Maximum, fromTensor);
  if (*reduce == "amin") return scatter(call, Write::Minimum, fromTensor);
  return refuse("reduce '" + *reduce + "' is not supported");
}

Handled embedding(Call& call) {
  FXS_TAKE(weight, call.operand("weight"));
  FXS_TAKE(indices, call.operand("indices"));
  FXS_TAKE(result, call.result());
  if (weight.tensor.rank() != 2 || !isIndex(indices))
    return refuse("the table is " + weight.type + " and the indices are " + indices.type);
  const std::size_t rank = indices.tensor.sizes.size();
  return Values{generate(call.emit, result, [&](Elements at) {
    const std::vector<Value> from{
        position(call.emit, indices, at.first(rank), weight.tensor.sizes[0]), at.back()};
    return extract(call.emit, weight, from);
  })};
}

Handled embeddingDenseBackward(Call& call) {
  FXS_TAKE(grad, call.operand("grad_output"));
  FXS_TAKE(indices, call.operand("indices"));
  FXS_TAKE(padding, call.integer("padding_idx"));
  FXS_TAKE(byFrequency, call.flag("scale_grad_by_freq"));
  FXS_TAKE(result, call.result());
  const DType dtype = call.resultDtype();
  if (byFrequency) return refuse("scale_grad_by_freq is not supported");
  if (!isFloating(dtype) || !isArithmetic(dtype) || !isIndex(indices))
    return refuse("gradients of " + grad.type + " cannot be summed");
  const Arith arith(call.emit, dtype);
  const Value zero = arith.constant(0.0);
  const std::size_t rank = indices.tensor.sizes.size();
  return loop(call.emit, grad.tensor.sizes, {filled(call.emit, result, zero)},
              [&](Elements at, Elements carried) -> Values {
                const std::vector<Value> to{
                    position(call.emit, indices, at.first(rank), result.sizes[0]), at.back()};
                const Value skipped =
                    Arith(call.emit, DType::Int64)
                        .compare(Relation::Equal, to[0], index(call.emit, padding));
                const Value part = arith.select(skipped, zero, extract(call.emit, grad, at));
                return {writeAt(call.emit, Write::Add, dtype, carried[0], part, to)};
              });
}

/// How many of the sorted boundaries come before each value; NaN comes after all.
Handled search(Call& call, std::string_view sequenceName, bool byRows, bool right) {
  FXS_TAKE(values, call.operand("self"));
  FXS_TAKE(sequence, call.operand(sequenceName));
  FXS_TAKE(result, call.result());
  FXS_TAKE(common, commonType(call, {"self", sequenceName}));
  const DType ofValues = call.dtypeOf(call.argument("self")),
              ofSequence = call.dtypeOf(call.argument(sequenceName));
  if (!isArithmetic(common))
    return refuse("elements of " + sequence.tensor.element + " cannot be ordered");
  if (sequence.tensor.sizes.empty()) return refuse("the boundaries are 0-d");
  OpBuilder& emit = call.emit;
  const Arith arith(emit, common), counts(emit, DType::Int64);
  const Value zero = counts.constant(std::int64_t{0}), one = counts.constant(std::int64_t{1});
  return Values{generate(emit, result, [&](Elements at) {
    const Value value = convert(emit, extract(emit, values, at), ofValues, common);
    const Values count = loop(
        emit, {sequence.tensor.sizes.back()}, {zero}, [&](Elements i, Elements soFar) -> Values {
          std::vector<Value> from;
          if (byRows) {
            const Elements row = at.first(at.size() - 1);
            from.assign(row.begin(), row.end());
          }
          from.push_back(i[0]);
          const Value boundary = convert(emit, extract(emit, sequence, from), ofSequence, common);
          const Value after =
              arith.compare(right ? Relation::Greater : Relation::GreaterEqual, boundary, value);
          return {counts.add(soFar[0], counts.select(after, zero, one))};
        });
    return convert(emit, count[0], DType::Int64, call.resultDtype());
  })};
}

Handled bucketize(Call& call) {
  FXS_TAKE(right, call.flag("right"));
  return search(call, "boundaries", false, right);
}

Handled searchsorted(Call& call) {
  if (call.has("sorter")) return refuse("a sorter is not supported");
  FXS_TAKE(right, call.flag("right"));
  const fx::Argument side = call.argument("side");
  const auto* text = std::get_if<std::string>(&side);
  FXS_TAKE(sequence, call.operand("sorted_sequence"));
  return search(call, "sorted_sequence", sequence.tensor.rank() > 1,
                right || (text != nullptr && *text == "right"));
}

Handled repeatInterleave(Call& call) {
  if (!call.has("self"))
    return refuse("the repeats are a tensor, so the result has no static size");
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(result, call.result());
  FXS_TAKE(repeats, call.integer("repeats"));
  if (repeats <= 0)
    return refuse("repeating " + std::to_string(repeats) + " times gives an empty tensor");
  Value x = reshaped(call.emit, self, {self.tensor.elements()});
  std::int64_t dim = 0;
  if (call.has("dim")) {
    FXS_TAKE(given, call.dim("dim", self.tensor.rank()));
    dim = given;
    if (!self.tensor.sizes.empty()) x = self;
  }
  return Values{generate(call.emit, result, [&](Elements at) {
    const Arith arith(call.emit, DType::UInt64);
    return extract(
        call.emit, x,
        movedTo(at, dim, arith.div(at[static_cast<std::size_t>(dim)], index(call.emit, repeats))));
  })};
}

/// Elements of source in row-major order, where the mask is true.
Handled maskedScatter(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(mask, call.operand("mask"));
  FXS_TAKE(source, call.operand("source"));
  FXS_TAKE(result, call.result());
  if (!mask.tensor.isBool() || source.tensor.element != self.tensor.element ||
      source.tensor.elements() == 0)
    return refuse("a mask of " + mask.type + " cannot select elements of " + source.type);
  OpBuilder& emit = call.emit;
  const Value line = reshaped(emit, source, {source.tensor.elements()});
  const Value full = broadcast(emit, self, result.sizes);
  const Arith counts(emit, DType::Int64);
  const Values done = loop(
      emit, result.sizes, {full, index(emit, 0)}, [&](Elements at, Elements carried) -> Values {
        const Value taken = extract(emit, mask, ownIndices(emit, mask, at));
        // Clamped to the source, also after its last element was read.
        const Value from = counts.minimum(carried[1], index(emit, source.tensor.elements() - 1));
        const Value now = counts.select(taken, extract(emit, line, std::span(&from, 1)),
                                        extract(emit, carried[0], at));
        return {insert(emit, now, carried[0], at),
                counts.select(taken, added(emit, carried[1], index(emit, 1)), carried[1])};
      });
  return Values{done.front()};
}

}  // namespace

void registerLinalgIndex(Registries& registries) {
  registries.add("linalg", {"IndexOp", "UnsafeIndexOp"}, indexTensor);
  registries.add("linalg", {"IndexPutOp"}, indexPut);
  registries.add("linalg", {"GatherOp"}, gather);
  registries.add("linalg", {"IndexSelectOp"}, indexSelect);
  registries.add("linalg", {"ScatterSrcOp"}, with(scatter, Write::Replace, true));
  registries.add("linalg", {"ScatterValueOp"}, with(scatter, Write::Replace, false));
  registries.add("linalg", {"ScatterAddOp"}, with(scatter, Write::Add, true));
  registries.add("linalg", {"ScatterReduceOp"}, scatterReduce);
  registries.add("linalg", {"EmbeddingOp"}, embedding);
  registries.add("linalg", {"EmbeddingDenseBackwardOp"}, embeddingDenseBackward);
  registries.add("linalg", {"BucketizeOp"}, bucketize);
  registries.add("linalg", {"SearchSortedOp"}, searchsorted);
  registries.add("linalg", {"RepeatInterleaveOp"}, repeatInterleave);
  registries.add("linalg", {"MaskedScatterOp"}, maskedScatter);
  registries.anySizes("linalg",
                      {"IndexOp", "IndexSelectOp", "IndexPutOp", "GatherOp", "EmbeddingOp"});
}

}  // namespace fxs::registry
