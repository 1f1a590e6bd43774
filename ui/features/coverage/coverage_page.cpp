#include "features/coverage/coverage_page.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include "widgets/sign_delegate.h"

namespace fxs::ui {
namespace {

class CoverageDelegate final : public SignDelegate {
 public:
  using SignDelegate::SignDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const bool lowered = index.data(CoverageModel::kStatusRole).toInt() == static_cast<int>(CoverageRow::Status::Lowered);
    switch (index.column()) {
      case CoverageModel::Node:
      case CoverageModel::Target: option->textElideMode = Qt::ElideMiddle; return;
      case CoverageModel::Registry:
        sign(option, lowered ? "done" : "error", lowered ? Role::Success : Role::Error);
        return ink(option, lowered ? Role::TextMuted : Role::Error);
      case CoverageModel::Operations: option->displayAlignment = Qt::AlignRight | Qt::AlignVCenter; break;
      default: option->textElideMode = Qt::ElideRight; break;
    }
    ink(option, Role::TextMuted);
  }
};

}  // namespace

CoveragePage::CoveragePage(Appearance& appearance, SessionPresenter& session, WaysPresenter& ways, SelectionPresenter& selection,
                           QWidget* parent)
    : QWidget(parent), session_(session), ways_(ways), selection_(selection) {
  auto* column = makeBox<QVBoxLayout>(0);
  auto* bar = makeBox<QHBoxLayout>(kGrid);
  bar->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
  filter_ = new QLineEdit(this);
  filter_->setPlaceholderText("Filter nodes, classes, registries");
  filter_->setAccessibleName("Filter the coverage");
  filter_->setClearButtonEnabled(true);
  filter_->setFixedWidth(32 * kGrid);
  sums_ = new ElidedLabel(this, Qt::ElideRight);
  sums_->setProperty("ink", "muted");
  text_ = new QToolButton(this);
  text_->setProperty("boxed", true);
  text_->setText("Show the text");
  text_->setToolTip("The MLIR that the registries write, beside the stages (7)");
  bar->addWidget(filter_);
  bar->addWidget(sums_, 1);
  bar->addWidget(text_);
  column->addLayout(bar);
  pages_ = new QStackedWidget(this);
  proxy_.setSourceModel(&model_);
  proxy_.setFilterCaseSensitivity(Qt::CaseInsensitive);
  proxy_.setFilterRole(CoverageModel::kFilterRole);
  proxy_.setFilterKeyColumn(CoverageModel::Node);
  view_ = makeTable(proxy_, "Nodes and the registries that lower them", pages_);
  view_->setItemDelegate(new CoverageDelegate(appearance, view_));
  view_->header()->setStretchLastSection(true);
  const std::pair<int, int> widths[] = {{CoverageModel::Node, 28},
                                        {CoverageModel::Target, 34},
                                        {CoverageModel::OpClass, 24},
                                        {CoverageModel::Registry, 16},
                                        {CoverageModel::Operations, 10}};
  for (const auto& [at, width] : widths) view_->header()->resizeSection(at, width * kGrid);
  empty_ = new QWidget(pages_);
  auto* middle = makeBox<QVBoxLayout>(kGrid, 2 * kGrid);
  message_ = makeLabel(appearance, {}, TextSize::Body, "muted", empty_);
  message_->setAlignment(Qt::AlignCenter);
  message_->setWordWrap(true);
  run_ = new QPushButton("Lower by registries", empty_);
  middle->addStretch(1);
  middle->addWidget(message_);
  middle->addWidget(run_, 0, Qt::AlignHCenter);
  middle->addStretch(1);
  empty_->setLayout(middle);
  pages_->addWidget(view_);
  pages_->addWidget(empty_);
  column->addWidget(pages_, 1);
  setLayout(column);
  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
    proxy_.setFilterFixedString(text.trimmed());
    refresh();
  });
  connect(text_, &QToolButton::clicked, this, &CoveragePage::textRequested);
  connect(&ways, &WaysPresenter::changed, this, [this](Way way) {
    if (way == Way::Registries) refresh();
  });
  connect(&session, &SessionPresenter::stateChanged, this, &CoveragePage::refresh);
  connect(&selection, &SelectionPresenter::changed, this, &CoveragePage::followSelection);
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
    if (view_->hasFocus()) select(current);
  });
  connect(view_, &QTreeView::clicked, this, &CoveragePage::select);
  setFocusProxy(view_);
  refresh();
}

void CoveragePage::refresh() {
  const WayState& state = ways_.state(Way::Registries);
  model_.setLowering(state.lowering);
  const bool none = model_.rowCount() == 0;
  pages_->setCurrentWidget(proxy_.rowCount() == 0 ? empty_ : static_cast<QWidget*>(view_));
  message_->setText(!none                    ? QString("No node, class or registry has that in its name")
                    : !session_.hasProgram() ? QString("Open a program to see which registry lowers which node")
                    : state.running          ? state.what + " …"
                    : !state.why.isEmpty()   ? "No coverage: " + state.why
                    : state.lowering ? QString("The program has no operation to lower")
                                     : QString("Each node is looked up in the op registries: tosa first, then linalg, math and func"));
  run_->setVisible(none && !state.running && !state.lowering);
  run_->setEnabled(session_.hasProgram());
  text_->setVisible(!none);
  sums_->setFullText((state.running ? state.what + " …  ·  " : QString()) + model_.sums().join("  ·  "));
}

void CoveragePage::select(const QModelIndex& shown) {
  const int node = shown.data(CoverageModel::kNodeRole).toInt();
  if (shown.isValid() && node >= 0) selection_.selectNode(fx::NodeId::of(static_cast<std::size_t>(node)), Place::Problem);
}

void CoveragePage::followSelection() {
  if (view_->hasFocus() || !selection_.current().node().valid()) return;
  const QModelIndex row = proxy_.mapFromSource(model_.indexOf(selection_.current().node()));
  if (!row.isValid()) return view_->selectionModel()->clear();
  view_->setCurrentIndex(row);
  view_->scrollTo(row);
}

}  // namespace fxs::ui
