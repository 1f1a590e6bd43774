// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Max pooling of one to three spatial dimensions, window by window. The recorded sizes reflect
// strides, padding, dilation and ceil_mode.
#include <algorithm>

#include "registry/linalg/arith.h"
#include "registry/linalg/loops.h"
#include "registry/numbers.h"
#include "registry/registry.h"

namespace fxs::registry {
namespace {
using namespace linalg;

/// A pooling call on [planes, spatial..], however many dimensions lead.
struct Pool {
  Value x;
  Sizes kernel, stride, padding, dilation;
  Sizes in, out;  ///< spatial sizes
  Sizes result;   ///< of the program
  DType dtype;
};

tl::expected<Sizes, Refusal> perDim(Call& call, std::string_view name, std::size_t dims,
                                    const Sizes& otherwise) {
  if (!call.has(name)) return otherwise;
  FXS_TAKE(given, call.integers(name));
  if (given.empty()) return otherwise;
  if (given.size() == 1) return Sizes(dims, given.front());
  if (given.size() != dims)
    return refuse("argument '" + std::string(name) + "' has " + std::to_string(given.size()) +
                  " entries");
  return given;
}

tl::expected<Pool, Refusal> poolOf(Call& call, std::size_t dims) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(result, call.result());
  Pool pool;
  pool.dtype = call.resultDtype();
  if (!isArithmetic(pool.dtype) || pool.dtype == DType::Bool)
    return refuse("pooling of " + self.type + " is not supported");
  const std::size_t rank = self.tensor.sizes.size();
  if (rank <= dims || result.sizes.size() != rank)
    return refuse("pooling over " + std::to_string(dims) + " dimensions of " + self.type);
  FXS_TAKE(kernel, perDim(call, "kernel_size", dims, Sizes(dims, 1)));
  FXS_TAKE(stride, perDim(call, "stride", dims, kernel));
  FXS_TAKE(padding, perDim(call, "padding", dims, Sizes(dims, 0)));
  FXS_TAKE(dilation, perDim(call, "dilation", dims, Sizes(dims, 1)));
  pool.kernel = kernel;
  pool.stride = stride;
  pool.padding = padding;
  pool.dilation = dilation;
  const auto spatial = static_cast<std::ptrdiff_t>(rank - dims);
  pool.in.assign(self.tensor.sizes.begin() + spatial, self.tensor.sizes.end());
  pool.out.assign(result.sizes.begin() + spatial, result.sizes.end());
  pool.result = result.sizes;
  Sizes planes{1};
  for (std::ptrdiff_t i = 0; i < spatial; ++i)
    planes[0] = times(planes[0], self.tensor.sizes[static_cast<std::size_t>(i)]);
  planes.insert(planes.end(), pool.in.begin(), pool.in.end());
  pool.x = reshaped(call.emit, self, planes);
  return pool;
}

Sizes planesOf(const Pool& pool) {
  Sizes out{pool.x.tensor.sizes.front()};
  out.insert(out.end(), pool.out.begin(), pool.out.end());
  return out;
}

/// One element of a window: its indices in the input, clamped, and whether they were in range.
struct Position {
  std::vector<Value> indices;
  Value inside;
};
Position placeIn(OpBuilder& emit, const Pool& pool, Elements out, Elements window) {
  const Arith arith(emit, DType::Int64);
  Position position{{out[0]}, emit.scalar("i1", true)};
  for (std::size_t d = 0; d < pool.in.size(); ++d) {
    const Value start =
        arith.sub(arith.mul(out[d + 1], index(emit, pool.stride[d])), index(emit, pool.padding[d]));
    const Value i = arith.add(start, arith.mul(window[d], index(emit, pool.dilation[d])));
    const Value low = index(emit, 0), high = index(emit, pool.in[d] - 1);
    position.inside =
        arith.both(position.inside, arith.both(arith.compare(Relation::GreaterEqual, i, low),
                                               arith.compare(Relation::LessEqual, i, high)));
    position.indices.push_back(arith.minimum(arith.maximum(i, low), high));
  }
  return position;
}

/// The maximum of each window and its place in the plane; the first of equal ones, NaN before all.
Handled maxima(Call& call, std::size_t dims, bool withIndices) {
  FXS_TAKE(pool, poolOf(call, dims));
  if (std::find(pool.in.begin(), pool.in.end(), 0) != pool.in.end())
    return refuse("pooling of an empty tensor");
  OpBuilder& emit = call.emit;
  const Arith arith(emit, pool.dtype), positions(emit, DType::Int64);
  const Value least = arith.constant(lowest(pool.dtype));
  const Sizes sizes = planesOf(pool);
  const Values init{empty(emit, {sizes, pool.x.tensor.element}), empty(emit, {sizes, "i64"})};
  Values done = loop(emit, sizes, init, [&](Elements out, Elements carried) -> Values {
    const Values best = loop(
        emit, pool.kernel, {least, index(emit, -1)}, [&](Elements window, Elements now) -> Values {
          const Position position = placeIn(emit, pool, out, window);
          const Value element = extract(emit, pool.x, position.indices);
          Value better = arith.compare(Relation::Greater, element, now[0]);
          if (isFloating(pool.dtype)) better = arith.either(better, arith.isNan(element));
          better = arith.either(better, positions.compare(Relation::Less, now[1], index(emit, 0)));
          better = arith.both(better, position.inside);
          Value flat = index(emit, 0);
          for (std::size_t d = 0; d < pool.in.size(); ++d)
            flat = positions.add(positions.mul(flat, index(emit, pool.in[d])),
                                 position.indices[d + 1]);
          return {arith.select(better, element, now[0]), positions.select(better, flat, now[1])};
        });
    return {insert(emit, best[0], carried[0], out),
            insert(emit, fromIndex(emit, best[1], "i64"), carried[1], out)};
  });
  for (Value& v : done) v = reshaped(emit, v, pool.result);
  if (!withIndices) done.resize(1);
  return done;
}

/// Whether the call has two results: the maxima and where they are.
template <std::size_t dims>
Handled maxPool(Call& call) {
  if (call.node().target.find("adaptive") != std::string::npos)
    return refuse("adaptive windows are not supported");
  if (call.node().target.find("_low_memory") != std::string::npos)
    return refuse("offsets within windows are not supported");
  return maxima(call, dims, call.node().target.find("with_indices") != std::string::npos);
}

}  // namespace

void registerLinalgPool(Registries& registries) {
  registries.add("linalg", {"MaxPool1dOp"}, maxPool<1>);
  registries.add("linalg", {"MaxPool2dOp", "MaxPool2dWithIndicesOp"}, maxPool<2>);
  registries.add("linalg", {"MaxPool3dOp"}, maxPool<3>);
}

}  // namespace fxs::registry
