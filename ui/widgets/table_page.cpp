#include "widgets/table_page.h"

#include <QHeaderView>
#include <QSplitter>

#include "widgets/sign_delegate.h"

namespace fxs::ui {

TablePage::TablePage(Appearance& appearance, const QString& name, const QString& filter, const QString& button, QWidget* parent)
    : QWidget(parent) {
  auto* column = makeBox<QVBoxLayout>(0);
  bar_ = makeBox<QHBoxLayout>(kGrid);
  bar_->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
  if (!filter.isEmpty()) {
    filter_ = makeFilter(filter, this);
    filter_->setFixedWidth(28 * kGrid);
    bar_->addWidget(filter_);
  }
  summary_ = makeElided({}, appearance.sans(TextSize::Body), "muted", this, Qt::ElideRight);
  bar_->addWidget(summary_, 1);
  column->addLayout(bar_);
  stack_ = new QStackedWidget(this);
  view_ = makeTable(name, stack_);
  stack_->addWidget(view_);
  auto* instead = new QWidget(stack_);
  middle_ = makeBox<QVBoxLayout>(kGrid, 2 * kGrid);
  message_ = makeLabel(appearance, {}, TextSize::Body, "muted", instead);
  message_->setAlignment(Qt::AlignCenter);
  message_->setWordWrap(true);
  messageButton_ = new QPushButton(button, instead);
  middle_->addStretch(1);
  middle_->addWidget(message_);
  middle_->addWidget(messageButton_, 0, Qt::AlignHCenter);
  middle_->addStretch(1);
  instead->setLayout(middle_);
  stack_->addWidget(instead);
  column->addWidget(stack_, 1);
  setLayout(column);
  setFocusProxy(view_);
}

void TablePage::setRows(QAbstractItemModel& rows) {
  view_->setModel(&rows);
  view_->header()->setStretchLastSection(true);
  connect(view_, &QTreeView::clicked, this, &TablePage::chosen);
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
    // On focus, a view makes its first row current without selecting it; ignore that.
    if (view_->hasFocus() && view_->selectionModel()->isSelected(current)) Q_EMIT chosen(current);
  });
}

void TablePage::setFilteredRows(QAbstractItemModel& rows, int column, int role, std::function<void()> typed) {
  proxy_.setSourceModel(&rows);
  proxy_.setFilterCaseSensitivity(Qt::CaseInsensitive);
  proxy_.setFilterKeyColumn(column);
  proxy_.setFilterRole(role);
  setRows(proxy_);
  connect(filter_, &QLineEdit::textChanged, this, [this, typed = std::move(typed)](const QString& text) {
    proxy_.setFilterFixedString(text.trimmed());
    typed();
  });
}

void TablePage::setWidths(std::initializer_list<std::pair<int, int>> widths) {
  for (const auto& [column, width] : widths) view_->header()->resizeSection(column, width * kGrid);
}

QToolButton* TablePage::addButton(const QString& text, const QString& tip) {
  QToolButton* button = makeBoxed(text, tip, this);
  bar_->addWidget(button);
  return button;
}

void TablePage::setMessage(const QString& words) {
  message_->setText(words);
  stack_->setCurrentIndex(words.isEmpty() ? 0 : 1);
}

void TablePage::addBeside(QWidget* widget) {
  auto* both = new QSplitter(stack_);
  stack_->removeWidget(view_);
  both->addWidget(view_);
  view_->show();  // the stack hid it
  both->addWidget(widget);
  both->setChildrenCollapsible(false);
  both->setStretchFactor(0, 4);
  both->setStretchFactor(1, 5);
  stack_->insertWidget(0, both);
  stack_->setCurrentIndex(0);
}

}  // namespace fxs::ui
