// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/support/support_page.h"

#include <QHeaderView>
#include <algorithm>

#include "text/words.h"
#include "widgets/sign_delegate.h"

namespace fxs::ui {
namespace {

using Support = SupportModel::Support;
using Measured = MeasuredModel::Standing;

/// The icon of a cell of the table of operators.
QString signIcon(Support support) {
  if (support == Support::Blocked) return "error";
  return support == Support::Taken ? "done" : "class-unknown";
}

/// The colour of that icon.
Role signRole(Support support) {
  if (support == Support::Blocked) return Role::Error;
  return support == Support::Taken ? Role::Success : Role::TextMuted;
}

/// The same for the measured support of one operator.
QString signIcon(Measured standing) {
  switch (standing) {
    case Measured::Blocked: return "error";
    case Measured::Lowers: return "done";
    case Measured::Part: return "warning";
    case Measured::Unknown: break;
  }
  return "class-unknown";
}

Role signRole(Measured standing) {
  switch (standing) {
    case Measured::Blocked: return Role::Error;
    case Measured::Lowers: return Role::Success;
    case Measured::Part: return Role::Warning;
    case Measured::Unknown: break;
  }
  return Role::TextMuted;
}

class SupportDelegate final : public SignDelegate {
 public:
  using SignDelegate::SignDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode =
        index.column() == SupportModel::Operator ? Qt::ElideMiddle : Qt::ElideRight;
    if (index.column() == SupportModel::Nodes) {
      option->displayAlignment = Qt::AlignRight | Qt::AlignVCenter;
      return ink(option, Role::TextMuted);
    }
    if (index.column() == SupportModel::Operator) return;
    const auto standing = static_cast<Support>(index.data(SupportModel::kSupportRole).toInt());
    sign(option, signIcon(standing), signRole(standing));
    ink(option, standing == Support::Blocked ? Role::Error : Role::TextMuted);
  }
};

class MeasuredDelegate final : public SignDelegate {
 public:
  using SignDelegate::SignDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = Qt::ElideRight;
    if (index.column() == 0) return;
    const auto standing = static_cast<Measured>(index.data(MeasuredModel::kStandingRole).toInt());
    sign(option, signIcon(standing), signRole(standing));
    ink(option, standing == Measured::Blocked ? Role::Error : Role::TextMuted);
  }
};

}  // namespace

SupportPage::SupportPage(Appearance& appearance, SessionPresenter& session,
                         ProblemsPresenter& problems, DiagnosisPresenter& diagnosis,
                         SelectionPresenter& selection, MeasuredPresenter& measured,
                         QWidget* parent)
    : TablePage(appearance, "Operators and output types", "Filter operators", "Survey all targets",
                parent),
      session_(session),
      problems_(problems),
      diagnosis_(diagnosis),
      selection_(selection),
      measured_(measured) {
  survey_ = addButton(
      "Survey all targets",
      QString("Tests which operators %1 support (Ctrl+Shift+A)").arg(diagnosis.allTargets()));
  setFilteredRows(model_, SupportModel::Operator, Qt::DisplayRole, [this] { refreshState(); });
  view()->setItemDelegate(new SupportDelegate(appearance, view()));
  view()->setSelectionBehavior(QAbstractItemView::SelectItems);
  connect(&diagnosis, &DiagnosisPresenter::changed, this, &SupportPage::refresh);
  connect(&diagnosis, &DiagnosisPresenter::stateChanged, this, &SupportPage::refreshState);
  connect(&session, &SessionPresenter::stateChanged, this, &SupportPage::refreshState);
  connect(this, &TablePage::chosen, this, &SupportPage::select);
  beside_ = new QWidget(this);
  statement_ = makeElided({}, appearance.sans(TextSize::Body), "muted", beside_, Qt::ElideRight);
  measuredView_ = makeTable("Measured support of the selected operator", beside_);
  measuredView_->setModel(&measured.model());
  measuredView_->setItemDelegate(new MeasuredDelegate(appearance, measuredView_));
  auto* column = makeBox<QVBoxLayout>(0);
  column->addWidget(statement_);
  column->addWidget(measuredView_, 1);
  beside_->setLayout(column);
  addBeside(beside_);
  connect(&measured, &MeasuredPresenter::changed, this, &SupportPage::refreshMeasured);
  refreshMeasured();
  refresh();
}

void SupportPage::refreshMeasured() {
  statement_->setFullText(measured_.statement());
  beside_->setVisible(!measured_.statement().isEmpty());
  measuredView_->setVisible(measured_.model().rowCount() > 0);
  measuredView_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
}

void SupportPage::refresh() {
  model_.setDiagnosis(diagnosis_.diagnosis());
  std::vector<std::pair<int, int>> widths{{SupportModel::Operator, 48}, {SupportModel::Nodes, 8}};
  for (int column = SupportModel::FirstTarget; column + 1 < model_.columnCount(); ++column)
    widths.emplace_back(column, 24);
  setWidths(std::move(widths));
  refreshState();
}

void SupportPage::refreshState() {
  const bool running = diagnosis_.state().running, none = model_.rowCount() == 0;
  const SessionState& state = session_.state();
  if (proxy_.rowCount() > 0) setMessage({});
  else if (!none) setMessage("No operator matches");
  else if (!session_.hasProgram())
    setMessage("Open a program to see which operators each output type supports");
  else if (running) setMessage(diagnosis_.state().step + " …");
  else if (!state.engineProblem.isEmpty())
    setMessage("Operator support is unknown: " + state.engineProblem);
  else if (!diagnosis_.state().message.isEmpty())
    setMessage("No diagnosis: " + diagnosis_.state().message);
  else setMessage("Every operator of the program is run by itself, for " + diagnosis_.allTargets());
  messageButton()->setVisible(none && !running);
  messageButton()->setEnabled(diagnosis_.possible());
  survey_->setVisible(!none);
  survey_->setEnabled(diagnosis_.possible());
  setSummary((running ? diagnosis_.state().step + " …  ·  " : QString()) +
             model_.sums().join("  ·  "));
}

void SupportPage::select(const QModelIndex& shown) {
  const QModelIndex index = proxy_.mapToSource(shown);
  const fx::ProgramPtr program = session_.program();
  if (!index.isValid() || !program) return;
  const QString name = index.data(SupportModel::kOperatorRole).toString();
  Selection selection;
  selection.origin = Origin::Problem;
  // The blocked nodes of a cell, else every node of the operator.
  const QVariant target = index.data(SupportModel::kTargetRole);
  const bool blockedOnly =
      static_cast<Support>(index.data(SupportModel::kSupportRole).toInt()) == Support::Blocked;
  if (blockedOnly && diagnosis_.diagnosis())
    for (const diagnose::Blocked& blocked : diagnosis_.diagnosis()->blocked)
      if (text(blocked.fxTarget) == name &&
          (!target.isValid() || text(lower::name(blocked.target)) == target.toString()))
        selection.nodes.insert(selection.nodes.end(), blocked.nodes.begin(), blocked.nodes.end());
  if (blockedOnly && problems_.problem(name)) selection.problem = name;
  if (selection.nodes.empty())
    for (const fx::Node& node : program->nodes)
      if (text(node.target) == name) selection.nodes.push_back(node.id);
  std::sort(selection.nodes.begin(), selection.nodes.end());
  selection.nodes.erase(std::unique(selection.nodes.begin(), selection.nodes.end()),
                        selection.nodes.end());
  selection_.select(selection);
}

}  // namespace fxs::ui
