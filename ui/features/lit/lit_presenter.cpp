// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/lit/lit_presenter.h"

#include <algorithm>

#include "lit/opt_pipeline.h"
#include "lower/pipeline_check.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr const char* kOtherTool = "mlir-opt-22";

}  // namespace

LitPresenter::LitPresenter(Services& services)
    : environment_(services.environment),
      session_(services.get<SessionPresenter>()),
      load_(services.chosen(litLoader())),
      run_(services.chosen(litRunner())),
      readPipeline_(services.chosen(pipelineReader())),
      loading_(services, WorkFor::View),
      running_(services, WorkFor::Answer, CancelBy::Button),
      asking_(services, WorkFor::Answer, CancelBy::Button) {
  connect(&session_, &SessionPresenter::programChanged, this,
          [this] { load(session_.state().file); });
  connect(&session_, &SessionPresenter::openFailed, this,
          [this](const QString& file) { load(file); });
  connect(&running_, &Work::changed, this, &LitPresenter::stateChanged);
}

void LitPresenter::load(const QString& file) {
  loading_.start([file, load = load_, environment = environment_](
                     const RunContext& context) { return load(file, environment, context); },
                 [this](Result<LoadedTestPtr> loaded) {
                   const bool isTest = loaded && *loaded && !(*loaded)->test.runs.empty();
                   // What could not be opened leaves the test of what is open.
                   const bool isOpen = loaded && (*loaded)->file == session_.state().file;
                   if (!isTest && !isOpen && session_.hasProgram()) return;
                   if (isOpen) reproduce(**loaded);
                   take(isTest ? *loaded : nullptr);
                 });
}

void LitPresenter::reproduce(const LoadedTest& loaded) {
  if (loaded.file == reproduced_) return;  // the user may have chosen another target since
  reproduced_ = loaded.file;
  const session::SnapshotPtr& snapshot = session_.snapshot();
  if (loaded.reproduced.empty() || !snapshot->capture->module) return;
  lower::StageTool tool;
  tool.program = snapshot->capture->module->tool;
  const auto typeBy = [&] {
    return lower::pipelineType(loaded.reproduced, tool, session_.outputTypes().all().front());
  };
  Result<lower::OutputType> type = typeBy();
  // Of another tool, if it has passes that the engine lacks.
  if (type && tool.isEngine() && snapshot->engine &&
      !lower::checkPasses({(*type)->stage}, *snapshot->engine)) {
    tool.program = kOtherTool;
    type = typeBy();
  }
  if (!type) {
    Q_EMIT pipelineFailed(lines(toString(type.error())));
    return;
  }
  session_.setTarget(*type);
}

void LitPresenter::take(LoadedTestPtr test) {
  // Another part of the same test, or its module read again.
  if (test && test_ && test->file == test_->file && test->text == test_->text) return;
  running_.supersede();
  asking_.supersede();
  test_ = std::move(test);
  rows_ = test_ ? litRows(*test_) : std::vector<LitRow>();
  ran_.assign(rows_.size(), nullptr);
  current_ = rows_.empty() ? -1 : 0;
  Q_EMIT testChanged();
  Q_EMIT rowsChanged();
  refreshResult();
}

QString LitPresenter::summary() const {
  if (!hasTest()) return {};
  QStringList out;
  // What the lines say together, where a condition decides it.
  if (const auto outcome = this->outcome(); outcome && !test_->test.conditions.empty())
    out << text(lit::name(*outcome));
  out << counted(rows_.size(), "RUN line");
  for (const LitMark mark : {LitMark::Failed, LitMark::Passed, LitMark::NotRun}) {
    const auto count = std::count_if(rows_.begin(), rows_.end(),
                                     [mark](const LitRow& row) { return row.mark == mark; });
    if (count > 0) out << QString("%1 %2").arg(count).arg(statusText(mark).toLower());
  }
  for (const lit::Condition& each : test_->test.conditions)
    out << text(lit::name(each.kind)) + ": " + text(each.text) +
               (lit::holds(each) ? QString() : QString(" (not decided here)"));
  for (const std::string& message : test_->test.messages) out << text(message);
  return out.join("  ·  ");
}

std::optional<lit::TestOutcome> LitPresenter::outcome() const {
  RanTestPtr all;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].mark == LitMark::NotRun) continue;
    if (!ran_[i] || (all && ran_[i] != all)) return std::nullopt;
    all = ran_[i];
  }
  if (!all) return std::nullopt;
  return lit::outcomeOf(test_->test, all->plan, all->run);
}

QString LitPresenter::emptyText() const {
  if (hasTest()) return {};
  return session_.hasProgram() ? "The file has no RUN lines: it is not a lit test"
                               : "Open a lit test: an .mlir file with RUN lines";
}

void LitPresenter::choose(int run) {
  if (run < 0 || run >= static_cast<int>(rows_.size()) || run == current_) return;
  current_ = run;
  refreshResult();
}

void LitPresenter::refreshResult() {
  result_ = {};
  if (current_ >= 0) {
    const auto at = static_cast<std::size_t>(current_);
    result_ = litResult(*test_, at, ran_[at].get());
    if (!ran_[at]) {
      result_.title = rows_[at].mark == LitMark::NotRun ? "not run" : "not run yet";
      result_.message = rows_[at].message;
    }
  }
  Q_EMIT resultChanged();
}

QString LitPresenter::notRunReason(int run) const {
  if (run < 0 || run >= static_cast<int>(rows_.size())) return "There is no RUN line";
  const LitRow& row = rows_[static_cast<std::size_t>(run)];
  return row.mark == LitMark::NotRun ? row.message : QString();
}

void LitPresenter::run(int run) {
  if (!notRunReason(run).isEmpty()) return;
  start(QString("running line %1").arg(rows_[static_cast<std::size_t>(run)].line),
        lit::runsFor(test_->test, static_cast<std::size_t>(run)));
}

void LitPresenter::runAll() {
  std::vector<std::size_t> runs;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i].mark != LitMark::NotRun) runs.push_back(i);
  if (!runs.empty()) start("running the test", std::move(runs));
}

void LitPresenter::start(const QString& step, std::vector<std::size_t> runs) {
  std::erase_if(runs, [this](std::size_t i) { return rows_[i].mark == LitMark::NotRun; });
  for (LitRow& row : rows_)
    if (row.mark == LitMark::Running) row.mark = LitMark::Waiting;
  for (const std::size_t i : runs) {
    rows_[i].mark = LitMark::Running;
    rows_[i].message.clear();
    ran_[i].reset();
  }
  running_.start(
      step,
      [test = test_, runs, run = run_,
       environment = environment_](const RunContext& context) -> Result<RanTestPtr> {
        auto out = std::make_shared<RanTest>();
        out->plan = lit::withRuns(test->plan, runs);
        FXS_TRY(out->run, run(out->plan, test->text, environment, context));
        return RanTestPtr(std::move(out));
      },
      [this, runs](Result<RanTestPtr> ran) {
        for (const std::size_t i : runs) {
          rows_[i].mark = LitMark::Waiting;
          if (!ran) continue;
          ran_[i] = *ran;
          takeOutcome(rows_[i], i, **ran);
        }
        // That which failed first is what there is to look at.
        const auto isFailed = [this](std::size_t i) { return rows_[i].mark == LitMark::Failed; };
        const auto at = std::find_if(runs.begin(), runs.end(), isFailed);
        const auto chosen = static_cast<std::size_t>(current_);
        if (at != runs.end() && !isFailed(chosen)) current_ = static_cast<int>(*at);
        Q_EMIT rowsChanged();
        refreshResult();
      });
  Q_EMIT rowsChanged();
  refreshResult();
}

std::optional<std::size_t> LitPresenter::stageWithPasses(int run) const {
  if (!test_ || run < 0) return std::nullopt;
  const std::vector<lit::Stage>& stages = test_->plan.stages;
  for (std::size_t i = 0; i < stages.size(); ++i)
    if (stages[i].run == static_cast<std::size_t>(run) && lit::runsPasses(stages[i])) return i;
  return std::nullopt;
}

bool LitPresenter::hasPipeline(int run) const { return stageWithPasses(run).has_value(); }

void LitPresenter::lowerWith(int run) {
  const auto stage = stageWithPasses(run);
  if (!stage) return Q_EMIT pipelineFailed("No program of this RUN line runs passes");
  if (!session_.hasProgram() || session_.state().file != test_->file)
    return Q_EMIT pipelineFailed("The module of this test could not be read");
  asking_.start(
      "asking for the pipeline",
      [test = test_, stage = *stage, read = readPipeline_, environment = environment_](
          const RunContext& context) { return read(test->plan, stage, environment, context); },
      [this](Result<lower::OutputType> type) {
        if (type) return session_.setTarget(*type);
        if (type.error().code != ErrorCode::Cancelled)
          Q_EMIT pipelineFailed(lines(toString(type.error())));
      });
}

}  // namespace fxs::ui
