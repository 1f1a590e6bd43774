// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The boxes of a graph that are in view, in the accessibility tree: name, place, and a press that
// selects them.

namespace fxs::ui {

/// After installAccessibleRoles(): what is installed last is asked first.
void installAccessibleGraph();

}  // namespace fxs::ui
