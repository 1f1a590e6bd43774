// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Dialog that exports a reproducer bundle: options, then progress, then what was written and
// whether it reproduces the failure. The file name is derived from the content.
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>

#include "features/bundle/bundle_presenter.h"
#include "features/problems/problems_presenter.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {

class BundleDialog final : public QDialog {
  Q_OBJECT
 public:
  BundleDialog(Appearance& appearance, BundlePresenter& bundle, ProblemsPresenter& problems,
               QWidget* parent);

  /// Opens the dialog for a problem, by Problem::operation, or with "" for the first that stops the
  /// program. `folder`: where to write the bundle.
  void start(const QString& operation, const QString& folder);
  QString folder() const { return folder_->text(); }
  // Widgets, for tests.
  QComboBox* operationBox() const { return operation_; }
  QCheckBox* reduceBox() const { return reduce_; }
  QComboBox* weightsBox() const { return weights_; }
  QLineEdit* folderEdit() const { return folder_; }
  QPushButton* exportButton() const { return export_; }
  QPushButton* closeButton() const { return close_; }
  /// The text under the options: an obstacle, the progress, or the result.
  QString status() const { return status_->toPlainText(); }

 Q_SIGNALS:
  void copyRequested(const QString& text);
  void openFolderRequested(const QString& file);

 protected:
  void done(int result) override;

 private:
  void build();
  void refresh();
  void fillOperations(const QString& operation);
  void go();
  void say(const QString& icon, Role role, const QString& text);
  void sayResult(const bundle::BundleResult& made);
  Appearance& appearance_;
  BundlePresenter& bundle_;
  ProblemsPresenter& problems_;
  WrappedLabel* hint_;
  QComboBox *operation_, *weights_;
  QCheckBox* reduce_;
  QLineEdit* folder_;
  QPushButton *choose_, *export_, *close_;
  QToolButton *copyPath_, *openFolder_;
  QLabel* sign_;
  WrappedLabel* status_;
  QProgressBar* progress_;
};

}  // namespace fxs::ui
