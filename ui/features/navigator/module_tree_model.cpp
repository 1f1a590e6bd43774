// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/navigator/module_tree_model.h"

#include <algorithm>

#include "text/words.h"

namespace fxs::ui {
namespace {

bool isWeight(const fx::Program& program, const fx::Node& node) {
  return node.op == fx::NodeOp::Placeholder && iconOf(program, node) == "parameter";
}

QVariant nodeRole(const fx::Program& program, const fx::Node& node, const NodeMarks& marks,
                  int role) {
  switch (role) {
    case Qt::DisplayRole: return text(node.name);
    case Qt::ToolTipRole: return tipOf(text(node.target) + "  " + resultText(node), marks);
    case kNodeIdRole: return node.id.value;
    case kIconRole: return iconOf(program, node);
    case kFilterRole: return QString(text(node.name) + ' ' + text(node.target));
    default: return {};
  }
}

}  // namespace

void ModuleTreeModel::adopt(std::uint32_t parent, std::uint32_t child) {
  items_[child].parent = parent;
  items_[child].row = static_cast<std::uint32_t>(items_[parent].children.size());
  items_[parent].children.push_back(child);
}

void ModuleTreeModel::setTree(fx::ProgramPtr program,
                              std::shared_ptr<const layout::GroupTree> tree) {
  beginResetModel();
  program_ = std::move(program);
  tree_ = std::move(tree);
  items_.clear();
  itemOfNode_.clear();
  weights_ = 0;
  if (program_ && tree_) addItems();
  endResetModel();
}

/// The first node of each group, to sort groups and nodes together in execution order.
std::vector<std::uint32_t> ModuleTreeModel::firstNodes() const {
  std::vector<std::uint32_t> first(tree_->groups.size(),
                                   static_cast<std::uint32_t>(program_->nodes.size()));
  for (std::size_t i = first.size(); i-- > 0;) {
    const layout::Group& group = tree_->groups[i];
    for (const fx::NodeId node : group.nodes) first[i] = std::min(first[i], node.value);
    for (const layout::GroupId child : group.children)
      first[i] = std::min(first[i], first[child.index()]);
  }
  return first;
}

void ModuleTreeModel::addItems() {
  const auto groups = static_cast<std::uint32_t>(tree_->groups.size());
  items_.resize(groups);
  for (std::uint32_t i = 0; i < groups; ++i) items_[i].group = tree_->groups[i].id;
  const std::vector<std::uint32_t> first = firstNodes();
  itemOfNode_.resize(program_->nodes.size(), 0);
  std::vector<std::uint32_t> weights;
  for (std::uint32_t i = 0; i < groups; ++i) {
    const layout::Group& group = tree_->groups[i];
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // first node, item
    for (const layout::GroupId child : group.children)
      order.emplace_back(first[child.index()], child.value);
    for (const fx::NodeId node : group.nodes) {
      const auto item = static_cast<std::uint32_t>(items_.size());
      items_.push_back({});
      items_.back().node = node;
      itemOfNode_[node.index()] = item;
      if (i == 0 && isWeight(*program_, program_->node(node))) weights.push_back(item);
      else order.emplace_back(node.value, item);
    }
    std::sort(order.begin(), order.end());
    for (const auto& [at, item] : order) adopt(i, item);
  }
  if (weights.empty()) return;
  weights_ = static_cast<std::uint32_t>(items_.size());
  items_.push_back({});
  adopt(0, weights_);
  for (const std::uint32_t item : weights) adopt(weights_, item);
}

template <class Count>
void ModuleTreeModel::forEachAround(std::size_t node, Count count) {
  if (node >= itemOfNode_.size() || !itemOfNode_[node]) return;
  for (std::uint32_t at = itemOfNode_[node]; at != 0; at = items_[at].parent) count(items_[at]);
}

void ModuleTreeModel::changed(const QList<int>& roles) {
  if (!items_.empty() && !items_[0].children.empty())
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 0), roles);
}

void ModuleTreeModel::setMarks(const MarksByNode& marks) {
  for (Item& item : items_) {
    item.problems = 0;
    item.marks = {};
  }
  for (std::size_t i = 0; i < marks.size(); ++i)
    forEachAround(i, [&each = marks[i]](Item& item) {
      item.problems += each.status.emphasis >= Emphasis::Warning;
      if (item.node.valid()) item.marks = each;
      else item.marks.raise(each);
    });
  changed({kMarksRole, kBadgeRole, Qt::ToolTipRole, Qt::AccessibleTextRole});
}

void ModuleTreeModel::setMatches(const std::vector<bool>& matches) {
  if (!hasMatches_ && matches.empty()) return;
  hasMatches_ = !matches.empty();
  for (Item& item : items_) item.matches = 0;
  for (std::size_t i = 0; i < matches.size(); ++i)
    if (matches[i]) forEachAround(i, [](Item& item) { ++item.matches; });
  changed({kMatchRole, Qt::DisplayRole});
}

const ModuleTreeModel::Item* ModuleTreeModel::itemAt(const QModelIndex& index) const {
  if (items_.empty()) return nullptr;
  return &items_[index.isValid() ? index.internalId() : 0];
}

QModelIndex ModuleTreeModel::indexOf(fx::NodeId node) const {
  if (!node.valid() || node.index() >= itemOfNode_.size() || !itemOfNode_[node.index()]) return {};
  const std::uint32_t item = itemOfNode_[node.index()];
  return createIndex(static_cast<int>(items_[item].row), 0, quintptr{item});
}

QModelIndex ModuleTreeModel::indexOf(layout::GroupId group) const {
  if (!tree_ || !group.valid() || group.index() == 0 || group.index() >= tree_->groups.size())
    return {};
  return createIndex(static_cast<int>(items_[group.index()].row), 0, quintptr{group.index()});
}

QModelIndex ModuleTreeModel::index(int row, int column, const QModelIndex& parent) const {
  const Item* item = itemAt(parent);
  if (!item || column != 0 || row < 0 || row >= static_cast<int>(item->children.size())) return {};
  return createIndex(row, 0, quintptr{item->children[static_cast<std::size_t>(row)]});
}

QModelIndex ModuleTreeModel::parent(const QModelIndex& child) const {
  if (!child.isValid()) return {};
  const std::uint32_t parent = items_[child.internalId()].parent;
  return parent == 0 ? QModelIndex()
                     : createIndex(static_cast<int>(items_[parent].row), 0, quintptr{parent});
}

int ModuleTreeModel::rowCount(const QModelIndex& parent) const {
  const Item* item = itemAt(parent);
  return item && parent.column() <= 0 ? static_cast<int>(item->children.size()) : 0;
}
int ModuleTreeModel::columnCount(const QModelIndex&) const { return 1; }

QVariant ModuleTreeModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Item& item = *itemAt(index);
  switch (role) {
    case kMarksRole: return QVariant::fromValue(&item.marks);
    case kMatchRole: return matchOf(item);
    default: break;
  }
  if (item.node.valid()) return nodeRole(*program_, program_->node(item.node), item.marks, role);
  return weights_ && index.internalId() == weights_ ? weightsRole(item, role)
                                                    : moduleRole(item, role);
}

QVariant ModuleTreeModel::matchOf(const Item& item) const {
  const bool says = hasMatches_ && (item.node.valid() || item.matches == 0);
  return says ? QVariant(item.matches > 0) : QVariant();
}

QString ModuleTreeModel::titleOf(const Item& item, const QString& label, std::size_t nodes) {
  QString shown = QString("%1 (%2)").arg(label).arg(nodes);
  if (item.matches) shown += "  " + counted(item.matches, "match", "matches");
  return shown;
}

QVariant ModuleTreeModel::badgeRole(const Item& item, const QString& title, int role) {
  if (!item.problems) return {};
  if (role == kBadgeRole) return QString::number(item.problems);
  return title + ", " + counted(item.problems, "problem");
}

QVariant ModuleTreeModel::weightsRole(const Item& item, int role) {
  switch (role) {
    case Qt::DisplayRole:
      return titleOf(item, "Parameters, buffers, constants", item.children.size());
    case kBadgeRole:
    case Qt::AccessibleTextRole:
      return badgeRole(item, weightsRole(item, Qt::DisplayRole).toString(), role);
    case kIconRole: return QString("parameter");
    case kFilterRole: return QString();
    default: return {};
  }
}

QVariant ModuleTreeModel::moduleRole(const Item& item, int role) const {
  const layout::Group& group = tree_->group(item.group);
  switch (role) {
    case Qt::DisplayRole: return titleOf(item, text(group.label), group.totalNodes);
    case kBadgeRole:
    case Qt::AccessibleTextRole:
      return badgeRole(item, moduleRole(item, Qt::DisplayRole).toString(), role);
    case Qt::ToolTipRole:
      return QString("%1  %2, %3")
          .arg(text(group.path), text(group.type), counted(group.totalNodes, "node"));
    case kGroupIdRole: return item.group.value;
    case kIconRole: return QString("module");
    case kFilterRole: return QString(text(group.path) + ' ' + text(group.type));
    default: return {};
  }
}

}  // namespace fxs::ui
