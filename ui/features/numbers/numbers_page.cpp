#include "features/numbers/numbers_page.h"

#include <QFileDialog>
#include <QHeaderView>
#include <QPainter>

#include "features/numbers/numbers_sign.h"
#include "text/words.h"
#include "widgets/sign_delegate.h"

namespace fxs::ui {
namespace {

constexpr int kErrorText = 12 * kGrid;  ///< width of the number before its bar
constexpr int kBarHeight = 6;

class NumbersDelegate final : public SignDelegate {
 public:
  NumbersDelegate(Appearance& appearance, int verdict, int error, int names, QObject* parent)
      : SignDelegate(appearance, parent), verdict_(verdict), error_(error), names_(names) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    SignDelegate::paint(painter, option, index);
    const double fraction = index.data(kErrorRole).toDouble();
    QRect track = option.rect.adjusted(kErrorText, 0, -kGrid, 0);
    if (index.column() != error_ || !index.data(kErrorRole).isValid() || fraction < 0 || track.width() < 2 * kGrid) return;
    track = QRect(track.left(), track.center().y() - kBarHeight / 2 + 1, track.width(), kBarHeight);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(appearance_.color(Role::Border));
    painter->drawRoundedRect(track, kBarHeight / 2.0, kBarHeight / 2.0);
    if (const int length = static_cast<int>(fraction * track.width()); length > 0) {
      painter->setBrush(appearance_.color(verdictRole(verdictOf(index), true)));
      painter->drawRoundedRect(QRect(track.topLeft(), QSize(std::max(length, kBarHeight), kBarHeight)), kBarHeight / 2.0, kBarHeight / 2.0);
    }
    painter->restore();
  }

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = index.column() < names_ ? Qt::ElideMiddle : Qt::ElideRight;
    const bool first = index.data(kFirstRole).toBool();
    if (first) option->font.setWeight(QFont::DemiBold);
    if (index.column() == verdict_) {
      const bool compared = index.data(kComparedRole).toBool();
      const Role role = verdictRole(verdictOf(index), compared);
      sign(option, verdictIcon(verdictOf(index), compared), role);
      return ink(option, role == Role::Success ? Role::TextMuted : role);
    }
    if (index.column() > 0 && !first) ink(option, Role::TextMuted);
  }

 private:
  static tensor::Verdict verdictOf(const QModelIndex& index) { return static_cast<tensor::Verdict>(index.data(kVerdictRole).toInt()); }
  int verdict_, error_, names_;
};

}  // namespace

NumbersPage::NumbersPage(Appearance& appearance, NumbersPresenter& numbers, SelectionPresenter& selection, QWidget* parent)
    : TablePage(appearance, "Output types and results", "Filter nodes", "Compare", parent),
      numbers_(numbers),
      selection_(selection),
      results_(numbers),
      inner_(numbers) {
  filter()->hide();
  progress_ = makeProgress("Progress of the comparison", this);
  progress_->setFixedWidth(kProgressWidth);
  bar_->addWidget(progress_);
  reference_ = new FittedComboBox(this);
  reference_->setAccessibleName("Compare with");
  bar_->addWidget(reference_);
  compare_ = addButton("Compare", "Runs what the program was lowered to and compares the results (F9)");
  bundle_ = addButton("Export bundle …", "The smallest part found that computes the wrong result, as one zip (Ctrl+E)");
  all_ = addButton("All output types", "Also lowers to every backend, and compares what each computes (Ctrl+F9)");
  setSecondary(all_);

  setRows(results_);
  view()->setRootIsDecorated(true);
  view()->setIndentation(appearance.scaled(2 * kGrid));
  view()->setItemDelegate(new NumbersDelegate(appearance, ResultsModel::Verdict, ResultsModel::Error, 1, view()));
  setWidths({{ResultsModel::Name, 24}, {ResultsModel::Verdict, 16}, {ResultsModel::Type, 12}, {ResultsModel::Error, 18}});

  nodes_ = makeTable("Nodes and the error of their values", this);
  proxy_.setSourceModel(&inner_);
  proxy_.setFilterCaseSensitivity(Qt::CaseInsensitive);
  proxy_.setFilterRole(kNumbersFilterRole);
  proxy_.setSortRole(kSortRole);
  nodes_->setModel(&proxy_);
  nodes_->setItemDelegate(new NumbersDelegate(appearance, ComparedNodesModel::Verdict, ComparedNodesModel::Error, 2, nodes_));
  nodes_->setSortingEnabled(true);
  nodes_->sortByColumn(-1, Qt::AscendingOrder);
  nodes_->header()->setSortIndicatorClearable(true);
  for (const auto& [column, width] : {std::pair{ComparedNodesModel::Node, 18},
                                      {ComparedNodesModel::Operator, 18},
                                      {ComparedNodesModel::Verdict, 16},
                                      {ComparedNodesModel::Error, 18},
                                      {ComparedNodesModel::Operands, 11}})
    nodes_->header()->resizeSection(column, appearance.scaled(width * kGrid));
  addBeside(nodes_);

  connect(filter(), &QLineEdit::textChanged, this, [this](const QString& typed) { proxy_.setFilterFixedString(typed.trimmed()); });
  connect(nodes_, &QTreeView::clicked, this, &NumbersPage::select);
  connect(nodes_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
    if (nodes_->hasFocus() && nodes_->selectionModel()->isSelected(now)) select(now);
  });
  connect(reference_, &QComboBox::activated, this, &NumbersPage::chooseReference);
  connect(&numbers, &NumbersPresenter::changed, this, &NumbersPage::refresh);
  connect(&numbers, &NumbersPresenter::stateChanged, this, &NumbersPage::refreshBar);
  connect(&selection, &SelectionPresenter::changed, this, &NumbersPage::followSelection);
  connect(this, &TablePage::chosen, this, [this](const QModelIndex& row) {
    showNodes();
    select(row);
  });
  refreshReference();
  refresh();
}

void NumbersPage::refresh() {
  results_.refresh();
  for (int row = 0; row < results_.rowCount(); ++row) view()->expand(results_.index(row, 0));
  showNodes();
  refreshBar();
  followSelection();
}

void NumbersPage::showTarget(const lower::OutputType& to) {
  for (int row = 0; row < results_.rowCount(); ++row)
    if (const QModelIndex index = results_.index(row, 0); results_.targetAt(index)->target->to == to) view()->setCurrentIndex(index);
  showNodes();
}

void NumbersPage::showNodes() {
  const ComparedTarget* chosen = results_.targetAt(view()->currentIndex());
  inner_.setTarget(chosen ? chosen : numbers_.current());
  const bool any = inner_.rowCount() > 0;
  nodes_->setVisible(any);
  filter()->setVisible(any);
}

void NumbersPage::refreshBar() {
  const WorkState& state = numbers_.state();
  if (reference_->currentData().toString() != exact(numbers_.consent().python())) refreshReference();
  setMessage(numbers_.emptyText());
  QStringList summary;
  if (state.running && !numbers_.targets().empty()) summary << state.what + " …";
  else if (!state.why.isEmpty() && !numbers_.targets().empty()) summary << "not compared again: " + state.why;
  if (const QString made = numbers_.summary(); !made.isEmpty()) summary << made;
  const QStringList notes = numbers_.notes();
  if (!notes.isEmpty()) summary << counted(static_cast<std::size_t>(notes.size()), "note");
  setSummary(summary.join("  ·  "));
  summary_->setToolTip((QStringList{summary.join("  ·  ")} + notes).join('\n'));
  showProgress(*progress_, state.running, state.fraction);
  compare_->setText(state.running ? "Cancel" : numbers_.targets().empty() ? "Compare" : "Compare again");
  compare_->setEnabled(state.running || numbers_.possible());
  all_->setEnabled(numbers_.possible());
  const ComparedTarget* now = numbers_.current();
  bundle_->setVisible(!state.running && now && severity(now->target->verdict) > tensor::Verdict::Suspicious);
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
  if (!python.empty() && python != "auto") reference_->addItem("with PyTorch (" + text(python) + ")", exact(python));
  reference_->addItem("with another Python …");
  reference_->setCurrentIndex(python.empty() ? 0 : python == "auto" ? 1 : 2);
}

void NumbersPage::chooseReference(int index) {
  if (index + 1 < reference_->count()) return numbers_.consent().setPython(reference_->itemData(index).toString().toStdString());
  const QString chosen = QFileDialog::getOpenFileName(window(), "Python with PyTorch");
  if (!chosen.isEmpty()) numbers_.consent().setPython(chosen.toStdString());
  refreshReference();
}

void NumbersPage::select(const QModelIndex& row) {
  const QVariant node = row.data(kNumbersNodeRole);
  if (row.isValid() && node.toInt() >= 0) selection_.selectNode(fx::NodeId::of(static_cast<std::size_t>(node.toInt())), Place::Problem);
}

void NumbersPage::followSelection() {
  if ((nodes_->hasFocus() && nodes_->selectionModel()->hasSelection()) || !selection_.current().node().valid()) return;
  const QModelIndex row = proxy_.mapFromSource(inner_.indexOf(selection_.current().node()));
  if (!row.isValid()) return nodes_->selectionModel()->clear();
  nodes_->setCurrentIndex(row);
  nodes_->scrollTo(row);
}

}  // namespace fxs::ui
