// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/passes/passes_page.h"

#include <QHeaderView>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include "text/words.h"
#include "widgets/sign_delegate.h"
#include "widgets/stage_sign.h"

namespace fxs::ui {
namespace {

constexpr int kHandle = 16;           ///< side of the signs A and B, times the text scale
constexpr int kLeastRows = 2;         ///< of the list, below the timeline
constexpr int kCurrent = 34 * kGrid;  ///< width of the current pass, at most, likewise

class PassDelegate final : public SignDelegate {
 public:
  using SignDelegate::SignDelegate;

  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    ink(option, inkOf(index));
    if (index.column() == PassesModel::Name) {
      if (isStage(index)) option->font = appearance_.sans(TextSize::Body, QFont::DemiBold);
      const auto mark = static_cast<StageMark>(index.data(PassesModel::kMarkRole).toInt());
      const bool changed = isChanged(index);
      if (isStage(index) || stopped(mark)) sign(option, iconOf(mark), roleOf(mark));
      else sign(option, changed ? "node" : "minus", changed ? Role::Accent : Role::Skipped);
    }
    if (index.column() == PassesModel::Time)
      option->displayAlignment = Qt::AlignRight | Qt::AlignVCenter;
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    const int handles =
        index.column() == PassesModel::Handle ? index.data(PassesModel::kHandlesRole).toInt() : 0;
    if (handles == 0) return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(appearance_.sans(TextSize::Small, QFont::DemiBold));
    const int side = appearance_.scaled(kHandle);
    int x = option.rect.left() + 4;
    for (const int handle : {1, 2}) {
      if (!(handles & handle)) continue;
      const QRect at(x, option.rect.center().y() - side / 2 + 1, side, side);
      painter->setPen(Qt::NoPen);
      painter->setBrush(appearance_.color(Role::Accent));
      painter->drawRoundedRect(at, 4, 4);
      painter->setPen(appearance_.color(Role::OnAccent));
      painter->drawText(at, Qt::AlignCenter, handle == 1 ? "A" : "B");
      x += side + 2;
    }
    painter->restore();
  }

 private:
  static bool isStage(const QModelIndex& index) {
    return index.data(PassesModel::kPassRole).toInt() == PassesModel::kNoPass;
  }
  static bool isChanged(const QModelIndex& index) {
    return index.data(PassesModel::kChangedRole).toBool();
  }
  static Role inkOf(const QModelIndex& index) {
    const bool note = isStage(index) && index.column() == PassesModel::Anchor;
    if (index.data(PassesModel::kFailedRole).toBool() && !note) return Role::Error;
    const bool isStrong = isStage(index) || isChanged(index);
    const bool plain = index.column() == PassesModel::Name ||
                       (isChanged(index) && index.column() == PassesModel::Difference);
    return plain && isStrong ? Role::Text : Role::TextMuted;
  }
};

}  // namespace

PassesPage::PassesPage(Appearance& appearance, PassPresenter& passes, StopsPresenter& stops,
                       SessionPresenter& session, QWidget* parent)
    : TablePage(appearance, "Passes", "Filter passes", {}, parent),
      appearance_(appearance),
      passes_(passes),
      stops_(stops) {
  program_ = makeBoxed("All passes", "Return to all passes of the program", this);
  program_->hide();
  bar_->insertWidget(0, program_);
  filter()->setFixedWidth(appearance.scaled(16 * kGrid));
  hide_ = new QCheckBox("Hide unchanged", this);
  bar_->insertWidget(2, hide_);
  condition_ = makeFilter("Stop where …", this);
  condition_->setFixedWidth(appearance.scaled(22 * kGrid));
  bar_->insertWidget(3, condition_);
  found_ = makeLabel(appearance, {}, TextSize::Body, "muted", this);
  bar_->insertWidget(4, found_);
  summary_->setElideMode(Qt::ElideMiddle);
  bar_->setSpacing(kGrid / 2);
  leastForSummary_ = appearance.scaled(26 * kGrid);
  summary_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  progress_ = makeProgress("Progress of the trace", this);
  progress_->setMaximumWidth(40 * kGrid);
  middle_->insertWidget(2, progress_, 0, Qt::AlignHCenter);
  navigator_ = makeNavigator();
  static_cast<QVBoxLayout*>(layout())->insertWidget(1, navigator_);
  setRows(model_);
  view()->setItemDelegate(new PassDelegate(appearance, view()));
  view()->setTreePosition(PassesModel::Name);
  view()->setRootIsDecorated(true);
  view()->setIndentation(appearance.scaled(2 * kGrid));
  view()->header()->setMinimumSectionSize(2 * kGrid);
  view()->header()->resizeSection(PassesModel::Handle, 2 * appearance.scaled(kHandle) + 12);
  setWidths({{PassesModel::Name, 46}, {PassesModel::Difference, 24}, {PassesModel::Time, 9}}, 3);
  view()->viewport()->installEventFilter(this);
  connect(program_, &QToolButton::clicked, &passes, &PassPresenter::showProgram);
  connect(filter(), &QLineEdit::textChanged, &passes, &PassPresenter::setFilter);
  connect(hide_, &QCheckBox::toggled, &passes, &PassPresenter::setHideUnchanged);
  connect(messageButton(), &QPushButton::clicked, this, [this, &session] {
    if (passes_.state().running) session.cancelTrace();
    else session.trace();
  });
  connect(condition_, &QLineEdit::returnPressed, this,
          [this] { stops_.setCondition(condition_->text(), true); });
  connect(condition_, &QLineEdit::textChanged, this, [this](const QString& typed) {
    if (typed.isEmpty()) stops_.setCondition({});
  });
  connect(&stops, &StopsPresenter::changed, this, &PassesPage::refreshStops);
  connect(&passes, &PassPresenter::passesChanged, this, &PassesPage::refresh);
  connect(&passes, &PassPresenter::traceChanged, this, &PassesPage::refreshState);
  connect(&passes, &PassPresenter::stateChanged, this, &PassesPage::refreshState);
  connect(&passes, &PassPresenter::handlesChanged, this, [this] {
    model_.refreshHandles(passes_);
    follow();
    refreshCurrent();
    refreshStatus();
  });
  connect(&passes, &PassPresenter::diffChanged, this, &PassesPage::refreshStatus);
  connect(&passes, &PassPresenter::changeChanged, this, &PassesPage::refreshStatus);
  connect(&appearance, &Appearance::changed, view()->viewport(), qOverload<>(&QWidget::update));
  connect(view()->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& current) {
            if (!quiet_ && !pressed_ && current.isValid()) choose(current, {});
          });
  connect(&model_, &QAbstractItemModel::modelReset, view(), &QTreeView::expandAll);
  refresh();
  refreshStops();
}

QWidget* PassesPage::makeNavigator() {
  auto* navigator = new QWidget(this);
  auto* row = makeBox<QHBoxLayout>(kGrid / 2);
  row->setContentsMargins(kGrid, 0, kGrid, kGrid / 2);
  previous_ =
      new IconButton(appearance_, "back", "Previous pass that changed the module ([)", this);
  next_ = new IconButton(appearance_, "forward", "Next pass that changed the module (])", this);
  current_ = makeElided({}, appearance_.sans(TextSize::Body, QFont::DemiBold), {}, navigator,
                        Qt::ElideRight);
  timeline_ = new PassTimeline(appearance_, passes_, navigator);
  row->addWidget(previous_);
  row->addWidget(current_);
  row->addWidget(next_);
  row->addWidget(timeline_, 1);
  navigator->setLayout(row);
  heightOfNavigator_ = navigator->sizeHint().height();
  return navigator;
}

void PassesPage::resizeEvent(QResizeEvent* event) {
  TablePage::resizeEvent(event);
  current_->setFixedWidth(std::min(appearance_.scaled(kCurrent), width() / 3));
  fitNavigator();
}

/// A low page leaves out the names of stages, then the timeline, rather than rows of the list.
void PassesPage::fitNavigator() {
  const bool isAny = passes_.trace() && !passes_.state().running && !passes_.passes().empty();
  const int rows = kLeastRows * std::max(0, view()->sizeHintForRow(0));
  const int space = height() - bar_->heightForWidth(width()) -
                    view()->header()->sizeHint().height() -
                    view()->horizontalScrollBar()->sizeHint().height() - rows;
  timeline_->setNamed(true);
  timeline_->setNamed(navigator_->sizeHint().height() <= space);
  navigator_->setVisible(isAny && navigator_->sizeHint().height() <= space);
}

int PassesPage::heightForWidth(int width) const {
  return TablePage::heightForWidth(width) + (passes_.passes().empty() ? 0 : heightOfNavigator_);
}

void PassesPage::refreshCurrent() {
  const int pass = passes_.pass();
  if (pass < 0) return current_->setFullText("No pass is selected");
  const PassRow& row = passes_.passes()[static_cast<std::size_t>(pass)];
  current_->setFullText(
      QString("%1  %2   %3").arg(row.pass + 1).arg(row.name, passDifference(row)));
}

void PassesPage::refresh() {
  quiet_ = true;
  model_.refresh(passes_);
  quiet_ = false;
  if (hide_->isChecked() != passes_.hidesUnchanged()) hide_->setChecked(passes_.hidesUnchanged());
  refreshState();
  follow();
}

void PassesPage::refreshStops() {
  const QString condition = stops_.condition(), message = stops_.message();
  if (!condition.isEmpty() && condition_->text().trimmed() != condition)
    condition_->setText(condition);
  const bool isWrong = stops_.isWrong();
  found_->setText(isWrong ? QString("Not a condition") : message);
  found_->setToolTip(isWrong ? message : QString());
  setInk(found_, isWrong ? "error" : "muted");
  found_->setVisible(!message.isEmpty());
}

void PassesPage::refreshState() {
  const WorkState& state = passes_.state();
  const bool list = passes_.trace() != nullptr && !state.running;
  const bool none = list && model_.rowCount() == 0;
  fitNavigator();
  refreshCurrent();
  program_->setVisible(passes_.listed() != Listed::Program);
  filter()->setEnabled(list);
  hide_->setEnabled(list);
  condition_->setEnabled(list);
  QString message;
  if (none) message = passes_.filter().isEmpty() ? "No pass changed the module" : "No pass matches";
  else if (state.running)
    message = (state.step.isEmpty() ? QString("Tracing the passes") : state.step) + " …";
  else if (!list)
    message = state.message.isEmpty() ? QString("Passes are traced after the stages have run")
                                      : state.message;
  if (!message.isEmpty()) message[0] = message[0].toUpper();
  setMessage(message);
  showProgress(*progress_, state.running, state.fraction);
  messageButton()->setVisible(state.running || (!list && !state.message.isEmpty()));
  messageButton()->setText(state.running ? "Cancel" : "Try again");
  refreshStatus();
}

void PassesPage::refreshStatus() {
  if (!passes_.trace()) return setSummary({});
  if (passes_.from() < 0)
    return setSummary(
        "Select a pass to see what it did; ] and [ go to the next and previous that changed the "
        "module");
  QString message = QString("A  %1     B  %2")
                        .arg(passes_.titleOf(passes_.from()), passes_.titleOf(passes_.to()));
  const PassRow* row =
      passes_.pass() < 0 ? nullptr : &passes_.passes()[static_cast<std::size_t>(passes_.pass())];
  if (row && !row->ran)
    message = row->name + (row->skipped ? " is left out of this lowering"
                                        : " was not run: the pipeline stopped earlier");
  else if (passes_.from() == passes_.to()) message += "     the same module";
  else if (!passes_.diff()) message += "     comparing …";
  else {
    message += "     " + ui::summary(*passes_.diff());
    if (passes_.change() >= 0)
      message += QString("     change %1 of %2")
                     .arg(passes_.change() + 1)
                     .arg(passes_.diff()->changes.size());
  }
  setSummary(message);
}

void PassesPage::follow() {
  const QModelIndex at = model_.indexOf(passes_.pass());
  if (!at.isValid() || view()->currentIndex().siblingAtColumn(0) != at) showRow(at, true);
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
  if (watched != view()->viewport() ||
      (event->type() != QEvent::MouseButtonPress && event->type() != QEvent::MouseButtonRelease))
    return TablePage::eventFilter(watched, event);
  const auto* mouse = static_cast<QMouseEvent*>(event);
  if (mouse->button() != Qt::LeftButton) return false;
  const QModelIndex at = view()->indexAt(mouse->pos());
  pressed_ = event->type() == QEvent::MouseButtonPress;
  if (pressed_) {
    const int handles =
        at.column() == PassesModel::Handle ? at.data(PassesModel::kHandlesRole).toInt() : 0;
    dragged_ = handles;
    if (handles == 3) {
      // If both are at one pass, B is on the right.
      const int x = mouse->pos().x() - view()->columnViewportPosition(PassesModel::Handle);
      dragged_ = x > view()->columnWidth(PassesModel::Handle) / 2 ? 2 : 1;
    }
    if (dragged_ == 0 && at.isValid()) choose(at, mouse->modifiers());
    return false;
  }
  if (dragged_ == 0 || !at.isValid() ||
      at.data(PassesModel::kPassRole).toInt() == PassesModel::kNoPass)
    return false;
  const int pass = at.data(PassesModel::kPassRole).toInt();
  if (dragged_ == 1) passes_.setFromAfter(pass);
  else passes_.setToAfter(pass);
  dragged_ = 0;
  Q_EMIT passActivated(pass);
  return false;
}

}  // namespace fxs::ui
