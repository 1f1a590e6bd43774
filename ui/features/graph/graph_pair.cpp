// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/graph/graph_pair.h"

#include <QEvent>

#include "features/graph/graphs_presenter.h"
#include "session/marks.h"
#include "session/op_commands.h"
#include "session/selection_presenter.h"

namespace fxs::ui {

GraphPair::GraphPair(Appearance& appearance, Services& services, QWidget* parent)
    : QSplitter(parent), pair_(services.get<Graphs>().pair) {
  first_ = new GraphArea(appearance, services.get<Graphs>().program, services.get<Graphs>().first,
                         services.get<Graphs>().colours, services.get<Marks>(),
                         services.get<SelectionPresenter>(), services.get<OpCommands>());
  second_ = new GraphArea(appearance, services.get<Graphs>().program, services.get<Graphs>().second,
                          services.get<Graphs>().secondColours, services.get<Marks>(),
                          services.get<SelectionPresenter>(), services.get<OpCommands>());
  last_ = first_;
  second_->pane()->setAccessibleName("Second graph; every node is also in the node list");
  second_->chooser()->setAccessibleName("What the second graph shows");
  setChildrenCollapsible(false);
  for (GraphArea* area : {first_, second_}) {
    addWidget(area);
    connect(area, &GraphArea::maximizeRequested, this, &GraphPair::maximizeRequested);
    connect(area, &GraphArea::messageShown, this, &GraphPair::messageShown);
    area->bar()->installEventFilter(this);
  }
  first_->lower();  // first among the children, too: a splitter puts each before the others
  first_->addToBar("panes", "Show two graphs side by side (Ctrl+Alt+\\)",
                   [this] { pair_.setShown(true); });
  second_->addToBar("close", "Close the second graph (Ctrl+Alt+\\)",
                    [this] { pair_.setShown(false); });
  second_->hide();
  connect(&pair_, &GraphPairPresenter::shownChanged, this, [this] {
    if (!pair_.shown() && second_->isAncestorOf(QWidget::window()->focusWidget()))
      first_->pane()->setFocus();
    last_ = first_;
    second_->setVisible(pair_.shown());
    for (GraphArea* area : {first_, second_}) area->setBeside(pair_.shown());
    setSizes({1000, 1000});
  });
}

GraphArea* GraphPair::current() const {
  for (GraphArea* area : {first_, second_})
    if (area->isVisible() && area->isAncestorOf(QWidget::window()->focusWidget())) last_ = area;
  return last_;
}

bool GraphPair::eventFilter(QObject* watched, QEvent* event) {
  const bool isBar = watched == first_->bar() || watched == second_->bar();
  if (!isBar || event->type() != QEvent::MouseButtonDblClick)
    return QSplitter::eventFilter(watched, event);
  Q_EMIT maximizeRequested();
  return true;
}

}  // namespace fxs::ui
