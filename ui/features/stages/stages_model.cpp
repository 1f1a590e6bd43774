// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/stages/stages_model.h"

#include "text/words.h"

namespace fxs::ui {

void StagesModel::setStages(std::vector<Stage> stages) {
  if (stages.size() != stages_.size()) {
    beginResetModel();
    stages_ = std::move(stages);
    endResetModel();
  } else {
    stages_ = std::move(stages);
    if (!stages_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
  }
}

int StagesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(stages_.size());
}

QVariant StagesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Stage& stage = stages_[static_cast<std::size_t>(index.row())];
  if (role == kMarkRole) return static_cast<int>(stage.mark);
  if (role == kStageIdRole) return QVariant::fromValue(stage.id);
  if (role == Qt::ToolTipRole)
    return stage.note.isEmpty() ? stage.title : stage.title + ": " + stage.note;
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case Title: return stage.title;
    case Status: return statusText(stage.mark);
    case Time: return stage.seconds ? text(*stage.seconds) : QString();
    case Note: return stage.note;
    default: return {};
  }
}

}  // namespace fxs::ui
