// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/op_menu.h"

#include "text/words.h"

namespace fxs::ui {

void addOpCommands(QMenu& menu, const OpCommands& commands, const TextOp& op) {
  if (!commands.all().empty() && !menu.isEmpty()) menu.addSeparator();
  for (const OpCommand& command : commands.all()) {
    QAction* action = menu.addAction(withoutMnemonic(command.title));
    action->setEnabled(command.canRun(op));
    QObject::connect(action, &QAction::triggered, &menu, [run = command.run, op] { run(op); });
  }
}

void addNodeCommands(QMenu& menu, const OpCommands& commands, fx::NodeId node) {
  if (!commands.forNodes().empty() && !menu.isEmpty()) menu.addSeparator();
  for (const NodeCommand& command : commands.forNodes()) {
    const QAction* action = menu.addAction(withoutMnemonic(command.title));
    QObject::connect(action, &QAction::triggered, &menu, [run = command.run, node] { run(node); });
  }
}

}  // namespace fxs::ui
