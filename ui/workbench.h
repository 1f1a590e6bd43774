// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// All presenters of one open program, connected to each other. Needs no display; the window draws
// it, tests drive it.
#include "features/alone/alone_presenter.h"
#include "features/arrangement/arrangement_presenter.h"
#include "features/bundle/bundle_presenter.h"
#include "features/captures/folder_presenter.h"
#include "features/coverage/alternatives_presenter.h"
#include "features/fix/fix_presenter.h"
#include "features/graph/colour_presenter.h"
#include "features/graph/graph_pair_presenter.h"
#include "features/graph/op_graph_presenter.h"
#include "features/inspector/history_presenter.h"
#include "features/inspector/node_presenter.h"
#include "features/inspector/pattern_presenter.h"
#include "features/log/log_presenter.h"
#include "features/notes/notes_presenter.h"
#include "features/numbers/numbers_presenter.h"
#include "features/numbers/times_presenter.h"
#include "features/passes/pass_presenter.h"
#include "features/problems/diagnosis_presenter.h"
#include "features/problems/problems_presenter.h"
#include "features/problems/reduce_presenter.h"
#include "features/search/search_presenter.h"
#include "features/stages/stage_presenter.h"
#include "features/support/measured_presenter.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"

namespace fxs::ui {

struct Workbench {
  /// `environment.runner` also runs the layout worker. Empty functions stand for those of the
  /// session. `python`: see DiagnosisPresenter.
  Workbench(const session::Environment& environment, const layout::LayoutWorker& worker,
            Diagnoser diagnoser = {}, Bundler bundler = {}, Reducer reducer = {},
            AlternativeRunner alternatives = {}, AloneRunner alone = {}, FolderLister lister = {},
            std::string python = {}, Comparer comparer = {}, Fixer fixer = {},
            Measurer measurer = {}, ExecutorFetcher executorFetcher = {});
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;

  /// The program is lowered, traced and laid out, and every text is ready.
  bool settled() const;
  /// Selects the node with this name; false if there is none.
  bool selectByName(const QString& name, Place place = Place::Command);

  const std::string enginesFolder;  ///< of the known engines; see session::Environment

  // In order of construction; destroyed in reverse, so that the queue joins its threads before the
  // executor is destroyed.
  EventLoopExecutor executor;
  JobQueue jobs;
  SessionPresenter session;
  FolderPresenter folder;
  SelectionPresenter selection;
  Marks marks;
  Colourings colourings;
  NotesPresenter notes;
  DiagnosisPresenter diagnosis;
  NumbersPresenter numbers;
  TimesPresenter times;
  ProblemsPresenter problems;
  BundlePresenter bundle;
  FixPresenter fix;
  ReducePresenter reduce;
  PassPresenter passes;
  AlternativesPresenter alternatives;
  AlonePresenter alone;
  StagePresenter stages;
  ArrangementPresenter arrangement;
  GraphPresenter graph;  ///< of the program
  OpGraphPresenter opGraph;
  OpGraphPresenter secondOpGraph;  ///< beside `opGraph`
  GraphPairPresenter graphPair;
  ColourPresenter colours;
  ColourPresenter secondColours;
  NodePresenter node;
  HistoryPresenter history;
  PatternPresenter patterns;
  LogPresenter log;
  SearchPresenter search;
  MeasuredPresenter measured;
};

}  // namespace fxs::ui
