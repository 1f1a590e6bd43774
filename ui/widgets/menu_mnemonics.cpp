// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/menu_mnemonics.h"

#include <QApplication>
#include <QEvent>
#include <QMenu>

#include "text/mnemonics.h"

namespace fxs::ui {

void addMnemonics(QWidget& menu, const QString& taken) {
  QList<QAction*> actions = menu.actions();
  actions.removeIf([](const QAction* action) { return action->isSeparator(); });
  QStringList entries;
  for (const QAction* action : actions) entries << action->text();
  const QStringList made = withMnemonics(entries, taken);
  for (qsizetype i = 0; i < made.size(); ++i)
    if (made[i] != entries[i]) actions[i]->setText(made[i]);
}

MenuMnemonics::MenuMnemonics(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool MenuMnemonics::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Show)
    if (auto* menu = qobject_cast<QMenu*>(watched)) addMnemonics(*menu);
  return QObject::eventFilter(watched, event);
}

}  // namespace fxs::ui
