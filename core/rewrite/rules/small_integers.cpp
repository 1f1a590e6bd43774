// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on integers of 8 and 16 bits, for which the engine's patterns make operations of other
// types. What int32 holds more is cut off by the cast back, as PyTorch does.
#include "rewrite/other_forms.h"

namespace fxs::rewrite {
namespace {

bool isSmall(DType t) { return isIntegral(t) && facts(t).bytes < 4; }

Results inInt32(Emitter& e) { return inElementType(e, isSmall, DType::Int32); }

}  // namespace

void registerSmallIntegers(RewriteRules& rules) {
  rules.addEach(
      {"aten.bitwise_left_shift.Tensor", "aten.bitwise_right_shift.Tensor", "aten.bmm.default",
       "aten.div.Tensor_mode", "aten.fill.Scalar", "aten.floor_divide.default", "aten.max.default",
       "aten.min.default", "aten.mm.default"},
      "is computed in int32, if it has integers of 8 or 16 bits", false, inInt32);
}

}  // namespace fxs::rewrite
