// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/actions.h"

#include <QMenu>
#include <QWidget>
#include <algorithm>
#include <utility>

#include "widgets/menu_mnemonics.h"

namespace fxs::ui {
namespace {

constexpr int kGroup = 100;  ///< of the sort keys: see MenuPosition

/// `name`: the title without a mnemonic.
QMenu* makeMenu(const QString& name, QWidget* window) {
  auto* menu = new QMenu(name, window);
  menu->setObjectName(name);
  return menu;
}

}  // namespace

Actions::Actions(Appearance& appearance, const QStringList& menus, QWidget* window)
    : QObject(window), appearance_(appearance), window_(window) {
  new MenuMnemonics(this);
  for (const QString& name : menus) menus_.push_back(makeMenu(name, window));
  connect(&appearance, &Appearance::changed, this, [this] {
    for (const Entry& entry : entries_)
      if (!entry.spec.icon.isEmpty()) entry.action->setIcon(appearance_.icon(entry.spec.icon));
  });
}

/// The one in the menu bar.
QMenu* Actions::menuOf(const ActionSpec& spec) const {
  const QString title = spec.menu.title.section('/', 0, 0);
  const auto found = std::find_if(menus_.begin(), menus_.end(),
                                  [&](const QMenu* menu) { return menu->objectName() == title; });
  return found == menus_.end() ? nullptr : *found;
}

QAction* Actions::add(ActionSpec spec) {
  auto* action = new QAction(spec.shownOnly ? spec.name + '\t' + spec.keys : spec.name, window_);
  action->setObjectName(spec.id);
  action->setCheckable(spec.checkable);
  if (!spec.icon.isEmpty()) action->setIcon(appearance_.icon(spec.icon));
  if (!spec.keys.isEmpty() && !spec.shownOnly) {
    QList<QKeySequence> keys;
    for (const QString& one : spec.keys.split(" or ")) {
      keys << QKeySequence(one);
      // On many keyboards ? and the like are typed with Shift, which is then part of the event.
      if (one.size() == 1 && !one[0].isLetterOrNumber()) keys << QKeySequence("Shift+" + one);
    }
    action->setShortcuts(keys);
  }
  action->setToolTip(spec.keys.isEmpty() ? spec.name
                                         : QString("%1 (%2)").arg(spec.name, spec.keys));
  if (spec.run)
    connect(action, spec.checkable ? &QAction::toggled : &QAction::triggered, this, spec.run);
  window_->addAction(action);
  if (!menuOf(spec))
    menus_.insert(menus_.end() - 1, makeMenu(spec.menu.title.section('/', 0, 0), window_));
  entries_.push_back({std::move(spec), action});
  return action;
}

void Actions::setProgramOpen(bool isOpen) {
  for (const QString& id : needProgram_) (*this)[id]->setEnabled(isOpen);
}

const Actions::Entry* Actions::find(const QString& id) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& e) { return e.spec.id == id; });
  return found == entries_.end() ? nullptr : &*found;
}

QAction* Actions::operator[](const QString& id) const {
  const Entry* found = find(id);
  return found ? found->action : nullptr;
}

RowCommand Actions::rowCommand(int rank, const QString& id, const QString& view) const {
  const Entry* found = find(id);
  QAction* action = found->action;
  return {rank,
          found->spec.name,
          found->spec.keys,
          view,
          [action] { return action->isEnabled(); },
          [action] { action->trigger(); }};
}

std::vector<KeyGroup> Actions::keys() const {
  std::vector<KeyGroup> groups;
  for (const QMenu* menu : menus_) {
    KeyGroup group{menu->objectName(), {}};
    for (const Entry& entry : entries_) {
      if (menuOf(entry.spec) != menu || entry.spec.keys.isEmpty()) continue;
      // One line for the six keys of the stages.
      if (entry.spec.id == "stage-1")
        group.keys.emplace_back("Stage 1 to 6 in this pane", "1 .. 6");
      else if (!entry.spec.id.startsWith("stage-"))
        group.keys.emplace_back(entry.spec.name, entry.spec.keys);
    }
    groups.push_back(std::move(group));
  }
  groups.insert(groups.end(), viewKeys_.begin(), viewKeys_.end());
  return groups;
}

void Actions::fill(QMenuBar& bar) {
  const auto key = [this](const Entry& entry) {
    const auto menu = std::find(menus_.begin(), menus_.end(), menuOf(entry.spec));
    return std::pair(menu, entry.spec.menu.order);
  };
  std::stable_sort(entries_.begin(), entries_.end(),
                   [&key](const Entry& a, const Entry& b) { return key(a) < key(b); });
  const MenuPosition* before = nullptr;  // in the same menu
  QMenu *outer = nullptr, *inner = nullptr;
  for (const Entry& entry : entries_) {
    const MenuPosition& now = entry.spec.menu;
    if (QMenu* menu = menuOf(entry.spec); menu != std::exchange(outer, menu)) before = nullptr;
    if (before && before->order / kGroup != now.order / kGroup) outer->addSeparator();
    const QString submenu = now.title.section('/', 1);
    if (!submenu.isEmpty() && (!before || before->title != now.title))
      outer->addMenu(inner = makeMenu(submenu, window_));
    (submenu.isEmpty() ? outer : inner)->addAction(entry.action);
    before = &now;
  }
  for (QMenu* each : menus_) bar.addMenu(each);
  for (QMenu* each : window_->findChildren<QMenu*>()) addMnemonics(*each);
  addMnemonics(bar, lettersWithAlt());
}

QString Actions::lettersWithAlt() const {
  QString letters;
  for (const Entry& entry : entries_)
    for (const QKeySequence& keys : entry.action->shortcuts())
      if (const QString name = keys.toString(); name.size() == 5 && name.startsWith("Alt+"))
        letters += name.back().toLower();
  return letters;
}

QMenu* Actions::insertMenu(const QString& before, const QString& title) {
  QMenu* made = makeMenu(title, window_);
  for (const Entry& entry : entries_)
    if (entry.spec.id == before) {
      menuOf(entry.spec)->insertMenu(entry.action, made);
      addMnemonics(*menuOf(entry.spec));
    }
  return made;
}

}  // namespace fxs::ui
