// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the HTML report of a diagnosis shows in addition: the graph and the texts of the stages.
#include <memory>
#include <optional>
#include <vector>

#include "command.h"
#include "report/diagnose.h"

namespace fxs::cli {

/// The laid-out graph, with the modules that contain the first node of each finding expanded.
/// nullopt if it cannot be laid out; the reason is written to `err`.
std::optional<report::DiagnosePicture> pictureOf(const fx::Program&, const diagnose::Diagnosis&,
                                                 Console&);
/// One for each target of the diagnosis; null if the engine could not be run.
std::vector<std::shared_ptr<const lower::Lowering>> loweringsOf(
    const session::SnapshotPtr& imported, const diagnose::Diagnosis&, Console&);

}  // namespace fxs::cli
