#pragma once
// An overlay that lists all keys; any key or click closes it.
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
  bool eventFilter(QObject*, QEvent*) override;

 private:
  void leave();
  Appearance& appearance_;
  std::vector<KeyGroup> groups_;
};

}  // namespace fxs::ui
