// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Changes the list of passes of a stage, and lowers by the list.
#include <QCompleter>
#include <QDialog>
#include <QListWidget>
#include <QStringListModel>
#include <QVBoxLayout>

#include "features/variants/pass_list_presenter.h"
#include "widgets/controls.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {

class PassListDialog final : public QDialog {
  Q_OBJECT
 public:
  PassListDialog(Appearance& appearance, PassListPresenter& passes, QWidget* parent);
  /// Opens it; the list is that of the presenter, and `pass`, an index in it, is selected.
  void start(int pass);
  QListWidget* list() const { return list_; }
  QLineEdit* inserted() const { return inserted_; }
  QLineEdit* options() const { return options_; }
  QPushButton* lowerButton() const { return lower_; }
  QString status() const { return status_->toPlainText(); }

 Q_SIGNALS:
  void lowerRequested();
  void saveRequested();

 private:
  void build();
  void addFields(QVBoxLayout& column);
  void addButtons(QVBoxLayout& column);
  void connectList();
  void refresh();
  void refreshRow();
  void insert();
  void say(const QString& problem);
  int row() const { return list_->currentRow(); }

  Appearance& appearance_;
  PassListPresenter& passes_;
  QListWidget* list_;
  QToolButton *up_, *down_, *remove_;
  QLineEdit *inserted_, *options_;
  QStringListModel names_;
  WrappedLabel *documentation_, *status_;
  QPushButton *insert_, *save_, *close_, *lower_;
  int wanted_ = 0;  ///< the row to select once the list is there
  bool quiet_ = false;
};

}  // namespace fxs::ui
