// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/layers/layers_page.h"

#include <QHeaderView>
#include <QSignalBlocker>

#include "text/words.h"
#include "widgets/shade_swatch.h"
#include "widgets/sign_delegate.h"

namespace fxs::ui {
namespace {

/// A value with its colour before it.
class LayerDelegate final : public SignDelegate {
 public:
  using SignDelegate::SignDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    SignDelegate::initStyleOption(option, index);
    const auto shade = static_cast<Shade>(index.data(LayersModel::kShade).toInt());
    if (shade == Shade::None) return;
    const qreal ratio = option->widget ? option->widget->devicePixelRatioF() : 1;
    const QPixmap colour = swatch(appearance_, shade, ratio);
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->icon = QIcon(colour);
    option->icon.addPixmap(colour, QIcon::Selected);  // it says what the value is
    option->decorationSize = colour.deviceIndependentSize().toSize();
  }
};

}  // namespace

LayersPage::LayersPage(Appearance& appearance, LayersPresenter& layers, SessionPresenter& session,
                       SelectionPresenter& selection, QWidget* parent)
    : TablePage(appearance, "Values of layers", "Filter nodes", "Open a layer", parent),
      layers_(layers),
      session_(session),
      model_(layers) {
  choice_ = new QComboBox(this);
  choice_->setAccessibleName("Layer that colours the graph");
  choice_->setToolTip("Layer that colours the graph");
  choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  choice_->setMinimumContentsLength(12);
  bar_->addWidget(choice_);
  open_ = addButton("Open", "Open layers: JSON or CSV files with values of nodes (Ctrl+Shift+F7)");
  close_ = new IconButton(appearance, "close", "Close the layer (Ctrl+Alt+F7)", this);
  bar_->addWidget(close_);
  setSecondary(open_);
  setFilteredRows(model_, LayersModel::Node, LayersModel::kFilterText, [this] { refreshState(); });
  proxy_.setSortRole(LayersModel::kSortValue);
  view()->setItemDelegate(new LayerDelegate(appearance, view()));
  view()->setSortingEnabled(true);
  view()->sortByColumn(LayersModel::Node, Qt::AscendingOrder);
  connect(choice_, &QComboBox::activated, this, [this](int index) {
    layers_.show(static_cast<std::size_t>(index));
    Q_EMIT colourRequested();
  });
  connect(&layers, &LayersPresenter::changed, this, &LayersPage::refresh);
  connect(this, &TablePage::chosen, this, [this, &selection](const QModelIndex& row) {
    selection.selectNode(model_.nodeAt(proxy_.mapToSource(row).row()), Origin::List);
  });
  connect(&selection, &SelectionPresenter::changed, this, [this, &selection](const Selection& now) {
    showRow(proxy_.mapFromSource(model_.indexOf(now.inspected())), selection.following());
  });
  refresh();
}

void LayersPage::refresh() {
  quiet_ = true;
  model_.setProgram(session_.program());
  std::vector<std::pair<int, int>> widths{{LayersModel::Node, 22}, {LayersModel::Operator, 20}};
  for (int i = 0; i + 1 < static_cast<int>(layers_.all().size()); ++i)
    widths.emplace_back(LayersModel::FirstLayer + i, 14);
  setWidths(std::move(widths), 14);
  quiet_ = false;
  const QSignalBlocker blocked(choice_);
  choice_->clear();
  for (const OpenLayer& each : layers_.all()) choice_->addItem(text(each.layer->title));
  choice_->setCurrentIndex(layers_.all().empty() ? -1 : static_cast<int>(layers_.shown()));
  refreshState();
}

void LayersPage::refreshState() {
  const bool none = layers_.all().empty();
  if (none)
    setMessage(
        "A layer has a value for each node: times, errors, the partition that it is in. It is a "
        "CSV file with a column \"node\", or JSON that fxscope.layer() of the Python module "
        "writes");
  else if (proxy_.rowCount() > 0) setMessage({});
  else setMessage(model_.rowCount() > 0 ? "No node matches" : "No node of the program has a value");
  messageButton()->setVisible(none);
  choice_->setVisible(!none);
  close_->setVisible(!none);
  setSummary(none ? QString() : layers_.summary());
}

}  // namespace fxs::ui
