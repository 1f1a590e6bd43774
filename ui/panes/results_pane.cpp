#include "panes/results_pane.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "panes/controls.h"
#include "presenters/words.h"

namespace fxs::ui {
namespace {

constexpr int kRowHeight = 3 * kGrid;

Role roleOf(StageMark mark) {
  switch (mark) {
    case StageMark::Failed:
    case StageMark::Crashed:
    case StageMark::Timeout: return Role::Error;
    case StageMark::Running: return Role::Accent;
    case StageMark::Ok: return Role::Success;
    default: return Role::Skipped;
  }
}

class SignDelegate : public QStyledItemDelegate {
 public:
  SignDelegate(Appearance& appearance, QObject* parent) : QStyledItemDelegate(parent), appearance_(appearance) {}
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return {QStyledItemDelegate::sizeHint(option, index).width(), kRowHeight};
  }

 protected:
  void sign(QStyleOptionViewItem* option, const QString& icon, Role role) const {
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->icon = appearance_.icon(icon, role);
    option->decorationSize = {14, 14};
  }
  void ink(QStyleOptionViewItem* option, Role role) const {
    option->palette.setColor(QPalette::Text, appearance_.color(role));
    option->palette.setColor(QPalette::HighlightedText, appearance_.color(role));
  }
  Appearance& appearance_;
};

class StageDelegate final : public SignDelegate {
  using SignDelegate::SignDelegate;
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const auto mark = static_cast<StageMark>(index.data(StagesModel::kMarkRole).toInt());
    if (index.column() == StagesModel::Title) sign(option, iconOf(mark), roleOf(mark));
    else if (index.column() == StagesModel::Status && roleOf(mark) == Role::Error) ink(option, Role::Error);
    else ink(option, Role::TextMuted);
    if (index.column() == StagesModel::Time) option->displayAlignment = Qt::AlignRight | Qt::AlignVCenter;
  }
};

class ProblemDelegate final : public SignDelegate {
  using SignDelegate::SignDelegate;
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() != ProblemsModel::Message) return ink(option, Role::TextMuted);
    const auto severity = static_cast<fx::Severity>(index.data(ProblemsModel::kSeverityRole).toInt());
    if (severity == fx::Severity::Error) sign(option, "error", Role::Error);
    else if (severity == fx::Severity::Warning) sign(option, "warning", Role::Warning);
    else sign(option, "note", Role::TextMuted);
  }
};

QTreeView* makeTable(QAbstractItemModel& model, const QString& name, QWidget* parent) {
  auto* view = new QTreeView(parent);
  view->setModel(&model);
  view->setAccessibleName(name);
  view->setRootIsDecorated(false);
  view->setUniformRowHeights(true);
  view->setEditTriggers(QAbstractItemView::NoEditTriggers);
  view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  return view;
}

}  // namespace

StagesPage::StagesPage(Appearance& appearance, StagePresenter& stages, QWidget* parent) : QWidget(parent), stages_(stages) {
  auto* box = makeBox<QVBoxLayout>(0);
  auto* splitter = new QSplitter(Qt::Horizontal, this);
  view_ = makeTable(model_, "Stages", splitter);
  view_->setItemDelegate(new StageDelegate(appearance, view_));
  view_->header()->setStretchLastSection(true);
  detail_ = new CodeView(appearance, splitter);
  detail_->setAccessibleName("What the engine was asked and said");
  detail_->setPlain(true);
  detail_->setWrap(true);
  detail_->setZoom(11);
  splitter->addWidget(view_);
  splitter->addWidget(detail_);
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 2);
  splitter->setChildrenCollapsible(false);
  box->addWidget(splitter);
  setLayout(box);
  connect(&stages, &StagePresenter::stagesChanged, this, &StagesPage::refresh);
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, &StagesPage::showDetail);
  connect(view_, &QTreeView::activated, this,
          [this](const QModelIndex& index) { emit stageActivated(index.data(StagesModel::kStageIdRole).toString()); });
  refresh();
  view_->header()->resizeSection(StagesModel::Title, 200);
  view_->header()->resizeSection(StagesModel::Status, 88);
  view_->header()->resizeSection(StagesModel::Time, 72);
}

void StagesPage::refresh() {
  std::vector<Stage> rows = stages_.steps();
  for (const Stage& stage : stages_.stages())
    if (stage.id != "fx" && stage.id != "rewritten") rows.push_back(stage);
  model_.setStages(std::move(rows));
  showDetail();
}

void StagesPage::showDetail() {
  // The chosen stage's words, or those of the first that failed.
  const QModelIndex current = view_->currentIndex();
  const std::vector<Stage>& rows = model_.stages();
  const Stage* shown =
      current.isValid() && current.row() < static_cast<int>(rows.size()) ? &rows[static_cast<std::size_t>(current.row())] : nullptr;
  if (!shown) {
    const auto failed = std::find_if(rows.begin(), rows.end(), [](const Stage& s) {
      return s.mark == StageMark::Failed || s.mark == StageMark::Crashed || s.mark == StageMark::Timeout;
    });
    if (failed != rows.end()) shown = &*failed;
  }
  QString detail = shown ? shown->title + (shown->note.isEmpty() ? QString() : ": " + shown->note) +
                               (shown->detail.isEmpty() ? QString() : "\n" + shown->detail)
                         : QString("Choose a stage to see its command line and what the engine said");
  if (detail == detailText_) return;
  detailText_ = detail;
  detail_->setCode(CodeText::of(detail.toStdString()));
}

ProblemsPage::ProblemsPage(Appearance& appearance, ProblemsPresenter& problems, SelectionPresenter& selection, QWidget* parent)
    : QWidget(parent), problems_(problems), selection_(selection) {
  auto* box = makeBox<QVBoxLayout>(0);
  view_ = makeTable(model_, "Problems", this);
  view_->setItemDelegate(new ProblemDelegate(appearance, view_));
  empty_ = makeLabel(appearance, {}, TextSize::Body, "muted", this);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  box->addWidget(view_, 1);
  box->addWidget(empty_, 1);
  setLayout(box);
  view_->header()->setStretchLastSection(false);
  view_->header()->setSectionResizeMode(ProblemsModel::Message, QHeaderView::Stretch);
  view_->header()->resizeSection(ProblemsModel::NodeColumn, 180);
  view_->header()->resizeSection(ProblemsModel::StageColumn, 120);
  view_->header()->resizeSection(ProblemsModel::Count, 64);
  connect(&problems, &ProblemsPresenter::changed, this, &ProblemsPage::refresh);
  connect(&problems, &ProblemsPresenter::emptyTextChanged, this, &ProblemsPage::refreshEmpty);
  connect(&selection, &SelectionPresenter::changed, this, &ProblemsPage::follow);
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
    if (!quiet_ && current.isValid()) select(current.row());
  });
  connect(view_, &QTreeView::clicked, this, [this](const QModelIndex& index) { select(index.row()); });
  refresh();
}

void ProblemsPage::refresh() {
  quiet_ = true;
  model_.setFindings(problems_.findings());
  quiet_ = false;
  refreshEmpty();
  follow(selection_.current());
}

void ProblemsPage::refreshEmpty() {
  const QString why = problems_.emptyText();
  empty_->setText(why);
  empty_->setVisible(!why.isEmpty());
  view_->setVisible(why.isEmpty());
}

void ProblemsPage::select(int problem) {
  if (problem < 0 || problem >= static_cast<int>(problems_.findings().size())) return;
  const fx::Finding& finding = problems_.findings()[static_cast<std::size_t>(problem)];
  Selection selection;
  selection.problem = problem;
  if (finding.node.valid()) selection.nodes = {finding.node};
  selection.place = Place::Problem;
  selection_.select(std::move(selection));
}

void ProblemsPage::follow(const Selection& selection) {
  quiet_ = true;
  int row = selection.problem;
  if (row < 0 && selection.nodes.size() == 1) {
    const std::vector<int> at = problems_.at(selection.node());
    row = at.empty() ? -1 : at.front();
  }
  if (row < 0 || row >= model_.rowCount()) view_->selectionModel()->clear();
  else {
    view_->selectionModel()->setCurrentIndex(model_.index(row, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (selection_.following()) view_->scrollTo(model_.index(row, 0));
  }
  quiet_ = false;
}

LogPage::LogPage(Appearance& appearance, LogPresenter& log, QWidget* parent) : QWidget(parent), log_(log) {
  auto* box = makeBox<QVBoxLayout>(0);
  view_ = new CodeView(appearance, this);
  view_->setAccessibleName("Log");
  view_->setPlain(true);
  view_->setWrap(true);
  view_->setZoom(11);
  box->addWidget(view_);
  setLayout(box);
  // Many lines may come at once: they are shown together.
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
