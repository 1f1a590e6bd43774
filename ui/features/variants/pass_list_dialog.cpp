// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/variants/pass_list_dialog.h"

#include <QGridLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr QSize kPassDialog(90 * kGrid, 80 * kGrid);
constexpr int kDocumentation = 12 * kGrid;  ///< height

}  // namespace

PassListDialog::PassListDialog(Appearance& appearance, PassListPresenter& passes, QWidget* parent)
    : QDialog(parent), appearance_(appearance), passes_(passes) {
  setWindowTitle("Passes of a stage");
  resize(kPassDialog * appearance.textScale());
  build();
  // Later, since the box of a row may be what was clicked.
  connect(&passes, &PassListPresenter::changed, this, &PassListDialog::refresh,
          Qt::QueuedConnection);
}

void PassListDialog::build() {
  auto* column = makeBox<QVBoxLayout>(kGrid, 2 * kGrid);
  list_ = new QListWidget(this);
  list_->setAccessibleName("Passes of the stage");
  list_->setFont(appearance_.mono());
  list_->setTextElideMode(Qt::ElideRight);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  column->addWidget(list_, 1);
  auto* moves = makeBox<QHBoxLayout>(kGrid);
  up_ = makeBoxed("Move up", "Run the pass before the one above it", this);
  down_ = makeBoxed("Move down", "Run the pass after the one below it", this);
  remove_ = makeBoxed("Remove", "Remove the pass from the list", this);
  for (QToolButton* each : {up_, down_, remove_}) moves->addWidget(each);
  moves->addStretch(1);
  column->addLayout(moves);
  addFields(*column);
  documentation_ = new WrappedLabel(appearance_, {}, TextSize::Small, "muted", this);
  documentation_->setMinimumHeight(kDocumentation);
  column->addWidget(documentation_);
  status_ = new WrappedLabel(appearance_, {}, TextSize::Body, {}, this);
  column->addWidget(status_);
  addButtons(*column);
  setLayout(column);
  connectList();
}

void PassListDialog::addFields(QVBoxLayout& column) {
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(kGrid);
  grid->setVerticalSpacing(kGrid);
  options_ = new QLineEdit(this);
  options_->setPlaceholderText("max-iterations=1");
  options_->setAccessibleName("Options of the selected pass");
  inserted_ = new QLineEdit(this);
  inserted_->setPlaceholderText("canonicalize, or func.func(cse)");
  inserted_->setAccessibleName("Pass to insert after the selected one");
  auto* completer = new QCompleter(&names_, this);
  completer->setFilterMode(Qt::MatchContains);
  completer->setCaseSensitivity(Qt::CaseInsensitive);
  inserted_->setCompleter(completer);
  insert_ = new QPushButton("Insert after", this);
  insert_->setAutoDefault(false);
  grid->addWidget(makeLabel(appearance_, "Options", TextSize::Body, "muted", this), 0, 0);
  grid->addWidget(options_, 0, 1, 1, 2);
  grid->addWidget(makeLabel(appearance_, "New pass", TextSize::Body, "muted", this), 1, 0);
  grid->addWidget(inserted_, 1, 1);
  grid->addWidget(insert_, 1, 2);
  column.addLayout(grid);
  connect(options_, &QLineEdit::editingFinished, this, [this] {
    wanted_ = row();
    say(passes_.setOptions(row(), options_->text()));
  });
  connect(inserted_, &QLineEdit::returnPressed, this, &PassListDialog::insert);
  connect(insert_, &QPushButton::clicked, this, &PassListDialog::insert);
  connect(inserted_, &QLineEdit::textChanged, this, [this](const QString& typed) {
    const QString found = passes_.documentation(typed.trimmed().toStdString());
    if (!found.isEmpty()) documentation_->setPlainText(found);
  });
}

void PassListDialog::addButtons(QVBoxLayout& column) {
  auto* buttons = makeBox<QHBoxLayout>(kGrid);
  save_ = new QPushButton("Save as output type …", this);
  close_ = new QPushButton("Close", this);
  lower_ = new QPushButton("Lower", this);
  for (QPushButton* each : {save_, close_}) each->setAutoDefault(false);
  lower_->setProperty("primary", true);
  lower_->setAutoDefault(false);  // Return inserts what was typed
  buttons->addWidget(save_);
  buttons->addStretch(1);
  buttons->addWidget(close_);
  buttons->addWidget(lower_);
  column.addLayout(buttons);
  connect(close_, &QPushButton::clicked, this, &QDialog::reject);
  connect(lower_, &QPushButton::clicked, this, [this] {
    accept();
    Q_EMIT lowerRequested();
  });
  connect(save_, &QPushButton::clicked, this, &PassListDialog::saveRequested);
}

void PassListDialog::connectList() {
  connect(list_, &QListWidget::currentRowChanged, this, &PassListDialog::refreshRow);
  connect(list_, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
    if (!quiet_) passes_.setRuns(list_->row(item), item->checkState() == Qt::Checked);
  });
  connect(up_, &QToolButton::clicked, this, [this] {
    wanted_ = row() - 1;
    passes_.move(row(), -1);
  });
  connect(down_, &QToolButton::clicked, this, [this] {
    wanted_ = row() + 1;
    passes_.move(row(), 1);
  });
  connect(remove_, &QToolButton::clicked, this, [this] {
    wanted_ = row();
    passes_.remove(row());
  });
}

void PassListDialog::start(int pass) {
  wanted_ = pass;
  inserted_->clear();
  refresh();
  QDialog::open();
}

void PassListDialog::insert() {
  const int at = row() + 1;
  wanted_ = at;
  const QString problem = passes_.insert(at, inserted_->text());
  if (problem.isEmpty()) inserted_->clear();
  else say(problem);
}

void PassListDialog::say(const QString& problem) {
  if (problem.isEmpty()) return;
  status_->setPlainText(problem);
  setInk(status_, "error");
}

void PassListDialog::refresh() {
  const bool isListed = !passes_.rows().empty() || !passes_.stage().stage.empty();
  setWindowTitle(isListed ? "Passes of " + text(passes_.stage().title)
                          : QString("Passes of a stage"));
  quiet_ = true;
  const QSignalBlocker blocked(list_);
  list_->clear();
  int number = 0;
  for (const PassListPresenter::Row& row : passes_.rows()) {
    auto* item = new QListWidgetItem(
        QString("%1  %2").arg(++number).arg(text(lower::textOf(row.pass))), list_);
    item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
    item->setCheckState(row.runs ? Qt::Checked : Qt::Unchecked);
    item->setToolTip(text(lower::textOf(row.pass)) + '\n' + passes_.documentation(row.pass.pass));
  }
  if (list_->count() > 0) list_->setCurrentRow(std::clamp(wanted_, 0, list_->count() - 1));
  quiet_ = false;
  names_.setStringList(passes_.names());
  const QString change = passes_.change();
  if (passes_.state().running) status_->setPlainText("Listing the passes …");
  else if (!passes_.state().message.isEmpty()) say("No passes: " + passes_.state().message);
  else status_->setPlainText(change.isEmpty() ? QString("Nothing is changed") : change);
  if (passes_.state().message.isEmpty()) setInk(status_, {});
  for (QWidget* each : {static_cast<QWidget*>(inserted_), static_cast<QWidget*>(insert_)})
    each->setEnabled(isListed);
  for (QPushButton* each : {lower_, save_}) each->setEnabled(!change.isEmpty());
  refreshRow();
}

void PassListDialog::refreshRow() {
  const int at = row();
  const int count = list_->count();
  const bool isRow = at >= 0 && at < static_cast<int>(passes_.rows().size());
  up_->setEnabled(isRow && at > 0);
  down_->setEnabled(isRow && at + 1 < count);
  remove_->setEnabled(isRow);
  options_->setEnabled(isRow);
  if (!isRow) {
    options_->clear();
    return documentation_->setPlainText({});
  }
  wanted_ = at;
  const lower::PipelinePass& pass = passes_.rows()[static_cast<std::size_t>(at)].pass;
  options_->setText(text(pass.options));
  documentation_->setPlainText(passes_.documentation(pass.pass));
}

}  // namespace fxs::ui
