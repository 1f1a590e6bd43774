// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A dialog with a text that can be copied: About, and how to report a problem.
#include <QDialog>

#include "widgets/wrapped_label.h"

namespace fxs::ui {

class HelpDialog final : public QDialog {
  Q_OBJECT
 public:
  HelpDialog(Appearance& appearance, const QString& title, QWidget* parent);
  /// `copied`: what the button Copy copies.
  void start(const QString& text, const QString& copied);
  /// Adds a button before Close.
  QPushButton* addButton(const QString& name);
  QString text() const { return text_->toPlainText(); }
  QPushButton* copyButton() const { return copy_; }

 private:
  WrappedLabel* text_;
  QHBoxLayout* buttons_;
  QPushButton* copy_;
  QString copied_;
};

}  // namespace fxs::ui
