#include "features/support/support_page.h"

#include <QHeaderView>
#include <QVBoxLayout>
#include <algorithm>

#include "text/words.h"
#include "widgets/sign_delegate.h"

namespace fxs::ui {
namespace {

using Support = SupportModel::Support;

class SupportDelegate final : public SignDelegate {
 public:
  using SignDelegate::SignDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = index.column() == SupportModel::Operator ? Qt::ElideMiddle : Qt::ElideRight;
    if (index.column() == SupportModel::Nodes) {
      option->displayAlignment = Qt::AlignRight | Qt::AlignVCenter;
      return ink(option, Role::TextMuted);
    }
    if (index.column() == SupportModel::Operator) return;
    const auto standing = static_cast<Support>(index.data(SupportModel::kSupportRole).toInt());
    const Role role = standing == Support::Blocked ? Role::Error : standing == Support::Taken ? Role::Success : Role::TextMuted;
    sign(option, standing == Support::Blocked ? "error" : standing == Support::Taken ? "done" : "class-unknown", role);
    ink(option, standing == Support::Blocked ? Role::Error : Role::TextMuted);
  }
};

}  // namespace

SupportPage::SupportPage(Appearance& appearance, SessionPresenter& session, ProblemsPresenter& problems, DiagnosisPresenter& diagnosis,
                         SelectionPresenter& selection, QWidget* parent)
    : QWidget(parent), session_(session), problems_(problems), diagnosis_(diagnosis), selection_(selection) {
  auto* column = makeBox<QVBoxLayout>(0);
  auto* bar = makeBox<QHBoxLayout>(kGrid);
  bar->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
  filter_ = new QLineEdit(this);
  filter_->setPlaceholderText("Filter operators");
  filter_->setAccessibleName("Filter operators");
  filter_->setClearButtonEnabled(true);
  filter_->setFixedWidth(28 * kGrid);
  sums_ = new ElidedLabel(this, Qt::ElideRight);
  sums_->setProperty("ink", "muted");
  all_ = new QToolButton(this);
  all_->setProperty("boxed", true);
  all_->setText("Survey all targets");
  all_->setToolTip("Asks which operations linalg-on-tensors, tosa and stablehlo take (Ctrl+Shift+T)");
  bar->addWidget(filter_);
  bar->addWidget(sums_, 1);
  bar->addWidget(all_);
  column->addLayout(bar);
  pages_ = new QStackedWidget(this);
  proxy_.setSourceModel(&model_);
  proxy_.setFilterCaseSensitivity(Qt::CaseInsensitive);
  proxy_.setFilterKeyColumn(SupportModel::Operator);
  view_ = makeTable(proxy_, "Operators and output types", pages_);
  view_->setItemDelegate(new SupportDelegate(appearance, view_));
  view_->setSelectionBehavior(QAbstractItemView::SelectItems);
  empty_ = new QWidget(pages_);
  auto* middle = makeBox<QVBoxLayout>(kGrid, 2 * kGrid);
  message_ = makeLabel(appearance, {}, TextSize::Body, "muted", empty_);
  message_->setAlignment(Qt::AlignCenter);
  message_->setWordWrap(true);
  survey_ = new QPushButton("Survey all targets", empty_);
  middle->addStretch(1);
  middle->addWidget(message_);
  middle->addWidget(survey_, 0, Qt::AlignHCenter);
  middle->addStretch(1);
  empty_->setLayout(middle);
  pages_->addWidget(view_);
  pages_->addWidget(empty_);
  column->addWidget(pages_, 1);
  setLayout(column);
  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
    proxy_.setFilterFixedString(text.trimmed());
    refreshState();
  });
  connect(all_, &QToolButton::clicked, this, &SupportPage::surveyRequested);
  connect(survey_, &QPushButton::clicked, this, &SupportPage::surveyRequested);
  connect(&diagnosis, &DiagnosisPresenter::changed, this, &SupportPage::refresh);
  connect(&diagnosis, &DiagnosisPresenter::stateChanged, this, &SupportPage::refreshState);
  connect(&session, &SessionPresenter::stateChanged, this, &SupportPage::refreshState);
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
    if (view_->hasFocus()) select(current);
  });
  connect(view_, &QTreeView::clicked, this, &SupportPage::select);
  setFocusProxy(view_);
  refresh();
}

void SupportPage::refresh() {
  model_.setDiagnosis(diagnosis_.diagnosis());
  view_->header()->setStretchLastSection(true);
  view_->header()->resizeSection(SupportModel::Operator, 48 * kGrid);
  view_->header()->resizeSection(SupportModel::Nodes, 8 * kGrid);
  for (int column = SupportModel::FirstTarget; column < model_.columnCount(); ++column) view_->header()->resizeSection(column, 24 * kGrid);
  refreshState();
}

void SupportPage::refreshState() {
  const bool running = diagnosis_.state().running, none = model_.rowCount() == 0, nothing = proxy_.rowCount() == 0;
  pages_->setCurrentWidget(nothing ? empty_ : static_cast<QWidget*>(view_));
  const SessionState& state = session_.state();
  message_->setText(!none                            ? QString("No operator has that name")
                    : !session_.hasProgram()         ? QString("Open a program to see which operators each output type takes")
                    : running                        ? diagnosis_.state().what + " …"
                    : !state.engineProblem.isEmpty() ? "Not known which operators are taken: " + state.engineProblem
                    : !diagnosis_.state().why.isEmpty()
                        ? "No diagnosis: " + diagnosis_.state().why
                        : QString("Every operator of the program is run by itself, for linalg-on-tensors, tosa and stablehlo"));
  survey_->setVisible(none && !running);
  survey_->setEnabled(diagnosis_.possible());
  all_->setVisible(!none);
  all_->setEnabled(diagnosis_.possible());
  sums_->setFullText((running ? diagnosis_.state().what + " …  ·  " : QString()) + model_.sums().join("  ·  "));
}

void SupportPage::select(const QModelIndex& shown) {
  const QModelIndex index = proxy_.mapToSource(shown);
  const fx::ProgramPtr program = session_.program();
  if (!index.isValid() || !program) return;
  const QString name = index.data(SupportModel::kOperatorRole).toString();
  Selection selection;
  selection.place = Place::Problem;
  // What a cell says is blocked; else every node of the operator.
  const QVariant target = index.data(SupportModel::kTargetRole);
  const bool blockedOnly = static_cast<Support>(index.data(SupportModel::kSupportRole).toInt()) == Support::Blocked;
  if (blockedOnly && diagnosis_.diagnosis())
    for (const diagnose::Blocked& blocked : diagnosis_.diagnosis()->blocked)
      if (text(blocked.fxTarget) == name && (!target.isValid() || static_cast<int>(blocked.target) == target.toInt()))
        selection.nodes.insert(selection.nodes.end(), blocked.nodes.begin(), blocked.nodes.end());
  if (blockedOnly && problems_.problem(name)) selection.problem = name;
  if (selection.nodes.empty())
    for (const fx::Node& node : program->nodes)
      if (text(node.target) == name) selection.nodes.push_back(node.id);
  std::sort(selection.nodes.begin(), selection.nodes.end());
  selection.nodes.erase(std::unique(selection.nodes.begin(), selection.nodes.end()), selection.nodes.end());
  selection_.select(std::move(selection));
}

}  // namespace fxs::ui
