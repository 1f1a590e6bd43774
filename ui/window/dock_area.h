// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The graph with the docks around it, placed as the chosen arrangement says: places and sizes of
// each arrangement are kept, also between runs. One pane can be maximized. The results are as high
// as what their page holds, up to a limit, until the user sizes them.
#include <QMainWindow>
#include <QSettings>
#include <array>
#include <map>

#include "features/arrangement/arrangement_presenter.h"
#include "features/graph/graph_pair.h"
#include "widgets/dock_frame.h"

namespace fxs::ui {

class DockArea final : public QMainWindow {
  Q_OBJECT
 public:
  /// Takes the graphs as its centre. The docks are given to add().
  DockArea(ArrangementPresenter& arrangement, GraphPair* graphs, QWidget* parent);
  struct Docks {
    DockFrame *navigator, *inspector, *texts, *results;
    std::array<DockFrame*, 4> all() const { return {navigator, inspector, texts, results}; }
  };
  void add(const Docks& docks);
  const Docks& docks() const { return docks_; }

  /// Places everything as the current arrangement does at first.
  void reset();
  /// Makes a pane fill the area, or restores what was before. `pane`: a dock; of the graphs, both
  /// are shown.
  void toggleMaximized(QWidget* pane);
  /// Null for none.
  QWidget* maximized() const { return maximized_; }
  /// The pane with the keyboard focus; the graph if none has it.
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
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// Remembers how the current arrangement is.
  void keep();
  void arrange();
  void place();
  void sizeDocks();
  void fit();
  void fitLater();
  void restoreMaximized();
  int limit() const;
  ArrangementPresenter& arrangement_;
  GraphPair* graphs_;
  Docks docks_ = {};
  std::map<Arrangement, QByteArray> states_;  ///< QMainWindow::saveState() of those left
  std::map<Arrangement, bool> sized_;         ///< by the user
  bool arranged_ = false;                     ///< has been shown, so that sizes have an effect
  bool fitting_ = false;
  QWidget* maximized_ = nullptr;
  QByteArray before_;  ///< the state to restore
};

}  // namespace fxs::ui
