// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/summary/summary_page.h"

#include <QHeaderView>
#include <QScopedValueRollback>

#include "text/words.h"
#include "widgets/sign_delegate.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {
namespace {

class SummaryDelegate final : public SignDelegate {
 public:
  using SignDelegate::SignDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = index.column() == SummaryModel::Name ? Qt::ElideMiddle : Qt::ElideRight;
    if (index.column() == SummaryModel::Name) return;
    if (index.column() != SummaryModel::Class)
      option->displayAlignment = Qt::AlignRight | Qt::AlignVCenter;
    ink(option, Role::TextMuted);
  }
};

}  // namespace

SummaryPage::SummaryPage(Appearance& appearance, SummaryPresenter& summary,
                         SessionPresenter& session, SelectionPresenter& selection, QWidget* parent)
    : TablePage(appearance, "Modules and operators in numbers", "Filter modules or operators", {},
                parent),
      appearance_(appearance),
      summary_(summary),
      session_(session),
      selection_(selection) {
  rows_ = new FittedComboBox(this);
  rows_->addItems({"By module", "By operator"});
  rows_->setAccessibleName("Rows of the table");
  rows_->setToolTip("Rows of the table: modules or operators");
  bar_->insertWidget(1, rows_);
  messageButton()->hide();
  setFilteredRows(model_, SummaryModel::Name, SummaryModel::kFilterRole, [this] { refresh(); });
  proxy_.setSortRole(SummaryModel::kSortRole);
  view()->setItemDelegate(new SummaryDelegate(appearance, view()));
  view()->setSortingEnabled(true);
  view()->header()->setSortIndicatorClearable(true);
  view()->sortByColumn(-1, Qt::AscendingOrder);
  facts_ = new QScrollArea(this);
  facts_->setWidgetResizable(true);
  facts_->setFrameShape(QFrame::NoFrame);
  facts_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  facts_->setAccessibleName("The program in numbers");
  addBeside(facts_);
  connect(&summary, &SummaryPresenter::changed, this, &SummaryPage::refresh);
  connect(&session, &SessionPresenter::stateChanged, this, &SummaryPage::refresh);
  connect(&selection, &SelectionPresenter::changed, this, &SummaryPage::follow);
  connect(&appearance, &Appearance::changed, this, &SummaryPage::showFacts);
  connect(this, &TablePage::chosen, this, &SummaryPage::select);
  connect(rows_, &QComboBox::currentIndexChanged, this, &SummaryPage::showRows);
  refresh();
}

void SummaryPage::refresh() {
  if (summary_.report() != shown_) {
    const bool isOther = !shown_ || !summary_.report() || shown_->input != summary_.report()->input;
    shown_ = summary_.report();
    showFacts();
    // Modules of a file without any are of no use.
    if (shown_ && isOther)
      rows_->setCurrentIndex(static_cast<int>(
          shown_->summary.modules.size() > 1 ? SummaryRows::Modules : SummaryRows::Operators));
    showRows();
  }
  const bool none = model_.rowCount() == 0;
  if (proxy_.rowCount() > 0) setMessage({});
  else if (!none) setMessage("No module or operator matches");
  else if (!session_.hasProgram()) setMessage("Open a program to see it in numbers");
  else if (summary_.state().running) setMessage(summary_.state().step + " …");
  else if (!summary_.state().message.isEmpty())
    setMessage("No summary: " + summary_.state().message);
  else setMessage("The program calls no operator");
}

void SummaryPage::showRows() {
  const QScopedValueRollback isQuiet(quiet_, true);
  const auto rows = static_cast<SummaryRows>(rows_->currentIndex());
  model_.show(shown_, rows);
  const bool isModules = rows == SummaryRows::Modules;
  for (const int column : {SummaryModel::Class, SummaryModel::Parameters, SummaryModel::Bytes})
    view()->setColumnHidden(column, !isModules);
  const bool hasFlops = shown_ && shown_->summary.flops;
  view()->setColumnHidden(SummaryModel::Flops, !hasFlops);
  view()->setColumnHidden(SummaryModel::Share, !hasFlops);
  if (isModules)
    setWidths({{SummaryModel::Name, 34},
               {SummaryModel::Class, 20},
               {SummaryModel::Calls, 7},
               {SummaryModel::Parameters, 11},
               {SummaryModel::Bytes, 11},
               {SummaryModel::Flops, 11}},
              14);
  else setWidths({{SummaryModel::Name, 50}, {SummaryModel::Calls, 8}, {SummaryModel::Flops, 12}});
  follow();
}

void SummaryPage::showFacts() {
  auto* body = new QWidget;
  body->setProperty("surface", true);
  auto* column = makeBox<QVBoxLayout>(kGrid / 2, kGrid);
  if (shown_)
    for (const report::SummaryFact& fact : report::summaryFacts(*shown_)) {
      column->addWidget(makeHeading(appearance_, text(fact.label), body));
      for (const std::string& line : fact.lines)
        column->addWidget(new WrappedLabel(appearance_, text(line), TextSize::Body, {}, body));
    }
  column->addStretch(1);
  body->setLayout(column);
  facts_->setWidget(body);
  facts_->setVisible(shown_ != nullptr);
}

QString SummaryPage::factsText() const {
  QStringList out;
  for (const QObject* each : facts_->widget()->children()) {
    if (const auto* heading = qobject_cast<const QLabel*>(each)) out << heading->text();
    if (const auto* line = qobject_cast<const WrappedLabel*>(each)) out << line->toPlainText();
  }
  return out.join('\n');
}

void SummaryPage::select(const QModelIndex& shown) {
  const QModelIndex index = proxy_.mapToSource(shown);
  if (!index.isValid() || !shown_) return;
  const auto row = static_cast<std::size_t>(index.row());
  if (model_.rows() == SummaryRows::Modules) summary_.select(shown_->summary.modules[row]);
  else summary_.select(shown_->summary.operators[row]);
}

void SummaryPage::follow() {
  const int row = model_.rows() == SummaryRows::Modules ? summary_.selectedModule()
                                                        : summary_.selectedOperator();
  showRow(row < 0 ? QModelIndex() : proxy_.mapFromSource(model_.index(row, 0)),
          selection_.following());
}

}  // namespace fxs::ui
