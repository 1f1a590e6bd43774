// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a user changed of a lowering, as a bundle records it: an edited text is the result of a
// stage, and a stage of which passes are left out has a pipeline of the others. A bundle adds no
// pass to those of its output type.
#include "lower/lower.h"

namespace fxs::bundle {

/// The options of a lowering that starts and goes on in the same way. Usage if a stage runs passes
/// that are not its own; errors as of lower::editedStages().
Result<lower::LowerOptions> recordedOptions(const lower::LowerOptions&, const lower::Engine&,
                                            CommandRunner&, const RunContext&);
/// Usage if the edit or a pipeline of the options is of no stage, or if the passes of a pipeline
/// are not some of those of its stage, in the same order.
Result<> checkOwnPasses(const lower::LowerOptions&, const lower::Engine&, CommandRunner&,
                        const RunContext&);

}  // namespace fxs::bundle
