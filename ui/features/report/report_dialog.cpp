// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/report/report_dialog.h"

#include <QFileDialog>
#include <QVBoxLayout>

#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr int kReportWidth = 112 * kGrid, kIssueHeight = 56 * kGrid;
constexpr const char* kReportHint =
    "The smallest part that torch-mlir's own path does not lower, as plain PyTorch: title and text "
    "to paste into an issue, and a lit test and an end-to-end test case as files.";

}  // namespace

ReportDialog::ReportDialog(Appearance& appearance, ReportPresenter& report, QWidget* parent)
    : QDialog(parent), appearance_(appearance), report_(report) {
  setWindowTitle("Report a problem");
  setMinimumWidth(appearance_.scaled(kReportWidth));
  build();
  connect(&report, &ReportPresenter::changed, this, &ReportDialog::refresh);
}

void ReportDialog::build() {
  auto* column = makeBox<QVBoxLayout>(2 * kGrid, 2 * kGrid);
  column->addWidget(new WrappedLabel(appearance_, kReportHint, TextSize::Body, "muted", this));
  title_ = new QLineEdit(this);
  title_->setReadOnly(true);
  title_->setAccessibleName("Title");
  column->addWidget(title_);
  issue_ = new QPlainTextEdit(this);
  issue_->setReadOnly(true);
  issue_->setAccessibleName("Text");
  issue_->setFont(appearance_.mono());
  issue_->setLineWrapMode(QPlainTextEdit::NoWrap);
  issue_->setMinimumHeight(appearance_.scaled(kIssueHeight));
  column->addWidget(issue_, 1);
  auto* status = makeBox<QHBoxLayout>(kGrid);
  sign_ = new QLabel(this);
  sign_->setAlignment(Qt::AlignTop);
  sign_->setFixedWidth(appearance_.scaled(2 * kGrid));
  status_ = new WrappedLabel(appearance_, {}, TextSize::Body, {}, this);
  status_->setMinimumHeight(6 * kGrid);
  status->addWidget(sign_);
  status->addWidget(status_, 1);
  column->addLayout(status);
  progress_ = makeProgress("Progress of the report", this, true);
  column->addWidget(progress_);
  auto* buttons = makeBox<QHBoxLayout>(kGrid);
  const auto boxed = [&](const QString& icon, const QString& text) {
    QToolButton* button = makeBoxed(text, {}, this);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setIcon(appearance_.icon(icon));
    buttons->addWidget(button);
    return button;
  };
  copyTitle_ = boxed("copy", "Copy title");
  copyText_ = boxed("copy", "Copy text");
  save_ = boxed("save", "Save files …");
  close_ = new QPushButton("Close", this);
  close_->setDefault(true);
  buttons->addStretch(1);
  buttons->addWidget(close_);
  column->addLayout(buttons);
  setLayout(column);

  connect(close_, &QPushButton::clicked, this, [this] {
    if (report_.state().running) report_.cancel();
    else reject();
  });
  connect(copyTitle_, &QToolButton::clicked, this,
          [this] { Q_EMIT copyRequested(title_->text(), "the title"); });
  connect(copyText_, &QToolButton::clicked, this,
          [this] { Q_EMIT copyRequested(report_.markdown(), "the text"); });
  connect(save_, &QToolButton::clicked, this, &ReportDialog::save);
}

void ReportDialog::start(fx::NodeId node) {
  failed_.clear();
  report_.start(node);
  refresh();
  open();
}

void ReportDialog::save() {
  const QString folder = QFileDialog::getExistingDirectory(this, "Folder for the files");
  if (folder.isEmpty()) return;
  failed_ = report_.saveTo(folder);
  if (failed_.isEmpty()) Q_EMIT saved(folder);
  refresh();
}

void ReportDialog::say(const QString& icon, Role role, const QString& text) {
  sign_->setPixmap(icon.isEmpty() ? QPixmap() : pixmap(appearance_, icon, role, 2 * kGrid, this));
  status_->setPlainText(text);
  status_->setAccessibleName(text);
}

void ReportDialog::sayResult(const upstream::Problem& problem) {
  using Outcome = upstream::ScriptOutcome;
  const QString verified = text(problem.verified);
  if (problem.outcome == Outcome::FailsAlike) say("proved", Role::Success, verified);
  else if (problem.outcome == Outcome::NotRun) say("note", Role::TextMuted, verified);
  else say("warning", Role::Warning, verified);
}

void ReportDialog::refresh() {
  const ReportState& state = report_.state();
  const bool has = state.result != nullptr;
  title_->setText(has ? text(state.result->title) : QString());
  if (const QString issue = report_.markdown(); issue_->toPlainText() != issue)
    issue_->setPlainText(issue);
  for (QToolButton* button : {copyTitle_, copyText_, save_}) button->setEnabled(has);
  close_->setText(state.running ? "Cancel" : "Close");
  showProgress(*progress_, state.running, state.fraction);
  const QString obstacle = report_.obstacle();
  if (state.running) return say("running", Role::Accent, state.step + " …");
  if (!failed_.isEmpty()) return say("error", Role::Error, failed_);
  if (has) return sayResult(*state.result);
  if (!state.message.isEmpty()) return say("error", Role::Error, state.message);
  if (!obstacle.isEmpty()) return say("note", Role::TextMuted, obstacle);
  say("note", Role::TextMuted, state.cancelled ? "Cancelled" : "");
}

void ReportDialog::done(int result) {
  report_.cancel();
  QDialog::done(result);
}

}  // namespace fxs::ui
