// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Parts of defaultForms().
#include "rewrite/emit.h"

namespace fxs::rewrite {

// What PyTorch traces also where it changes nothing.
Tensor expanded(Emitter&, const Tensor&, const Sizes& shape);
/// With two dimensions swapped, by aten.permute.
Tensor permuted(Emitter&, const Tensor&, std::size_t a, std::size_t b);
/// Each element of a dimension several times, by aten.expand.
Tensor repeated(Emitter&, const Tensor&, std::size_t dim, std::int64_t times);
/// aten.scalar_tensor.
Tensor scalar(Emitter&, fx::Argument number, DType);

/// An argument as PyTorch computes with it: in float32 where its type is float16 or bfloat16. The
/// result is cast back. Throws Misfit for other types than floating ones.
Tensor widened(Emitter&, std::string_view name);

/// log(sigmoid(x)).
Tensor logSigmoidByDefault(Emitter&, const Tensor&);
/// Whether it is of a type in which PyTorch computes as it is.
inline bool isWide(const Tensor& x) {
  return x.dtype() == DType::Float32 || x.dtype() == DType::Float64;
}

void addDefault(RewriteRules& forms, std::initializer_list<std::string_view> targets,
                Results (*apply)(Emitter&));
/// Products of matrices, and attention.
void addDefaultProducts(RewriteRules& forms);
void addDefaultPadding(RewriteRules& forms);
void addDefaultLosses(RewriteRules& forms);
void addDefaultNorms(RewriteRules& forms);
void addDefaultActivations(RewriteRules& forms);
/// Steps of recurrent networks.
void addDefaultCells(RewriteRules& forms);
void addDefaultUpsample(RewriteRules& forms);
/// Writes to a part of a tensor, fills, and other shapes.
void addDefaultWrites(RewriteRules& forms);

}  // namespace fxs::rewrite
