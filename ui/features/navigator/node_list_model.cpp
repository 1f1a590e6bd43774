// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/navigator/node_list_model.h"

#include "layout/graph_view.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

QString nodeText(const fx::Node& node, int column) {
  switch (column) {
    case NodeListModel::Name: return text(node.name);
    case NodeListModel::Target: return text(node.target);
    default: return resultText(node);
  }
}

}  // namespace

QString iconOf(const fx::Program& program, const fx::Node& node) {
  if (node.op == fx::NodeOp::Output) return "output";
  if (node.op == fx::NodeOp::GetAttr) return "parameter";
  if (node.op != fx::NodeOp::Placeholder) return "node";
  const fx::InputSpec* input = program.inputOf(node.id);
  return !input || input->kind == fx::InputKind::UserInput ||
                 input->kind == fx::InputKind::ConstantInput
             ? "input"
             : "parameter";
}

QString tipOf(const QString& text, const NodeMarks& marks) {
  const QString tip = marks.tip();
  return tip.isEmpty() ? text : text + '\n' + tip;
}

QString resultText(const fx::Node& node) { return text(layout::valueLabel(node.val)); }

void NodeListModel::setProgram(fx::ProgramPtr program) {
  beginResetModel();
  program_ = std::move(program);
  marks_.clear();
  matches_.clear();
  endResetModel();
}

void NodeListModel::setMarks(MarksByNode marks) {
  marks_ = std::move(marks);
  if (rowCount() > 0)
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1),
                       {kMarksRole, Qt::ToolTipRole});
}

const NodeMarks& NodeListModel::marksOf(fx::NodeId node) const {
  static const NodeMarks kNone;
  return node.index() < marks_.size() ? marks_[node.index()] : kNone;
}

void NodeListModel::setMatches(std::vector<bool> matches) {
  matches_ = std::move(matches);
  if (rowCount() > 0)
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {kMatchRole});
}

QModelIndex NodeListModel::indexOf(fx::NodeId node) const {
  return node.valid() && static_cast<int>(node.index()) < rowCount()
             ? index(static_cast<int>(node.index()), Name)
             : QModelIndex();
}

int NodeListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !program_ ? 0 : static_cast<int>(program_->nodes.size());
}

QVariant NodeListModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const fx::Node& node = program_->nodes[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole: return nodeText(node, index.column());
    case Qt::ToolTipRole: return tipOf(nodeText(node, index.column()), marksOf(node.id));
    case kNodeIdRole: return node.id.value;
    case kMatchRole:
      return node.id.index() < matches_.size() ? QVariant(bool(matches_[node.id.index()]))
                                               : QVariant();
    case kMarksRole: return QVariant::fromValue(&marksOf(node.id));
    case kIconRole: return iconOf(*program_, node);
    case kFilterRole:
      return QString(text(node.name) + ' ' + text(node.target) + ' ' + resultText(node));
    default: return {};
  }
}

}  // namespace fxs::ui
