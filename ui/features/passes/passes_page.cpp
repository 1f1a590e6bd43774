#include "features/passes/passes_page.h"

#include <QHeaderView>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

#include "features/stages/stages_model.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr int kHandle = 16;

class PassDelegate final : public QStyledItemDelegate {
 public:
  PassDelegate(Appearance& appearance, QObject* parent) : QStyledItemDelegate(parent), appearance_(appearance) {}

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return {QStyledItemDelegate::sizeHint(option, index).width(), kRowHeight};
  }

  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const bool stage = index.data(PassesModel::kPassRole).toInt() == PassesModel::kNoPass;
    const bool failed = index.data(PassesModel::kFailedRole).toBool();
    const bool changed = index.data(PassesModel::kChangedRole).toBool();
    const bool note = stage && index.column() == PassesModel::Anchor;
    Role ink = failed && !note ? Role::Error : stage || changed ? Role::Text : Role::TextMuted;
    if (index.column() != PassesModel::Name && (!failed || note))
      ink = changed && index.column() == PassesModel::Difference ? Role::Text : Role::TextMuted;
    option->palette.setColor(QPalette::Text, appearance_.color(ink));
    option->palette.setColor(QPalette::HighlightedText, appearance_.color(ink));
    if (index.column() == PassesModel::Name) {
      if (stage) option->font = appearance_.sans(TextSize::Body, QFont::DemiBold);
      option->features |= QStyleOptionViewItem::HasDecoration;
      option->decorationSize = {14, 14};
      const auto mark = static_cast<StageMark>(index.data(PassesModel::kMarkRole).toInt());
      option->icon = failed    ? appearance_.icon("error", Role::Error)
                     : stage   ? appearance_.icon(iconOf(mark), mark == StageMark::Ok ? Role::Success : Role::Skipped)
                     : changed ? appearance_.icon("node", Role::Accent)
                               : appearance_.icon("minus", Role::Skipped);
    }
    if (index.column() == PassesModel::Time) option->displayAlignment = Qt::AlignRight | Qt::AlignVCenter;
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    const int handles = index.column() == PassesModel::Handle ? index.data(PassesModel::kHandlesRole).toInt() : 0;
    if (handles == 0) return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(appearance_.sans(TextSize::Small, QFont::DemiBold));
    int x = option.rect.left() + 4;
    for (const int handle : {1, 2}) {
      if (!(handles & handle)) continue;
      const QRect at(x, option.rect.center().y() - kHandle / 2 + 1, kHandle, kHandle);
      painter->setPen(Qt::NoPen);
      painter->setBrush(appearance_.color(Role::Accent));
      painter->drawRoundedRect(at, 4, 4);
      painter->setPen(appearance_.color(Role::OnAccent));
      painter->drawText(at, Qt::AlignCenter, handle == 1 ? "A" : "B");
      x += kHandle + 2;
    }
    painter->restore();
  }

 private:
  Appearance& appearance_;
};

}  // namespace

PassesPage::PassesPage(Appearance& appearance, PassPresenter& passes, SessionPresenter& session, QWidget* parent)
    : QWidget(parent), appearance_(appearance), passes_(passes) {
  auto* column = makeBox<QVBoxLayout>(0);
  auto* bar = makeBox<QHBoxLayout>(kGrid);
  bar->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
  filter_ = new QLineEdit(this);
  filter_->setPlaceholderText("Filter passes");
  filter_->setAccessibleName("Filter passes");
  filter_->setClearButtonEnabled(true);
  filter_->setFixedWidth(28 * kGrid);
  hide_ = new QCheckBox("Hide unchanged", this);
  status_ = new ElidedLabel(this, Qt::ElideMiddle);
  status_->setProperty("ink", "muted");
  status_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  program_ = new QToolButton(this);
  program_->setProperty("boxed", true);
  program_->setText("All passes");
  program_->setToolTip("The passes of the program again, instead of the rewrites of one node");
  program_->hide();
  connect(program_, &QToolButton::clicked, &passes, &PassPresenter::showProgram);
  bar->addWidget(program_);
  bar->addWidget(filter_);
  bar->addWidget(hide_);
  bar->addWidget(status_, 1);
  column->addLayout(bar);

  pages_ = new QStackedWidget(this);
  view_ = new QTreeView(pages_);
  view_->setModel(&model_);
  view_->setAccessibleName("Passes");
  view_->setItemDelegate(new PassDelegate(appearance, view_));
  view_->setTreePosition(PassesModel::Name);
  view_->setUniformRowHeights(true);
  view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  view_->setIndentation(2 * kGrid);
  view_->header()->setStretchLastSection(true);
  view_->header()->setMinimumSectionSize(2 * kGrid);
  view_->header()->resizeSection(PassesModel::Handle, 2 * kHandle + 12);
  view_->header()->resizeSection(PassesModel::Name, 46 * kGrid);
  view_->header()->resizeSection(PassesModel::Difference, 24 * kGrid);
  view_->header()->resizeSection(PassesModel::Time, 9 * kGrid);
  view_->viewport()->installEventFilter(this);
  empty_ = new QWidget(pages_);
  auto* middle = makeBox<QVBoxLayout>(kGrid, 2 * kGrid);
  message_ = makeLabel(appearance, {}, TextSize::Body, "muted", empty_);
  message_->setAlignment(Qt::AlignCenter);
  message_->setWordWrap(true);
  progress_ = new QProgressBar(empty_);
  progress_->setTextVisible(false);
  progress_->setFixedWidth(40 * kGrid);
  progress_->setAccessibleName("Progress of the trace");
  button_ = new QPushButton(empty_);
  middle->addStretch(1);
  middle->addWidget(message_);
  middle->addWidget(progress_, 0, Qt::AlignHCenter);
  middle->addWidget(button_, 0, Qt::AlignHCenter);
  middle->addStretch(1);
  empty_->setLayout(middle);
  pages_->addWidget(view_);
  pages_->addWidget(empty_);
  column->addWidget(pages_, 1);
  setLayout(column);

  connect(filter_, &QLineEdit::textChanged, &passes, &PassPresenter::setFilter);
  connect(hide_, &QCheckBox::toggled, &passes, &PassPresenter::setHideUnchanged);
  connect(button_, &QPushButton::clicked, this, [this, &session] {
    if (passes_.state().tracing) session.cancelTrace();
    else session.trace();
  });
  connect(&passes, &PassPresenter::passesChanged, this, &PassesPage::refresh);
  connect(&passes, &PassPresenter::traceChanged, this, &PassesPage::refreshState);
  connect(&passes, &PassPresenter::stateChanged, this, &PassesPage::refreshState);
  connect(&passes, &PassPresenter::handlesChanged, this, [this] {
    model_.refreshHandles(passes_);
    follow();
    refreshStatus();
  });
  connect(&passes, &PassPresenter::diffChanged, this, &PassesPage::refreshStatus);
  connect(&passes, &PassPresenter::changeChanged, this, &PassesPage::refreshStatus);
  connect(&appearance, &Appearance::changed, view_->viewport(), qOverload<>(&QWidget::update));
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
    if (!quiet_ && !pressed_ && current.isValid()) choose(current, {});
  });
  connect(&model_, &QAbstractItemModel::modelReset, view_, &QTreeView::expandAll);
  setFocusProxy(view_);
  refresh();
}

void PassesPage::refresh() {
  quiet_ = true;
  model_.refresh(passes_);
  quiet_ = false;
  if (hide_->isChecked() != passes_.hidesUnchanged()) hide_->setChecked(passes_.hidesUnchanged());
  refreshState();
  follow();
}

void PassesPage::refreshState() {
  const TraceProgress& state = passes_.state();
  const bool list = passes_.trace() != nullptr && !state.tracing;
  const bool none = list && model_.rowCount() == 0;
  pages_->setCurrentWidget(list && !none ? static_cast<QWidget*>(view_) : empty_);
  program_->setVisible(passes_.showsRewrites());
  filter_->setEnabled(list);
  hide_->setEnabled(list);
  QString words = none            ? (passes_.filter().isEmpty() ? QString("No pass changed anything") : QString("No pass has that name"))
                  : state.tracing ? (state.what.isEmpty() ? QString("Tracing the passes") : state.what) + " …"
                  : state.why.isEmpty() ? QString("The passes are traced once the stages have run")
                                        : state.why;
  if (!words.isEmpty()) words[0] = words[0].toUpper();
  message_->setText(words);
  progress_->setVisible(state.tracing);
  progress_->setRange(0, state.fraction < 0 ? 0 : 1000);
  if (state.fraction >= 0) progress_->setValue(static_cast<int>(state.fraction * 1000));
  button_->setVisible(state.tracing || (!list && !state.why.isEmpty()));
  button_->setText(state.tracing ? "Cancel" : "Try again");
  refreshStatus();
}

void PassesPage::refreshStatus() {
  if (!passes_.trace()) return status_->setFullText({});
  if (passes_.from() < 0)
    return status_->setFullText("Choose a pass to see what it did: ] and [ go from one that changed something to the next");
  QString words = QString("A  %1     B  %2").arg(passes_.titleOf(passes_.from()), passes_.titleOf(passes_.to()));
  if (passes_.pass() >= 0 && !passes_.passes()[static_cast<std::size_t>(passes_.pass())].ran)
    words = QString("%1 did not run: the pipeline stopped before it").arg(passes_.passes()[static_cast<std::size_t>(passes_.pass())].name);
  else if (passes_.from() == passes_.to()) words += "     the same module";
  else if (!passes_.diff()) words += "     comparing …";
  else {
    words += "     " + summary(passes_.diff()->diff);
    if (passes_.change() >= 0) words += QString("     change %1 of %2").arg(passes_.change() + 1).arg(passes_.diff()->changes.size());
  }
  status_->setFullText(words);
}

void PassesPage::follow() {
  const QModelIndex at = model_.indexOf(passes_.pass());
  quiet_ = true;
  if (!at.isValid()) {
    view_->selectionModel()->clear();
  } else if (view_->currentIndex().siblingAtColumn(0) != at) {
    view_->selectionModel()->setCurrentIndex(at, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    bringIntoView();
  }
  quiet_ = false;
}

void PassesPage::bringIntoView() {
  const QModelIndex at = model_.indexOf(passes_.pass());
  const QRect shown = view_->visualRect(at);
  if (at.isValid() && (shown.isEmpty() || !view_->viewport()->rect().contains(shown)))
    view_->scrollTo(at, QAbstractItemView::PositionAtCenter);
}

void PassesPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  // Rows have their places only once the page is laid out.
  QTimer::singleShot(0, this, [this] {
    view_->scrollToTop();
    bringIntoView();
  });
}

void PassesPage::choose(const QModelIndex& index, Qt::KeyboardModifiers modifiers) {
  const int pass = index.data(PassesModel::kPassRole).toInt();
  if (pass == PassesModel::kNoPass) return;
  if (modifiers & Qt::ShiftModifier) passes_.setFromAfter(pass);
  else if (modifiers & Qt::ControlModifier) passes_.setToAfter(pass);
  else if (pass < 0) passes_.setHandles(0, 0);
  else passes_.choose(pass);
  Q_EMIT passActivated(pass);
}

bool PassesPage::eventFilter(QObject* watched, QEvent* event) {
  if (watched != view_->viewport()) return QWidget::eventFilter(watched, event);
  if (event->type() != QEvent::MouseButtonPress && event->type() != QEvent::MouseButtonRelease) return false;
  const auto* mouse = static_cast<QMouseEvent*>(event);
  if (mouse->button() != Qt::LeftButton) return false;
  const QModelIndex at = view_->indexAt(mouse->pos());
  pressed_ = event->type() == QEvent::MouseButtonPress;
  if (pressed_) {
    const int handles = at.column() == PassesModel::Handle ? at.data(PassesModel::kHandlesRole).toInt() : 0;
    // Where both stand on one pass, B is the one on the right.
    dragged_ = handles == 3 ? (mouse->pos().x() - view_->columnViewportPosition(PassesModel::Handle) > kHandle + 4 ? 2 : 1) : handles;
    if (dragged_ == 0 && at.isValid()) choose(at, mouse->modifiers());
    return false;
  }
  if (dragged_ == 0 || !at.isValid() || at.data(PassesModel::kPassRole).toInt() == PassesModel::kNoPass) return false;
  const int pass = at.data(PassesModel::kPassRole).toInt();
  if (dragged_ == 1) passes_.setFromAfter(pass);
  else passes_.setToAfter(pass);
  dragged_ = 0;
  Q_EMIT passActivated(pass);
  return false;
}

}  // namespace fxs::ui
