// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/dock_frame.h"

#include <QEvent>

#include "widgets/reading_order.h"

namespace fxs::ui {
namespace {

constexpr int kTitleHeight = 4 * kGrid;  ///< at least
constexpr int kStripHeight = 3 * kGrid;  ///< of the content; less is no use

}  // namespace

DockFrame::DockFrame(Appearance& appearance, const QString& id, const QString& title,
                     QWidget* parent)
    : QDockWidget(title, parent) {
  setObjectName(id);
  auto* titleBar = new QWidget(this);
  titleBar->setMinimumHeight(kTitleHeight);
  titleBar->setProperty("surface", true);
  titleBar->setAttribute(Qt::WA_StyledBackground);
  titleBar->setToolTip("Double-click to maximize the pane, and to restore it");
  titleBar->installEventFilter(this);
  bar_ = makeBox<QHBoxLayout>(0);
  bar_->setContentsMargins(kGrid, 0, kGrid / 2, 0);
  title_ = makeElided(title, appearance.sans(TextSize::Body, QFont::DemiBold), {}, titleBar,
                      Qt::ElideRight);
  tabs_ = new TabRow(appearance, titleBar);
  tabs_->hide();
  auto* maximizeButton =
      new IconButton(appearance, "maximize", "Maximize or restore " + title + " (F11)", titleBar);
  auto* floatButton = new IconButton(appearance, "float", "Float or dock " + title, titleBar);
  auto* closeButton = new IconButton(appearance, "close", "Close " + title, titleBar);
  bar_->addWidget(title_);
  bar_->addWidget(tabs_, 1);
  insertAt_ = bar_->count();
  bar_->addStretch(0);
  for (IconButton* button : {maximizeButton, floatButton, closeButton}) {
    button->setProperty("low", true);
    bar_->addWidget(button);
  }
  titleBar->setLayout(bar_);
  setTitleBarWidget(titleBar);

  pages_ = new QStackedWidget(this);
  pages_->setProperty("surface", true);
  pages_->setMinimumSize(20 * kGrid, 1);
  pages_->installEventFilter(this);
  setWidget(pages_);
  connect(tabs_, &TabRow::chosen, this, [this](int tab) {
    pages_->setCurrentIndex(tab);
    Q_EMIT pageChosen(currentPage());
    if (isStrip()) Q_EMIT openRequested();
  });
  connect(pages_, &QStackedWidget::currentChanged, this, &DockFrame::contentChanged);
  connect(maximizeButton, &QToolButton::clicked, this, &DockFrame::maximizeRequested);
  connect(floatButton, &QToolButton::clicked, this, [this] { setFloating(!isFloating()); });
  connect(closeButton, &QToolButton::clicked, this, &QDockWidget::close);
}

void DockFrame::addPage(const QString& id, const QString& tab, QWidget* page) {
  page->setObjectName(id);
  pages_->addWidget(page);
  if (tab.isEmpty()) return;
  title_->hide();
  tabs_->addTab(tab);
  tabs_->show();
}

QStringList DockFrame::pages() const {
  QStringList ids;
  for (int i = 0; i < pages_->count(); ++i) ids << pages_->widget(i)->objectName();
  return ids;
}

void DockFrame::setTabText(const QString& id, const QString& text) {
  tabs_->setText(pages_->indexOf(page(id)), text);
}

void DockFrame::setCurrentPage(const QString& id) {
  if (!page(id)) return;
  pages_->setCurrentWidget(page(id));
  tabs_->setCurrent(pages_->currentIndex());
}

void DockFrame::focusPage() {
  const QWidget* page = pages_->currentWidget();
  std::vector<QWidget*> candidates{page->focusWidget(), page->focusProxy()};
  for (QWidget* each : tabOrder(pages_)) candidates.push_back(each);
  for (QWidget* each : candidates)
    if (each && each->isVisible() && each->isEnabled()) return each->setFocus(Qt::OtherFocusReason);
}

void DockFrame::addToTitle(QWidget* widget, int stretch) {
  bar_->insertWidget(insertAt_++, widget, stretch);
}

bool DockFrame::isStrip() const {
  return isVisible() && !isFloating() && pages_->height() < kStripHeight;
}

int DockFrame::heightOfContent() const {
  const QWidget* page = pages_->currentWidget();
  return titleHeight() + (page->hasHeightForWidth() ? page->heightForWidth(pages_->width())
                                                    : page->sizeHint().height());
}

bool DockFrame::eventFilter(QObject* watched, QEvent* event) {
  if (watched == pages_) {
    if (event->type() == QEvent::LayoutRequest) Q_EMIT contentChanged();
    return false;
  }
  if (event->type() == QEvent::MouseButtonDblClick) {
    Q_EMIT maximizeRequested();
    return true;
  }
  if (event->type() == QEvent::MouseButtonRelease && isStrip()) Q_EMIT openRequested();
  return false;
}

}  // namespace fxs::ui
