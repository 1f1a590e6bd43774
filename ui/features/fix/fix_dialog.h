// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Dialog that writes a fixed program: output types and file, then progress, then what it lowers to
// and what was changed.
#include <QCheckBox>
#include <QDialog>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <vector>

#include "features/fix/fix_presenter.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {

class FixDialog final : public QDialog {
  Q_OBJECT
 public:
  FixDialog(Appearance& appearance, FixPresenter& fix, SessionPresenter& session, QWidget* parent);

  /// Opens the dialog for the program and its output type.
  void start();
  // Widgets, for tests.
  const std::vector<QCheckBox*>& targetBoxes() const { return targets_; }
  QCheckBox* pythonBox() const { return python_; }
  QLineEdit* fileEdit() const { return file_; }
  QPushButton* exportButton() const { return export_; }
  QPushButton* closeButton() const { return close_; }
  QToolButton* openButton() const { return open_; }
  /// The text under the options: an obstacle, the progress, or the result.
  QString status() const { return status_->toPlainText(); }

 Q_SIGNALS:
  void openRequested(const QString& file);

 protected:
  void done(int result) override;

 private:
  void build();
  void refresh();
  void go();
  void say(const QString& icon, Role role, const QString& text);
  void sayResult();
  /// Why nothing can be written to the chosen file, or what is not chosen yet; "" if it can.
  QString fileObstacle() const;
  std::vector<lower::OutputType> chosen() const;
  QString script() const;
  Appearance& appearance_;
  FixPresenter& fix_;
  SessionPresenter& session_;
  std::vector<lower::OutputType> types_;
  std::vector<QCheckBox*> targets_;  // parallel to types_
  QCheckBox* python_;
  QLineEdit* file_;
  QPushButton *choose_, *export_, *close_;
  QToolButton* open_;
  QLabel* sign_;
  WrappedLabel* status_;
  QProgressBar* progress_;
};

}  // namespace fxs::ui
