#include "widgets/table_page.h"

#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <algorithm>

#include "widgets/sign_delegate.h"

namespace fxs::ui {
namespace {

constexpr int kNarrowColumn = 12;     ///< columns up to it keep their width, in units of kGrid
constexpr int kMostRows = 40;         ///< that make a page higher
constexpr int kHigh = 40 * kGrid;     ///< height of a page for two tables, one above the other
constexpr int kSummary = 26 * kGrid;  ///< width of the summary beside buttons, at least

}  // namespace

TablePage::TablePage(Appearance& appearance, const QString& name, const QString& filter, const QString& button, QWidget* parent)
    : QWidget(parent), appearance_(appearance) {
  auto* column = makeBox<QVBoxLayout>(0);
  bar_ = new FlowLayout(kGrid, {kGrid, kGrid / 2, kGrid, kGrid / 2});
  if (!filter.isEmpty()) {
    filter_ = makeFilter(filter, this);
    filter_->setFixedWidth(28 * kGrid);
    bar_->addWidget(filter_);
  }
  summary_ = makeElided({}, appearance.sans(TextSize::Body), "muted", this, Qt::ElideRight);
  bar_->addFilling(summary_, kSummary / 2);
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
  view_->viewport()->installEventFilter(this);
  connect(view_->header(), &QHeaderView::sectionResized, this, [this] {
    if (!fitting_ && view_->header()->isVisible() && QGuiApplication::mouseButtons() != Qt::NoButton) widths_.clear();
  });
  for (const auto changed : {&QTreeView::expanded, &QTreeView::collapsed}) connect(view_, changed, this, [this] { updateGeometry(); });
}

int TablePage::heightForWidth(int width) const {
  const int bar = bar_->heightForWidth(width);
  if (!message().isEmpty()) return bar + stack_->widget(1)->layout()->totalHeightForWidth(width);
  int rows = 0, height = 0;
  for (QModelIndex at = view_->model()->index(0, 0); at.isValid() && rows < kMostRows; at = view_->indexBelow(at), ++rows)
    height += view_->sizeHintForIndex(at).height();
  const QScrollBar* below = view_->horizontalScrollBar();
  return bar + view_->header()->sizeHint().height() + height + (below->isVisible() ? below->height() : 0) + kGrid;
}

void TablePage::setRows(QAbstractItemModel& rows) {
  view_->setModel(&rows);
  view_->header()->setStretchLastSection(true);
  for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(&rows, changed, this, [this] { updateGeometry(); });
  connect(&rows, &QAbstractItemModel::modelReset, this, [this] { updateGeometry(); });
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

void TablePage::setWidths(std::initializer_list<std::pair<int, int>> widths, int leastOfLast) {
  widths_ = widths;
  leastOfLast_ = leastOfLast;
  fitColumns();
}

void TablePage::fitColumns() {
  if (widths_.empty()) return;
  const QHeaderView* header = view_->header();
  int fixed = leastOfLast_, wide = 0;
  for (const auto& [column, width] : widths_) (width > kNarrowColumn ? wide : fixed) += width;
  int others = 0;
  for (int i = 0; i < header->count() - 1; ++i)
    if (std::none_of(widths_.begin(), widths_.end(), [i](const auto& each) { return each.first == i; })) others += header->sectionSize(i);
  const double left = view_->viewport()->width() - others - fixed * unit();
  const double factor = std::clamp(left / (wide * unit()), 0.3, 1.0);
  fitting_ = true;
  for (const auto& [column, width] : widths_)
    view_->header()->resizeSection(column, static_cast<int>(width * unit() * (width > kNarrowColumn ? factor : 1)));
  fitting_ = false;
}

bool TablePage::eventFilter(QObject* watched, QEvent* event) {
  // Later, because the header is resized after the view.
  if (watched == view_->viewport() && event->type() == QEvent::Resize)
    QMetaObject::invokeMethod(this, &TablePage::fitColumns, Qt::QueuedConnection);
  return QWidget::eventFilter(watched, event);
}

QToolButton* TablePage::addButton(const QString& text, const QString& tip) {
  QToolButton* button = makeBoxed(text, tip, this);
  bar_->insertWidget(more_ ? bar_->indexOf(more_) : bar_->count(), button);
  return button;
}

void TablePage::setSecondary(QToolButton* button) {
  if (!more_) {
    more_ = makeBoxed("More", "More actions", this);
    more_->setPopupMode(QToolButton::InstantPopup);
    more_->setMenu(new QMenu(more_));
    connect(more_->menu(), &QMenu::aboutToShow, this, [this] {
      more_->menu()->clear();
      for (QToolButton* each : secondary_) {
        QAction* action = more_->menu()->addAction(each->text());
        action->setEnabled(each->isEnabled());
        connect(action, &QAction::triggered, each, &QToolButton::click);
      }
    });
    bar_->addWidget(more_);
  }
  secondary_.push_back(button);
  fitBar();
}

void TablePage::fitBar() {
  if (!more_) return;
  int needed = kSummary + 2 * kGrid;
  for (const QToolButton* button : findChildren<QToolButton*>(Qt::FindDirectChildrenOnly))
    if (button != more_ && (!button->isHidden() || std::find(secondary_.begin(), secondary_.end(), button) != secondary_.end()))
      needed += button->sizeHint().width() + kGrid;
  const bool fits = needed <= width();
  more_->setVisible(!fits);
  for (QToolButton* button : secondary_) button->setVisible(fits);
}

void TablePage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitBar();
  if (both_) both_->setOrientation(height() > width() / 2 && height() > kHigh ? Qt::Vertical : Qt::Horizontal);
}

void TablePage::setMessage(const QString& words) {
  message_->setText(words);
  stack_->setCurrentIndex(words.isEmpty() ? 0 : 1);
  updateGeometry();
}

void TablePage::addBeside(QWidget* widget) {
  both_ = new QSplitter(stack_);
  stack_->removeWidget(view_);
  both_->addWidget(view_);
  view_->show();  // the stack hid it
  both_->addWidget(widget);
  both_->setChildrenCollapsible(false);
  both_->setStretchFactor(0, 4);
  both_->setStretchFactor(1, 5);
  stack_->insertWidget(0, both_);
  stack_->setCurrentIndex(0);
}

}  // namespace fxs::ui
