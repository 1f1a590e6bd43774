// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The sets of inputs that a program is run with: the user's file, or the program's own examples and
// what is drawn (compare/inputs.h).
#include <string>
#include <vector>

#include "compare/inputs.h"
#include "numbers/run.h"

namespace fxs::numbers {

/// The example inputs of the program's file; std::nullopt if it has none that can be read, for the
/// reason that is appended to `notes`.
std::optional<compare::Inputs> exampleInputs(const session::Snapshot&,
                                             std::vector<std::string>& notes, const RunContext&);

/// The inputs of the options' file, or one set that is drawn: that of the options, else the
/// ordinary one.
Result<compare::Inputs> inputsFor(const session::Snapshot&, const RunOptions&, const RunContext&);

/// All sets: for the first sizes and for large ones all kinds, for the others, at most `choices` of
/// sizes, the ordinary set. Those of one kind only if the options name it; of an MLIR module else
/// the ordinary ones and steps.
Result<std::vector<compare::Inputs>> inputSetsFor(const session::Snapshot&, const RunOptions&,
                                                  std::size_t choices,
                                                  std::vector<std::string>& notes,
                                                  const RunContext&);

}  // namespace fxs::numbers
