// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Dialog that reports a problem: progress, then title and text of an issue to copy, and files to
// save.
#include <QDialog>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

#include "features/report/report_presenter.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {

class ReportDialog final : public QDialog {
  Q_OBJECT
 public:
  ReportDialog(Appearance& appearance, ReportPresenter& report, QWidget* parent);

  /// Opens the dialog and begins. `node`: that fails; invalid for the first.
  void start(fx::NodeId node);
  // Widgets, for tests.
  QString title() const { return title_->text(); }
  QString issue() const { return issue_->toPlainText(); }
  QToolButton* copyTextButton() const { return copyText_; }
  QPushButton* closeButton() const { return close_; }
  /// The text under the issue: the progress, what was verified, or why there is none.
  QString status() const { return status_->toPlainText(); }

 Q_SIGNALS:
  void copyRequested(const QString& text, const QString& what);
  void saved(const QString& folder);

 protected:
  void done(int result) override;

 private:
  void build();
  void refresh();
  void save();
  void say(const QString& icon, Role role, const QString& text);
  void sayResult(const upstream::Problem& problem);
  Appearance& appearance_;
  ReportPresenter& report_;
  QString failed_;  ///< why the files could not be saved; "" if nothing failed
  QLineEdit* title_;
  QPlainTextEdit* issue_;
  QLabel* sign_;
  WrappedLabel* status_;
  QProgressBar* progress_;
  QToolButton *copyTitle_, *copyText_, *save_;
  QPushButton* close_;
};

}  // namespace fxs::ui
