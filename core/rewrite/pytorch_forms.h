// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Decompositions in the form that PyTorch itself gives them, for lowering as
// torch_mlir.fx.export_and_import does. Each stands before the rule of its target, which applies
// where this one does not.
#include "rewrite/rule.h"

namespace fxs::rewrite {

const RewriteRules& pytorchForms();
/// That of aten.im2col: one index of the positions of all windows.
Results im2colForm(Emitter&);
/// Those of torch.export.default_decompositions(), which stand before these.
const RewriteRules& defaultForms();

}  // namespace fxs::rewrite
