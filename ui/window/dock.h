// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What stands around the results in the window: docks, and the centre that they surround. Each says
// where it is at first in the arrangements that it belongs to.
#include <QWidget>
#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "session/arrangement_presenter.h"
#include "window/actions.h"

namespace fxs::ui {

class DockFrame;
class Host;

/// What the sizes of docks are made from, in pixels.
struct DockSpace {
  int width, height;  ///< of all docks and the centre
  int title;          ///< height of a dock that is only its title
  int gap;            ///< between two docks
  int limit;          ///< height of results that leave enough to the centre
};

/// The height of texts over the whole width. Of large text, the row above needs more.
inline int heightOfWideTexts(const DockSpace& space) {
  constexpr int kRowAbove = 7;
  return std::min(space.height * 66 / 100, space.height - kRowAbove * space.title);
}

/// Where a dock is in an arrangement at first.
struct DockPosition {
  Qt::DockWidgetArea area;
  int order = 0;  ///< in its area, from top to bottom or left to right
  using Size = std::function<int(const DockSpace&)>;
  Size width = {}, height = {};  ///< empty: what the others leave
};

struct Dock {
  QString id;         ///< "navigator"; also the object name of its frame
  QString title;      ///< "Navigator"
  int order = 0;      ///< sort key of the docks
  ActionSpec toggle;  ///< action that opens or closes the dock; `run` is ignored
  std::function<void(Host&, DockFrame&)> make;  ///< adds its pages
  /// In an arrangement without one it is closed at first, and opens on the right.
  std::map<Arrangement, DockPosition> positions = {};
};

/// The widget that the docks surround.
struct Centre {
  QWidget* widget = nullptr;
  /// What it consists of now, for the key that goes from pane to pane; the first if none has the
  /// focus. Their focus proxies get the keyboard focus.
  std::function<std::vector<QWidget*>()> panes;
};

}  // namespace fxs::ui
