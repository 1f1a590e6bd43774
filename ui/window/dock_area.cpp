// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/dock_area.h"

#include <QApplication>
#include <QMouseEvent>
#include <algorithm>

#include "widgets/reading_order.h"

namespace fxs::ui {
namespace {

/// Increase when the set of docks changes: saved states of other versions are ignored.
constexpr int kLayoutVersion = 2;
constexpr int kGraphLeast = 18 * kGrid;  ///< height and width of the graph, at least
constexpr int kPageLeast =
    12 * kGrid;                ///< height of a page of the results that is opened, at least
constexpr int kRowsLeast = 7;  ///< of the height of a title, for a page of the results

}  // namespace

DockArea::DockArea(ArrangementPresenter& arrangement, GraphPair* graphs, QWidget* parent)
    : QMainWindow(parent), arrangement_(arrangement), graphs_(graphs) {
  setWindowFlags(Qt::Widget);                     // not by the constructor, which adds Qt::Window
  setDockOptions(QMainWindow::AllowNestedDocks);  // animations would interfere with sizeDocks()
  setContextMenuPolicy(Qt::NoContextMenu);
  graphs->setMinimumSize(2 * kGraphLeast, kGraphLeast);
  setCentralWidget(graphs);
  for (GraphArea* graph : {graphs->first(), graphs->second()})
    graph->bar()->installEventFilter(this);
  connect(graphs, &GraphPair::maximizeRequested, this, [this] { toggleMaximized(graphs_); });
  connect(&arrangement, &ArrangementPresenter::aboutToChange, this, [this] {
    if (arranged_) keep();
  });
  connect(&arrangement, &ArrangementPresenter::changed, this, &DockArea::arrange);
}

void DockArea::add(const Docks& docks) {
  docks_ = docks;
  for (DockFrame* dock : docks_.all()) {
    connect(dock, &DockFrame::maximizeRequested, this, [this, dock] { toggleMaximized(dock); });
    connect(dock, &DockFrame::openRequested, this, [this, dock] { open(dock); });
  }
  connect(docks_.results, &DockFrame::pageChosen, &arrangement_, &ArrangementPresenter::setPage);
  connect(docks_.results, &DockFrame::contentChanged, this, &DockArea::fitLater);
  place();
}

void DockArea::arrange() {
  if (!arranged_) return;
  docks_.results->setCurrentPage(arrangement_.page());
  const auto state = states_.find(arrangement_.current());
  if (state != states_.end() && restoreState(state->second, kLayoutVersion)) return fitLater();
  place();
  // Sizes have an effect only after the docks have been laid out.
  QMetaObject::invokeMethod(this, &DockArea::sizeDocks, Qt::QueuedConnection);
}

void DockArea::reset() {
  restoreMaximized();
  states_.erase(arrangement_.current());
  sized_.erase(arrangement_.current());
  arrangement_.reset();
}

void DockArea::place() {
  const auto [navigator, inspector, texts, results] = docks_;
  for (DockFrame* dock : docks_.all()) {
    dock->setFloating(false);
    removeDockWidget(dock);
  }
  for (const Qt::Corner corner : {Qt::TopLeftCorner, Qt::BottomLeftCorner})
    setCorner(corner, Qt::LeftDockWidgetArea);
  for (const Qt::Corner corner : {Qt::TopRightCorner, Qt::BottomRightCorner})
    setCorner(corner, Qt::RightDockWidgetArea);
  const auto column = [this](Qt::DockWidgetArea area, std::initializer_list<DockFrame*> docks) {
    for (DockFrame* dock : docks) addDockWidget(area, dock, Qt::Vertical);
  };
  switch (arrangement_.current()) {
    case Arrangement::Graph:
      setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
      column(Qt::LeftDockWidgetArea, {navigator});
      column(Qt::RightDockWidgetArea, {inspector});
      addDockWidget(Qt::BottomDockWidgetArea, texts, Qt::Horizontal);
      addDockWidget(Qt::BottomDockWidgetArea, results, Qt::Horizontal);
      break;
    case Arrangement::Stages:
      column(Qt::RightDockWidgetArea, {texts});
      column(Qt::BottomDockWidgetArea, {inspector, results, navigator});
      break;
    case Arrangement::Passes:
      column(Qt::RightDockWidgetArea, {texts});
      column(Qt::TopDockWidgetArea, {results});
      column(Qt::BottomDockWidgetArea, {inspector, navigator});
      break;
    case Arrangement::Diagnosis:
      column(Qt::LeftDockWidgetArea, {results, inspector, navigator});
      column(Qt::BottomDockWidgetArea, {texts});
      break;
    case Arrangement::Numbers:
      column(Qt::LeftDockWidgetArea, {results, navigator});
      column(Qt::RightDockWidgetArea, {inspector});
      column(Qt::BottomDockWidgetArea, {texts});
      break;
  }
  for (DockFrame* dock : docks_.all()) dock->show();
}

void DockArea::sizeDocks() {
  const auto [navigator, inspector, texts, results] = docks_;
  const int strip = navigator->titleHeight(), w = width(), h = height();
  const int gap = style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, this);
  const auto widths = [this](const QList<QDockWidget*>& docks, const QList<int>& sizes) {
    resizeDocks(docks, sizes, Qt::Horizontal);
  };
  const auto heights = [this](const QList<QDockWidget*>& docks, const QList<int>& sizes) {
    resizeDocks(docks, sizes, Qt::Vertical);
  };
  switch (arrangement_.current()) {
    case Arrangement::Graph:
      widths({navigator, inspector},
             {std::min(w / 5, 34 * kGrid), std::min(w * 28 / 100, 56 * kGrid)});
      heights({texts, results}, {limit(), limit()});
      widths({texts, results}, {w * 36 / 100, w * 36 / 100});
      break;
    case Arrangement::Stages:
      widths({texts}, {w - std::max(w / 4, 40 * kGrid)});
      heights({inspector, results, navigator}, {h * 25 / 100, kPageLeast + strip, strip});
      break;
    case Arrangement::Passes:
      widths({texts}, {w * 64 / 100});
      heights({results}, {std::max(h * 45 / 100, kRowsLeast * strip)});
      heights({inspector, navigator}, {h * 20 / 100, strip});
      break;
    case Arrangement::Diagnosis:
      widths({results}, {w * 38 / 100});
      heights({results, inspector, navigator}, {h / 4, h - h / 4 - strip - 2 * gap, strip});
      heights({texts}, {h * 40 / 100});
      break;
    case Arrangement::Numbers:
      widths({results, inspector}, {w * 42 / 100, w * 27 / 100});
      heights({results, navigator}, {h - strip - gap, strip});
      heights({texts}, {std::max(h * 27 / 100, kRowsLeast * strip)});
      break;
  }
  fitLater();
}

void DockArea::fitLater() {
  // Once for all changes of one turn of the event loop, and after sizes were set.
  if (std::exchange(fitting_, true)) return;
  QMetaObject::invokeMethod(this, &DockArea::fit, Qt::QueuedConnection);
}

int DockArea::limit() const {
  const int share = height() * (arrangement_.current() == Arrangement::Diagnosis ? 45 : 27) / 100;
  return std::max(
      share,
      kRowsLeast * docks_.results->titleHeight());  // large text needs more of a small window
}

void DockArea::fit() {
  fitting_ = false;
  const Arrangement now = arrangement_.current();
  DockFrame* results = docks_.results;
  // In the others the results have the height of their row or column.
  const bool fits = now == Arrangement::Stages || now == Arrangement::Diagnosis;
  if (!fits || !arranged_ || maximized_ || sized_[now] || !results->isVisible() ||
      results->isFloating() || results->isStrip())
    return;
  layout()->activate();  // resizeDocks() has an effect on heights only then
  const DockFrame* inspector = docks_.inspector;
  const int title = results->titleHeight(),
            wanted = std::clamp(results->heightOfContent(), std::min(kPageLeast + title, limit()),
                                limit());
  if (wanted == results->height()) return;
  if (!inspector->isVisible() || inspector->isFloating())
    return resizeDocks({results}, {wanted}, Qt::Vertical);
  // Beside the graph the inspector gives what the results take; below it, the graph does.
  const int rest = now == Arrangement::Diagnosis ? results->height() + inspector->height() - wanted
                                                 : inspector->height();
  resizeDocks({results, docks_.inspector}, {wanted, std::max(rest, title)}, Qt::Vertical);
}

QWidget* DockArea::focused() const {
  const QWidget* focus = QApplication::focusWidget();
  for (DockFrame* dock : docks_.all())
    if (focus && dock->isAncestorOf(focus)) return dock;
  return graphs_->second()->isAncestorOf(focus) ? graphs_->second() : graphs_->first();
}

void DockArea::focusPane(int step) {
  std::vector<QWidget*> panes;
  for (GraphArea* graph : {graphs_->first(), graphs_->second()})
    if (graph->isVisible()) panes.push_back(graph);
  for (DockFrame* dock : docks_.all())
    if (dock->isVisible() && !dock->isStrip()) panes.push_back(dock);
  if (panes.empty()) return;
  panes = inReadingOrder(std::move(panes));
  const auto count = static_cast<std::ptrdiff_t>(panes.size());
  const auto at = std::find(panes.begin(), panes.end(), focused()) - panes.begin();
  QWidget* pane = panes[static_cast<std::size_t>((at + step + count) % count)];
  if (auto* dock = qobject_cast<DockFrame*>(pane)) dock->focusPage();
  else static_cast<GraphArea*>(pane)->pane()->setFocus(Qt::OtherFocusReason);
}

void DockArea::toggleMaximized(QWidget* pane) {
  if (maximized_) return restoreMaximized();
  if (!qobject_cast<DockFrame*>(pane)) pane = graphs_;
  before_ = saveState(kLayoutVersion);
  maximized_ = pane;
  for (DockFrame* dock : docks_.all())
    if (dock != pane && !dock->isFloating()) dock->hide();
  graphs_->setVisible(pane == graphs_);
}

void DockArea::restoreMaximized() {
  if (!std::exchange(maximized_, nullptr)) return;
  graphs_->show();
  restoreState(before_, kLayoutVersion);
}

void DockArea::open(DockFrame* dock) {
  if (maximized_ != dock) restoreMaximized();
  dock->show();
  if (!dock->isStrip()) return;
  resizeDocks({dock}, {std::max(std::min(dock->heightOfContent(), height() / 3), height() / 4)},
              Qt::Vertical);
}

void DockArea::toggle(DockFrame* dock) {
  const bool isOpen = !dock->isHidden() && !dock->isStrip() && (!maximized_ || maximized_ == dock);
  if (!isOpen) return open(dock);
  restoreMaximized();
  dock->hide();
}

bool DockArea::event(QEvent* event) {
  if (event->type() == QEvent::MouseButtonPress &&
      isSeparator(static_cast<QMouseEvent*>(event)->position().toPoint()))
    sized_[arrangement_.current()] = true;
  if (event->type() == QEvent::Show && !std::exchange(arranged_, true)) arrange();
  return QMainWindow::event(event);
}

bool DockArea::eventFilter(QObject* watched, QEvent* event) {
  const bool isBar = watched == graphs_->first()->bar() || watched == graphs_->second()->bar();
  if (!isBar || event->type() != QEvent::MouseButtonDblClick)
    return QMainWindow::eventFilter(watched, event);
  toggleMaximized(graphs_);
  return true;
}

void DockArea::keep() {
  restoreMaximized();
  states_[arrangement_.current()] = saveState(kLayoutVersion);
  arrangement_.setPage(docks_.results->currentPage());
}

void DockArea::save(QSettings& settings) {
  if (arranged_) keep();
  for (const auto& [arrangement, state] : states_) {
    settings.setValue("layout/" + name(arrangement), state);
    settings.setValue("sized/" + name(arrangement), sized_[arrangement]);
  }
}

void DockArea::restore(const QSettings& settings) {
  for (const Arrangement each : kArrangements) {
    if (const QByteArray state = settings.value("layout/" + name(each)).toByteArray();
        !state.isEmpty())
      states_[each] = state;
    sized_[each] = settings.value("sized/" + name(each)).toBool();
  }
}

}  // namespace fxs::ui
