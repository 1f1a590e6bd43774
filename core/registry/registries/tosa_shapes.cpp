// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reshapes and permutations. The recorded result shape resolves -1 and the like.
#include <utility>

#include "registry/tosa/operand_support.h"
#include "registry/tosa/pointwise.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry {
namespace {
using namespace tosa;

Handled identity(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  return Values{unary(call.emit, "tosa.identity", x)};
}

Handled reshaped(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  FXS_TAKE(result, call.result());
  if (x.tensor.isStatic() && result.isStatic() && x.tensor.elements() != result.elements())
    return refuse(x.type + " does not have as many elements as " + result.text());
  return Values{reshape(call.emit, x, result.sizes)};
}

Handled expand(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  FXS_TAKE(result, call.result());
  if (result.rank() < x.tensor.rank()) return refuse("expand requires the same dimensions");
  return Values{broadcastTo(call.emit, x, result.sizes)};
}

Handled permuted(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  FXS_TAKE(dims, call.integers("dims"));
  Sizes order;
  for (const std::int64_t dim : dims) {
    FXS_TAKE(wrapped, Call::dim(dim, x.tensor.rank()));
    order.push_back(wrapped);
  }
  return Values{permute(call.emit, x, order)};
}

Value swapped(OpBuilder& emit, const Value& x, std::int64_t a, std::int64_t b) {
  Sizes order = firstDims(x.tensor.rank());
  if (!order.empty())
    std::swap(order[static_cast<std::size_t>(a)], order[static_cast<std::size_t>(b)]);
  return permute(emit, x, order);
}

Handled transpose(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  FXS_TAKE(dim0, call.dim("dim0", x.tensor.rank()));
  FXS_TAKE(dim1, call.dim("dim1", x.tensor.rank()));
  return Values{swapped(call.emit, x, dim0, dim1)};
}

/// t(): the identity on vectors and scalars.
Handled matrixTransposed(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  return Values{x.tensor.rank() < 2 ? x : swapped(call.emit, x, 0, 1)};
}

/// The identity in evaluation mode; training mode, which is random, is refused.
Handled dropout(Call& call) {
  FXS_TAKE(x, call.operand("input"));
  FXS_TAKE(mask, call.result(1));
  FXS_TAKE(train, call.flagOr(false, "train"));
  if (train) return refuse("dropout in training is random");
  return Values{x, call.emit.splat(mask, true)};
}

}  // namespace

void registerTosaShapes(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"CloneOp", "AliasOp", "DetachOp"}, identity, kAnySign);
  addTosa(registries,
          {"ReshapeOp", "ViewOp", "UnsqueezeOp", "SqueezeOp", "SqueezeDimOp", "SqueezeDimsOp"},
          reshaped, kAnySign);
  addTosa(registries, {"ExpandOp"}, expand, kAnySign);
  addTosa(registries, {"PermuteOp"}, permuted, kAnySign);
  addTosa(registries, {"TransposeOp"}, transpose, kAnySign);
  addTosa(registries, {"TOp"}, matrixTransposed, kAnySign);
  addTosa(registries, {"NativeDropoutOp"}, dropout);
  registries.anySizes("tosa", {"CloneOp", "AliasOp", "DetachOp", "ReshapeOp", "ViewOp",
                               "UnsqueezeOp", "SqueezeOp", "SqueezeDimOp", "SqueezeDimsOp",
                               "ExpandOp", "PermuteOp", "TransposeOp", "TOp", "NativeDropoutOp"});
}

}  // namespace fxs::registry
