// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Every entry of every menu has a mnemonic: those that name none get one from their words, in the
// menus of the menu bar when they are made, in all others (context menus, recent files) when they
// are shown.
#include <QObject>
#include <QWidget>

namespace fxs::ui {

/// Of a menu, or of a menu bar, whose letters of `taken` are other keys.
void addMnemonics(QWidget& menu, const QString& taken = {});

/// Installed on the application.
class MenuMnemonics final : public QObject {
 public:
  explicit MenuMnemonics(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace fxs::ui
