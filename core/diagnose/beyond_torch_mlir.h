// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What fxscope rewrites and torch_mlir.fx.export_and_import does not.
#include <optional>
#include <vector>

#include "diagnose/diagnosis.h"
#include "session/session.h"

namespace fxs::diagnose {

/// A request that does with a program what export_and_import does, in its import mode unless one
/// was chosen. `decompositions`: TorchMlir, or RunDecompositions for the program after
/// run_decompositions().
session::Request asTorchMlir(
    session::Request, rewrite::Decompositions decompositions = rewrite::Decompositions::TorchMlir);

/// Its importer, in its import mode unless one was chosen.
import::ImportChoices asTorchMlir(import::ImportChoices);

/// For one program, rewritten for one output type or more. std::nullopt if nothing was rewritten
/// beyond torch-mlir. Lowers the program again, as torch-mlir does. Cancelled; errors of the
/// engine.
Result<std::optional<BeyondTorchMlir>> beyondTorchMlir(
    const std::vector<session::SnapshotPtr>& byTarget, const session::Environment&,
    const RunContext&);

}  // namespace fxs::diagnose
