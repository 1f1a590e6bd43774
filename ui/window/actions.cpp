// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/actions.h"

#include <QMenu>
#include <QWidget>
#include <algorithm>

namespace fxs::ui {

Actions::Actions(Appearance& appearance, const QStringList& menus, QWidget* window)
    : QObject(window), appearance_(appearance), window_(window) {
  for (const QString& name : menus) menus_.push_back(new QMenu(name, window));
  connect(&appearance, &Appearance::changed, this, [this] {
    for (const Entry& entry : entries_)
      if (!entry.spec.icon.isEmpty()) entry.action->setIcon(appearance_.icon(entry.spec.icon));
  });
}

QMenu* Actions::menu(const QString& name) {
  if (const qsizetype slash = name.indexOf('/'); slash >= 0) {
    QMenu* outer = menu(name.left(slash));
    for (const QAction* each : outer->actions())
      if (each->menu() && each->text() == name.mid(slash + 1)) return each->menu();
    return outer->addMenu(name.mid(slash + 1));
  }
  const auto found = std::find_if(menus_.begin(), menus_.end(),
                                  [&](const QMenu* m) { return m->title() == name; });
  if (found != menus_.end()) return *found;
  return *menus_.insert(menus_.end() - 1, new QMenu(name, window_));
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
  menu(spec.menu)->addAction(action);
  entries_.push_back({std::move(spec), action});
  return action;
}

void Actions::separator(const QString& name) { menu(name)->addSeparator(); }
QMenu* Actions::submenu(const QString& name, const QString& title) {
  return menu(name)->addMenu(title);
}

QAction* Actions::operator[](const QString& id) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& e) { return e.spec.id == id; });
  return found == entries_.end() ? nullptr : found->action;
}

std::vector<KeyGroup> Actions::keys() const {
  std::vector<KeyGroup> groups;
  for (const QMenu* menu : menus_) {
    KeyGroup group{menu->title(), {}};
    for (const Entry& entry : entries_) {
      if (entry.spec.menu.section('/', 0, 0) != group.title || entry.spec.keys.isEmpty()) continue;
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
  for (QMenu* each : menus_) bar.addMenu(each);
}

}  // namespace fxs::ui
