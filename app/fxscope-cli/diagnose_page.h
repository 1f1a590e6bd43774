#pragma once
// What the HTML form of a diagnosis shows beside it: the graph, laid out, and the texts of the stages.
#include <memory>
#include <optional>
#include <vector>

#include "command.h"
#include "report/diagnose.h"

namespace fxs::cli {

/// The graph with the modules open that hold each finding's first node. Nothing where it cannot be laid out; `err` says why.
std::optional<report::DiagnosePicture> pictureOf(const fx::Program&, const diagnose::Diagnosis&, World&);
/// One per target of the diagnosis; null where the engine could not be run.
std::vector<std::shared_ptr<const lower::Lowering>> loweringsOf(const session::SnapshotPtr& imported, const diagnose::Diagnosis&, World&);

}  // namespace fxs::cli
