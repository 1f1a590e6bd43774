// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/dock_area.h"

#include <QApplication>
#include <QMouseEvent>
#include <QStyle>
#include <algorithm>
#include <iterator>
#include <utility>

#include "widgets/reading_order.h"

namespace fxs::ui {
namespace {

/// Saved states of other versions are ignored. A dock that a state does not know keeps its place.
constexpr int kLayoutVersion = 3;
constexpr Qt::DockWidgetArea kOpensIn = Qt::RightDockWidgetArea;  ///< without a position
constexpr int kCentreLeast = 18 * kGrid;  ///< height of the centre, and half its width, at least
constexpr int kPageLeast =
    12 * kGrid;                ///< height of a page of the results that is opened, at least
constexpr int kRowsLeast = 7;  ///< of the height of a title, for a page of the results

}  // namespace

Dock resultsDock() {
  const auto limited = [](const DockSpace& space) { return space.limit; };
  const auto share = [](int percent) {
    return [percent](const DockSpace& space) { return space.width * percent / 100; };
  };
  Dock dock{"results",
            "Results",
            40,
            {"show-results", {"View", 23}, "Show or hide stages, problems and log", "Ctrl+4"},
            {}};
  dock.positions = {
      {Arrangement::Graph, {Qt::BottomDockWidgetArea, 1, share(36), limited}},
      {Arrangement::Stages, {Qt::LeftDockWidgetArea, 0, share(30)}},
      {Arrangement::Passes, {Qt::LeftDockWidgetArea, 0, share(42)}},
      {Arrangement::Diagnosis,
       {Qt::LeftDockWidgetArea, 0, share(38),
        [](const DockSpace& space) { return space.height / 4; }}},
      {Arrangement::Numbers, {Qt::LeftDockWidgetArea, 0, share(42), [](const DockSpace& space) {
                                return space.height - space.title - space.gap;
                              }}}};
  return dock;
}

DockArea::DockArea(ArrangementPresenter& arrangement, QWidget* parent)
    : QMainWindow(parent), arrangement_(arrangement) {
  setWindowFlags(Qt::Widget);                     // not by the constructor, which adds Qt::Window
  setDockOptions(QMainWindow::AllowNestedDocks);  // animations would interfere with sizeDocks()
  setContextMenuPolicy(Qt::NoContextMenu);
}

void DockArea::setCentre(Centre centre) {
  centre_ = std::move(centre);
  centre_.widget->setMinimumSize(2 * kCentreLeast, kCentreLeast);
  setCentralWidget(centre_.widget);
}

void DockArea::add(DockFrame* frame, const Dock& dock) {
  docks_.push_back(frame);
  positions_[frame] = dock.positions;
  connect(frame, &DockFrame::maximizeRequested, this, [this, frame] { toggleMaximized(frame); });
  connect(frame, &DockFrame::openRequested, this, [this, frame] { open(frame); });
}

void DockArea::start(DockFrame* results) {
  results_ = results;
  connect(results_, &DockFrame::pageChosen, &arrangement_, &ArrangementPresenter::setPage);
  connect(results_, &DockFrame::contentChanged, this, &DockArea::fitLater);
  connect(&arrangement_, &ArrangementPresenter::aboutToChange, this, [this] {
    if (!arranged_) return;
    restoreMaximized();
    keep();
  });
  connect(&arrangement_, &ArrangementPresenter::changed, this, &DockArea::arrange);
  place();
}

DockFrame* DockArea::dock(const QString& id) const {
  const auto found = std::find_if(docks_.begin(), docks_.end(),
                                  [&](const DockFrame* each) { return each->objectName() == id; });
  return found == docks_.end() ? nullptr : *found;
}

const DockPosition* DockArea::position(const DockFrame* dock) const {
  const auto& all = positions_.at(dock);
  const auto found = all.find(arrangement_.current());
  return found == all.end() ? nullptr : &found->second;
}

std::vector<DockFrame*> DockArea::docksIn(Qt::DockWidgetArea area) const {
  std::vector<DockFrame*> in;
  for (DockFrame* dock : docks_)
    if (const DockPosition* at = position(dock); at && at->area == area) in.push_back(dock);
  std::stable_sort(in.begin(), in.end(), [this](const DockFrame* a, const DockFrame* b) {
    return position(a)->order < position(b)->order;
  });
  if (area == kOpensIn)
    std::copy_if(docks_.begin(), docks_.end(), std::back_inserter(in),
                 [this](const DockFrame* dock) { return !position(dock); });
  return in;
}

void DockArea::arrange() {
  if (!arranged_) return;
  results_->setCurrentPage(arrangement_.page());
  const auto state = states_.find(arrangement_.current());
  if (state != states_.end() && restoreDocks(state->second)) return fitLater();
  place();
  // Sizes have an effect only after the docks have been laid out.
  QMetaObject::invokeMethod(this, &DockArea::sizeDocks, Qt::QueuedConnection);
}

bool DockArea::restoreDocks(const QByteArray& state) {
  const bool isRestored = restoreState(state, kLayoutVersion);
  // Qt leaves a floating dock that it restores without updates.
  for (DockFrame* dock : docks_) dock->setUpdatesEnabled(true);
  return isRestored;
}

void DockArea::reset() {
  restoreMaximized();
  states_.erase(arrangement_.current());
  sized_.erase(arrangement_.current());
  arrangement_.reset();
}

void DockArea::place() {
  for (DockFrame* dock : docks_) {
    dock->setFloating(false);
    removeDockWidget(dock);
  }
  const Arrangement now = arrangement_.current();
  const bool isGraph = now == Arrangement::Graph;
  // Lines of text are long.
  const bool areTextsWide = now == Arrangement::Stages || now == Arrangement::Passes;
  setCorner(Qt::TopLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomLeftCorner,
            isGraph || areTextsWide ? Qt::BottomDockWidgetArea : Qt::LeftDockWidgetArea);
  setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
  setCorner(Qt::BottomRightCorner,
            areTextsWide ? Qt::BottomDockWidgetArea : Qt::RightDockWidgetArea);
  for (const Qt::DockWidgetArea area : {Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea,
                                        Qt::TopDockWidgetArea, Qt::BottomDockWidgetArea}) {
    const bool isRow = isGraph && area == Qt::BottomDockWidgetArea;
    for (DockFrame* dock : docksIn(area))
      addDockWidget(area, dock, isRow ? Qt::Horizontal : Qt::Vertical);
  }
  for (DockFrame* dock : docks_) dock->setVisible(position(dock) != nullptr);
}

void DockArea::sizeDocks() {
  const int gap = style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, this);
  const DockSpace space{width(), height(), docks_.front()->titleHeight(), gap, limit()};
  for (const Qt::Orientation orientation : {Qt::Horizontal, Qt::Vertical}) {
    QList<QDockWidget*> docks;
    QList<int> sizes;
    for (DockFrame* dock : docks_) {
      const DockPosition* at = position(dock);
      if (!at) continue;
      const DockPosition::Size& size = orientation == Qt::Horizontal ? at->width : at->height;
      if (!size) continue;
      docks << dock;
      sizes << size(space);
    }
    resizeDocks(docks, sizes, orientation);
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
  return std::max(share,
                  kRowsLeast * results_->titleHeight());  // large text needs more of a small window
}

void DockArea::fit() {
  fitting_ = false;
  const Arrangement now = arrangement_.current();
  // In the others the results have the height of their row or column.
  if (now != Arrangement::Diagnosis || !arranged_ || maximized_ || sized_[now] ||
      !results_->isVisible() || results_->isFloating() || results_->isStrip())
    return;
  layout()->activate();  // resizeDocks() has an effect on heights only then
  const int title = results_->titleHeight(),
            wanted = std::clamp(results_->heightOfContent(), std::min(kPageLeast + title, limit()),
                                limit());
  if (wanted == results_->height()) return;
  const std::vector<DockFrame*> column = docksIn(position(results_)->area);
  const auto beside = std::find_if(column.begin(), column.end(),
                                   [this](const DockFrame* dock) { return dock != results_; });
  DockFrame* other = beside == column.end() ? nullptr : *beside;
  if (!other || !other->isVisible() || other->isFloating())
    return resizeDocks({results_}, {wanted}, Qt::Vertical);
  // The other dock gives what the results take.
  const int rest = results_->height() + other->height() - wanted;
  resizeDocks({results_, other}, {wanted, std::max(rest, title)}, Qt::Vertical);
}

QWidget* DockArea::focused() const {
  const QWidget* focus = QApplication::focusWidget();
  std::vector<QWidget*> panes = centre_.panes();
  panes.insert(panes.end(), docks_.begin(), docks_.end());
  for (QWidget* pane : panes)
    if (focus && pane->isAncestorOf(focus)) return pane;
  return panes.front();
}

void DockArea::focusPane(int step) {
  std::vector<QWidget*> panes = centre_.panes();
  for (DockFrame* dock : docks_)
    if (dock->isVisible() && !dock->isStrip()) panes.push_back(dock);
  std::erase_if(panes, [](const QWidget* pane) { return !pane->isVisible(); });
  if (panes.empty()) return;
  panes = inReadingOrder(std::move(panes));
  const auto count = static_cast<std::ptrdiff_t>(panes.size());
  const auto at = std::find(panes.begin(), panes.end(), focused()) - panes.begin();
  QWidget* pane = panes[static_cast<std::size_t>((at + step + count) % count)];
  if (auto* dock = qobject_cast<DockFrame*>(pane)) dock->focusPage();
  else pane->setFocus(Qt::OtherFocusReason);
}

void DockArea::toggleMaximized(QWidget* pane) {
  if (maximized_) return restoreMaximized();
  if (!qobject_cast<DockFrame*>(pane)) pane = centre_.widget;
  before_ = saveState(kLayoutVersion);
  maximized_ = pane;
  for (DockFrame* dock : docks_)
    if (dock != pane && !dock->isFloating()) dock->hide();
  centre_.widget->setVisible(pane == centre_.widget);
}

void DockArea::restoreMaximized() {
  if (!std::exchange(maximized_, nullptr)) return;
  centre_.widget->show();
  restoreDocks(before_);
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
  if (event->type() == QEvent::Show)
    for (DockFrame* dock : std::exchange(afloat_, {})) dock->show();
  if (event->type() == QEvent::Hide && !event->spontaneous()) hideFloating();
  return QMainWindow::event(event);
}

/// Those of a page that is not shown: they are windows, which stay.
void DockArea::hideFloating() {
  for (DockFrame* dock : docks_)
    if (dock->isFloating() && dock->isVisible()) {
      afloat_.push_back(dock);
      dock->hide();
    }
}

void DockArea::keep() {
  states_[arrangement_.current()] = maximized_ ? before_ : saveState(kLayoutVersion);
  arrangement_.setPage(results_->currentPage());
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
