// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands without elements: TOSA has no such tensors, and where they are one part of many they are
// left out.
#include <algorithm>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// Also a vector without elements, which PyTorch allows among tensors of any rank.
Results withoutEmptyParts(Emitter& e) {
  const std::vector<Tensor> parts = e.tensors("tensors");
  const fx::TensorMeta result = e.result();
  std::vector<Tensor> kept;
  std::copy_if(parts.begin(), parts.end(), std::back_inserter(kept),
               [](const Tensor& x) { return !isEmpty(x); });
  if (kept.empty() || kept.size() == parts.size()) return std::nullopt;
  const std::size_t dim = e.dimOf(e.integer("dim"), result.rank());
  for (Tensor& x : kept) {
    e.require(isComplex(x.dtype()) == isComplex(result.dtype));
    x = e.cast(x, result.dtype);
  }
  return one(kept.size() == 1 ? e.clone(kept.front()) : e.cat(kept, dim));
}

}  // namespace

void registerEmptyOperands(RewriteRules& rules) {
  rules.add(
      {"aten.cat.default", "leaves out the tensors without elements, which TOSA does not have",
       true, withoutEmptyParts, "empty-operands",
       "    dtype = tensors[0].dtype\n"
       "    for tensor in tensors:\n"
       "        dtype = torch.promote_types(dtype, tensor.dtype)\n"
       "    kept = [tensor.to(dtype) for tensor in tensors if tensor.numel() != 0]\n"
       "    return aten.cat(kept, dim) if 0 < len(kept) < len(tensors) else NotImplemented\n"});
}

}  // namespace fxs::rewrite
