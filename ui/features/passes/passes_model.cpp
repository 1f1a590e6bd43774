// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/passes/passes_model.h"

#include <algorithm>

#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr quintptr kStage = 0;  ///< internal id of a stage; the id of a pass is its stage's row + 1

/// What a pass did to the module, where that is more than a number of operations.
QString outcomeOf(const PassRow& row) {
  if (row.skipped) return "left out";
  switch (row.status) {
    case lower::StageStatus::Ok: return row.changed ? QString() : QString("unchanged");
    case lower::StageStatus::Failed: return "failed here";
    case lower::StageStatus::Crashed: return "crashed here";
    case lower::StageStatus::Timeout: return "timed out here";
    case lower::StageStatus::Unknown:
      return row.failed ? QString("not known: stopped here") : statusText(StageMark::Unknown);
    case lower::StageStatus::Skipped: break;
  }
  return statusText(StageMark::Skipped);
}

/// `handles`: as PassesModel::kHandlesRole.
QString handlesText(int handles) {
  switch (handles) {
    case 1: return "A";
    case 2: return "B";
    case 3: return "A and B";
    default: return "";
  }
}

bool madeItsSnapshot(const PassRow& row) { return row.changed || row.failed || row.pass < 0; }

/// "12 passes, 3 changed it", of one stage; "" if none was traced.
QString countText(const PassPresenter& passes, const QString& stage) {
  if (passes.listed() == Listed::Comparison) return {};
  std::size_t count = 0, changed = 0;
  for (const PassRow& row : passes.passes())
    if (row.stage == stage) ++count, changed += row.changed;
  if (!count) return {};
  if (passes.showsRewrites()) return counted(count, "rewrite");
  return QString("%1, %2 changed it").arg(counted(count, "pass", "passes")).arg(changed);
}

}  // namespace

QString passTip(const PassRow& row) {
  if (row.pass < 0) return "The module as it was imported, before the first pass";
  QString tip = QString("%1 · %2").arg(row.pass + 1).arg(row.name);
  if (!row.anchor.isEmpty()) tip += " on " + row.anchor;
  if (!row.options.isEmpty()) tip += "\n" + QString(row.options).replace(' ', "\n");
  if (row.failed) tip += "\nThe pipeline stopped in this pass: " + statusText(markOf(row.status));
  else if (row.skipped) tip += "\nLeft out of this lowering";
  else if (!row.ran) tip += "\nNot run: the pipeline stopped earlier";
  else if (row.unknown) tip += "\nNot known: the module after it is missing or cut off";
  if (!row.ran) return tip;
  tip += "\n" + passDifference(row);
  if (row.seconds) tip += ", " + text(*row.seconds);
  return tip;
}

QString passDifference(const PassRow& row) {
  const QString outcome = outcomeOf(row);
  return outcome.isEmpty() ? row.difference.value_or("…") : outcome;
}

bool PassesModel::Group::sameRows(const Group& other) const {
  return id == other.id && items.size() == other.items.size() &&
         std::equal(items.begin(), items.end(), other.items.begin(),
                    [](const Item& a, const Item& b) { return a.row.pass == b.row.pass; });
}

std::vector<PassesModel::Group> PassesModel::groupsOf(const PassPresenter& passes) {
  std::vector<Group> groups;
  if (!passes.trace()) return groups;
  const lower::PassTrace& trace = passes.trace()->passes();
  for (const lower::StageResult& stage : trace.stages) {
    const StageMark mark = markOf(stage.status);
    groups.push_back({text(stage.id),
                      text(stage.title),
                      stage.message.empty() ? QString() : "not run: " + text(stage.message),
                      mark,
                      {}});
  }
  const auto groupOf = [&](const QString& id) -> Group& {
    const auto found =
        std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.id == id; });
    if (found != groups.end()) return *found;
    groups.push_back({id, id, {}, StageMark::Ok, {}});
    return groups.back();
  };
  const bool all =
      passes.filter().isEmpty() && !trace.snapshots.empty() && trace.snapshots.front().pass < 0;
  if (all) {
    PassRow first;
    first.name = passes.titleOf(0);
    first.snapshot = 0;
    groupOf(text(trace.snapshots.front().stage)).items.push_back({first, 0});
  }
  for (const int pass : passes.shown()) {
    const PassRow& row = passes.passes()[static_cast<std::size_t>(pass)];
    groupOf(row.stage).items.push_back({row, 0});
  }
  for (Group& group : groups)
    if (group.note.isEmpty()) group.note = countText(passes, group.id);
  std::erase_if(groups, [](const Group& g) {
    return g.items.empty() && !stopped(g.mark) && g.mark != StageMark::Skipped;
  });
  placeHandles(passes, groups);
  return groups;
}

void PassesModel::placeHandles(const PassPresenter& passes, std::vector<Group>& groups) {
  Item* from = nullptr;
  Item* to = nullptr;
  for (Group& group : groups)
    for (Item& item : group.items) {
      item.handles = 0;
      if (item.row.snapshot < 0) continue;
      // Passes that change nothing share a snapshot: show the handle at the pass that made it, or
      // at the chosen one.
      const bool made = madeItsSnapshot(item.row);
      const bool chosen = item.row.pass == passes.pass();
      const bool atChosen = to && to->row.pass == passes.pass();
      if (item.row.snapshot == passes.from() && (made || !from)) from = &item;
      if (item.row.snapshot == passes.to() && !atChosen && (made || !to || chosen)) to = &item;
    }
  if (from) from->handles |= 1;
  if (to) to->handles |= 2;
}

void PassesModel::refresh(const PassPresenter& passes) {
  std::vector<Group> now = groupsOf(passes);
  const bool same = now.size() == groups_.size() &&
                    std::equal(now.begin(), now.end(), groups_.begin(),
                               [](const Group& a, const Group& b) { return a.sameRows(b); });
  if (!same) {
    beginResetModel();
    groups_ = std::move(now);
    endResetModel();
    return;
  }
  groups_ = std::move(now);
  for (int i = 0; i < rowCount(); ++i) {
    const QModelIndex stage = index(i, 0);
    Q_EMIT dataChanged(stage, index(i, ColumnCount - 1));
    if (const int rows = rowCount(stage))
      Q_EMIT dataChanged(index(0, 0, stage), index(rows - 1, ColumnCount - 1, stage));
  }
}

void PassesModel::refreshHandles(const PassPresenter& passes) {
  placeHandles(passes, groups_);
  for (int i = 0; i < rowCount(); ++i)
    if (const int rows = rowCount(index(i, 0)))
      Q_EMIT dataChanged(index(0, Handle, index(i, 0)), index(rows - 1, Handle, index(i, 0)));
}

QModelIndex PassesModel::indexOf(int pass) const {
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (std::size_t i = 0; i < groups_[g].items.size(); ++i)
      if (groups_[g].items[i].row.pass == pass)
        return createIndex(static_cast<int>(i), 0, static_cast<quintptr>(g) + 1);
  return {};
}

QModelIndex PassesModel::index(int row, int column, const QModelIndex& parent) const {
  if (row < 0 || column < 0 || column >= ColumnCount || row >= rowCount(parent)) return {};
  return createIndex(row, column,
                     parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kStage);
}

QModelIndex PassesModel::parent(const QModelIndex& child) const {
  if (!child.isValid() || child.internalId() == kStage) return {};
  return createIndex(static_cast<int>(child.internalId() - 1), 0, kStage);
}

int PassesModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(groups_.size());
  if (parent.internalId() != kStage || parent.column() > 0 ||
      parent.row() >= static_cast<int>(groups_.size()))
    return 0;
  return static_cast<int>(groups_[static_cast<std::size_t>(parent.row())].items.size());
}

QVariant PassesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (index.internalId() == kStage)
    return stageData(groups_[static_cast<std::size_t>(index.row())], index.column(), role);
  const Group& group = groups_[static_cast<std::size_t>(index.internalId() - 1)];
  return passData(group.items[static_cast<std::size_t>(index.row())], index.column(), role);
}

QVariant PassesModel::stageData(const Group& group, int column, int role) const {
  switch (role) {
    case kPassRole: return kNoPass;
    case kMarkRole: return static_cast<int>(group.mark);
    case kFailedRole: return stopped(group.mark);
    case Qt::ToolTipRole:
      return group.title + ": " + statusText(group.mark) +
             (group.note.isEmpty() ? QString() : ", " + group.note);
    case Qt::DisplayRole:
      if (column == Name) return group.title;
      if (column == Difference)
        return group.mark == StageMark::Ok ? QString() : statusText(group.mark);
      return column == Anchor ? group.note : QVariant();
    default: return {};
  }
}

QVariant PassesModel::passData(const Item& item, int column, int role) const {
  const PassRow& row = item.row;
  switch (role) {
    case kPassRole: return row.pass;
    case kChangedRole: return row.changed || row.pass < 0;
    case kMarkRole: return static_cast<int>(markOf(row.status));
    case kFailedRole: return row.failed;
    case kHandlesRole: return item.handles;
    case Qt::ToolTipRole: return passTip(row);
    case Qt::AccessibleTextRole:
      return column == Handle ? QVariant(handlesText(item.handles)) : QVariant();
    case Qt::DisplayRole: return passCell(row, column);
    default: return {};
  }
}

QString PassesModel::tipOf(const PassRow& row) const {
  if (row.pass < 0) return "The module as it was imported, before the first pass";
  QString tip = QString("%1 · %2").arg(row.pass + 1).arg(row.name);
  if (!row.anchor.isEmpty()) tip += " on " + row.anchor;
  if (const QString does = docs_ ? docs_(row) : QString(); !does.isEmpty()) tip += '\n' + does;
  if (!row.options.isEmpty()) tip += "\n" + QString(row.options).replace(' ', "\n");
  if (row.failed) tip += "\nThe pipeline stopped in this pass: " + statusText(markOf(row.status));
  else if (row.skipped) tip += "\nLeft out of this lowering";
  else if (!row.ran) tip += "\nNot run: the pipeline stopped earlier";
  else if (row.unknown) tip += "\nNot known: the module after it is missing or cut off";
  return tip;
}

QVariant PassesModel::passCell(const PassRow& row, int column) {
  switch (column) {
    case Name: return row.pass < 0 ? row.name : QString("%1  %2").arg(row.pass + 1).arg(row.name);
    case Difference: return row.pass < 0 ? QString() : passDifference(row);
    case Time: return row.seconds ? text(*row.seconds) : QString();
    case Anchor: return row.anchor;
    default: return {};
  }
}

}  // namespace fxs::ui
