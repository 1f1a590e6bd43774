// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/in_view.h"

#include <QAbstractScrollArea>
#include <QEvent>
#include <QTimer>
#include <utility>

namespace fxs::ui {

InView::InView(QWidget* view, std::function<void()> bring)
    : QObject(view), view_(view), bring_(std::move(bring)) {
  const auto* area = qobject_cast<QAbstractScrollArea*>(view);
  (area ? area->viewport() : view)->installEventFilter(this);
}

void InView::later() {
  if (std::exchange(pending_, true)) return;
  // Lines and rows have their places once the event has been handled.
  QTimer::singleShot(0, this, [this] {
    pending_ = false;
    if (view_->isVisible()) bring_();
  });
}

bool InView::eventFilter(QObject*, QEvent* event) {
  if (event->type() == QEvent::Resize || event->type() == QEvent::Show) later();
  return false;
}

void selectRow(QAbstractItemView& view, const QModelIndex& row, bool scroll) {
  if (!row.isValid()) return view.selectionModel()->clear();
  view.selectionModel()->setCurrentIndex(
      row, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  if (scroll) view.scrollTo(row);
}

void keepSelectedInView(QAbstractItemView& view) {
  auto* kept = new InView(&view, [&view] {
    const QModelIndex at = view.currentIndex();
    if (at.isValid() && view.selectionModel()->isRowSelected(at.row(), at.parent()))
      view.scrollTo(at);
  });
  const QAbstractItemModel* rows = view.model();
  for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    QObject::connect(rows, signal, kept, &InView::later);
  QObject::connect(rows, &QAbstractItemModel::layoutChanged, kept, &InView::later);
  QObject::connect(rows, &QAbstractItemModel::modelReset, kept, &InView::later);
}

}  // namespace fxs::ui
