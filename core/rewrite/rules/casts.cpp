// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Casts in all forms: a conversion if the type changes, else the tensor or a copy.
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Results castTo(Emitter& e, bool always) {
  const Tensor x = e.tensor("self");
  const fx::TensorMeta result = e.result();
  e.require(result.layout == Layout::Strided && result.dtype != DType::Unknown);
  if (x.dtype() != result.dtype) return one(e.cast(x, result.dtype));
  return one(always || e.flag("copy") ? e.clone(x) : x);
}
Results toCopy(Emitter& e) { return castTo(e, true); }
Results to(Emitter& e) { return castTo(e, false); }

Results itself(Emitter& e) {
  const Tensor x = e.tensor("self");
  // real of a complex tensor is a view.
  e.require(!isComplex(x.dtype()));
  return one(x);
}

}  // namespace

void registerCasts(RewriteRules& rules) {
  rules.addEach({"aten.to.dtype", "aten.to.dtype_layout", "aten.to.device", "aten.to.other"},
                "becomes a conversion when the type changes", true, to);
  rules.add({"aten._to_copy.default", "becomes a conversion, or a copy", true, toCopy});
  rules.add({"aten.real.default",
             "is the tensor itself when that is real; the engine crashes on the op", true, itself});
  rules.addEach({"aten.positive.default", "aten.resolve_conj.default", "aten.resolve_neg.default"},
                "is the tensor itself", true, itself);
  rules.add({"aten.conj.default", "is the tensor itself when that is real", true, itself});
}

}  // namespace fxs::rewrite
