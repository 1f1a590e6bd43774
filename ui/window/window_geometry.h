// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Size and position of the window between runs. They are kept for each set of screens, and soon
// after a change: a process that is killed loses nothing.
#include <QObject>
#include <QSettings>
#include <QTimer>
#include <QWidget>

namespace fxs::ui {

/// For a window without a kept geometry: as large as wanted, or maximized on a screen that is too
/// small for that and its frame.
void fitToScreen(QWidget& window, const QSize& wanted);

class WindowGeometry final : public QObject {
  Q_OBJECT
 public:
  explicit WindowGeometry(QWidget& window);

  /// False if none is kept for these screens. The window is then on one of them.
  bool restore(const QSettings& from);
  void save(QSettings& to) const;
  /// Its size and position count, too, such as those of a dock.
  void watch(QWidget& part);

 Q_SIGNALS:
  /// Some time after a change, once for several.
  void settled();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget& window_;
  QTimer soon_;
};

}  // namespace fxs::ui
