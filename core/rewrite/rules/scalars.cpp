// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations along the only dimension that a scalar may be said to have, 0 or -1. The engine's
// patterns take no such dimension.
#include "rewrite/other_forms.h"

namespace fxs::rewrite {
namespace {

Results ofScalar(Emitter& e) { return withLeadingDimension(e, 1); }

}  // namespace

void registerScalars(RewriteRules& rules) {
  rules.addEach({"aten.all.dim", "aten.amax.default", "aten.amin.default", "aten.any.dim",
                 "aten.argmax.default", "aten.argmin.default", "aten.max.dim", "aten.mean.dim",
                 "aten.min.dim", "aten.prod.dim_int", "aten.sum.dim_IntList"},
                "is computed of one element along a dimension, if it is of a scalar", false,
                ofScalar);
}

}  // namespace fxs::rewrite
