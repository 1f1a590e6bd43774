// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The list of the window's actions: name, menu, keys. Menus, the palette and the key overlay are
// built from it.
#include <QAction>
#include <QKeySequence>
#include <QMenuBar>
#include <functional>
#include <vector>

#include "theme/appearance.h"

namespace fxs::ui {

struct ActionSpec {
  QString id;    ///< "open"
  QString menu;  ///< "File"; "View/Arrangement" for a submenu
  QString name;  ///< "Open …"
  QString keys;  ///< "Ctrl+O", "F7 or Alt+Down"; "" for none
  QString icon = {};
  std::function<void()> run = {};  ///< may be empty: then the caller connects the QAction
  bool checkable = false;
  /// The keys are listed but not bound, because a pane handles them: Space in the graph.
  bool shownOnly = false;
};

struct KeyGroup {
  QString title;
  std::vector<std::pair<QString, QString>> keys;  ///< description, keys
};

class Actions final : public QObject {
  Q_OBJECT
 public:
  /// `menus`: titles in order. Further menus are inserted before the last one, Help.
  Actions(Appearance& appearance, const QStringList& menus, QWidget* window);
  QAction* add(ActionSpec spec);
  /// Adds a separator before the next action of the menu.
  void separator(const QString& menu);
  /// Adds keys that a view handles itself to the key overlay.
  void addKeys(KeyGroup keys) { viewKeys_.push_back(std::move(keys)); }
  /// The keys of every menu, then of the views.
  std::vector<KeyGroup> keys() const;
  /// Adds a submenu, which the caller fills.
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
