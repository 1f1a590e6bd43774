// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/variants/variants_page.h"

#include <QShortcut>

#include "widgets/sign_delegate.h"
#include "widgets/stage_sign.h"

namespace fxs::ui {
namespace {

class VariantDelegate final : public SignDelegate {
 public:
  using SignDelegate::SignDelegate;

  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const auto mark = static_cast<StageMark>(index.data(VariantsModel::kMarkRole).toInt());
    option->textElideMode = Qt::ElideRight;
    if (index.column() == VariantsModel::Name) sign(option, iconOf(mark), roleOf(mark));
    else
      ink(option,
          stopped(mark) && index.column() == VariantsModel::Result ? Role::Error : Role::TextMuted);
  }
};

}  // namespace

VariantsPage::VariantsPage(Appearance& appearance, VariantsPresenter& variants, QWidget* parent)
    : TablePage(appearance, "Variants", {}, "Edit the current text", parent), variants_(variants) {
  passes_ = addButton("Passes", "List the passes of the variant");
  export_ = addButton("Export …", "Save the variant as .mlir, or its passes as a lit test");
  rename_ = addButton("Rename", "Name the variant (Enter)");
  drop_ = new IconButton(appearance, "close",
                         "Drop the variant, with those that were made from it (Del)", this);
  bar_->addWidget(drop_);
  setSecondary(rename_);
  setRows(model_);
  view()->setItemDelegate(new VariantDelegate(appearance, view()));
  view()->setRootIsDecorated(true);
  view()->setIndentation(appearance.scaled(2 * kGrid));
  view()->setEditTriggers(QAbstractItemView::NoEditTriggers);
  setWidths({{VariantsModel::Name, 30}, {VariantsModel::Change, 40}}, 8);
  connect(&variants, &VariantsPresenter::changed, this, &VariantsPage::refresh);
  connect(&model_, &QAbstractItemModel::modelReset, view(), &QTreeView::expandAll);
  connect(&model_, &VariantsModel::renamed, this, [this](int id, const QString& name) {
    if (!variants_.rename(id, name)) Q_EMIT nameRefused(name);
  });
  connect(this, &TablePage::chosen, this, [this](const QModelIndex& row) {
    variants_.select(row.data(VariantsModel::kIdRole).toInt());
    refreshState();
  });
  connect(rename_, &QToolButton::clicked, this, &VariantsPage::renameCurrent);
  connect(drop_, &QToolButton::clicked, this, &VariantsPage::dropCurrent);
  connect(view(), &QTreeView::activated, this, &VariantsPage::renameCurrent);
  auto* drop = new QShortcut(QKeySequence::Delete, view());
  drop->setContext(Qt::WidgetShortcut);
  connect(drop, &QShortcut::activated, this, &VariantsPage::dropCurrent);
  refresh();
}

int VariantsPage::currentId() const {
  const QModelIndex row = view()->currentIndex();
  return row.isValid() && view()->selectionModel()->isSelected(row)
             ? row.data(VariantsModel::kIdRole).toInt()
             : -1;
}

void VariantsPage::renameCurrent() {
  if (currentId() >= 0) view()->edit(view()->currentIndex().siblingAtColumn(VariantsModel::Name));
}

void VariantsPage::dropCurrent() {
  if (const int id = currentId(); id >= 0) variants_.drop(id);
}

void VariantsPage::refresh() {
  quiet_ = true;
  model_.setVariants(variants_.all());
  showRow(model_.indexOf(variants_.current()), true);
  quiet_ = false;
  refreshState();
}

void VariantsPage::refreshState() {
  const bool none = model_.rowCount() == 0;
  setMessage(
      none ? QString("Edit the text of a stage or of a pass (Ctrl+I), and continue from it: what "
                     "comes out is a variant, shown beside the original")
           : QString());
  messageButton()->setVisible(none);
  const std::optional<VariantState> state = variants_.find(currentId());
  const bool isLowered = state && state->lowered;
  passes_->setEnabled(isLowered);
  export_->setEnabled(isLowered);
  rename_->setEnabled(state.has_value());
  drop_->setEnabled(state.has_value());
  setSummary(variants_.problem().isEmpty() ? QString() : "Not kept: " + variants_.problem());
}

}  // namespace fxs::ui
