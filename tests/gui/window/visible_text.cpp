// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visible_text.h"

#include <QAbstractButton>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QTreeView>
#include <algorithm>

#include "features/graph/graph_pane.h"
#include "text/words.h"
#include "widgets/code_view.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {
namespace {

/// Nothing of it is scrolled or cut away.
bool isWhole(const QWidget& widget) {
  return widget.isVisible() && widget.visibleRegion().boundingRect().size() == widget.size();
}

QString fitting(const QString& text, const QFontMetrics& metrics, int width,
                Qt::TextElideMode mode = Qt::ElideRight) {
  return metrics.elidedText(text, mode, width);
}

QString textOf(const QWidget& widget) {
  if (const auto* label = qobject_cast<const ElidedLabel*>(&widget))
    return fitting(label->fullText(), label->fontMetrics(), label->contentsRect().width(),
                   label->elideMode());
  if (const auto* label = qobject_cast<const WrappedLabel*>(&widget)) return label->toPlainText();
  if (const auto* label = qobject_cast<const QLabel*>(&widget)) return label->text();
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
    return fitting(button->text(), button->fontMetrics(), button->width());
  return {};
}

QStringList rowsOf(const QAbstractItemView& view) {
  QStringList out;
  const auto* tree = qobject_cast<const QTreeView*>(&view);
  if (!tree || !view.model()) return out;
  for (QModelIndex row = tree->indexAt({1, 1}); row.isValid(); row = tree->indexBelow(row)) {
    for (int column = 0; column < view.model()->columnCount(row.parent()); ++column) {
      const QRect cell = view.visualRect(row.siblingAtColumn(column)) & view.viewport()->rect();
      if (!cell.isEmpty())
        out << fitting(row.siblingAtColumn(column).data().toString(), view.fontMetrics(),
                       cell.width());
    }
    if (view.visualRect(row).top() > view.viewport()->height()) break;
  }
  return out;
}

QStringList linesOf(const CodeView& view) {
  QStringList out;
  const int letter = std::max(1, view.fontMetrics().horizontalAdvance('x'));
  for (std::uint32_t line = 0; view.code() && line < view.code()->lineCount(); ++line)
    if (view.isLineVisible(line))
      out << text(view.code()->line(line))
                 .mid(view.horizontalScrollBar()->value() / letter,
                      view.viewport()->width() / letter);
  return out;
}

QStringList boxesOf(const GraphPane& pane) {
  QStringList out;
  if (pane.picture().empty()) return out;
  for (const layout::Box& box : pane.picture().view->boxes) {
    const auto at = box.node.valid() ? pane.nodeRect(box.node) : pane.groupRect(box.group);
    if (at && QRectF(pane.rect()).contains(*at)) out << text(box.title) << text(box.subtitle);
  }
  return out;
}

}  // namespace

QStringList visibleTexts(const QWidget& root) {
  QStringList out;
  for (const QWidget* widget : root.findChildren<QWidget*>()) {
    if (!widget->isVisible() || widget->visibleRegion().isEmpty()) continue;
    if (const auto* view = qobject_cast<const CodeView*>(widget)) out += linesOf(*view);
    else if (const auto* pane = qobject_cast<const GraphPane*>(widget)) out += boxesOf(*pane);
    else if (const auto* rows = qobject_cast<const QAbstractItemView*>(widget);
             rows && !qobject_cast<const QHeaderView*>(widget))
      out += rowsOf(*rows);
    else if (isWhole(*widget)) out << textOf(*widget);
  }
  out.removeAll(QString());
  return out;
}

bool shows(const QWidget& root, const QString& words) {
  const QStringList all = visibleTexts(root);
  return std::any_of(all.begin(), all.end(),
                     [&](QString text) { return text.remove('\n').contains(words); });
}

}  // namespace fxs::ui
