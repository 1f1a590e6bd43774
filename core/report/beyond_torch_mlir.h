// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The JSON of what was rewritten beyond torch-mlir, for a lowering and a diagnosis.
#include "base/json.h"
#include "diagnose/diagnosis.h"

namespace fxs::report {

/// The member "rewritten_beyond_torch_mlir"; null for a null pointer.
void writeBeyond(JsonWriter&, const diagnose::BeyondTorchMlir*);

}  // namespace fxs::report
