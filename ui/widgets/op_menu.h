// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The commands for an operation, or a node, in a context menu.
#include <QMenu>

#include "session/op_commands.h"

namespace fxs::ui {

/// Adds those of all features, after a separator; `commands` must outlive the menu.
void addOpCommands(QMenu& menu, const OpCommands& commands, const TextOp& op);
void addNodeCommands(QMenu& menu, const OpCommands& commands, fx::NodeId node);

}  // namespace fxs::ui
