// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Passes grouped by stage: number and name, what each changed, its time, and which handle is set to
// it.
#include <functional>
#include <vector>

#include "features/passes/pass_presenter.h"
#include "session/stage.h"
#include "text/titled_model.h"

namespace fxs::ui {

/// Name, options, outcome, time and difference of a pass, in lines.
QString passTip(const PassRow& row);
/// "+ 57  − 2", "unchanged", "failed here"; "…" until it is known.
QString passDifference(const PassRow& row);

class PassesModel final : public TitledModel<QAbstractItemModel> {
  Q_OBJECT
 public:
  enum Column { Handle, Name, Difference, Time, Anchor, ColumnCount };
  static constexpr int kPassRole =
      Qt::UserRole;  ///< int: index into PassTrace::passes, -1 for the module before the first, or
                     ///< kNoPass for a stage
  static constexpr int kChangedRole = Qt::UserRole + 1;  ///< bool
  static constexpr int kFailedRole = Qt::UserRole + 2;   ///< bool
  static constexpr int kMarkRole = Qt::UserRole + 3;     ///< int of StageMark
  static constexpr int kHandlesRole = Qt::UserRole + 4;  ///< int: 1 for A, 2 for B, 3 for both
  static constexpr int kNoPass = -2;
  explicit PassesModel(QObject* parent = nullptr)
      : TitledModel({"", "Pass", "Changed", "Time", ""}, parent) {}

  /// What a pass does, for its tool tip; "" if that is not known.
  void setDocs(std::function<QString(const PassRow&)> docs) { docs_ = std::move(docs); }
  void refresh(const PassPresenter& passes);
  /// Only the handles changed.
  void refreshHandles(const PassPresenter& passes);
  QModelIndex indexOf(int pass) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  struct Item {
    PassRow row;      ///< pass is -1 for the module before the first
    int handles = 0;  ///< as kHandlesRole
  };
  struct Group {
    QString id, title, note;
    StageMark mark = StageMark::Ok;
    std::vector<Item> items;
    bool sameRows(const Group& other) const;
  };
  static std::vector<Group> groupsOf(const PassPresenter& passes);
  static void placeHandles(const PassPresenter& passes, std::vector<Group>& groups);
  QVariant stageData(const Group& group, int column, int role) const;
  QVariant passData(const Item& item, int column, int role) const;
  static QVariant passCell(const PassRow& row, int column);
  QString tipOf(const PassRow& row) const;
  std::vector<Group> groups_;
  std::function<QString(const PassRow&)> docs_;
};

}  // namespace fxs::ui
