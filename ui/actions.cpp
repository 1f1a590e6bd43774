#include "actions.h"

#include <QMenu>
#include <QWidget>
#include <algorithm>

namespace fxs::ui {

Actions::Actions(Appearance& appearance, QWidget* window) : QObject(window), appearance_(appearance), window_(window) {
  connect(&appearance, &Appearance::changed, this, [this] {
    for (const Entry& entry : entries_)
      if (!entry.spec.icon.isEmpty()) entry.action->setIcon(appearance_.icon(entry.spec.icon));
  });
}

QMenu* Actions::menu(const QString& name) {
  const auto found = std::find_if(menus_.begin(), menus_.end(), [&](const QMenu* m) { return m->title() == name; });
  if (found != menus_.end()) return *found;
  menus_.push_back(new QMenu(name, window_));
  return menus_.back();
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
      // On many keyboards a sign such as ? is typed with Shift, which the event then carries.
      if (one.size() == 1 && !one[0].isLetterOrNumber()) keys << QKeySequence("Shift+" + one);
    }
    action->setShortcuts(keys);
  }
  action->setToolTip(spec.keys.isEmpty() ? spec.name : QString("%1 (%2)").arg(spec.name, spec.keys));
  if (!spec.checkable) connect(action, &QAction::triggered, this, spec.run);
  else connect(action, &QAction::toggled, this, spec.run);
  window_->addAction(action);
  menu(spec.menu)->addAction(action);
  entries_.push_back({std::move(spec), action});
  return action;
}

void Actions::separator(const QString& name) { menu(name)->addSeparator(); }
QMenu* Actions::submenu(const QString& name, const QString& title) { return menu(name)->addMenu(title); }

QAction* Actions::operator[](const QString& id) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.spec.id == id; });
  return found == entries_.end() ? nullptr : found->action;
}

QStringList Actions::menus() const {
  QStringList names;
  for (const QMenu* each : menus_) names << each->title();
  return names;
}

void Actions::fill(QMenuBar& bar) {
  for (QMenu* each : menus_) bar.addMenu(each);
}

}  // namespace fxs::ui
