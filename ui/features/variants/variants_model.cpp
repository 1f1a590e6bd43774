// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/variants/variants_model.h"

#include <algorithm>

#include "text/words.h"

namespace fxs::ui {

void VariantsModel::setVariants(std::vector<VariantState> variants) {
  const bool sameRows = std::equal(variants.begin(), variants.end(), all_.begin(), all_.end(),
                                   [](const VariantState& a, const VariantState& b) {
                                     return a.id == b.id && a.spec.parent == b.spec.parent &&
                                            a.spec.name == b.spec.name;
                                   });
  if (!sameRows) beginResetModel();
  all_ = std::move(variants);
  if (!sameRows) {
    parents_.clear();
    below_.assign(all_.size() + 1, {});
    for (std::size_t i = 0; i < all_.size(); ++i) {
      int parent = -1;
      for (std::size_t j = 0; j < i; ++j)
        if (all_[j].spec.name == all_[i].spec.parent) parent = static_cast<int>(j);
      parents_.push_back(parent);
      below_[parent < 0 ? 0 : static_cast<std::size_t>(parent) + 1].push_back(static_cast<int>(i));
    }
    return endResetModel();
  }
  for (const VariantState& each : all_) {
    const QModelIndex row = indexOf(each.id);
    Q_EMIT dataChanged(row, row.siblingAtColumn(ColumnCount - 1));
  }
}

QModelIndex VariantsModel::indexOf(int id) const {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (all_[i].id != id) continue;
    const std::vector<int>& siblings = below(parents_[i]);
    const auto row = std::find(siblings.begin(), siblings.end(), static_cast<int>(i));
    return createIndex(static_cast<int>(row - siblings.begin()), 0, static_cast<quintptr>(i));
  }
  return {};
}

QModelIndex VariantsModel::index(int row, int column, const QModelIndex& parent) const {
  if (row < 0 || column < 0 || column >= ColumnCount || row >= rowCount(parent)) return {};
  return createIndex(row, column,
                     static_cast<quintptr>(below(at(parent))[static_cast<std::size_t>(row)]));
}

QModelIndex VariantsModel::parent(const QModelIndex& child) const {
  if (!child.isValid()) return {};
  const int parent = parents_[child.internalId()];
  return parent < 0 ? QModelIndex() : indexOf(all_[static_cast<std::size_t>(parent)].id);
}

int VariantsModel::rowCount(const QModelIndex& parent) const {
  if (below_.empty() || parent.column() > 0) return 0;
  return static_cast<int>(below(at(parent)).size());
}

QVariant VariantsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const VariantState& state = all_[index.internalId()];
  const QString cells[] = {text(state.spec.name), text(state.spec.change), state.status};
  const int column = index.column();
  switch (role) {
    case kIdRole: return state.id;
    case kMarkRole: return static_cast<int>(state.mark);
    case Qt::DisplayRole: return cells[column];
    case Qt::EditRole: return column == Name ? QVariant(exact(state.spec.name)) : QVariant();
    case Qt::ToolTipRole: return cells[column].isEmpty() ? QVariant() : QVariant(cells[column]);
    case Qt::AccessibleTextRole:
      return column == Name ? QVariant(cells[Name] + ", " + statusText(state.mark)) : QVariant();
    default: return {};
  }
}

bool VariantsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || role != Qt::EditRole || index.column() != Name) return false;
  const QString name = value.toString().trimmed();
  const VariantState& state = all_[index.internalId()];
  if (name.isEmpty() || name == exact(state.spec.name)) return false;
  Q_EMIT renamed(state.id, name);
  return true;
}

Qt::ItemFlags VariantsModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = QAbstractItemModel::flags(index);
  if (index.isValid() && index.column() == Name) flags |= Qt::ItemIsEditable;
  return flags;
}

}  // namespace fxs::ui
