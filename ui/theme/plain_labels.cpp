// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "theme/plain_labels.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>

namespace fxs::ui {

PlainLabels::PlainLabels(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool PlainLabels::eventFilter(QObject* watched, QEvent* event) {
  // QTipLabel is polished in its constructor, before its text is set (qtooltip.cpp); other labels
  // before they are shown.
  if (event->type() == QEvent::Polish)
    if (auto* label = qobject_cast<QLabel*>(watched); label && label->textFormat() == Qt::AutoText)
      label->setTextFormat(Qt::PlainText);
  return QObject::eventFilter(watched, event);
}

}  // namespace fxs::ui
