// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/layers/layers_model.h"

#include <algorithm>
#include <limits>

#include "text/words.h"

namespace fxs::ui {

void LayersModel::setProgram(fx::ProgramPtr program) {
  beginResetModel();
  program_ = std::move(program);
  rows_.clear();
  for (std::size_t i = 0; program_ && i < program_->nodes.size(); ++i)
    if (std::any_of(layers_.all().begin(), layers_.all().end(), [i](const OpenLayer& each) {
          return i < each.placed.entries.size() && each.placed.entries[i];
        }))
      rows_.push_back(fx::NodeId::of(i));
  endResetModel();
}

QModelIndex LayersModel::indexOf(fx::NodeId node) const {
  const auto at =
      std::lower_bound(rows_.begin(), rows_.end(), node,
                       [](fx::NodeId a, fx::NodeId b) { return a.index() < b.index(); });
  if (!node.valid() || at == rows_.end() || *at != node) return {};
  return index(static_cast<int>(at - rows_.begin()), Node);
}

int LayersModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int LayersModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : FirstLayer + static_cast<int>(layers_.all().size());
}

const layer::Entry* LayersModel::entryAt(const QModelIndex& index) const {
  const OpenLayer& layer = layers_.all()[static_cast<std::size_t>(index.column() - FirstLayer)];
  const std::size_t node = nodeAt(index.row()).index();
  return node < layer.placed.entries.size() ? layer.placed.entries[node] : nullptr;
}

QString LayersModel::cell(const QModelIndex& index) const {
  const fx::Node& node = program_->node(nodeAt(index.row()));
  if (index.column() == Node) return text(node.name);
  if (index.column() == Operator) return text(node.target);
  const layer::Entry* entry = entryAt(index);
  if (!entry) return {};
  return entry->number ? text(layer::numberText(*entry->number)) : text(entry->text);
}

QString LayersModel::tip(const QModelIndex& index) const {
  const layer::Entry* entry = index.column() < FirstLayer ? nullptr : entryAt(index);
  if (!entry) return cell(index);
  return text(layer::textOf(
      *layers_.all()[static_cast<std::size_t>(index.column() - FirstLayer)].layer, *entry));
}

QVariant LayersModel::sortValue(const QModelIndex& index) const {
  if (index.column() == Node) return index.row();
  if (index.column() == Operator) return cell(index);
  const layer::Entry* entry = entryAt(index);
  if (entry && !entry->number) return text(entry->text);
  return entry ? *entry->number : -std::numeric_limits<double>::infinity();
}

QVariant LayersModel::data(const QModelIndex& index, int role) const {
  if (!program_ || !index.isValid() || index.row() >= rowCount() || index.column() >= columnCount())
    return {};
  const bool isNumber = index.column() >= FirstLayer && entryAt(index) && entryAt(index)->number;
  switch (role) {
    case Qt::DisplayRole: return cell(index);
    case Qt::ToolTipRole: return tip(index);
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft));
    case kFilterText: {
      QString out;
      for (int column = 0; column < columnCount(); ++column)
        out += cell(index.siblingAtColumn(column)) + ' ';
      return out;
    }
    case kSortValue: return sortValue(index);
    case kShade:
      if (index.column() < FirstLayer) return {};
      return static_cast<int>(layers_.shadeOf(static_cast<std::size_t>(index.column() - FirstLayer),
                                              nodeAt(index.row())));
    default: return {};
  }
}

QVariant LayersModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
    return {};
  if (section == Node) return "Node";
  if (section == Operator) return "Operator";
  const std::size_t index = static_cast<std::size_t>(section - FirstLayer);
  if (index >= layers_.all().size()) return {};
  const OpenLayer& layer = layers_.all()[index];
  const QString title = titleOf(*layer.layer);
  return role == Qt::DisplayRole
             ? title
             : title + ", of " + layer.file + "\n" + text(layer::summary(layer.placed));
}

}  // namespace fxs::ui
