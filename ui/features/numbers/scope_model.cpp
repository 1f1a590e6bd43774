// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/numbers/scope_model.h"

#include <algorithm>
#include <map>

#include "features/numbers/numbers_model.h"

namespace fxs::ui {
namespace {

QString titles(compare::Values values) {
  QStringList out;
  for (const compare::Value value : values.list()) out << text(compare::title(value));
  return out.join(", ");
}

/// "NaN (1 of 3 calls)"
QString countedTitle(compare::Value value, std::size_t calls, std::size_t all) {
  const QString title = text(compare::title(value));
  return calls < all ? QString("%1 (%2 of %3)").arg(title).arg(calls).arg(counted(all, "call"))
                     : title;
}

QString trips(const std::string& taken) {
  return taken == "1" ? QString("1 trip") : text(taken) + " trips";
}

}  // namespace

void ScopeModel::show(const ComparedTarget* target) {
  beginResetModel();
  rows_.clear();
  if (target && !target->target->scope.sets.empty()) {
    const compare::Scope& scope = target->target->scope;
    addControl(scope);
    addOperators(scope);
    addInputs(scope);
  }
  if (target) {
    for (const compare::Scope::NotCompared& each : target->target->scope.notCompared)
      rows_.push_back({text(each.name), {}, "not compared", text(each.message)});
    for (const std::string& reason : target->target->scope.setsNotCompared)
      rows_.push_back({"a set of inputs", {}, "not compared", text(reason)});
  }
  std::stable_partition(rows_.begin(), rows_.end(),
                        [](const Row& row) { return !row.notSeen.isEmpty(); });
  endResetModel();
}

void ScopeModel::addInputs(const compare::Scope& scope) {
  for (const compare::Scope::Tried& tried : scope.tried) {
    Row& row = rows_.emplace_back();
    row.of = "input " + text(tried.input) + "  " + text(facts(tried.dtype).shortName);
    QStringList seen;
    if (tried.isFullRange) seen << "all of its range";
    else if (tried.min) seen << QString("%1 to %2").arg(*tried.min).arg(*tried.max);
    if (!tried.values.isEmpty()) seen << titles(tried.values);
    row.seen = seen.join(", ");
    QStringList notSeen, reasons;
    for (const compare::Scope::NotTried& each : scope.notTried) {
      if (std::find(each.inputs.begin(), each.inputs.end(), tried.input) == each.inputs.end())
        continue;
      notSeen << titles(each.values);
      reasons << (each.because.empty() ? QString("not drawn")
                                       : text(each.because) + " does not support them");
    }
    reasons.removeDuplicates();
    row.notSeen = notSeen.join(", ");
    row.reason = reasons.join(", ");
  }
}

void ScopeModel::addOperators(const compare::Scope& scope) {
  if (!scope.knowsNodes) {
    rows_.push_back(
        {"operators", {}, "not known", "only PyTorch's values show what operators saw"});
    return;
  }
  struct Lists {
    QStringList seen, notSeen;
  };
  std::map<std::string, Lists> byOperator;
  std::map<std::pair<std::string, compare::Value>, std::size_t> calls;
  for (const compare::Sight& each : scope.sights) {
    calls[{each.packet, each.value}] = each.calls;
    if (each.seen > 0)
      byOperator[each.packet].seen << countedTitle(each.value, each.seen, each.calls);
  }
  for (const compare::Unseen& each : scope.unseen) {
    const auto all = calls.find({each.packet, each.value});
    byOperator[each.packet].notSeen
        << countedTitle(each.value, each.calls, all == calls.end() ? each.calls : all->second);
  }
  for (const auto& [packet, lists] : byOperator)
    rows_.push_back({text(packet), lists.seen.join(", "), lists.notSeen.join(", "),
                     lists.notSeen.isEmpty() ? QString() : QString("no set has them there")});
}

void ScopeModel::addControl(const compare::Scope& scope) {
  for (const compare::Scope::Control& each : scope.control) {
    Row& row = rows_.emplace_back();
    row.of = text(each.name);
    if (each.taken.empty()) {
      row.notSeen = each.isLoop ? "number of trips not known" : "branch not known";
      row.reason = scope.knowsNodes ? "it did not run" : "known only with PyTorch";
      continue;
    }
    const std::vector<std::string> all = each.isLoop ? std::vector<std::string>{"0", "1", "several"}
                                                     : std::vector<std::string>{"true", "false"};
    QStringList seen, notSeen;
    for (const std::string& one : all)
      (each.taken.contains(one) ? seen : notSeen)
          << (each.isLoop ? trips(one) : text(one) + " branch");
    row.seen = seen.join(", ");
    row.notSeen = notSeen.join(", ");
    if (!notSeen.isEmpty()) row.reason = "no inputs were found for it";
  }
}

std::size_t ScopeModel::gaps() const {
  return static_cast<std::size_t>(std::count_if(
      rows_.begin(), rows_.end(), [](const Row& row) { return !row.notSeen.isEmpty(); }));
}

int ScopeModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant ScopeModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      switch (index.column()) {
        case Of: return row.of;
        case Seen: return row.seen;
        case NotSeen: return row.notSeen;
        case Reason: return row.reason;
        default: return {};
      }
    case Qt::ToolTipRole: {
      QStringList lines{row.of};
      if (!row.seen.isEmpty()) lines << "seen: " + row.seen;
      if (!row.notSeen.isEmpty()) lines << "not seen: " + row.notSeen;
      if (!row.reason.isEmpty()) lines << row.reason;
      return lines.join('\n');
    }
    case kVerdictRole:
      return index.column() == Of ? QVariant(static_cast<int>(tensor::Verdict::Same)) : QVariant();
    case kComparedRole: return row.notSeen.isEmpty();
    default: return {};
  }
}

}  // namespace fxs::ui
