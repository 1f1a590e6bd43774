// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The stages of a bundle: from the RAW module to the failure.
#include <vector>

#include "bundle/manifest.h"
#include "lower/lower.h"

namespace fxs::bundle {

/// Name of the engine in the files of a bundle.
inline constexpr const char* kEngineName = "torch-mlir-opt";

/// The stages up to the failing one, which is the last, with the manifest's options filled in.
/// InvalidInput if the manifest names an unknown target, stage or operation.
Result<std::vector<lower::StageSpec>> stagesOf(const Manifest&);

}  // namespace fxs::bundle
