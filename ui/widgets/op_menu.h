// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The commands for an operation, and for what is selected, in a context menu.
#include <QMenu>

#include "session/op_commands.h"

namespace fxs::ui {

/// Adds those of all features, after a separator; `commands` must outlive the menu.
void addOpCommands(QMenu& menu, const OpCommands& commands, const TextOp& op);
/// The same for those of what is selected, of all views and of the pages and docks that `view` is
/// in.
void addRowCommands(QMenu& menu, const OpCommands& commands, const QWidget& view);

}  // namespace fxs::ui
