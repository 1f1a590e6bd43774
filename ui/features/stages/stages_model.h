// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Steps and stages as rows: title, status, time, note.
#include <vector>

#include "features/stages/stage_presenter.h"
#include "text/titled_model.h"

namespace fxs::ui {

class StagesModel final : public TitledModel<QAbstractTableModel> {
  Q_OBJECT
 public:
  enum Column { Title, Status, Time, Note, ColumnCount };
  static constexpr int kMarkRole = Qt::UserRole;         ///< int of StageMark
  static constexpr int kStageIdRole = Qt::UserRole + 1;  ///< ShownText
  explicit StagesModel(QObject* parent = nullptr)
      : TitledModel({"Stage", "Status", "Time", ""}, parent) {}

  void setStages(std::vector<Stage> stages);
  const std::vector<Stage>& stages() const { return stages_; }
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  std::vector<Stage> stages_;
};

}  // namespace fxs::ui
