// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/summary/summary_model.h"

#include "base/amounts.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

/// An amount in which QVariant sorts.
QVariant number(std::uint64_t value) { return static_cast<qulonglong>(value); }

QString grouped(std::uint64_t value) { return text(groupedText(value)); }

}  // namespace

void SummaryModel::show(std::shared_ptr<const report::SummaryReport> report, SummaryRows rows) {
  beginResetModel();
  report_ = std::move(report);
  rows_ = rows;
  endResetModel();
}

int SummaryModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() || !report_) return 0;
  const summary::Summary& all = report_->summary;
  return static_cast<int>(rows_ == SummaryRows::Modules ? all.modules.size()
                                                        : all.operators.size());
}

QVariant SummaryModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role == Qt::TextAlignmentRole && section >= Calls)
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && section == Share) return "Share of the FLOPs that are known";
  return TitledModel::headerData(section, orientation, role);
}

const std::optional<summary::FlopTotal>& SummaryModel::flopsAt(std::size_t row) const {
  const summary::Summary& all = report_->summary;
  return rows_ == SummaryRows::Modules ? all.modules[row].flops : all.operators[row].flops;
}

QString SummaryModel::cell(std::size_t row, int column) const {
  const summary::Summary& all = report_->summary;
  const bool isModule = rows_ == SummaryRows::Modules;
  const auto module = [&]() -> const summary::ModuleTotal& { return all.modules[row]; };
  switch (column) {
    case Name:
      if (!isModule) return text(all.operators[row].target);
      return module().path.empty() ? QString("(all)") : text(module().path);
    case Class: return isModule ? text(module().type) : QString();
    case Calls: return grouped(isModule ? module().nodes.size() : all.operators[row].nodes.size());
    case Parameters: return isModule ? text(amountText(module().parameters)) : QString();
    case Bytes: return isModule ? text(fxs::bytesText(module().parameterBytes)) : QString();
    case Flops: return text(report::flopsText(flopsAt(row)));
    case Share: return text(report::shareText(flopsAt(row), all));
    default: return {};
  }
}

QVariant SummaryModel::sortKey(std::size_t row, int column) const {
  const summary::Summary& all = report_->summary;
  const bool isModule = rows_ == SummaryRows::Modules;
  switch (column) {
    case Calls:
      return number(isModule ? all.modules[row].nodes.size() : all.operators[row].nodes.size());
    case Parameters: return isModule ? number(all.modules[row].parameters) : QVariant();
    case Bytes: return isModule ? number(all.modules[row].parameterBytes) : QVariant();
    case Flops:
    case Share: return number(flopsAt(row) ? flopsAt(row)->flops : 0);
    default: return cell(row, column);
  }
}

QVariant SummaryModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const auto row = static_cast<std::size_t>(index.row());
  switch (role) {
    case Qt::DisplayRole: return cell(row, index.column());
    case Qt::ToolTipRole: {
      const std::optional<summary::FlopTotal>& flops = flopsAt(row);
      if (index.column() == Name && rows_ == SummaryRows::Modules)
        return cell(row, Name) + "\n" + cell(row, Class);
      if (index.column() == Parameters && rows_ == SummaryRows::Modules)
        return grouped(report_->summary.modules[row].parameters);
      if (index.column() != Flops || !flops || flops->counted + flops->unknown == 0) return {};
      return QString("%1 in %2; not known of %3")
          .arg(grouped(flops->flops), counted(flops->counted, "call"))
          .arg(flops->unknown);
    }
    case kSortRole: return sortKey(row, index.column());
    case kFilterRole: return cell(row, Name) + '\n' + cell(row, Class);
    default: return {};
  }
}

}  // namespace fxs::ui
