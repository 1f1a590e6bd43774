// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/numbers/numbers_page.h"

#include <QFileDialog>

#include "features/numbers/numbers_delegate.h"
#include "features/numbers/numbers_model.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr int kWidestReference = 26 * kGrid;

}  // namespace
NumbersPage::NumbersPage(Appearance& appearance, NumbersPresenter& numbers,
                         SelectionPresenter& selection, QWidget* parent)
    : TablePage(appearance, "Output types and sets of inputs", "Filter nodes", "Compare", parent),
      numbers_(numbers),
      selection_(selection),
      sets_(numbers) {
  filter()->hide();
  progress_ = makeProgress("Progress of the comparison", this);
  progress_->setFixedWidth(kProgressWidth);
  bar_->addWidget(progress_);
  reference_ = new FittedComboBox(this);
  reference_->setAccessibleName("Compare with");
  reference_->setMaximumWidth(appearance.scaled(kWidestReference));
  bar_->addWidget(reference_);
  compare_ =
      addButton("Compare", "Runs what the program was lowered to and compares the results (F9)");
  bundle_ =
      addButton("Export bundle …",
                "The smallest part found that computes the wrong result, as one zip (Ctrl+E)");
  all_ = addButton("All output types",
                   "Also lowers to every backend, and compares what each computes (Ctrl+F9)");
  setSecondary(all_);

  setRows(sets_);
  view()->setIndentation(0);  // an output type is the heading of its sets
  view()->setItemDelegate(new NumbersDelegate(appearance, {-1, -1, 1}, view()));
  detail_ = new NumbersDetail(appearance, numbers, this);
  addBeside(detail_);

  connect(filter(), &QLineEdit::textChanged, this,
          [this](const QString& typed) { detail_->filterNodes(typed.trimmed()); });
  connect(detail_, &NumbersDetail::chosen, this, &NumbersPage::select);
  connect(detail_, &NumbersDetail::tabChanged, this, [this] { filter()->setVisible(hasFilter()); });
  connect(reference_, &QComboBox::activated, this, &NumbersPage::chooseReference);
  connect(&numbers, &NumbersPresenter::changed, this, &NumbersPage::refresh);
  connect(&numbers, &NumbersPresenter::stateChanged, this, &NumbersPage::refreshBar);
  connect(&selection, &SelectionPresenter::changed, this, &NumbersPage::followSelection);
  connect(this, &TablePage::chosen, this, [this](const QModelIndex& row) {
    showDetail();
    select(row);
  });
  refreshReference();
  refresh();
}

void NumbersPage::refresh() {
  const ComparedTarget* target = sets_.targetAt(view()->currentIndex());
  const lower::OutputType shown = target ? target->target->to : lower::OutputType();
  const std::optional<std::size_t> inputs = sets_.inputsAt(view()->currentIndex());
  sets_.refresh();
  fitSets();
  view()->expandAll();
  for (int row = 0; row < sets_.rowCount(); ++row) view()->setFirstColumnSpanned(row, {}, true);
  const QModelIndex same = target ? sets_.indexOf(shown, inputs) : QModelIndex();
  if (same.isValid()) view()->setCurrentIndex(same);
  else chooseRow();
  const bool differs = numbers_.different() != nullptr;
  if (differs && !differs_) detail_->setTab(NumbersDetail::Nodes);
  differs_ = differs;
  showDetail();
  refreshBar();
  followSelection();
}

/// The set that differs most of the session's output type.
void NumbersPage::chooseRow() {
  const ComparedTarget* now = numbers_.current();
  if (!now) return;
  const QModelIndex above = sets_.indexOf(now->target->to);
  const QModelIndex worst = sets_.indexOf(now->target->to, sets_.inputsAt(above));
  view()->setCurrentIndex(worst.isValid() ? worst : above);
  view()->scrollTo(above);  // the verdict, where both do not fit
}

/// Values are wide, executors have few words.
void NumbersPage::fitSets() {
  constexpr int kName = 12, kFound = 20, kSizes = 9, kLeastOfValues = 12;
  std::vector<std::pair<int, int>> widths{{0, kName}};
  for (int i = 0; i < sets_.executors(); ++i) widths.emplace_back(i + 1, kFound);
  if (sets_.hasSizes()) widths.emplace_back(sets_.executors() + 1, kSizes);
  setWidths(std::move(widths), kLeastOfValues);
}

void NumbersPage::showTarget(const lower::OutputType& to) {
  if (const QModelIndex row = sets_.indexOf(to); row.isValid()) view()->setCurrentIndex(row);
  showDetail();
  detail_->setTab(NumbersDetail::Nodes);
}

void NumbersPage::showDetail() {
  const ComparedTarget* target = sets_.targetAt(view()->currentIndex());
  detail_->show(target ? target : numbers_.current(), sets_.inputsAt(view()->currentIndex()));
  filter()->setVisible(hasFilter());
}

bool NumbersPage::hasFilter() const {
  return !numbers_.targets().empty() && detail_->tab() == NumbersDetail::Nodes;
}

QString NumbersPage::summaryText() const {
  const WorkState& state = numbers_.state();
  const bool isRepeated = !numbers_.targets().empty();
  QStringList summary;
  if (isRepeated && state.running) summary << state.step + " …";
  else if (isRepeated && !state.message.isEmpty())
    summary << "not compared again: " + state.message;
  if (const QString made = numbers_.summary(); !made.isEmpty()) summary << made;
  const auto notes = static_cast<std::size_t>(numbers_.notes().size());
  if (notes) summary << counted(notes, "note");
  return summary.join("  ·  ");
}

void NumbersPage::refreshBar() {
  const WorkState& state = numbers_.state();
  if (reference_->currentData().toString() != exact(numbers_.consent().python()))
    refreshReference();
  setMessage(numbers_.emptyText());
  const QString summary = summaryText();
  setSummary(summary);
  summary_->setToolTip((QStringList{summary} + numbers_.notes()).join('\n'));
  showProgress(*progress_, state.running, state.fraction);
  const QString compareText = numbers_.targets().empty() ? "Compare" : "Compare again";
  compare_->setText(state.running ? "Cancel" : compareText);
  compare_->setEnabled(state.running || numbers_.possible());
  all_->setEnabled(numbers_.possible());
  const ComparedTarget* now = numbers_.current();
  bundle_->setVisible(!state.running && now &&
                      severity(now->target->verdict) > tensor::Verdict::Suspicious);
  const bool isMissing = !numbers_.missing().isEmpty();
  messageButton()->setText(isMissing ? "Install IREE" : "Compare");
  messageButton()->setVisible(!state.running && numbers_.targets().empty());
  messageButton()->setEnabled(isMissing || numbers_.possible());
  compare_->setVisible(isMissing || messageButton()->isHidden());
}

void NumbersPage::refreshReference() {
  const std::string& python = numbers_.consent().python();
  reference_->clear();
  reference_->addItem("with other lowering paths", QString());
  reference_->addItem("with PyTorch (python3)", "auto");
  if (!python.empty() && python != "auto")
    reference_->addItem("with PyTorch (" + text(python) + ")", exact(python));
  reference_->addItem("with another Python …");
  if (python.empty()) reference_->setCurrentIndex(0);
  else reference_->setCurrentIndex(python == "auto" ? 1 : 2);
}

void NumbersPage::chooseReference(int index) {
  if (index + 1 < reference_->count())
    return numbers_.consent().setPython(reference_->itemData(index).toString().toStdString());
  choosePython();
}

void NumbersPage::choosePython() {
  const QString chosen = QFileDialog::getOpenFileName(window(), "Python with PyTorch");
  if (!chosen.isEmpty()) numbers_.consent().setPython(chosen.toStdString());
  refreshReference();
}

void NumbersPage::select(const QModelIndex& row) {
  const QVariant node = row.data(kNumbersNodeRole);
  if (row.isValid() && node.toInt() >= 0)
    selection_.selectNode(fx::NodeId::of(static_cast<std::size_t>(node.toInt())), Origin::Problem);
}

void NumbersPage::followSelection() {
  if (selection_.current().node().valid()) detail_->followNode(selection_.current().node());
}

}  // namespace fxs::ui
