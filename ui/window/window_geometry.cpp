// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/window_geometry.h"

#include <QEvent>
#include <QGuiApplication>
#include <QScreen>

namespace fxs::ui {
namespace {

constexpr std::chrono::milliseconds kSoon{500};
/// What window managers add around a window, at most; known only once it is shown.
constexpr QSize kFrame{16, 48};

/// Names the screens that are there by their places and sizes.
QString keyOfScreens() {
  QStringList all;
  for (const QScreen* screen : QGuiApplication::screens()) {
    const QRect at = screen->geometry();
    all << QString("%1x%2+%3+%4").arg(at.width()).arg(at.height()).arg(at.x()).arg(at.y());
  }
  all.sort();
  return "geometry/" + all.join(' ');
}

}  // namespace

void fitToScreen(QWidget& window, const QSize& wanted) {
  const QSize available = window.screen()->availableSize() - kFrame;
  window.resize(wanted.boundedTo(available));
  if (wanted.boundedTo(available) != wanted) window.setWindowState(Qt::WindowMaximized);
}

WindowGeometry::WindowGeometry(QWidget& window) : QObject(&window), window_(window) {
  soon_.setSingleShot(true);
  soon_.setInterval(kSoon);
  connect(&soon_, &QTimer::timeout, this, &WindowGeometry::settled);
  watch(window);
}

bool WindowGeometry::restore(const QSettings& from) {
  return window_.restoreGeometry(from.value(keyOfScreens()).toByteArray());
}

void WindowGeometry::save(QSettings& to) const {
  to.setValue(keyOfScreens(), window_.saveGeometry());
}

void WindowGeometry::watch(QWidget& part) { part.installEventFilter(this); }

bool WindowGeometry::eventFilter(QObject*, QEvent* event) {
  switch (event->type()) {
    case QEvent::Resize:
    case QEvent::Move:
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::WindowStateChange:
      if (window_.isVisible()) soon_.start();
      break;
    default: break;
  }
  return false;
}

}  // namespace fxs::ui
