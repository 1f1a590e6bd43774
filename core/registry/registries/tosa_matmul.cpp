// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices.
#include "registry/tosa/casts.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/products.h"
#include "registry/tosa/reductions.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry {
namespace {
using namespace tosa;

std::optional<std::string> wrongRanks(const Value& a, const Value& b, std::int64_t rank) {
  if (a.tensor.rank() == rank && b.tensor.rank() == rank) return std::nullopt;
  return "both factors have " + std::to_string(rank) + " dimensions";
}

Handled bmm(Call& call) {
  FXS_TAKE(a, call.operand("self"));
  FXS_TAKE(b, call.operand("mat2"));
  if (const auto wrong = wrongRanks(a, b, 3)) return refuse(*wrong);
  return asResult(call, batchMatmul(call.emit, a, b, call.resultDtype()));
}

Handled addmm(Call& call) {
  FXS_TAKE(a, call.operand("mat1"));
  FXS_TAKE(b, call.operand("mat2"));
  FXS_TAKE(result, call.result());
  if (const auto wrong = wrongRanks(a, b, 2)) return refuse(*wrong);
  const bool isEmpty = a.tensor.isEmpty();  // no reshape of nothing
  const Value zeroRows =
      isEmpty
          ? call.emit.constant(withSizes(a.tensor, {1, a.tensor.sizes[0], 0}), {}, "arith.constant")
          : unsqueeze(call.emit, a, 0);
  const Value zeroColumns =
      isEmpty
          ? call.emit.constant(withSizes(b.tensor, {1, 0, b.tensor.sizes[1]}), {}, "arith.constant")
          : unsqueeze(call.emit, b, 0);
  const Value product = batchMatmul(call.emit, zeroRows, zeroColumns, call.resultDtype());
  return addProduct(call, reshape(call.emit, product, result.sizes), call.resultDtype());
}

Handled baddbmm(Call& call) {
  FXS_TAKE(a, call.operand("batch1"));
  FXS_TAKE(b, call.operand("batch2"));
  if (const auto wrong = wrongRanks(a, b, 3)) return refuse(*wrong);
  return addProduct(call, batchMatmul(call.emit, a, b, call.resultDtype()), call.resultDtype());
}

/// The products of the batch are summed.
Handled addbmm(Call& call) {
  FXS_TAKE(a, call.operand("batch1"));
  FXS_TAKE(b, call.operand("batch2"));
  FXS_TAKE(result, call.result());
  if (const auto wrong = wrongRanks(a, b, 3)) return refuse(*wrong);
  const Value products = batchMatmul(call.emit, a, b, call.resultDtype());
  return addProduct(
      call, reshape(call.emit, reduce(call.emit, "tosa.reduce_sum", products, {0}), result.sizes),
      call.resultDtype());
}

}  // namespace

void registerTosaMatmul(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"BatchMatmulOp"}, bmm, kAnyOperand);
  addTosa(registries, {"AddMMOp"}, addmm, kAnyOperand);
  addTosa(registries, {"BaddbmmOp"}, baddbmm, kAnyOperand);
  addTosa(registries, {"AddbmmOp"}, addbmm, kAnySign);
  registries.anySizes("tosa", {"BatchMatmulOp", "AddMMOp", "BaddbmmOp", "AddbmmOp"});
}

}  // namespace fxs::registry
