// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The stages of a bundle: from the RAW module, or an edited text, to the failure.
#include <optional>
#include <string>
#include <vector>

#include "bundle/manifest.h"
#include "lower/lower.h"

namespace fxs::bundle {

/// Name of the engine in the files of a bundle.
inline constexpr const char* kEngineName = "torch-mlir-opt";
/// Likewise, of the program that runs a stage.
std::string commandName(const lower::StageTool&);

/// The first on the path that a bundle does not run again: a stage of another program than the
/// engine or, of a module, of one that is not known to run passes; nullopt if there is none.
std::optional<lower::OutputType> firstNotReplayed(const lower::OutputType&, bool isModule);

/// The stages from the edited one, if there is one, to the failing one, which is the last, with the
/// manifest's options filled in. InvalidInput if the manifest names an unknown target, stage or
/// operation.
Result<std::vector<lower::StageSpec>> stagesOf(const Manifest&);

}  // namespace fxs::bundle
