// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/bundle/bundle_dialog.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr int kWidth = 72 * kGrid;
constexpr const char* kFailureHint =
    "One zip to attach to an issue: the program, its MLIR before and where it stops, the engine's "
    "message and a script that runs it again. "
    "It "
    "is unpacked elsewhere and run before it is called a reproducer.";
constexpr const char* kWrongHint =
    "One zip to attach to an issue: the smallest part found that computes the wrong result, its "
    "MLIR, its inputs, and the expected and "
    "found "
    "values. It is unpacked elsewhere, lowered and run before it is called a reproducer.";
constexpr const char* kNameHint =
    "The file name is derived from the content, so bundles never overwrite each other.";

}  // namespace

BundleDialog::BundleDialog(Appearance& appearance, BundlePresenter& bundle,
                           ProblemsPresenter& problems, QWidget* parent)
    : QDialog(parent), appearance_(appearance), bundle_(bundle), problems_(problems) {
  setWindowTitle("Export a reproducer bundle");
  setMinimumWidth(appearance_.scaled(kWidth));
  build();
  connect(&bundle, &BundlePresenter::changed, this, &BundleDialog::refresh);
  connect(&problems, &ProblemsPresenter::changed, this, [this] {
    if (isVisible() && !bundle_.state().running)
      fillOperations(operation_->currentData().toString());
  });
}

void BundleDialog::build() {
  auto* column = makeBox<QVBoxLayout>(2 * kGrid, 2 * kGrid);
  hint_ = new WrappedLabel(appearance_, kFailureHint, TextSize::Body, "muted", this);
  column->addWidget(hint_);
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(2 * kGrid);
  grid->setVerticalSpacing(kGrid);
  grid->setColumnStretch(1, 1);
  const auto row = [&](const QString& name, QWidget* field, QWidget* after = nullptr) {
    const int at = grid->rowCount();
    QLabel* label = makeLabel(appearance_, name, TextSize::Body, "muted", this);
    label->setBuddy(field);
    field->setAccessibleName(name);
    grid->addWidget(label, at, 0);
    grid->addWidget(field, at, 1, 1, after ? 1 : 2);
    if (after) grid->addWidget(after, at, 2);
  };
  operation_ = new QComboBox(this);
  operation_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  row("Operation", operation_);
  reduce_ = new QCheckBox("Reduce the program to a part that fails in the same way", this);
  reduce_->setChecked(true);
  row("Program", reduce_);
  weights_ = new QComboBox(this);
  weights_->addItem("none, except constants that engines fold",
                    static_cast<int>(bundle::BundleWeights::None));
  weights_->addItem("used weights only", static_cast<int>(bundle::BundleWeights::Used));
  weights_->addItem("all", static_cast<int>(bundle::BundleWeights::All));
  row("Weights", weights_);
  folder_ = new QLineEdit(this);
  choose_ = new QPushButton("Choose …", this);
  choose_->setAutoDefault(false);
  row("Folder", folder_, choose_);
  column->addLayout(grid);
  auto* status = makeBox<QHBoxLayout>(kGrid);
  sign_ = new QLabel(this);
  sign_->setAlignment(Qt::AlignTop);
  sign_->setFixedWidth(appearance_.scaled(2 * kGrid));
  status_ = new WrappedLabel(appearance_, {}, TextSize::Body, {}, this);
  status_->setMinimumHeight(8 * kGrid);
  status->addWidget(sign_);
  status->addWidget(status_, 1);
  column->addLayout(status);
  progress_ = makeProgress("Progress of the export", this, true);
  column->addWidget(progress_);
  auto* buttons = makeBox<QHBoxLayout>(kGrid);
  const auto boxed = [this](const QString& icon, const QString& text) {
    QToolButton* button = makeBoxed(text, {}, this);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setIcon(appearance_.icon(icon));
    return button;
  };
  copyPath_ = boxed("copy", "Copy path");
  openFolder_ = boxed("open", "Open folder");
  close_ = new QPushButton("Close", this);
  close_->setAutoDefault(false);
  export_ = new QPushButton("Export", this);
  export_->setProperty("primary", true);
  export_->setDefault(true);
  buttons->addWidget(copyPath_);
  buttons->addWidget(openFolder_);
  buttons->addStretch(1);
  buttons->addWidget(close_);
  buttons->addWidget(export_);
  column->addLayout(buttons);
  setLayout(column);

  connect(choose_, &QPushButton::clicked, this, [this] {
    const QString chosen =
        QFileDialog::getExistingDirectory(this, "Destination of the bundle", folder_->text());
    if (!chosen.isEmpty()) folder_->setText(chosen);
  });
  connect(folder_, &QLineEdit::textChanged, this, &BundleDialog::refresh);
  connect(export_, &QPushButton::clicked, this, &BundleDialog::go);
  connect(close_, &QPushButton::clicked, this, [this] {
    if (bundle_.state().running) bundle_.cancel();
    else reject();
  });
  connect(copyPath_, &QToolButton::clicked, this,
          [this] { Q_EMIT copyRequested(exact(bundle_.state().result->path)); });
  connect(openFolder_, &QToolButton::clicked, this,
          [this] { Q_EMIT openFolderRequested(exact(bundle_.state().result->path)); });
}

void BundleDialog::start(const QString& operation, const QString& folder) {
  if (!bundle_.state().running) {
    bundle_.forget();
    fillOperations(operation);
    if (folder_->text().isEmpty()) folder_->setText(folder);
  }
  refresh();
  open();
}

void BundleDialog::fillOperations(const QString& operation) {
  const bool wrong = bundle_.wrongResult() != nullptr;
  hint_->setPlainText(wrong ? kWrongHint : kFailureHint);
  if (wrong) reduce_->setChecked(true);
  if (wrong && weights_->currentIndex() == 0) weights_->setCurrentIndex(1);
  if (auto* items = qobject_cast<QStandardItemModel*>(weights_->model()))
    items->item(0)->setEnabled(!wrong);
  operation_->clear();
  if (wrong) {
    const QString node = bundle_.wrongNode();
    operation_->addItem(node.isEmpty() ? QString("what computes the wrong result")
                                       : node + ", the first whose value differs");
    return;
  }
  for (const Problem& problem : problems_.problems())
    if (problem.severity() == fx::Severity::Error && !problem.nodes.empty())
      operation_->addItem(
          QString("%1  (%2)").arg(problem.operation, counted(problem.count, "node")),
          problem.operation);
  if (operation_->count() == 0) operation_->addItem("the first that blocks the program", QString());
  operation_->setCurrentIndex(std::max(0, operation_->findData(operation)));
}

void BundleDialog::go() {
  bundle::BundleOptions options;
  options.path = folder_->text().toStdString();
  options.reduce = reduce_->isChecked();
  options.weights = static_cast<bundle::BundleWeights>(weights_->currentData().toInt());
  if (const Problem* problem = problems_.problem(operation_->currentData().toString());
      problem && !problem->parts.front().nodes.empty())
    options.node = problem->parts.front().nodes.front();
  bundle_.start(options);
}

void BundleDialog::say(const QString& icon, Role role, const QString& text) {
  sign_->setPixmap(icon.isEmpty() ? QPixmap() : pixmap(appearance_, icon, role, 2 * kGrid, this));
  status_->setPlainText(text);
  status_->setAccessibleName(text);
}

void BundleDialog::sayResult(const bundle::BundleResult& made) {
  const QString removed = removedText(made);
  QString finding = made.isKnown ? "No reproducer: " : "Not known: ";
  if (made.reproduces) finding = "Replayed after unpacking: ";
  say(made.reproduces ? "proved" : "warning", made.reproduces ? Role::Success : Role::Warning,
      QString("%1  (%2)\n%3%4\n%5%6")
          .arg(shown(QFileInfo(exact(made.path)).fileName()), sizeText(made), finding,
               text(made.statement), text(made.signature),
               removed.isEmpty() ? QString() : '\n' + removed));
}

void BundleDialog::refresh() {
  const BundleState& state = bundle_.state();
  const QString obstacle = bundle_.obstacle();
  const QFileInfo folder(folder_->text());
  const bool writable = folder.isDir() && folder.isWritable();
  for (QWidget* field : {static_cast<QWidget*>(operation_), static_cast<QWidget*>(weights_),
                         static_cast<QWidget*>(folder_), static_cast<QWidget*>(choose_)})
    field->setEnabled(!state.running);
  reduce_->setEnabled(!state.running && !bundle_.wrongResult());
  export_->setEnabled(!state.running && obstacle.isEmpty() && writable);
  export_->setText(state.result ? "Export again" : "Export");
  close_->setText(state.running ? "Cancel" : "Close");
  showProgress(*progress_, state.running, state.fraction);
  copyPath_->setVisible(state.result.has_value());
  openFolder_->setVisible(state.result.has_value());
  if (state.running) return say("running", Role::Accent, state.step + " …");
  if (state.result) return sayResult(*state.result);
  if (!state.message.isEmpty()) return say("error", Role::Error, state.message);
  if (!obstacle.isEmpty()) return say("note", Role::TextMuted, obstacle);
  if (!folder.isDir()) return say("warning", Role::Warning, "No such folder");
  if (!writable) return say("warning", Role::Warning, "This folder is not writable");
  if (state.cancelled) return say("note", Role::TextMuted, "Cancelled; nothing was written");
  say({}, Role::Text, kNameHint);
}

void BundleDialog::done(int result) {
  bundle_.cancel();
  QDialog::done(result);
}

}  // namespace fxs::ui
