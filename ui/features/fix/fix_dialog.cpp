// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/fix/fix_dialog.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr int kDialogWidth = 80 * kGrid;
constexpr const char* kFixHint =
    "The program with every verified change that makes it lower and keeps its results, for "
    "torch.export.load and torch-mlir's "
    "fx.export_and_import. The open file stays as it is.";
constexpr const char* kPt2 = ".pt2";

}  // namespace

FixDialog::FixDialog(Appearance& appearance, FixPresenter& fix, SessionPresenter& session,
                     QWidget* parent)
    : QDialog(parent),
      appearance_(appearance),
      fix_(fix),
      session_(session),
      types_(session.outputTypes().backends()) {
  setWindowTitle("Export a fixed program");
  setMinimumWidth(appearance_.scaled(kDialogWidth));
  build();
  connect(&fix, &FixPresenter::changed, this, &FixDialog::refresh);
}

void FixDialog::build() {
  auto* column = makeBox<QVBoxLayout>(2 * kGrid, 2 * kGrid);
  column->addWidget(new WrappedLabel(appearance_, kFixHint, TextSize::Body, "muted", this));
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(2 * kGrid);
  grid->setVerticalSpacing(kGrid);
  grid->setColumnStretch(1, 1);
  const auto row = [&](const QString& name, QWidget* field, QWidget* after = nullptr) {
    const int at = grid->rowCount();
    if (!name.isEmpty()) field->setAccessibleName(name);
    grid->addWidget(makeLabel(appearance_, name, TextSize::Body, "muted", this), at, 0);
    grid->addWidget(field, at, 1, 1, after ? 1 : 2);
    if (after) grid->addWidget(after, at, 2);
  };
  for (const lower::OutputType& type : types_) {
    targets_.push_back(new QCheckBox(text(lower::name(type)), this));
    row(targets_.size() == 1 ? "Lowers to" : QString(), targets_.back());
    targets_.back()->setAccessibleName(targets_.back()->text());
    connect(targets_.back(), &QCheckBox::toggled, this, &FixDialog::refresh);
  }
  file_ = new QLineEdit(this);
  choose_ = new QPushButton("Choose …", this);
  choose_->setAutoDefault(false);
  row("File", file_, choose_);
  python_ = new QCheckBox("Also write the changes as Python for your own script", this);
  row("Python", python_);
  column->addLayout(grid);
  auto* status = makeBox<QHBoxLayout>(kGrid);
  sign_ = new QLabel(this);
  sign_->setAlignment(Qt::AlignTop);
  sign_->setFixedWidth(appearance_.scaled(2 * kGrid));
  status_ = new WrappedLabel(appearance_, {}, TextSize::Body, {}, this);
  status_->setMinimumHeight(12 * kGrid);
  status->addWidget(sign_);
  status->addWidget(status_, 1);
  column->addLayout(status);
  progress_ = makeProgress("Progress of the fixes", this, true);
  column->addWidget(progress_);
  auto* buttons = makeBox<QHBoxLayout>(kGrid);
  open_ = makeBoxed("Open the fixed program", {}, this);
  open_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  open_->setIcon(appearance_.icon("open"));
  close_ = new QPushButton("Close", this);
  close_->setAutoDefault(false);
  export_ = new QPushButton("Export", this);
  export_->setProperty("primary", true);
  export_->setDefault(true);
  buttons->addWidget(open_);
  buttons->addStretch(1);
  buttons->addWidget(close_);
  buttons->addWidget(export_);
  column->addLayout(buttons);
  setLayout(column);

  connect(choose_, &QPushButton::clicked, this, [this] {
    const QString chosen = QFileDialog::getSaveFileName(this, "The fixed program", file_->text(),
                                                        "Exported programs (*.pt2)");
    if (!chosen.isEmpty()) file_->setText(chosen);
  });
  connect(file_, &QLineEdit::textChanged, this, &FixDialog::refresh);
  connect(export_, &QPushButton::clicked, this, &FixDialog::go);
  connect(close_, &QPushButton::clicked, this, [this] {
    if (fix_.state().running) fix_.cancel();
    else reject();
  });
  connect(open_, &QToolButton::clicked, this, [this] {
    const QString file = fix_.state().request.file;
    reject();
    Q_EMIT openRequested(file);
  });
}

void FixDialog::start() {
  if (!fix_.state().running) {
    fix_.forget();
    for (std::size_t i = 0; i < types_.size(); ++i)
      targets_[i]->setChecked(types_[i] == session_.target());
    if (std::none_of(targets_.begin(), targets_.end(),
                     [](const QCheckBox* box) { return box->isChecked(); }))
      targets_.front()->setChecked(true);
    const QFileInfo open(session_.state().file);
    file_->setText(open.dir().filePath(open.completeBaseName() + ".fixed" + kPt2));
  }
  refresh();
  QDialog::open();
}

std::vector<lower::OutputType> FixDialog::chosen() const {
  std::vector<lower::OutputType> out;
  for (std::size_t i = 0; i < types_.size(); ++i)
    if (targets_[i]->isChecked()) out.push_back(types_[i]);
  return out;
}

QString FixDialog::script() const {
  const QFileInfo file(file_->text());
  return python_->isChecked()
             ? file.dir().filePath(file.completeBaseName().replace('.', '_') + ".py")
             : QString();
}

void FixDialog::go() { fix_.start({chosen(), file_->text(), script()}); }

void FixDialog::say(const QString& icon, Role role, const QString& text) {
  sign_->setPixmap(icon.isEmpty() ? QPixmap() : pixmap(appearance_, icon, role, 2 * kGrid, this));
  status_->setPlainText(text);
  status_->setAccessibleName(text);
}

QString FixDialog::fileObstacle() const {
  const QFileInfo file(file_->text()), folder(file.path());
  if (chosen().empty()) return "Choose an output type";
  if (!folder.isDir()) return "No such folder";
  if (!folder.isWritable()) return "This folder is not writable";
  if (!file_->text().endsWith(kPt2)) return "The name of an exported program ends with .pt2";
  if (file.exists() && file == QFileInfo(session_.state().file))
    return "This is the open program: write to another file";
  return {};
}

void FixDialog::sayResult() {
  const FixState& state = fix_.state();
  const auto& targets = state.result->targets;
  const bool all = std::all_of(targets.begin(), targets.end(),
                               [](const fix::FixedTarget& t) { return t.lowers; });
  say(all ? "proved" : "warning", all ? Role::Success : Role::Warning,
      shown(QFileInfo(state.request.file).fileName()) + '\n' + fix_.summary());
}

void FixDialog::refresh() {
  const FixState& state = fix_.state();
  const QString obstacle = fix_.obstacle();
  const QString wrongFile = fileObstacle();
  for (QCheckBox* box : targets_) box->setEnabled(!state.running);
  for (QWidget* field : {static_cast<QWidget*>(file_), static_cast<QWidget*>(choose_),
                         static_cast<QWidget*>(python_)})
    field->setEnabled(!state.running);
  export_->setEnabled(!state.running && obstacle.isEmpty() && wrongFile.isEmpty());
  export_->setText(state.result ? "Export again" : "Export");
  close_->setText(state.running ? "Cancel" : "Close");
  showProgress(*progress_, state.running, state.fraction);
  open_->setVisible(state.result != nullptr);
  if (state.running) return say("running", Role::Accent, state.step + " …");
  if (state.result) return sayResult();
  if (!state.message.isEmpty()) return say("error", Role::Error, state.message);
  if (!obstacle.isEmpty()) return say("note", Role::TextMuted, obstacle);
  if (!wrongFile.isEmpty()) return say("warning", Role::Warning, wrongFile);
  if (state.cancelled) return say("note", Role::TextMuted, "Cancelled; nothing was written");
  if (QFileInfo::exists(file_->text()))
    return say("note", Role::TextMuted, "This file exists and is replaced");
  say({}, Role::Text, {});
}

void FixDialog::done(int result) {
  fix_.cancel();
  QDialog::done(result);
}

}  // namespace fxs::ui
