// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A window of its own for a test: real engine and layout worker, settings in a temporary folder.
// Waiting is always for a condition, in the event loop.
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cstdio>

#include "environment.h"
#include "features/alone/alone_presenter.h"
#include "features/bundle/bundle_dialog.h"
#include "features/bundle/bundle_presenter.h"
#include "features/captures/capture_tabs.h"
#include "features/captures/folder_presenter.h"
#include "features/coverage/alternatives_presenter.h"
#include "features/fix/fix_dialog.h"
#include "features/fix/fix_presenter.h"
#include "features/graph/graph_pair.h"
#include "features/graph/graphs_presenter.h"
#include "features/inspector/inspector_pane.h"
#include "features/inspector/node_presenter.h"
#include "features/lit/lit_presenter.h"
#include "features/navigator/navigator_pane.h"
#include "features/notes/notes_presenter.h"
#include "features/numbers/times_presenter.h"
#include "features/passes/history_presenter.h"
#include "features/passes/pattern_presenter.h"
#include "features/problems/problems_presenter.h"
#include "features/problems/reduce_presenter.h"
#include "features/search/search_presenter.h"
#include "features/stages/stage_presenter.h"
#include "features/stages/stage_strip.h"
#include "features/support/measured_presenter.h"
#include "session/arrangement_presenter.h"
#include "session/log_presenter.h"
#include "session/numbers_presenter.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "session/work_list.h"
#include "window/main_window.h"

namespace fxs::ui {

inline constexpr int kPatienceMs = 60'000;

/// A time that a person would feel: told, and held to its limit only where FXSCOPE_MEASURE is set,
/// on a machine that does nothing else. An ordinary run says nothing of speed.
inline void measured(const char* name, double milliseconds, double limit) {
  std::printf("%s: %.1f ms (limit %.0f ms)\n", name, milliseconds, limit);
  if (qEnvironmentVariableIsSet("FXSCOPE_MEASURE")) {
    EXPECT_LT(milliseconds, limit) << name;
  }
}

inline QString samplePath(const QString& name) {
  return QString(FXS_SOURCE_DIR) + "/samples/" + name;
}

class WindowTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// A part of the window; by its object's name where there are several of its kind.
  template <class T>
  T* part(const QString& name = {}) const {
    return window_->findChild<T*>(name);
  }
  /// Another environment than the machine's own; before anything is opened.
  void remake();
  void close();
  /// Opens and waits until nothing is going on any more.
  void openSettled(const QString& file);
  bool hasEngine() const { return !around_.environment.enginePath.empty(); }
  fx::NodeId node(const char* name) const;
  /// A program as a file of its own, in the test's folder.
  QString fileOf(const fx::Program& program, const QString& name);
  /// A call with lines in the RAW text.
  fx::NodeId aCall() const;
  void waitUntil(const std::function<bool()>& condition, const char* name);

  /// Clicks, as a person does, on what stands for a node.
  void clickInGraph(fx::NodeId);
  void clickInTree(fx::NodeId);
  void clickInList(fx::NodeId);
  void clickInStage(const ShownText& stage, fx::NodeId);
  void clickRow(QAbstractItemView* view, const QModelIndex& index);
  CodePane* paneOf(const ShownText& stage) const;
  /// All five places and the inspector show the node.
  void expectEverythingShows(fx::NodeId);

  QTemporaryDir folder_;
  PosixCommandRunner posix_;
  CommandRunner* runner_ = &posix_;
  Diagnoser diagnoser_;              ///< the session's own when empty
  Bundler bundler_;                  ///< the same
  Reducer reducer_;                  ///< the same
  AlternativeRunner alternatives_;   ///< the same
  AloneRunner alone_;                ///< the same
  FolderLister lister_;              ///< the reader's own when empty
  Comparer comparer_;                ///< the session's own when empty
  ExecutorFetcher executorFetcher_;  ///< the session's own when empty
  Measurer measurer_;                ///< likewise
  LitLoader litLoader_;              ///< likewise
  LitRunner litRunner_;              ///< likewise
  std::string python_;               ///< as --python
  double textScale_ = 1;             ///< as --text-scale
  app::Surroundings around_;
  std::unique_ptr<Appearance> appearance_;
  std::unique_ptr<Services> bench_;
  std::unique_ptr<MainWindow> window_;
};

}  // namespace fxs::ui
