// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The centre with the docks around it, placed as the chosen arrangement says: places and sizes of
// each arrangement are kept, also between runs. One pane can be maximized. The results are as high
// as what their page holds, up to a limit, until the user sizes them.
#include <QMainWindow>
#include <QSettings>
#include <map>
#include <vector>

#include "widgets/dock_frame.h"
#include "window/dock.h"

namespace fxs::ui {

class DockArea final : public QMainWindow {
  Q_OBJECT
 public:
  DockArea(ArrangementPresenter& arrangement, QWidget* parent);
  void setCentre(Centre centre);
  void add(DockFrame* frame, const Dock& dock);
  /// Places the docks, after all were added. `results`: the one with the pages.
  void start(DockFrame* results);
  const std::vector<DockFrame*>& docks() const { return docks_; }
  /// Null if there is none.
  DockFrame* dock(const QString& id) const;

  /// Places everything as the current arrangement does at first.
  void reset();
  /// Makes a pane fill the area, or restores what was before. `pane`: a dock; else the centre.
  void toggleMaximized(QWidget* pane);
  /// Null for none.
  QWidget* maximized() const { return maximized_; }
  /// The pane with the keyboard focus; the first of the centre if none has it.
  QWidget* focused() const;
  /// Moves the keyboard focus to the next pane in reading order; -1: the previous. Strips are
  /// skipped.
  void focusPane(int step);
  /// Opens a dock that is closed, only a strip, or hidden by a maximized one.
  void open(DockFrame* dock);
  /// Opens or closes it.
  void toggle(DockFrame* dock);

  void save(QSettings& settings);
  void restore(const QSettings& settings);

 protected:
  bool event(QEvent* event) override;

 private:
  /// How the current arrangement is, without what is maximized.
  void keep();
  void arrange();
  bool restoreDocks(const QByteArray& state);
  void place();
  void sizeDocks();
  void fit();
  void fitLater();
  void restoreMaximized();
  void hideFloating();
  int limit() const;
  /// In the current arrangement; null if the dock is not in it.
  const DockPosition* position(const DockFrame* dock) const;
  /// Those of an area of the current arrangement, in order, then those that it opens there.
  std::vector<DockFrame*> docksIn(Qt::DockWidgetArea area) const;
  ArrangementPresenter& arrangement_;
  Centre centre_;
  std::vector<DockFrame*> docks_;
  DockFrame* results_ = nullptr;
  std::map<const DockFrame*, std::map<Arrangement, DockPosition>> positions_;
  std::map<Arrangement, QByteArray> states_;  ///< QMainWindow::saveState() of those left
  std::map<Arrangement, bool> sized_;         ///< by the user
  bool arranged_ = false;                     ///< has been shown, so that sizes have an effect
  bool fitting_ = false;
  QWidget* maximized_ = nullptr;
  QByteArray before_;               ///< the state to restore
  std::vector<DockFrame*> afloat_;  ///< hidden with the area
};

/// The dock with the pages of the features.
Dock resultsDock();

}  // namespace fxs::ui
