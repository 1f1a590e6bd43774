// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/op_menu.h"

#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr int kRowGroup = 100;  ///< of the ranks of rows: see RowCommand

bool isIn(const QWidget* view, const QString& name) {
  while (view && view->objectName() != name) view = view->parentWidget();
  return view != nullptr;
}

}  // namespace

void addOpCommands(QMenu& menu, const OpCommands& commands, const TextOp& op) {
  if (!commands.all().empty() && !menu.isEmpty()) menu.addSeparator();
  for (const OpCommand& command : commands.all()) {
    QAction* action = menu.addAction(withoutMnemonic(command.title));
    action->setEnabled(command.canRun(op));
    QObject::connect(action, &QAction::triggered, &menu, [run = command.run, op] { run(op); });
  }
}

void addRowCommands(QMenu& menu, const OpCommands& commands, const QWidget& view) {
  int group = -1;
  for (const RowCommand& command : commands.rows()) {
    if (!command.view.isEmpty() && !isIn(&view, command.view)) continue;
    if (group != command.rank / kRowGroup && !menu.isEmpty()) menu.addSeparator();
    group = command.rank / kRowGroup;
    const QString keys = command.keys.isEmpty() ? QString() : '\t' + command.keys;
    QAction* action = menu.addAction(withoutMnemonic(command.title) + keys);
    action->setEnabled(command.canRun());
    QObject::connect(action, &QAction::triggered, &menu, command.run);
  }
}

}  // namespace fxs::ui
