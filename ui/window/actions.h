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
  QString icon = {};
  std::function<void()> run = {};  ///< may be empty: who added the action connects it
  bool checkable = false;
  /// Keys that a pane handles itself are shown, not bound: Space in the graph, Esc everywhere.
  bool shownOnly = false;
};

struct KeyGroup {
  QString title;
  std::vector<std::pair<QString, QString>> keys;  ///< what it does, the keys
};

class Actions final : public QObject {
  Q_OBJECT
 public:
  /// `menus`: in this order; others stand before the last, which is for help.
  Actions(Appearance& appearance, const QStringList& menus, QWidget* window);
  QAction* add(ActionSpec spec);
  /// A line in the menu before the next action.
  void separator(const QString& menu);
  /// Keys that a view handles itself, for the sheet of keys.
  void addKeys(KeyGroup keys) { viewKeys_.push_back(std::move(keys)); }
  /// Of every menu, then of the views.
  std::vector<KeyGroup> keys() const;
  /// A submenu filled by someone else.
  QMenu* submenu(const QString& menu, const QString& name);
  QAction* operator[](const QString& id) const;

  struct Entry {
    ActionSpec spec;
    QAction* action;
  };
  const std::vector<Entry>& all() const { return entries_; }
  void fill(QMenuBar& bar);

 private:
  Appearance& appearance_;
  QWidget* window_;
  std::vector<Entry> entries_;
  std::vector<QMenu*> menus_;
  std::vector<KeyGroup> viewKeys_;
  QMenu* menu(const QString& name);
};

}  // namespace fxs::ui
