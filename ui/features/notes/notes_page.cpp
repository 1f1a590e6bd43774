// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/notes/notes_page.h"

#include <QHeaderView>
#include <QShortcut>
#include <algorithm>

#include "widgets/sign_delegate.h"

namespace fxs::ui {
namespace {

class NoteDelegate final : public SignDelegate {
 public:
  using SignDelegate::SignDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = index.column() == NotesModel::Node ? Qt::ElideMiddle : Qt::ElideRight;
    const bool isIn = index.data(NotesModel::kIsInProgram).toBool();
    if (index.column() == NotesModel::Node)
      sign(option, index.data(NotesModel::kHasText).toBool() ? "comment" : "bookmarked",
           isIn ? Role::Accent : Role::TextMuted);
    if (index.column() == NotesModel::Version && !option->text.isEmpty()) {
      if (!isIn) sign(option, "warning", Role::Warning);
      return ink(option, isIn ? Role::TextMuted : Role::Warning);
    }
    if (!isIn) ink(option, Role::TextMuted);
  }
};

}  // namespace

NotesPage::NotesPage(Appearance& appearance, NotesPresenter& notes, SelectionPresenter& selection,
                     QWidget* parent)
    : TablePage(appearance, "Bookmarks and notes", "Filter notes", "Bookmark the node", parent),
      notes_(notes),
      selection_(selection) {
  remove_ = new IconButton(appearance, "close",
                           "Remove the bookmark or note (Del); Ctrl+Z restores it", this);
  bar_->addWidget(remove_);
  setFilteredRows(model_, NotesModel::Node, NotesModel::kFilterText, [this] { refreshState(); });
  view()->setItemDelegate(new NoteDelegate(appearance, view()));
  connect(&notes, &NotesPresenter::changed, this, &NotesPage::refresh);
  connect(&selection, &SelectionPresenter::changed, this, &NotesPage::follow);
  connect(this, &TablePage::chosen, this, [this](const QModelIndex& row) {
    const fx::NodeId node = model_.noteAt(proxy_.mapToSource(row).row()).node;
    if (node.valid()) selection_.selectNode(node, Origin::List);
    refreshState();
  });
  connect(view(), &QTreeView::activated, this, [this](const QModelIndex& row) {
    if (row.data(NotesModel::kIsInProgram).toBool()) Q_EMIT editRequested();
  });
  connect(remove_, &QToolButton::clicked, this, &NotesPage::removeCurrent);
  auto* remove = new QShortcut(QKeySequence::Delete, view());
  remove->setContext(Qt::WidgetShortcut);
  connect(remove, &QShortcut::activated, this, &NotesPage::removeCurrent);
  refresh();
}

QModelIndex NotesPage::current() const {
  const QModelIndex row = view()->currentIndex();
  return row.isValid() && view()->selectionModel()->isSelected(row) ? proxy_.mapToSource(row)
                                                                    : QModelIndex();
}

void NotesPage::removeCurrent() {
  const QModelIndex row = current();
  if (!row.isValid()) return;
  const int shownRow = view()->currentIndex().row();
  notes_.remove(notes::NodeName(model_.noteAt(row.row()).name));
  // The next one is current, as in any list.
  if (const int rows = proxy_.rowCount(); rows > 0)
    showRow(proxy_.index(std::min(shownRow, rows - 1), 0), true);
  refreshState();
}

void NotesPage::refresh() {
  const QModelIndex now = current();
  const std::optional<notes::NodeName> kept =
      now.isValid() ? std::optional(model_.noteAt(now.row()).name) : std::nullopt;
  quiet_ = true;
  model_.setNotes(notes_.all());
  const bool isAllSame =
      std::all_of(notes_.all().begin(), notes_.all().end(),
                  [](const notes::Placed& each) { return each.state == notes::State::Same; });
  view()->setColumnHidden(NotesModel::Version, isAllSame);
  if (isAllSame) setWidths({{NotesModel::Node, 36}}, 24);
  else setWidths({{NotesModel::Node, 36}, {NotesModel::Version, 24}}, 24);
  if (const QModelIndex at = kept ? proxy_.mapFromSource(model_.indexOf(*kept)) : QModelIndex();
      at.isValid())
    showRow(at, false);
  quiet_ = false;
  refreshState();
}

void NotesPage::refreshState() {
  const bool none = model_.rowCount() == 0;
  if (proxy_.rowCount() > 0) setMessage({});
  else if (!none) setMessage("No note matches");
  else
    setMessage(
        "Ctrl+B bookmarks the selected node, Ctrl+Shift+B writes a note on it. They are kept in a "
        "file beside the program");
  messageButton()->setVisible(none);
  remove_->setEnabled(current().isValid());
  summary_->setFullText(notes_.summary());
}

void NotesPage::follow(const Selection& selection) {
  showRow(proxy_.mapFromSource(model_.indexOf(selection.inspected())), selection_.following());
  refreshState();
}

}  // namespace fxs::ui
