// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/passes/pass_presenter.h"

#include <algorithm>

#include "text/words.h"

namespace fxs::ui {
namespace {

/// Texts kept besides those of the handles, so that stepping back needs no reading.
constexpr std::size_t kKeptTexts = 6;

/// Why the pipeline stopped in a pass of that stage.
lower::StageStatus stoppedBy(const lower::PassTrace& trace, const std::string& stage) {
  for (const lower::StageResult& each : trace.stages)
    if (each.id == stage && each.status != lower::StageStatus::Ok &&
        each.status != lower::StageStatus::Skipped)
      return each.status;
  return lower::StageStatus::Failed;
}

std::vector<PassRow> rowsOf(const lower::PassTrace& trace) {
  std::vector<PassRow> rows;
  int before = trace.snapshots.empty() ? -1 : 0;
  for (std::size_t i = 0; i < trace.passes.size(); ++i) {
    const lower::PassRun& run = trace.passes[i];
    PassRow row;
    row.pass = static_cast<int>(i);
    row.stage = text(run.stage);
    row.name = text(run.pass);
    row.options = text(run.options);
    row.anchor = text(run.anchor);
    row.ran = run.ran;
    row.changed = run.changed;
    row.failed = run.failed;
    row.skipped = run.skipped;
    if (run.failed) row.status = stoppedBy(trace, run.stage);
    else if (!run.ran) row.status = lower::StageStatus::Skipped;
    else if (!run.changed && run.snapshot < 0) row.status = lower::StageStatus::Unknown;
    row.unknown = row.status == lower::StageStatus::Unknown;
    if (run.seconds.count() >= 0) row.seconds = run.seconds;
    row.snapshot = run.snapshot;
    row.before = before;
    if (run.snapshot >= 0) before = run.snapshot;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

PassPresenter::PassPresenter(Services& services)
    : services_(services),
      session_(services.get<SessionPresenter>()),
      diffing_(services, WorkFor::View),
      counting_(services) {
  connect(&session_, &SessionPresenter::snapshotChanged, this,
          [this] { setTrace(session_.snapshot() ? session_.snapshot()->trace : nullptr); });
  connect(&session_, &SessionPresenter::traceProgressed, this, &PassPresenter::stateChanged);
}

PassPresenter::ReadText PassPresenter::readSnapshot(const trace::Trace& trace, int snapshot) {
  const auto open = trace.open(static_cast<std::size_t>(snapshot));
  if (!open) return {nullptr, lines(toString(open.error()))};
  return {stageText(*open), {}};
}

bool PassPresenter::busy() const {
  return diffing_.running() || std::any_of(texts_.begin(), texts_.end(), [](const auto& entry) {
           return entry.second.reading.running();
         });
}

void PassPresenter::setTrace(trace::TracePtr trace) {
  if (program_ == trace) return;
  program_ = trace;
  show(std::move(trace), Listed::Program);
}

void PassPresenter::showOther(trace::TracePtr other, Listed listed) {
  if (other && other != trace_) show(std::move(other), listed);
}
void PassPresenter::showProgram() {
  if (listed_ != Listed::Program) show(program_, Listed::Program);
}

void PassPresenter::show(trace::TracePtr trace, Listed listed) {
  trace_ = std::move(trace);
  listed_ = listed;
  texts_.clear();
  diffing_.supersede();
  counting_.supersede();
  diff_.reset();
  from_ = to_ = pass_ = change_ = -1;
  counted_ = 0;
  passes_ = trace_ ? rowsOf(trace_->passes()) : std::vector<PassRow>();
  Q_EMIT traceChanged();
  Q_EMIT passesChanged();
  Q_EMIT handlesChanged();
  Q_EMIT diffChanged();
  countNext();
}

std::vector<int> PassPresenter::shown() const {
  std::vector<int> rows;
  for (const PassRow& row : passes_) {
    if (hideUnchanged_ && !row.changed && !row.failed && !row.unknown) continue;
    if (!filter_.isEmpty() && !row.name.contains(filter_, Qt::CaseInsensitive) &&
        !row.options.contains(filter_, Qt::CaseInsensitive))
      continue;
    rows.push_back(row.pass);
  }
  return rows;
}

void PassPresenter::setFilter(const QString& filter) {
  if (filter_ == filter) return;
  filter_ = filter;
  Q_EMIT passesChanged();
}

void PassPresenter::setHideUnchanged(bool on) {
  if (hideUnchanged_ == on) return;
  hideUnchanged_ = on;
  Q_EMIT passesChanged();
}

void PassPresenter::choose(int pass) {
  if (pass < 0 || pass >= static_cast<int>(passes_.size())) return;
  const PassRow& row = passes_[static_cast<std::size_t>(pass)];
  pass_ = pass;
  if (!row.ran) Q_EMIT handlesChanged();
  else setHandles(row.before, row.snapshot >= 0 ? row.snapshot : row.before);
  Q_EMIT chosen();
}

void PassPresenter::setFromAfter(int pass) {
  const int snapshot = pass < 0 ? 0 : passes_[static_cast<std::size_t>(pass)].snapshot;
  if (snapshot >= 0) setHandles(snapshot, to_ < 0 ? snapshot : to_);
}

void PassPresenter::setToAfter(int pass) {
  const int snapshot = pass < 0 ? 0 : passes_[static_cast<std::size_t>(pass)].snapshot;
  if (snapshot < 0) return;
  pass_ = pass;
  setHandles(from_ < 0 ? snapshot : from_, snapshot);
}

void PassPresenter::setHandles(int from, int to) {
  const int count = static_cast<int>(snapshotCount());
  if (from < 0 || to < 0 || from >= count || to >= count) return;
  const bool same = from == from_ && to == to_;
  from_ = from;
  to_ = to;
  if (!same) {
    change_ = -1;
    diff_.reset();
    diffing_.supersede();
  }
  Q_EMIT handlesChanged();
  if (same) return;
  Q_EMIT diffChanged();
  textOf(from_);
  textOf(to_);
  makeDiff();
}

bool PassPresenter::step(int direction) {
  const auto size = static_cast<int>(passes_.size());
  const int first = direction > 0 ? 0 : size - 1;
  for (int i = pass_ < 0 ? first : pass_ + direction; i >= 0 && i < size; i += direction) {
    const PassRow& row = passes_[static_cast<std::size_t>(i)];
    if (!row.changed && !row.failed) continue;
    choose(i);
    return true;
  }
  return false;
}

QString PassPresenter::titleOf(int snapshot) const {
  if (snapshot < 0 || snapshot >= static_cast<int>(snapshotCount())) return {};
  const lower::IrSnapshot& of = trace_->passes().snapshots[static_cast<std::size_t>(snapshot)];
  if (of.pass < 0) return showsRewrites() ? "before the first rewrite" : "before the first pass";
  QString name = QString("%1 · %2")
                     .arg(of.pass + 1)
                     .arg(text(trace_->passes().passes[static_cast<std::size_t>(of.pass)].pass));
  if (!of.failure) return name;
  const bool isKnown = lower::isKnown(stoppedBy(trace_->passes(), of.stage));
  return (isKnown ? "failed in " : "stopped in ") + name;
}

std::shared_ptr<const StageText> PassPresenter::textOf(int snapshot) {
  if (snapshot < 0 || snapshot >= static_cast<int>(snapshotCount())) return nullptr;
  Text& slot = texts_.try_emplace(snapshot, services_).first->second;
  slot.used = ++clock_;
  if (slot.text || slot.reading.running() || !slot.problem.isEmpty()) return slot.text;
  slot.reading.start(
      [trace = trace_, snapshot](const RunContext&) { return readSnapshot(*trace, snapshot); },
      [this, snapshot, &slot](ReadText read) {
        slot.text = std::move(read.text);
        slot.problem = read.problem;
        forget();
        Q_EMIT snapshotReady(snapshot);
        if (snapshot == from_ || snapshot == to_) makeDiff();
      });
  return nullptr;
}

QString PassPresenter::problemOf(int snapshot) const {
  const auto found = texts_.find(snapshot);
  return found == texts_.end() ? QString() : found->second.problem;
}

void PassPresenter::forget() {
  while (texts_.size() > kKeptTexts + 2) {
    auto oldest = texts_.end();
    for (auto it = texts_.begin(); it != texts_.end(); ++it)
      if (!it->second.reading.running() && it->first != from_ && it->first != to_ &&
          (oldest == texts_.end() || it->second.used < oldest->second.used))
        oldest = it;
    if (oldest == texts_.end()) return;
    texts_.erase(oldest);
  }
}

void PassPresenter::makeDiff() {
  if (from_ < 0 || to_ < 0 || diff_) return;
  const auto a = texts_.find(from_), b = texts_.find(to_);
  if (a == texts_.end() || b == texts_.end() || !a->second.text || !b->second.text) return;
  diffing_.start([a = a->second.text, b = b->second.text,
                  options = diffOptions_](const RunContext&) { return diffView(a, b, options); },
                 [this](std::shared_ptr<const DiffView> made) {
                   diff_ = std::move(made);
                   Q_EMIT diffChanged();
                 });
}

void PassPresenter::setShowDiff(bool on) {
  if (showDiff_ == on) return;
  showDiff_ = on;
  Q_EMIT diffChanged();
}

void PassPresenter::setDiffOptions(const DiffOptions& options) {
  if (diffOptions_ == options) return;
  diffOptions_ = options;
  change_ = -1;
  diff_.reset();
  diffing_.supersede();
  Q_EMIT diffChanged();
  makeDiff();
}

int PassPresenter::stepChange(int direction) {
  if (!diff_ || diff_->changes.empty()) return -1;
  const auto count = static_cast<int>(diff_->changes.size());
  const int first = direction > 0 ? 0 : count - 1;
  change_ = change_ < 0 ? first : (change_ + direction + count) % count;
  Q_EMIT changeChanged(change_);
  return change_;
}

/// Computes PassRow::difference of the next pass, in a job that calls this again.
void PassPresenter::countNext() {
  while (counted_ < passes_.size()) {
    const PassRow& row = passes_[counted_];
    if (row.changed && row.snapshot >= 0 && row.before >= 0 && row.snapshot != row.before) break;
    ++counted_;
  }
  if (counted_ >= passes_.size()) return;
  const PassRow& row = passes_[counted_];
  counting_.start(
      [trace = trace_, before = row.before, after = row.snapshot](const RunContext&) -> Counted {
        const auto a = trace->open(static_cast<std::size_t>(before)),
                   b = trace->open(static_cast<std::size_t>(after));
        if (!a || !b) return {};
        const mlir::Diff diff = mlir::diff(*(*a)->module, *(*b)->module);
        return {true, summary(diff), diff.added, diff.removed};
      },
      [this](const Counted& result) {
        PassRow& done = passes_[counted_];
        if (result.known) {
          done.difference = result.summary;
          done.added = result.added;
          done.removed = result.removed;
        }
        ++counted_;
        Q_EMIT passesChanged();
        countNext();
      });
}

}  // namespace fxs::ui
