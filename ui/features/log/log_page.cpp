// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/log/log_page.h"

#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include "widgets/controls.h"

namespace fxs::ui {

LogPage::LogPage(Appearance& appearance, LogPresenter& log, QWidget* parent)
    : QWidget(parent), log_(log) {
  auto* box = makeBox<QVBoxLayout>(0);
  view_ = new CodeView(appearance, this);
  view_->setAccessibleName("Log");
  view_->setPlain(true);
  view_->setWrap(true);
  view_->setZoom(11);
  box->addWidget(view_);
  setLayout(box);
  // Many lines may arrive at once: refresh once for all.
  connect(&log, &LogPresenter::changed, this, [this] {
    if (stale_) return;
    stale_ = true;
    QTimer::singleShot(0, this, &LogPage::refresh);
  });
}

void LogPage::refresh() {
  stale_ = false;
  view_->setCode(CodeText::of(log_.lines().join('\n').toStdString()));
  view_->verticalScrollBar()->setValue(view_->verticalScrollBar()->maximum());
}

}  // namespace fxs::ui
