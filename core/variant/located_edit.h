// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a user edits is shown without locations, and with long constants elided. Before a lowering
// continues from it, both are put back, so that an edit in one operation changes the node of no
// other. Which operation is which is found without the names of SSA values (mlir/compare/diff.h).
#include <string>
#include <string_view>

#include "base/run_context.h"

namespace fxs::variant {

/// `edited`, with the locations and the elided data of `original`, which is a text as the engine
/// prints it, with locations; it was shown as mlir::shownText() makes it, or with other spaces. No
/// line moves. An operation that is the same, moved or changed has the location of its counterpart,
/// and its node, should that be known from an operation that is no more; so has one that took the
/// place of another, where as many came as went. A new one has the unknown location: its node is
/// that of its parent or its users. A text with locations of nodes is returned as it is. Throws
/// Abandoned if the text exceeds the budget.
std::string locatedEdit(std::string_view original, std::string_view edited, const RunContext& = {});

/// locatedEdit() with the elided data alone, for a tool that only has to parse the text.
std::string completedEdit(std::string_view original, std::string_view edited,
                          const RunContext& = {});

}  // namespace fxs::variant
