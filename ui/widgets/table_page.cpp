// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/table_page.h"

#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>

#include "widgets/in_view.h"
#include "widgets/sign_delegate.h"

namespace fxs::ui {
namespace {

constexpr int kNarrowColumn = 12;  ///< columns up to it keep their width, in units of kGrid
constexpr int kMostRows = 40;      ///< that make a page higher
constexpr int kLeastBeside = 4;    ///< rows of a page that has something beside its table
constexpr int kWidestFilter = 28 * kGrid;
constexpr int kHigh =
    40 * kGrid;  ///< height of a page for two tables, one above the other, times the text scale
constexpr int kSummary =
    10 * kGrid;  ///< width of the summary beside buttons, at least, times the text scale

}  // namespace

void TablePage::setSummary(const QString& text) {
  summary_->setFullText(text);
  showSummary();
}

TablePage::TablePage(Appearance& appearance, const QString& name, const QString& filter,
                     const QString& button, QWidget* parent)
    : QWidget(parent), appearance_(appearance) {
  auto* column = makeBox<QVBoxLayout>(0);
  bar_ = new FlowLayout(kGrid, {kGrid, kGrid / 2, kGrid, kGrid / 2});
  if (!filter.isEmpty()) {
    filter_ = makeFilter(filter, this);
    filter_->setFixedWidth(std::min(appearance.scaled(20 * kGrid), kWidestFilter));
    bar_->addWidget(filter_);
  }
  summary_ = makeElided({}, appearance.sans(TextSize::Body), "muted", this, Qt::ElideRight);
  bar_->addFilling(summary_, appearance.scaled(kSummary));
  column->addLayout(bar_);
  stack_ = new QStackedWidget(this);
  stack_->setMinimumHeight(1);  // a low page cuts its table, not its bar
  view_ = makeTable(name, stack_);
  stack_->addWidget(view_);
  auto* scroll = new QScrollArea(stack_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  auto* instead = new QWidget(scroll);
  instead->setProperty("surface", true);
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
  scroll->setWidget(instead);
  stack_->addWidget(scroll);
  column->addWidget(stack_, 1);
  setLayout(column);
  setFocusProxy(view_);
  view_->viewport()->installEventFilter(this);
  connect(view_->header(), &QHeaderView::sectionResized, this, [this] {
    if (!fitting_ && view_->header()->isVisible() &&
        QGuiApplication::mouseButtons() != Qt::NoButton)
      widths_.clear();
  });
  for (const auto changed : {&QTreeView::expanded, &QTreeView::collapsed})
    connect(view_, changed, this, [this] { updateGeometry(); });
}

int TablePage::heightForWidth(int width) const {
  const int bar = bar_->heightForWidth(width);
  if (!message().isEmpty()) return bar + middle_->totalHeightForWidth(width);
  int rows = 0, height = 0;
  for (QModelIndex at = view_->model()->index(0, 0); at.isValid() && rows < kMostRows;
       at = view_->indexBelow(at), ++rows)
    height += view_->sizeHintForIndex(at).height();
  if (both_ && rows > 0)
    height = std::max(height,
                      kLeastBeside * view_->sizeHintForIndex(view_->model()->index(0, 0)).height());
  const QScrollBar* below = view_->horizontalScrollBar();
  return bar + view_->header()->sizeHint().height() + height +
         (below->isVisible() ? below->height() : 0) + kGrid;
}

void TablePage::setRows(QAbstractItemModel& rows) {
  view_->setModel(&rows);
  keepSelectedInView(*view_);
  view_->header()->setStretchLastSection(true);
  for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(&rows, changed, this, [this] { updateGeometry(); });
  connect(&rows, &QAbstractItemModel::modelReset, this, [this] { updateGeometry(); });
  connect(view_, &QTreeView::clicked, this, &TablePage::chosen);
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& current) {
            // On focus, a view makes its first row current without selecting it; ignore that.
            if (!quiet_ && view_->hasFocus() && view_->selectionModel()->isSelected(current))
              Q_EMIT chosen(current);
          });
}

void TablePage::showRow(const QModelIndex& row, bool scroll) {
  const QScopedValueRollback isQuiet(quiet_, true);
  selectRow(*view_, row, scroll);
}

void TablePage::setFilteredRows(QAbstractItemModel& rows, int column, int role,
                                std::function<void()> typed) {
  proxy_.setSourceModel(&rows);
  proxy_.setFilterCaseSensitivity(Qt::CaseInsensitive);
  proxy_.setFilterKeyColumn(column);
  proxy_.setFilterRole(role);
  setRows(proxy_);
  connect(filter_, &QLineEdit::textChanged, this,
          [this, typed = std::move(typed)](const QString& text) {
            proxy_.setFilterFixedString(text.trimmed());
            typed();
          });
}

void TablePage::setWidths(std::vector<std::pair<int, int>> widths, int leastOfLast) {
  widths_ = std::move(widths);
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
    if (std::none_of(widths_.begin(), widths_.end(),
                     [i](const auto& each) { return each.first == i; }))
      others += header->sectionSize(i);
  const double left = view_->viewport()->width() - others - fixed * unit();
  const double factor = std::clamp(left / (wide * unit()), 0.25, 1.0);
  fitting_ = true;
  for (const auto& [column, width] : widths_)
    view_->header()->resizeSection(
        column, static_cast<int>(width * unit() * (width > kNarrowColumn ? factor : 1)));
  fitting_ = false;
}

bool TablePage::eventFilter(QObject* watched, QEvent* event) {
  // Later, because the header is resized after the view.
  if (watched == view_->viewport() && event->type() == QEvent::Resize)
    QMetaObject::invokeMethod(this, &TablePage::fitColumns, Qt::QueuedConnection);
  if (watched == this && event->type() == QEvent::LayoutRequest) fitBar();
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
        if (!each->isHidden()) continue;
        QAction* action = more_->menu()->addAction(each->text());
        action->setEnabled(each->isEnabled());
        connect(action, &QAction::triggered, each, &QToolButton::click);
      }
    });
    bar_->addWidget(more_);
    installEventFilter(this);
  }
  secondary_.push_back(button);
  fitBar();
}

void TablePage::fitBar() {
  if (!more_) return;
  const auto isSecondary = [this](const QWidget* each) {
    return std::find(secondary_.begin(), secondary_.end(), each) != secondary_.end();
  };
  int left = width() - kGrid;
  for (int i = 0; i < bar_->count(); ++i) {
    const QWidget* each = bar_->itemAt(i)->widget();
    if (each == more_ || each->isHidden() || isSecondary(each)) continue;
    left -= (each == summary_ ? appearance_.scaled(kSummary) : each->sizeHint().width()) + kGrid;
  }
  int wanted = 0;
  for (const QToolButton* button : secondary_) wanted += button->sizeHint().width() + kGrid;
  const int more = more_->sizeHint().width() + kGrid;
  // Where not even "More" fits, there is another row, in which they may fit.
  const bool all = wanted <= left || (left < more && wanted <= width() - kGrid);
  if (!all) left -= more;
  for (QToolButton* button : secondary_) {
    left -= button->sizeHint().width() + kGrid;
    button->setVisible(all || left >= 0);
  }
  more_->setVisible(!all);
}

void TablePage::showSummary() {
  summary_->setVisible(!summary_->fullText().isEmpty() && height() >= leastForSummary_);
}

void TablePage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showSummary();
  fitBar();
  if (both_)
    both_->setOrientation(height() > width() / 2 && height() > appearance_.scaled(kHigh)
                              ? Qt::Vertical
                              : Qt::Horizontal);
}

void TablePage::setMessage(const QString& text) {
  message_->setText(text);
  stack_->setCurrentIndex(text.isEmpty() ? 0 : 1);
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
  both_->setSizes({4000, 5000});
  stack_->insertWidget(0, both_);
  stack_->setCurrentIndex(0);
}

}  // namespace fxs::ui
