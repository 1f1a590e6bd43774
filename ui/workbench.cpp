// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workbench.h"

#include "text/words.h"

namespace fxs::ui {
namespace {

/// A lowering, layout, trace and diagnosis may each occupy a worker for long; the others serve
/// texts and searches.
constexpr unsigned kWorkers = 6;

}  // namespace

Workbench::Workbench(const session::Environment& environment, const layout::LayoutWorker& worker,
                     Diagnoser diagnoser, Bundler bundler, Reducer reducer,
                     AlternativeRunner alternativeRunner, AloneRunner aloneRunner,
                     FolderLister lister, std::string python, Comparer comparer, Fixer fixer,
                     Measurer measurer, ExecutorFetcher executorFetcher)
    : enginesFolder(environment.enginesFolder),
      jobs(executor, kWorkers),
      session(environment, jobs, executor),
      folder(session, jobs, lister ? std::move(lister) : captureLister()),
      notes(session, marks),
      diagnosis(session, jobs, executor,
                diagnoser ? std::move(diagnoser) : sessionDiagnoser(environment), python),
      numbers(session, marks, colourings, jobs, executor,
              comparer ? comparer : sessionComparer(environment),
              comparer ? QString() : missingExecutors(environment),
              executorFetcher ? std::move(executorFetcher) : sessionExecutorFetcher(environment),
              python),
      times(session, colourings, jobs,
            measurer ? std::move(measurer) : sessionMeasurer(environment)),
      problems(session, diagnosis, marks, colourings),
      bundle(session, numbers, jobs, bundler ? std::move(bundler) : sessionBundler(environment)),
      fix(session, jobs, fixer ? std::move(fixer) : sessionFixer(environment)),
      reduce(session, jobs, reducer ? std::move(reducer) : sessionReducer(environment)),
      passes(jobs),
      alternatives(
          session, jobs,
          alternativeRunner ? std::move(alternativeRunner) : sessionAlternatives(environment)),
      alone(session, jobs, aloneRunner ? std::move(aloneRunner) : sessionAlone(environment)),
      stages(session, jobs, passes, alternatives, alone),
      arrangement(stages),
      graph("layout", jobs, *environment.runner, worker),
      opGraph("graph", stages, session, jobs, *environment.runner, worker),
      secondOpGraph("second graph", stages, session, jobs, *environment.runner, worker),
      graphPair(graph, opGraph, secondOpGraph, stages, jobs),
      colours("colours", session, opGraph, colourings, marks, jobs),
      secondColours("colours of the second graph", session, secondOpGraph, colourings, marks, jobs),
      node(session, stages, problems),
      history(passes, jobs),
      patterns(environment, session, jobs),
      log(session),
      search(session, stages, jobs),
      measured(session, jobs, sessionMatrices(environment)) {
  addOwnColourings(colourings);
  QObject::connect(&session, &SessionPresenter::programChanged, &graph,
                   [this] { graph.show(session.program()); });
  const auto colourSecond = [this] {
    if (graphPair.shown()) secondColours.adopt(colours);
  };
  QObject::connect(&colours, &ColourPresenter::chosen, &secondColours, colourSecond);
  QObject::connect(&graphPair, &GraphPairPresenter::shownChanged, &secondColours, colourSecond);
  QObject::connect(&secondColours, &ColourPresenter::chosen, &colours,
                   [this] { colours.adopt(secondColours); });
  QObject::connect(&session, &SessionPresenter::programChanged, &selection,
                   &SelectionPresenter::reset);
  QObject::connect(&session, &SessionPresenter::runFinished, &selection, [this] {
    // A program with problems opens at the first, unless the user has selected something.
    if (!selection.untouched() || problems.errors() == 0) return;
    Selection first;
    first.problem = problems.problems().front().operation;
    first.nodes = problems.problems().front().nodes;
    first.place = Place::Problem;
    selection.select(first);
  });
  QObject::connect(&session, &SessionPresenter::snapshotChanged, &passes, [this] {
    passes.setTrace(session.snapshot() ? session.snapshot()->trace : nullptr);
  });
  QObject::connect(&session, &SessionPresenter::traceProgressed, &passes,
                   [this] { passes.setState(session.tracing()); });
  QObject::connect(&reduce, &ReducePresenter::failed, &log,
                   [this](const QString& why) { log.add("not reduced: " + why); });
  QObject::connect(&session, &SessionPresenter::programChanged, &log, [this] {
    if (reduce.showsReduced()) log.add("of " + reduce.original() + ": " + reduce.statement());
  });
  QObject::connect(&bundle, &BundlePresenter::ended, &log, [this] {
    const BundleState& state = bundle.state();
    if (state.cancelled) log.add("the export of a bundle was cancelled; nothing was written");
    else if (!state.result) log.add("no bundle: " + state.why);
    else
      log.add(QString("bundle %1 (%2): %3")
                  .arg(text(state.result->path), sizeText(*state.result),
                       text(state.result->statement)));
  });
  QObject::connect(&fix, &FixPresenter::ended, &log, [this] {
    const FixState& state = fix.state();
    if (state.cancelled)
      log.add("the export of a fixed program was cancelled; nothing was written");
    else if (!state.result) log.add("no fixed program: " + state.why);
    else
      log.add(QString("fixed program %1: %2")
                  .arg(shown(state.request.file), fix.summary().replace('\n', "; ")));
  });
  QObject::connect(
      &selection, &SelectionPresenter::changed, &node, [this](const Selection& selected) {
        const fx::NodeId shown = selected.group.valid() ? fx::NodeId{} : selected.node();
        node.show(shown);
        history.show(shown);
        patterns.show(shown);
        alone.show(shown);
        measured.show(shown);
      });
}

bool Workbench::settled() const {
  if (!session.hasProgram() || session.state().activity != Activity::Idle || graph.busy() ||
      opGraph.busy() || colours.busy())
    return false;
  if (graphPair.shown() && (secondOpGraph.busy() || graphPair.busy() || secondColours.busy()))
    return false;
  return !stages.preparing() && !alternatives.running() && !alone.running() &&
         !passes.state().running && !passes.busy();
}

bool Workbench::selectByName(const QString& name, Place place) {
  const fx::ProgramPtr program = session.program();
  const fx::Node* found = program ? program->findNode(name.toStdString()) : nullptr;
  if (found) selection.selectNode(found->id, place);
  return found != nullptr;
}

}  // namespace fxs::ui
