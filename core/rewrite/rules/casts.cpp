// Casts in all forms: a conversion if the type changes, else the tensor or a copy.
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Results castTo(RuleContext& context, bool always) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  const fx::TensorMeta result = e.result();
  e.require(result.layout == Layout::Strided && result.dtype != DType::Unknown);
  if (!e.valid()) return {};
  if (x.dtype() != result.dtype) return one(e.cast(x, result.dtype));
  return one(always || e.flag("copy") ? e.clone(x) : x);
}
Results toCopy(RuleContext& context) { return castTo(context, true); }
Results to(RuleContext& context) { return castTo(context, false); }

Results itself(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  // real of a complex tensor is a view.
  e.require(!isComplex(x.dtype()));
  if (!e.valid()) return {};
  return one(x);
}

}  // namespace

void registerCasts(RewriteRules& rules) {
  for (const char* overload : {"dtype", "dtype_layout", "device", "other"}) {
    const std::string target = "aten.to." + std::string(overload);
    rules.add({target, "decompose:" + target, "becomes a conversion when the type changes", true, to});
  }
  rules.add({"aten._to_copy.default", "decompose:aten._to_copy", "becomes a conversion, or a copy", true, toCopy});
  rules.add({"aten.positive.default", "decompose:aten.positive", "is the tensor itself", true, itself});
  rules.add(
      {"aten.real.default", "decompose:aten.real", "is the tensor itself when that is real; the engine crashes on the op", true, itself});
  rules.add({"aten.resolve_conj.default", "decompose:aten.resolve_conj", "is the tensor itself", true, itself});
  rules.add({"aten.resolve_neg.default", "decompose:aten.resolve_neg", "is the tensor itself", true, itself});
  rules.add({"aten.conj.default", "decompose:aten.conj", "is the tensor itself when that is real", true, itself});
}

}  // namespace fxs::rewrite
