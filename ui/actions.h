#pragma once
// Every action of the window once: its name, its menu, its key. Menus, the palette and the key overlay are made from it.
#include <QAction>
#include <QKeySequence>
#include <QMenuBar>
#include <functional>
#include <vector>

#include "theme/appearance.h"

namespace fxs::ui {

struct ActionSpec {
  QString id;    ///< "open"
  QString menu;  ///< "File"
  QString name;  ///< "Open …", as the palette lists it
  QString keys;  ///< "Ctrl+O", "F7 or Alt+Down"; "" for none
  QString icon;
  std::function<void()> run;
  bool checkable = false;
  /// Keys that a pane handles itself are shown, not bound: Space in the graph, Esc everywhere.
  bool shownOnly = false;
};

class Actions final : public QObject {
  Q_OBJECT
 public:
  Actions(Appearance& appearance, QWidget* window);
  QAction* add(ActionSpec spec);
  /// A line in the menu before the next action.
  void separator(const QString& menu);
  /// A submenu filled by someone else.
  QMenu* submenu(const QString& menu, const QString& name);
  QAction* operator[](const QString& id) const;

  struct Entry {
    ActionSpec spec;
    QAction* action;
  };
  const std::vector<Entry>& all() const { return entries_; }
  QStringList menus() const;
  void fill(QMenuBar& bar);

 private:
  Appearance& appearance_;
  QWidget* window_;
  std::vector<Entry> entries_;
  std::vector<QMenu*> menus_;
  QMenu* menu(const QString& name);
};

}  // namespace fxs::ui
