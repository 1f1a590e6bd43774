#pragma once
// Every key on one sheet over the window; any key or click takes it away.
#include <QWidget>

#include "theme/appearance.h"

namespace fxs::ui {

struct KeyGroup {
  QString title;
  std::vector<std::pair<QString, QString>> keys;  ///< what it does, the keys
};

class KeysOverlay final : public QWidget {
  Q_OBJECT
 public:
  KeysOverlay(Appearance& appearance, QWidget* window);
  void showKeys(std::vector<KeyGroup> groups);

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
