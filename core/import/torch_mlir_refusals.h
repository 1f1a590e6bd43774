#pragma once
// What torch-mlir's FX importer refuses and this one takes; for fx.export_and_import's own outcome.
#include <vector>

#include "fx/finding.h"
#include "fx/program.h"

namespace fxs::import {

/// As torchMlirRefusals(), without what PyTorch refuses before the importer runs.
std::vector<fx::Finding> importerRefusals(const fx::Program&);
/// Errors of stage "raw" at the nodes at which import_frozen_program raises an exception, in order; it stops at the first. Source:
/// torch_mlir/extras/fx_importer.py, wheel 2026.10.9.
std::vector<fx::Finding> torchMlirRefusals(const fx::Program&);

}  // namespace fxs::import
