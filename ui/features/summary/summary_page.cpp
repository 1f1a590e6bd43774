// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/summary/summary_page.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QScopedValueRollback>

#include "text/words.h"
#include "widgets/accessible_roles.h"
#include "widgets/sign_delegate.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {
namespace {

// Widths times the text scale: of a table with the sizes of modules, and with their classes, too.
constexpr int kMediumTable = 60 * kGrid, kWideTable = 90 * kGrid;
constexpr int kWideForFacts =
    110 * kGrid;  ///< width of a page for table and facts, times the text scale

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
  box_ = new FittedComboBox(this);
  box_->addItems({"Program", "By module", "By operator"});
  box_->setAccessibleName("What is shown");
  box_->setToolTip("Show the program, its modules or its operators");
  bar_->insertWidget(0, box_);
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
  setAccessibleRole(facts_, QAccessible::Pane);
  facts_->setAccessibleName("The program in numbers");
  facts_->setWidget(new QWidget);
  addBeside(facts_);
  connect(&summary, &SummaryPresenter::changed, this, &SummaryPage::refresh);
  connect(&session, &SessionPresenter::stateChanged, this, &SummaryPage::refresh);
  connect(&selection, &SelectionPresenter::changed, this, &SummaryPage::follow);
  connect(&appearance, &Appearance::changed, this, &SummaryPage::showFacts);
  connect(this, &TablePage::chosen, this, &SummaryPage::select);
  connect(box_, &QComboBox::currentIndexChanged, this, [this] {
    showRows();
    refresh();
  });
  refresh();
}

void SummaryPage::refresh() {
  if (summary_.report() != report_) {
    report_ = summary_.report();
    showFacts();
    // A program without modules has none to show.
    const bool hasModules = !report_ || report_->summary.modules.size() > 1;
    if (!hasModules && shown() == Modules) box_->setCurrentIndex(Operators);
    showRows();
  }
  const bool none = model_.rowCount() == 0;
  if (report_ && shown() == Program) setMessage({});
  else if (proxy_.rowCount() > 0) setMessage({});
  else if (!none) setMessage("No module or operator matches");
  else if (!session_.hasProgram()) setMessage("Open a program to see it in numbers");
  else if (summary_.state().running) setMessage(summary_.state().step + " …");
  else if (!summary_.state().message.isEmpty())
    setMessage("No summary: " + summary_.state().message);
  else setMessage("The program calls no operator");
}

void SummaryPage::showRows() {
  const QScopedValueRollback isQuiet(quiet_, true);
  const bool isModules = shown() != Operators;
  model_.show(report_, isModules ? SummaryRows::Modules : SummaryRows::Operators);
  follow();
  arrange();
}

/// Shows the columns for which there is space.
void SummaryPage::showColumns(int space) {
  const bool isModules = shown() != Operators;
  const bool hasFlops = report_ && report_->summary.flops;
  const bool isMedium = space >= appearance_.scaled(kMediumTable);
  const bool isWide = space >= appearance_.scaled(kWideTable);
  // Once for each choice: the user may have resized some.
  const std::array<bool, 4> now{isModules, hasFlops, isMedium, isWide};
  if (now == columns_) return;
  columns_ = now;
  view()->setColumnHidden(SummaryModel::Class, !isModules || !isWide);
  view()->setColumnHidden(SummaryModel::Calls, isModules && !isMedium);
  view()->setColumnHidden(SummaryModel::Parameters, !isModules);
  view()->setColumnHidden(SummaryModel::Bytes, !isModules || !isMedium);
  view()->setColumnHidden(SummaryModel::Flops, !hasFlops);
  view()->setColumnHidden(SummaryModel::Share, !hasFlops);
  if (!isModules)
    return setWidths(
        {{SummaryModel::Name, 50}, {SummaryModel::Calls, 8}, {SummaryModel::Flops, 12}});
  std::vector<std::pair<int, int>> columns{
      {SummaryModel::Name, 40}, {SummaryModel::Parameters, 10}, {SummaryModel::Flops, 9}};
  if (isMedium)
    columns.insert(columns.end(), {{SummaryModel::Calls, 6}, {SummaryModel::Bytes, 10}});
  if (isWide) columns.emplace_back(SummaryModel::Class, 20);
  setWidths(std::move(columns));
}

void SummaryPage::arrange() {
  const bool isTable = shown() != Program;
  const bool isWide = width() >= appearance_.scaled(kWideForFacts);
  view()->setVisible(isTable);
  filter()->setVisible(isTable);
  facts_->setVisible(report_ && (!isTable || isWide));
  // The splitter gives four of nine parts to the table.
  showColumns(isWide ? width() * 4 / 9 : width());
  setFocusProxy(isTable ? static_cast<QWidget*>(view()) : facts_);
  updateGeometry();
}

void SummaryPage::resizeEvent(QResizeEvent* event) {
  TablePage::resizeEvent(event);
  arrange();
}

int SummaryPage::heightForWidth(int width) const {
  if (shown() != Program || !message().isEmpty()) return TablePage::heightForWidth(width);
  return bar_->heightForWidth(width) + facts_->widget()->layout()->totalHeightForWidth(width);
}

void SummaryPage::showFacts() {
  auto* body = new QWidget;
  body->setProperty("surface", true);
  auto* grid = new QGridLayout;
  grid->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid);
  grid->setHorizontalSpacing(2 * kGrid);
  grid->setVerticalSpacing(kGrid / 2);
  int row = 0;
  if (report_)
    for (const report::SummaryFact& fact : report::summaryFacts(*report_)) {
      QStringList lines;
      for (const std::string& line : fact.lines) lines << text(line);
      grid->addWidget(makeLabel(appearance_, text(fact.label), TextSize::Body, "muted", body), row,
                      0, Qt::AlignTop);
      grid->addWidget(new WrappedLabel(appearance_, lines.join('\n'), TextSize::Body, {}, body),
                      row++, 1);
    }
  grid->setColumnStretch(1, 1);
  grid->setRowStretch(row, 1);
  body->setLayout(grid);
  facts_->setWidget(body);
  arrange();
}

QString SummaryPage::factsText() const {
  QStringList out;
  for (const QObject* each : facts_->widget()->children()) {
    if (const auto* label = qobject_cast<const QLabel*>(each)) out << label->text();
    if (const auto* line = qobject_cast<const WrappedLabel*>(each)) out << line->toPlainText();
  }
  return out.join('\n');
}

void SummaryPage::select(const QModelIndex& shown) {
  const QModelIndex index = proxy_.mapToSource(shown);
  if (!index.isValid() || !report_) return;
  const auto row = static_cast<std::size_t>(index.row());
  if (model_.rows() == SummaryRows::Modules) summary_.select(report_->summary.modules[row]);
  else summary_.select(report_->summary.operators[row]);
}

void SummaryPage::follow() {
  const int row = model_.rows() == SummaryRows::Modules ? summary_.selectedModule()
                                                        : summary_.selectedOperator();
  showRow(row < 0 ? QModelIndex() : proxy_.mapFromSource(model_.index(row, 0)),
          selection_.following());
}

}  // namespace fxs::ui
