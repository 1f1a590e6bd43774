// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The lit test in the file that is open, or that was to be opened and could not be read as a
// module: its RUN lines, what they did, and their pipelines. Nothing runs before it is asked for.
#include <QObject>
#include <QString>
#include <functional>
#include <vector>

#include "features/lit/lit_state.h"
#include "lit/outcome.h"
#include "session/session_presenter.h"

namespace fxs::ui {

/// Reads a test and plans its RUN lines; a test without RUN lines if the file is none.
using LitLoader = std::function<Result<LoadedTestPtr>(
    const QString& file, const session::Environment&, const RunContext&)>;
LitLoader litLoader();
/// Runs a plan: litRunner(), or a test double.
using LitRunner = std::function<Result<lit::TestRun>(
    const lit::Plan&, const std::string& text, const session::Environment&, const RunContext&)>;
LitRunner litRunner();
/// The output type of the pipeline of a stage of a plan, after none other.
using PipelineReader = std::function<Result<lower::OutputType>(
    const lit::Plan&, std::size_t stage, const session::Environment&, const RunContext&)>;
PipelineReader pipelineReader();

class LitPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit LitPresenter(Services& services);

  /// Whether the file has RUN lines.
  bool hasTest() const { return !rows_.empty(); }
  /// Null if the file is no test.
  const LoadedTestPtr& test() const { return test_; }
  const std::vector<LitRow>& rows() const { return rows_; }
  /// Of the test, once all lines that can be run ran together.
  std::optional<lit::TestOutcome> outcome() const;
  /// "3 RUN lines · 1 failed", and conditions.
  QString summary() const;
  /// What is shown instead of rows; "" if there are some.
  QString emptyText() const;

  /// The chosen RUN line, by its index; -1 if there is none.
  int current() const { return current_; }
  void choose(int run);
  /// Of the chosen RUN line.
  const LitResult& result() const { return result_; }

  /// Why a RUN line is not run; "" if it can be.
  QString notRunReason(int run) const;
  /// Runs it, after those that it needs.
  void run(int run);
  void runAll();
  void cancel() { running_.cancel(); }
  const WorkState& state() const { return running_.state(); }

  /// Whether a program of the RUN line runs passes.
  bool hasPipeline(int run) const;
  /// Lowers the open module with the pipeline of the RUN line; pipelineFailed() if there is none.
  void lowerWith(int run);

 Q_SIGNALS:
  /// Another file, with or without a test.
  void testChanged();
  void rowsChanged();
  /// result() changed: another RUN line was chosen, or it ran.
  void resultChanged();
  void stateChanged();
  void pipelineFailed(const QString& message);

 private:
  void load(const QString& file);
  void take(LoadedTestPtr test);
  /// Lowers a crash reproducer with its own pipeline.
  void reproduce(const LoadedTest& loaded);
  void start(const QString& step, std::vector<std::size_t> runs);
  void refreshResult();
  std::optional<std::size_t> stageWithPasses(int run) const;
  session::Environment environment_;
  SessionPresenter& session_;
  LitLoader load_;
  LitRunner run_;
  PipelineReader readPipeline_;
  QString reproduced_;  ///< the file whose pipeline, if it has one, was made the target
  LoadedTestPtr test_;
  std::vector<LitRow> rows_;
  std::vector<RanTestPtr> ran_;  ///< by RUN line; null if it did not run
  int current_ = -1;
  LitResult result_;
  Task<Result<LoadedTestPtr>> loading_;
  Task<Result<RanTestPtr>> running_;
  Task<Result<lower::OutputType>> asking_;
};

}  // namespace fxs::ui
