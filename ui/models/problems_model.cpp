#include "models/problems_model.h"

#include "presenters/words.h"

namespace fxs::ui {

void ProblemsModel::setFindings(std::vector<fx::Finding> findings) {
  beginResetModel();
  findings_ = std::move(findings);
  endResetModel();
}

int ProblemsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(findings_.size()); }
int ProblemsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ProblemsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const fx::Finding& finding = findings_[static_cast<std::size_t>(index.row())];
  if (role == kSeverityRole) return static_cast<int>(finding.severity);
  if (role == Qt::ToolTipRole) {
    QString tip = text(fx::name(finding.severity)) + ": " + text(finding.message);
    if (!finding.op.empty()) tip += "\noperation " + text(finding.op);
    if (!finding.pass.empty()) tip += "\npass " + text(finding.pass);
    return tip;
  }
  if (role == Qt::AccessibleTextRole && index.column() == Message)
    return QString(text(fx::name(finding.severity)) + ": " + text(finding.message));
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case Message: return text(finding.message);
    case NodeColumn: return text(finding.nodeName);
    case StageColumn: return text(finding.stage);
    case Count: return finding.count > 1 ? QString("× %1").arg(finding.count) : QString();
    default: return {};
  }
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  constexpr const char* kTitles[] = {"Problem", "Node", "Stage", "Nodes"};
  return section < ColumnCount ? QString(kTitles[section]) : QVariant();
}

}  // namespace fxs::ui
