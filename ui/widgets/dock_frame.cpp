#include "widgets/dock_frame.h"

namespace fxs::ui {
namespace {

constexpr int kTitleHeight = 4 * kGrid;

}  // namespace

DockFrame::DockFrame(Appearance& appearance, const QString& id, const QString& title, QWidget* parent)
    : QDockWidget(title, parent), appearance_(appearance) {
  setObjectName(id);
  auto* titleBar = new QWidget(this);
  titleBar->setFixedHeight(kTitleHeight);
  titleBar->setProperty("surface", true);
  titleBar->setAttribute(Qt::WA_StyledBackground);
  bar_ = makeBox<QHBoxLayout>(0);
  bar_->setContentsMargins(kGrid, 0, kGrid / 2, 0);
  title_ = makeHeading(appearance, title, titleBar);
  auto* floatButton = new IconButton(appearance, "float", "Float or dock " + title, titleBar);
  auto* closeButton = new IconButton(appearance, "close", "Close " + title, titleBar);
  bar_->addWidget(title_);
  bar_->addStretch(1);
  bar_->addWidget(floatButton);
  bar_->addWidget(closeButton);
  titleBar->setLayout(bar_);
  setTitleBarWidget(titleBar);
  insertAt_ = 2;

  pages_ = new QStackedWidget(this);
  pages_->setProperty("surface", true);
  setWidget(pages_);
  group_ = new QButtonGroup(this);
  connect(group_, &QButtonGroup::idClicked, pages_, &QStackedWidget::setCurrentIndex);
  connect(floatButton, &QToolButton::clicked, this, [this] { setFloating(!isFloating()); });
  connect(closeButton, &QToolButton::clicked, this, [this] {
    closedByUser_ = true;
    close();
  });
}

void DockFrame::addPage(const QString& id, const QString& tab, QWidget* page) {
  page->setObjectName(id);
  const int index = pages_->addWidget(page);
  if (tab.isEmpty()) return;
  title_->hide();
  auto* button = new QToolButton(titleBarWidget());
  button->setText(tab);
  button->setCheckable(true);
  button->setProperty("tab", true);
  button->setFocusPolicy(Qt::TabFocus);
  button->setFixedHeight(kTitleHeight);
  group_->addButton(button, index);
  bar_->insertWidget(index + 1, button);
  ++insertAt_;
  if (index == 0) button->setChecked(true);
}

QStringList DockFrame::pages() const {
  QStringList ids;
  for (int i = 0; i < pages_->count(); ++i) ids << pages_->widget(i)->objectName();
  return ids;
}

void DockFrame::setTabText(const QString& id, const QString& text) { group_->button(pages_->indexOf(page(id)))->setText(text); }

void DockFrame::setCurrentPage(const QString& id) {
  pages_->setCurrentWidget(page(id));
  group_->button(pages_->currentIndex())->setChecked(true);
}

void DockFrame::addToTitle(QWidget* widget, int stretch) { bar_->insertWidget(insertAt_++, widget, stretch); }

}  // namespace fxs::ui
