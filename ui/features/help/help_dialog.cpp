// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/help/help_dialog.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QVBoxLayout>

namespace fxs::ui {
namespace {

constexpr int kHelpWidth = 70 * kGrid;

}  // namespace

HelpDialog::HelpDialog(Appearance& appearance, const QString& title, QWidget* parent)
    : QDialog(parent) {
  setWindowTitle(title);
  setMinimumWidth(kHelpWidth);
  auto* column = makeBox<QVBoxLayout>(2 * kGrid, 2 * kGrid);
  text_ = new WrappedLabel(appearance, {}, TextSize::Body, {}, this);
  text_->setAccessibleName(title);
  column->addWidget(text_, 1);
  buttons_ = makeBox<QHBoxLayout>(kGrid);
  copy_ = new QPushButton("&Copy", this);
  copy_->setAutoDefault(false);
  auto* close = new QPushButton("C&lose", this);
  close->setDefault(true);
  buttons_->addWidget(copy_);
  buttons_->addStretch(1);
  buttons_->addWidget(close);
  column->addLayout(buttons_);
  setLayout(column);
  connect(copy_, &QPushButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(copied_); });
  connect(close, &QPushButton::clicked, this, &QDialog::accept);
}

void HelpDialog::start(const QString& text, const QString& copied) {
  text_->setPlainText(text);
  copied_ = copied;
  show();
  activateWindow();
}

QPushButton* HelpDialog::addButton(const QString& name) {
  auto* button = new QPushButton(name, this);
  button->setAutoDefault(false);
  buttons_->insertWidget(buttons_->count() - 1, button);
  return button;
}

}  // namespace fxs::ui
