// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// An overlay that lists all keys; any key or click closes it, but those that scroll a list that
// does not fit.
#include <QWidget>

#include "window/actions.h"

namespace fxs::ui {

class KeysOverlay final : public QWidget {
  Q_OBJECT
 public:
  KeysOverlay(Appearance& appearance, QWidget* window);
  void showKeys(std::vector<KeyGroup> groups);
  const std::vector<KeyGroup>& groups() const { return groups_; }

 protected:
  void paintEvent(QPaintEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void wheelEvent(QWheelEvent*) override;
  bool eventFilter(QObject*, QEvent*) override;

 private:
  void leave();
  void scrollBy(int pixels);
  Appearance& appearance_;
  std::vector<KeyGroup> groups_;
  int top_ = 0;     ///< pixels that are scrolled out at the top
  int hidden_ = 0;  ///< pixels that do not fit
};

}  // namespace fxs::ui
