// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/stages/stages_page.h"

#include <QHeaderView>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "text/words.h"
#include "widgets/controls.h"
#include "widgets/sign_delegate.h"
#include "widgets/stage_sign.h"

namespace fxs::ui {
namespace {

class StageDelegate final : public SignDelegate {
  using SignDelegate::SignDelegate;
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const auto mark = static_cast<StageMark>(index.data(StagesModel::kMarkRole).toInt());
    if (index.column() == StagesModel::Title) sign(option, iconOf(mark), roleOf(mark));
    else if (index.column() == StagesModel::Status && roleOf(mark) == Role::Error)
      ink(option, Role::Error);
    else ink(option, Role::TextMuted);
    if (index.column() == StagesModel::Time)
      option->displayAlignment = Qt::AlignRight | Qt::AlignVCenter;
  }
};

}  // namespace

StagesPage::StagesPage(Appearance& appearance, StagePresenter& stages, QWidget* parent)
    : QWidget(parent), stages_(stages) {
  auto* box = makeBox<QVBoxLayout>(0);
  auto* splitter = new QSplitter(Qt::Horizontal, this);
  view_ = makeTable("Stages", splitter);
  view_->setModel(&model_);
  view_->setItemDelegate(new StageDelegate(appearance, view_));
  view_->header()->setStretchLastSection(true);
  detail_ = new CodeView(appearance, splitter);
  detail_->setAccessibleName("Command line and output of the engine");
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
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          &StagesPage::showDetail);
  connect(view_, &QTreeView::activated, this, [this](const QModelIndex& index) {
    Q_EMIT stageActivated(index.data(StagesModel::kStageIdRole).value<ShownText>());
  });
  refresh();
  for (const int column : {StagesModel::Title, StagesModel::Status, StagesModel::Time})
    view_->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
}

void StagesPage::refresh() {
  model_.setStages(stages_.stepsAndStages());
  showDetail();
}

void StagesPage::showDetail() {
  // Details of the chosen stage, or of the first that failed.
  const QModelIndex current = view_->currentIndex();
  const std::vector<Stage>& rows = model_.stages();
  const Stage* shown = current.isValid() && current.row() < static_cast<int>(rows.size())
                           ? &rows[static_cast<std::size_t>(current.row())]
                           : nullptr;
  if (!shown) {
    const auto failed =
        std::find_if(rows.begin(), rows.end(), [](const Stage& s) { return stopped(s.mark); });
    if (failed != rows.end()) shown = &*failed;
  }
  QString detail = "Select a stage to see its command line and the engine output";
  if (shown) {
    detail = shown->title;
    if (!shown->note.isEmpty()) detail += ": " + shown->note;
    if (!shown->detail.isEmpty()) detail += "\n" + shown->detail;
  }
  if (detail == detailText_) return;
  detailText_ = detail;
  detail_->setCode(CodeText::of(detail.toStdString()));
}

}  // namespace fxs::ui
