// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The module tree with the nodes of each module in execution order; parameters, buffers and
// constants are in a folder at the end. Modules show how many nodes and problems they contain.
#include <QAbstractItemModel>
#include <memory>
#include <vector>

#include "features/navigator/node_list_model.h"
#include "layout/group_tree.h"

namespace fxs::ui {

class ModuleTreeModel final : public QAbstractItemModel {
  Q_OBJECT
 public:
  using QAbstractItemModel::QAbstractItemModel;

  /// Both may be null, for an empty model.
  void setTree(fx::ProgramPtr program, std::shared_ptr<const layout::GroupTree> tree);
  /// A module has the strongest marks of the nodes in it, and says how many have problems.
  void setMarks(const MarksByNode& marks);
  /// As NodeListModel::setMatches(). A module says how many nodes inside match; one without any is
  /// a miss, others are neither.
  void setMatches(const std::vector<bool>& matches);
  QModelIndex indexOf(fx::NodeId) const;
  QModelIndex indexOf(layout::GroupId) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  // A row's internal id is the index of its item. Item 0 is the invisible root; groups, the weights
  // folder and nodes follow.
  struct Item {
    std::uint32_t parent = 0;
    std::uint32_t row = 0;
    fx::NodeId node;
    layout::GroupId group;
    std::vector<std::uint32_t> children;
    std::uint32_t problems = 0, matches = 0;
    NodeMarks marks;
  };
  /// One signal for everything: one for each subtree would be thousands.
  void changed(const QList<int>& roles);
  /// Calls `count` with the item of a node and of each module around it.
  template <class Count>
  void forEachAround(std::size_t node, Count count);
  void adopt(std::uint32_t parent, std::uint32_t child);
  void addItems();
  std::vector<std::uint32_t> firstNodes() const;
  const Item* itemAt(const QModelIndex&) const;
  QVariant matchOf(const Item&) const;
  /// "label (3)", and how many matches it contains.
  static QString titleOf(const Item&, const QString& label, std::size_t nodes);
  /// The badge, or the title with what it says; nothing without problems.
  static QVariant badgeRole(const Item&, const QString& title, int role);
  static QVariant weightsRole(const Item&, int role);
  QVariant moduleRole(const Item&, int role) const;
  fx::ProgramPtr program_;
  std::shared_ptr<const layout::GroupTree> tree_;
  std::vector<Item> items_;
  std::vector<std::uint32_t> itemOfNode_;
  bool hasMatches_ = false;
  std::uint32_t weights_ = 0;  ///< item of the weights folder; 0 if there is none
};

}  // namespace fxs::ui
