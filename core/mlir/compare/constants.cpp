// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/compare/constants.h"

#include <algorithm>
#include <array>

namespace fxs::mlir {

bool isConstant(std::string_view operation) {
  constexpr std::array<std::string_view, 9> kNames{
      "arith.constant",   "torch.vtensor.literal", "torch.tensor.literal",
      "tosa.const",       "tosa.const_shape",      "stablehlo.constant",
      "util.global.load", "llvm.mlir.constant",    "ml_program.global_load_const"};
  return operation.starts_with("torch.constant.") ||
         std::find(kNames.begin(), kNames.end(), operation) != kNames.end();
}

bool isConstant(const Module& a, const Module& b, const OpPair& pair) {
  return (!pair.a.valid() || isConstant(a.nameOf(pair.a))) &&
         (!pair.b.valid() || isConstant(b.nameOf(pair.b)));
}

Diff withoutConstants(const Module& a, const Module& b, const Diff& diff) {
  Diff out;
  for (const OpPair& pair : diff.pairs) {
    if (isConstant(a, b, pair)) {
      out.hiddenConstants += pair.change == OpChange::Same ? 0 : 1;
      continue;
    }
    const bool both = pair.change == OpChange::MovedAndChanged;
    out.added += pair.change == OpChange::Added ? 1 : 0;
    out.removed += pair.change == OpChange::Removed ? 1 : 0;
    out.changed += both || pair.change == OpChange::Changed ? 1 : 0;
    out.moved += both || pair.change == OpChange::Moved ? 1 : 0;
    out.pairs.push_back(pair);
  }
  return out;
}

}  // namespace fxs::mlir
