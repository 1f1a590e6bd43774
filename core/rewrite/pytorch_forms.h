// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Decompositions in the form that PyTorch itself gives them, for lowering as
// torch_mlir.fx.export_and_import does. Each stands before the rule of its target, which applies
// where this one does not.
#include "rewrite/rule.h"

namespace fxs::rewrite {

const RewriteRules& pytorchForms();
/// Those of torch.export.default_decompositions(), which stand before these.
const RewriteRules& defaultForms();

}  // namespace fxs::rewrite
