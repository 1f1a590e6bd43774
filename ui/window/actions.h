// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The list of the window's actions: name, menu, keys. Menus, the palette and the key overlay are
// built from it.
#include <QAction>
#include <QKeySequence>
#include <QMenuBar>
#include <functional>
#include <vector>

#include "session/op_commands.h"
#include "theme/appearance.h"

namespace fxs::ui {

/// Where an action is in the menus, whoever adds it, and when.
struct MenuPosition {
  MenuPosition(const char* title_ = "", int order_ = 900) : title(title_), order(order_) {}
  QString title;  ///< "File"; "View/Arrangement" for a submenu
  /// Sort key in the menu, with a separator between hundreds: 210 is in another group than 190. A
  /// submenu is where its first action would be; no key of another is between those of its actions.
  int order;
};

struct ActionSpec {
  QString id;  ///< "open"
  MenuPosition menu;
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
  /// They are enabled while a program is open.
  void needProgram(const QStringList& ids) { needProgram_ += ids; }
  void setProgramOpen(bool isOpen);
  /// Adds keys that a view handles itself to the key overlay.
  void addKeys(KeyGroup keys) { viewKeys_.push_back(std::move(keys)); }
  /// The keys of every menu, then of the views.
  std::vector<KeyGroup> keys() const;
  QAction* operator[](const QString& id) const;
  /// An action, which was added before, as a command of context menus.
  RowCommand rowCommand(int rank, const QString& id, const QString& view = {}) const;

  struct Entry {
    ActionSpec spec;
    QAction* action;
  };
  /// After fill(), in the order of the menus.
  const std::vector<Entry>& all() const { return entries_; }
  /// Makes the menus, after every action was added.
  void fill(QMenuBar& bar);
  /// Adds a submenu before an action, after fill(); the caller fills it.
  QMenu* insertMenu(const QString& before, const QString& title);

 private:
  Appearance& appearance_;
  QWidget* window_;
  std::vector<Entry> entries_;
  std::vector<QMenu*> menus_;
  std::vector<KeyGroup> viewKeys_;
  QStringList needProgram_;
  /// Null if no action has that id.
  const Entry* find(const QString& id) const;
  QMenu* menuOf(const ActionSpec& spec) const;
  /// Of the actions' shortcuts.
  QString lettersWithAlt() const;
};

}  // namespace fxs::ui
