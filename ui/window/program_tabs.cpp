// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/program_tabs.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QSignalBlocker>

#include "text/words.h"
#include "widgets/controls.h"

namespace fxs::ui {

ProgramTabs::ProgramTabs(Appearance& appearance, OpenPrograms& programs, QAction* reopen,
                         QWidget* parent)
    : QTabBar(parent), appearance_(appearance), programs_(programs), reopen_(reopen) {
  setExpanding(false);
  setDrawBase(false);
  setUsesScrollButtons(true);
  setElideMode(Qt::ElideMiddle);
  setFocusPolicy(Qt::TabFocus);
  setAccessibleName("Open programs");
  setFont(appearance.sans(TextSize::Body));
  connect(this, &QTabBar::currentChanged, this, [this](int tab) { programs_.choose(tab); });
  connect(&programs, &OpenPrograms::changed, this, &ProgramTabs::refresh);
  connect(&appearance, &Appearance::changed, this, [this] {
    setFont(appearance_.sans(TextSize::Body));
    shown_.clear();
    refresh();
  });
  refresh();
}

void ProgramTabs::refresh() {
  const QSignalBlocker quiet(this);
  std::vector<int> ids;
  for (const OpenProgram& each : programs_.all()) ids.push_back(each.id);
  if (ids != shown_) {
    shown_ = ids;
    while (count() > static_cast<int>(ids.size())) removeTab(count() - 1);
    while (count() < static_cast<int>(ids.size())) setButton(addTab({}));
  }
  for (int tab = 0; tab < count(); ++tab) {
    const OpenProgram& program = programs_.all()[static_cast<std::size_t>(tab)];
    const QString title = programs_.title(tab);
    setTabText(tab, withoutMnemonic(title));
    setTabToolTip(tab, shown(program.kept.file) + (program.isBusy ? "\nbusy" : ""));
    setTabIcon(tab, program.isBusy ? appearance_.icon("running") : QIcon());
    tabButton(tab, QTabBar::RightSide)->setAccessibleName("Close " + title);
  }
  setCurrentIndex(programs_.current());
  setVisible(count() > 1);
}

void ProgramTabs::setButton(int tab) {
  auto* button = new IconButton(appearance_, "close", "Close (Ctrl+W)", this);
  button->setFocusPolicy(Qt::NoFocus);  // Ctrl+W does it
  button->setProperty("tight", true);
  setTabButton(tab, QTabBar::RightSide, button);
  connect(button, &QToolButton::clicked, this, [this, button] {
    for (int each = 0; each < count(); ++each)
      if (tabButton(each, QTabBar::RightSide) == button) return programs_.close(each);
  });
}

void ProgramTabs::mouseReleaseEvent(QMouseEvent* event) {
  const int tab = tabAt(event->position().toPoint());
  if (event->button() == Qt::MiddleButton && tab >= 0) return programs_.close(tab);
  QTabBar::mouseReleaseEvent(event);
}

void ProgramTabs::contextMenuEvent(QContextMenuEvent* event) {
  const bool isByKey = event->reason() == QContextMenuEvent::Keyboard;
  const int tab = isByKey ? currentIndex() : tabAt(event->pos());
  if (tab < 0) return;
  const OpenProgram& program = programs_.all()[static_cast<std::size_t>(tab)];
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  // By id: it may have moved until something is chosen.
  const auto add = [&](const QString& title, auto&& run) {
    connect(menu->addAction(title), &QAction::triggered, this, [this, id = program.id, run] {
      for (int each = 0; each < count(); ++each)
        if (programs_.all()[static_cast<std::size_t>(each)].id == id) return run(each);
    });
  };
  add("Close", [this](int each) { programs_.close(each); });
  add("Close others", [this](int each) { programs_.closeOthers(each); });
  add("Copy path", [this](int each) {
    QGuiApplication::clipboard()->setText(
        programs_.all()[static_cast<std::size_t>(each)].kept.file);
  });
  menu->addSeparator();
  menu->addAction(reopen_);
  menu->popup(isByKey ? mapToGlobal(tabRect(tab).bottomLeft()) : event->globalPos());
}

}  // namespace fxs::ui
