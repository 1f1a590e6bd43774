// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Context menus of lists, trees and tables in the docks, and of the inspector: what can be done
// with a row that is selected. Texts and graphs add the same commands to their own menus.
#include "window/feature.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>

#include "widgets/op_menu.h"

namespace fxs::ui {
namespace {

/// The visible cells, as spreadsheets take them.
QString rowText(const QAbstractItemView& view, const QModelIndex& row) {
  QStringList cells;
  for (int column = 0; column < view.model()->columnCount(row.parent()); ++column)
    if (const QString cell = row.siblingAtColumn(column).data().toString(); !cell.isEmpty())
      cells << cell;
  return cells.join('\t');
}

class RowMenus final : public QObject {
 public:
  RowMenus(Host& host, const OpCommands& commands)
      : QObject(&host.mainWindow()), commands_(commands) {
    qApp->installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget || event->type() != QEvent::ContextMenu || !isOfWindow(widget)) return false;
    const auto& menu = *static_cast<QContextMenuEvent*>(event);
    auto* view = qobject_cast<QAbstractItemView*>(widget);
    if (!view) view = qobject_cast<QAbstractItemView*>(widget->parentWidget());
    if (view && (widget == view || widget == view->viewport())) return open(*view, menu);
    // What its labels and links leave of the event.
    if (widget->objectName() != "inspector") return false;
    show(new QMenu(widget), *widget, menu.globalPos());
    return true;
  }

 private:
  /// In a dock of this window; not a list that drops down from a combo box.
  bool isOfWindow(const QWidget* widget) const {
    while (widget && !qobject_cast<const QDockWidget*>(widget)) {
      if (widget->isWindow()) return false;
      widget = widget->parentWidget();
    }
    while (widget && widget != parent()) widget = widget->parentWidget();
    return widget != nullptr;
  }

  bool open(QAbstractItemView& view, const QContextMenuEvent& event) {
    const bool byKey = event.reason() == QContextMenuEvent::Keyboard;
    const QPersistentModelIndex row = byKey ? view.currentIndex() : view.indexAt(event.pos());
    if (!row.isValid()) return true;
    view.setFocus();
    // Which selects its node.
    if (view.currentIndex() == row) Q_EMIT view.clicked(row);
    else view.setCurrentIndex(row);
    if (!row.isValid()) return true;
    auto* menu = new QMenu(&view);
    menu->addAction("Copy the row", &view,
                    [copied = rowText(view, row)] { QApplication::clipboard()->setText(copied); });
    const QPoint below = view.viewport()->mapToGlobal(view.visualRect(row).bottomLeft());
    show(menu, view, byKey ? below : event.globalPos());
    return true;
  }

  void show(QMenu* menu, const QWidget& view, const QPoint& at) {
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addRowCommands(*menu, commands_, view);
    menu->popup(at);
  }

  const OpCommands& commands_;
};

/// As the menu key does, which not all keyboards have.
void openAtFocus(Host& host) {
  QWidget* focus = QApplication::focusWidget();
  if (!focus) focus = host.mainWindow().focusWidget();
  if (!focus) return;
  const QPoint at = focus->rect().center();
  QContextMenuEvent event(QContextMenuEvent::Keyboard, at, focus->mapToGlobal(at));
  QApplication::sendEvent(focus, &event);
}

void addMenus(Host& host) {
  host.actions().add(
      {"context-menu", {"Edit", 40}, "Menu of the current row", "Shift+F10", {}, [&host] {
         openAtFocus(host);
       }});
  new RowMenus(host, host.services().get<OpCommands>());
}

}  // namespace

void registerMenus(Features& features) { features.parts.push_back(addMenus); }

}  // namespace fxs::ui
