#pragma once
// The stages that a manifest speaks of: from the RAW module to the failure.
#include <vector>

#include "bundle/manifest.h"
#include "lower/lower.h"

namespace fxs::bundle {

/// What the engine is called in a bundle.
inline constexpr const char* kEngineName = "torch-mlir-opt";

/// Up to the failing one, which is the last, with the manifest's options filled in. InvalidInput for a target, a stage or an operation that
/// there is not.
Result<std::vector<lower::StageSpec>> stagesOf(const Manifest&);

}  // namespace fxs::bundle
