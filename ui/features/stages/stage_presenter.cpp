// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/stages/stage_presenter.h"

#include <algorithm>

#include "text/code_structure.h"
#include "text/words.h"

namespace fxs::ui {

namespace {

/// Why stages did not run; empty if nothing prevents it.
QString notRunReason(bool hasProgram, const SessionState& state) {
  if (!hasProgram) return "no program is open";
  if (state.cancelled) return "not run: cancelled";
  if (!state.engineProblem.isEmpty()) return "not run: " + state.engineProblem;
  return state.stepProblem.isEmpty() ? QString() : "not run: " + state.stepProblem;
}

QString detailOf(const lower::StageResult& result) {
  QStringList lines;
  if (!result.failingPass.empty()) lines << "Failed in pass " + text(result.failingPass);
  if (!result.argv.empty()) {
    QStringList argv;
    for (const std::string& argument : result.argv)
      argv << (argument.find_first_of(" (){}'\"$&;<>|*") == std::string::npos
                   ? text(argument)
                   : '\'' + text(argument) + '\'');
    lines << "$ " + argv.join(' ');
  }
  for (const std::string& warning : result.warnings) lines << "warning: " + text(warning);
  if (!result.stderrText.empty()) lines << ui::lines(result.stderrText);
  return lines.join('\n');
}

void fill(Stage& stage, const lower::StageResult& result) {
  stage.mark = markOf(result.status);
  if (result.status != lower::StageStatus::Skipped) stage.seconds = result.seconds;
  stage.isFailureText = result.text.empty() && !result.failureIr.empty();
  stage.detail = detailOf(result);
  const auto errors =
      std::count_if(result.findings.begin(), result.findings.end(),
                    [](const fx::Finding& f) { return f.severity == fx::Severity::Error; });
  switch (result.status) {
    case lower::StageStatus::Skipped: stage.note = "not run: " + text(result.message); break;
    case lower::StageStatus::Failed:
      stage.note = errors ? "failed here: " + counted(static_cast<std::size_t>(errors), "error")
                          : QString("failed here");
      break;
    case lower::StageStatus::Crashed: stage.note = "crashed here"; break;
    case lower::StageStatus::Timeout: stage.note = "timed out"; break;
    case lower::StageStatus::Unknown: stage.note = "not known: no answer"; break;
    case lower::StageStatus::Ok: break;
  }
}

/// A stage that ended with a text that breaks its contract is not ok.
void fillBreaches(Stage& stage, const std::vector<fx::Finding>& contract, const std::string& id) {
  const auto errors = std::count_if(contract.begin(), contract.end(), [&](const fx::Finding& f) {
    return f.severity == fx::Severity::Error && f.stage == id;
  });
  if (errors == 0 || stage.mark != StageMark::Ok) return;
  stage.mark = StageMark::Failed;
  stage.note =
      "lowers, but breaks its contract: " + counted(static_cast<std::size_t>(errors), "error");
}

std::optional<QString> readNote(const session::Snapshot& snapshot) {
  if (!snapshot.capture) return std::nullopt;
  return counted(snapshot.capture->program->nodes.size(), "node");
}

std::optional<QString> normalizeNote(const session::Snapshot& snapshot) {
  if (!snapshot.normalized) return std::nullopt;
  std::size_t changes = 0;
  for (const normalize::NodeMetadata& node : snapshot.normalized->nodes)
    changes += node.changes.size();
  return counted(changes, "change");
}

std::optional<QString> rewriteNote(const session::Snapshot& snapshot) {
  if (!snapshot.rewritten) return std::nullopt;
  return counted(snapshot.rewritten->applied.size(), "rewrite");
}

std::optional<QString> importNote(const session::Snapshot& snapshot) {
  if (!snapshot.imported) return std::nullopt;
  return counted(snapshot.imported->ops, "op");
}

/// A step before the engine.
struct SessionStep {
  const char* id;
  const char* title;
  session::Phase phase;
  std::optional<QString> (*note)(const session::Snapshot&);  ///< std::nullopt until it has ended
};
constexpr SessionStep kSessionSteps[] = {
    {"read", "Read", session::Phase::Read, readNote},
    {"normalize", "Normalize", session::Phase::Normalize, normalizeNote},
    {"rewrite", "Rewrite", session::Phase::Rewrite, rewriteNote},
    {"import", "Import", session::Phase::Import, importNote},
};

std::optional<std::chrono::duration<double>> timeOf(const session::SnapshotPtr& snapshot,
                                                    session::Phase phase) {
  if (snapshot)
    for (const session::Timing& timing : snapshot->timings)
      if (timing.phase == phase) return timing.seconds;
  return std::nullopt;
}

}  // namespace

StagePresenter::StagePresenter(Services& services)
    : services_(services),
      session_(services.get<SessionPresenter>()),
      passes_(services.get<PassPresenter>()),
      sources_(services.get<TextSources>()) {
  connect(&sources_, &TextSources::changed, this, &StagePresenter::refresh);
  connect(&sources_, &TextSources::added, this, [this](const ShownText& id) {
    refresh();
    if (shows(id)) want(id);
  });
  connect(&sources_, &TextSources::removed, this, [this](const ShownText& id) {
    std::replace(panesBefore_.begin(), panesBefore_.end(), id, ShownText(LastStage{}));
    ShownTexts panes = panes_;
    std::replace(panes.begin(), panes.end(), id, ShownText(LastStage{}));
    setPanes(panes);
    refresh();
  });
  connect(this, &StagePresenter::panesChanged, this, [this] {
    std::for_each(panes_.begin(), panes_.end(), [this](const ShownText& pane) { want(pane); });
  });
  connect(&passes_, &PassPresenter::traceChanged, this, &StagePresenter::refreshSnapshots);
  connect(&passes_, &PassPresenter::snapshotReady, this,
          [this](int snapshot) { Q_EMIT textChanged(PassSnapshot{snapshot}); });
  connect(&passes_, &PassPresenter::handlesChanged, this, [this] {
    // Handles that are not set have nothing to show.
    if (passes_.from() < 0 && passes_.to() < 0) showStages();
    Q_EMIT stagesChanged();
  });
  connect(&session_, &SessionPresenter::snapshotChanged, this, &StagePresenter::refresh);
  connect(&session_, &SessionPresenter::stateChanged, this, &StagePresenter::refresh);
  connect(&session_, &SessionPresenter::stageEnded, this, &StagePresenter::refresh);
  refresh();
}

const Stage* StagePresenter::stage(const ShownText& id) const {
  for (const std::vector<Stage>* list : {&stages_, &others_, &snapshots_})
    for (const Stage& stage : *list)
      if (stage.id == id) return &stage;
  return nullptr;
}

void StagePresenter::refreshSnapshots() {
  snapshots_.clear();
  for (int i = 0; i < static_cast<int>(passes_.snapshotCount()); ++i) {
    const bool failure = passes_.trace()->passes().snapshots[static_cast<std::size_t>(i)].failure;
    StageMark mark = StageMark::Ok;
    for (const PassRow& row : passes_.passes())
      if (failure && row.failed && row.snapshot == i) mark = markOf(row.status);
    snapshots_.push_back({PassSnapshot{i}, passes_.titleOf(i), mark, {}, {}, {}, failure});
  }
  // Snapshot indices of the previous trace are invalid.
  for (ShownText& pane : panes_)
    if (const auto* snapshot = std::get_if<PassSnapshot>(&pane); snapshot && !stage(pane))
      pane = LastStage{};
  Q_EMIT stagesChanged();
}

void StagePresenter::showHandles() {
  if (shows(Handle::From) && shows(Handle::To)) return;
  ShownTexts panes = panes_;
  if (!showsHandles()) panesBefore_ = panes_;
  std::erase_if(panes, [](const ShownText& pane) { return std::holds_alternative<Handle>(pane); });
  // The compared modules are the last two panes; the others stay if there is room.
  while (panes.size() + 2 > std::max<std::size_t>(panes_.size(), 2)) panes.pop_back();
  panes.insert(panes.end(), {Handle::From, Handle::To});
  setPanes(panes);
}

void StagePresenter::showStages() {
  if (showsHandles()) setPanes(panesBefore_.empty() ? kStandardPanes : panesBefore_);
}

void StagePresenter::refresh() {
  const QString notRun = session_.showsTraceFile()
                             ? "not run: the passes were run elsewhere (F5 runs the stages here)"
                             : notRunReason(session_.hasProgram(), session_.state());
  stages_.clear();
  Wanted wanted;
  refreshGraphs(wanted, notRun);
  refreshEngine(wanted, notRun);

  others_.clear();
  refreshOthers(wanted);

  dropTextsExcept(wanted);
  for (auto& [id, source] : wanted) prepare(id, source.first, std::move(source.second));
  Q_EMIT stagesChanged();
}

void StagePresenter::refreshGraphs(Wanted& wanted, const QString& notRun) {
  const session::SnapshotPtr& snapshot = session_.snapshot();
  Stage fx{"fx", "FX graph", StageMark::Waiting, {}, notRun, {}, false};
  if (snapshot) {
    fx.mark = StageMark::Ok;
    fx.note.clear();
    wanted["fx"] = {snapshot->capture->program.get(),
                    [program = snapshot->capture->program] { return fxStageText(*program); }};
  }
  stages_.push_back(fx);

  Stage rewritten{"rewritten", "FX graph, rewritten", StageMark::Waiting, {}, notRun, {}, false};
  if (snapshot && snapshot->rewritten) {
    rewritten.mark = StageMark::Ok;
    rewritten.note = snapshot->rewritten->applied.empty()
                         ? QString("nothing to rewrite")
                         : counted(snapshot->rewritten->applied.size(), "rewrite");
    wanted["rewritten"] = {snapshot->rewritten.get(),
                           [value = snapshot->rewritten] { return fxStageText(*value->program); }};
  } else if (session_.state().activity == Activity::Lowering) {
    rewritten.mark = StageMark::Running;
  } else if (!notRun.isEmpty()) {
    rewritten.mark = StageMark::Skipped;
  }
  stages_.push_back(rewritten);
}

void StagePresenter::refreshEngine(Wanted& wanted, const QString& notRun) {
  const session::SnapshotPtr& snapshot = session_.snapshot();
  bool running = session_.state().activity == Activity::Lowering;
  const bool hasRaw = snapshot && snapshot->imported && !running;
  const std::vector<lower::StageSpec> specs = lower::stagesFor(session_.target());
  for (std::size_t i = 0; i < specs.size(); ++i) {
    Stage stage{text(specs[i].id), text(specs[i].title), StageMark::Waiting, {}, notRun, {}, false};
    if (const lower::StageResult* result = resultOf(i)) {
      stage.note.clear();
      fill(stage, *result);
      if (snapshot && snapshot->lowering) fillBreaches(stage, snapshot->contract, specs[i].id);
    } else if (running) {
      stage.mark = StageMark::Running;
      running = false;
    } else if (i == 0 && hasRaw) {
      // RAW is written by the importer and so available without an engine.
      stage.mark = StageMark::Ok;
      stage.note.clear();
    } else if (!notRun.isEmpty()) {
      stage.mark = StageMark::Skipped;
    }
    if (std::optional<Made> source = sourceOf(i)) wanted[stage.id] = *std::move(source);
    stages_.push_back(stage);
  }
}

const lower::StageResult* StagePresenter::resultOf(std::size_t index) const {
  const session::SnapshotPtr& snapshot = session_.snapshot();
  if (snapshot && snapshot->lowering && index < snapshot->lowering->stages.size())
    return &snapshot->lowering->stages[index];
  return index < session_.endedStages().size() ? session_.endedStages()[index].get() : nullptr;
}

std::optional<StagePresenter::Made> StagePresenter::sourceOf(std::size_t index) const {
  const session::SnapshotPtr& snapshot = session_.snapshot();
  const lower::StageResult* result = resultOf(index);
  const bool hasIr = result && !result->ir().empty();
  const bool isLowered = snapshot && snapshot->lowering;
  if (hasIr && isLowered && index < snapshot->origins.size() && snapshot->origins[index])
    return Made(snapshot->origins[index].get(), [held = snapshot, index] {
      const lower::StageResult& stage = held->lowering->stages[index];
      return stageText(trace::openText(stage.ir(), held->origins[index], stage.irForm()));
    });
  if (hasIr && !isLowered)
    return Made(result, [ended = session_.endedStages()[index]] {
      return stageText(trace::openText(ended->ir(), nullptr, ended->irForm()));
    });
  if (index == 0 && snapshot && snapshot->imported)
    return Made(snapshot->imported.get(), [imported = snapshot->imported] {
      return stageText(trace::openText(imported->text));
    });
  return std::nullopt;
}

void StagePresenter::dropTextsExcept(const Wanted& wanted) {
  for (auto it = texts_.begin(); it != texts_.end();) {
    if (wanted.contains(it->first)) {
      ++it;
      continue;
    }
    const ShownText gone = it->first;
    it = texts_.erase(it);
    Q_EMIT textChanged(gone);
  }
}

void StagePresenter::refreshOthers(Wanted& wanted) {
  for (const TextSource& each : sources_.all()) {
    OtherText other = each.now();
    if (!session_.hasProgram() && other.stage.note.isEmpty())
      other.stage.note = "no program is open";
    if (other.source) wanted[other.stage.id] = {other.source, std::move(other.make)};
    others_.push_back(std::move(other.stage));
  }
}

void StagePresenter::want(const ShownText& text) {
  if (const TextSource* source = sources_.find(text)) source->want();
}

bool StagePresenter::canWant(const ShownText& text) const {
  const TextSource* source = sources_.find(text);
  return session_.hasProgram() && (!source || source->canWant());
}

std::optional<lower::OutputType> StagePresenter::typeOf(const ShownText& text) const {
  if (const TextSource* source = sources_.find(text)) return source->type();
  const ShownText id = resolved(text);
  for (const lower::OutputType& type : session_.outputTypes().all())
    if (id == ShownText(fxs::ui::text(lower::name(type)))) return type;
  return std::nullopt;
}

void StagePresenter::prepare(const ShownText& id, const void* source,
                             std::function<std::shared_ptr<const StageText>()> make) {
  Text& slot = texts_.try_emplace(id, services_).first->second;
  if (slot.source == source) return;
  slot.source = source;
  slot.making.start([make = std::move(make)](const RunContext&) { return make(); },
                    [this, id, &slot](std::shared_ptr<const StageText> ready) {
                      slot.text = std::move(ready);
                      Q_EMIT textChanged(id);
                    });
}

std::shared_ptr<const StageText> StagePresenter::textOf(const ShownText& id) const {
  if (const auto* snapshot = std::get_if<PassSnapshot>(&id)) return passes_.textOf(snapshot->index);
  const auto found = texts_.find(id);
  return found == texts_.end() ? nullptr : found->second.text;
}

bool StagePresenter::preparing() const {
  return std::any_of(texts_.begin(), texts_.end(),
                     [](const auto& entry) { return entry.second.making.running(); });
}

std::string StagePresenter::fileText(const ShownText& id) const {
  if (const session::SnapshotPtr& snapshot = session_.snapshot()) {
    if (snapshot->lowering)
      for (const lower::StageResult& result : snapshot->lowering->stages)
        if (id == ShownText(text(result.id))) return result.ir();
    if (id == ShownText("raw") && snapshot->imported) return snapshot->imported->text;
  }
  if (const TextSource* source = sources_.find(id))
    if (std::string file = source->now().file; !file.empty()) return file;
  const auto stageText = textOf(id);
  return stageText ? std::string(stageText->code->all()) : std::string();
}

QString StagePresenter::fileEnding(const ShownText& id) const {
  if (id == ShownText("fx") || id == ShownText("rewritten")) return ".txt";
  if (const session::SnapshotPtr& snapshot = session_.snapshot(); snapshot && snapshot->lowering)
    for (const lower::StageResult& result : snapshot->lowering->stages)
      if (id == ShownText(text(result.id))) return text(mlir::extension(result.irForm()));
  const TextSource* source = sources_.find(id);
  return source ? text(mlir::extension(source->now().form)) : QString(".mlir");
}

std::vector<std::uint32_t> StagePresenter::linesOf(const ShownText& id,
                                                   const std::vector<fx::NodeId>& nodes) const {
  std::vector<std::uint32_t> lines;
  const auto stageText = textOf(id);
  if (!stageText) return lines;
  const auto& byNode = stageText->origins.linesByNode;
  for (const fx::NodeId node : nodes)
    if (node.valid() && node.index() < byNode.size())
      lines.insert(lines.end(), byNode[node.index()].begin(), byNode[node.index()].end());
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

std::uint32_t StagePresenter::mainLine(const ShownText& id,
                                       const std::vector<std::uint32_t>& lines) const {
  const auto stageText = textOf(id);
  const auto worth = [&](std::uint32_t line) -> int {
    const bool exact = stageText && line < stageText->origins.lines.size() &&
                       stageText->origins.lines[line].link == trace::Link::Exact;
    if (!exact || !stageText->module) return exact ? 2 : 0;
    const mlir::OpId op = stageText->module->opOfLine(line);
    const std::string_view name = op.valid() ? stageText->module->nameOf(op) : std::string_view();
    if (isConstant(name)) return 1;
    // torch.aten.layer_norm matches aten.layer_norm.default.
    for (const fx::NodeId node : stageText->origins.lines[line].nodes) {
      const fx::ProgramPtr program = session_.program();
      if (!program || node.index() >= program->nodes.size()) continue;
      const std::string_view target = program->node(node).target;
      if (name.find(target.substr(0, target.rfind('.'))) != std::string_view::npos) return 3;
    }
    return 2;
  };
  return *std::max_element(lines.begin(), lines.end(),
                           [&](std::uint32_t a, std::uint32_t b) { return worth(a) < worth(b); });
}

bool StagePresenter::leads(const ShownText& pane, const Selection& selected) const {
  const auto* handle = std::get_if<Handle>(&pane);
  if (!handle || !shows(Handle::From) || !shows(Handle::To) || !passes_.diff() ||
      !passes_.showsDiff())
    return true;
  for (const Handle each : {Handle::From, Handle::To})
    if (selected.origin == Origin::Stage && selected.stage == resolved(each))
      return *handle == each;
  return *handle ==
         (linesOf(resolved(Handle::To), selected.nodes).empty() ? Handle::From : Handle::To);
}

std::vector<fx::NodeId> StagePresenter::nodesAt(const ShownText& id, std::uint32_t line) const {
  const auto stageText = textOf(id);
  return stageText && line < stageText->origins.lines.size() ? stageText->origins.lines[line].nodes
                                                             : std::vector<fx::NodeId>{};
}

MarksByLine StagePresenter::marksOf(const ShownText& id, const MarksByNode& marks) const {
  std::map<std::uint32_t, NodeMarks> ofLines;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const bool isMarked =
        marks[i].status.emphasis != Emphasis::None || marks[i].flag.emphasis != Emphasis::None;
    if (!isMarked) continue;
    const std::vector<std::uint32_t> lines = linesOf(id, {fx::NodeId::of(i)});
    for (std::size_t k = 0; k < lines.size(); ++k)
      if (k == 0 || lines[k] != lines[k - 1] + 1) ofLines[lines[k]].raise(marks[i]);
  }
  return {ofLines.begin(), ofLines.end()};
}

QString StagePresenter::nameOf(fx::NodeId node) const {
  const fx::ProgramPtr program = session_.program();
  return program && node.valid() && node.index() < program->nodes.size()
             ? text(program->node(node).name)
             : QString();
}

trace::Link StagePresenter::linkAt(const ShownText& id, std::uint32_t line) const {
  const auto stageText = textOf(id);
  return stageText && line < stageText->origins.lines.size() ? stageText->origins.lines[line].link
                                                             : trace::Link::None;
}

std::vector<Stage> StagePresenter::steps() const {
  const session::SnapshotPtr& snapshot = session_.snapshot();
  const bool lowering = session_.state().activity == Activity::Lowering;
  std::vector<Stage> steps;
  for (const SessionStep& step : kSessionSteps) {
    const std::optional<QString> note = snapshot ? step.note(*snapshot) : std::nullopt;
    const bool isNext = steps.empty() || steps.back().mark == StageMark::Ok;
    const StageMark pending = lowering && isNext ? StageMark::Running : StageMark::Waiting;
    steps.push_back({step.id,
                     step.title,
                     note ? StageMark::Ok : pending,
                     timeOf(snapshot, step.phase),
                     note.value_or(QString()),
                     {},
                     false});
  }
  return steps;
}

std::vector<Stage> StagePresenter::stepsAndStages() const {
  std::vector<Stage> all = steps();
  std::copy_if(stages_.begin(), stages_.end(), std::back_inserter(all), [](const Stage& s) {
    return s.id != ShownText("fx") && s.id != ShownText("rewritten");
  });
  return all;
}

ShownTexts StagePresenter::lastingPanes() const {
  ShownTexts panes = showsHandles() && !panesBefore_.empty() ? panesBefore_ : panes_;
  for (ShownText& pane : panes)
    if (isTransient(pane)) pane = LastStage{};
  return panes;
}

ShownText StagePresenter::resolved(const ShownText& pane) const {
  if (const auto* handle = std::get_if<Handle>(&pane)) {
    const int snapshot = *handle == Handle::From ? passes_.from() : passes_.to();
    return snapshot < 0 ? pane : PassSnapshot{snapshot};
  }
  return std::holds_alternative<LastStage>(pane) && !stages_.empty() ? stages_.back().id : pane;
}

void StagePresenter::setPanes(const ShownTexts& panes) {
  if (panes.size() < kMinPanes || panes.size() > kMaxPanes || panes == panes_) return;
  panes_ = panes;
  Q_EMIT panesChanged();
}

void StagePresenter::setPane(int index, const ShownText& shown) {
  if (index < 0 || index >= static_cast<int>(panes_.size()) ||
      panes_[static_cast<std::size_t>(index)] == shown)
    return;
  panes_[static_cast<std::size_t>(index)] = shown;
  Q_EMIT panesChanged();
}

void StagePresenter::addPane() {
  if (panes_.size() >= kMaxPanes) return;
  // The first stage that is not shown yet; else the last stage again.
  for (const Stage& stage : stages_) {
    const bool shown = std::any_of(panes_.begin(), panes_.end(), [&](const ShownText& pane) {
      return resolved(pane) == stage.id;
    });
    if (shown || stage.id == ShownText("rewritten")) continue;
    const std::ptrdiff_t at = std::min(&stage - stages_.data(), std::ssize(panes_));
    panes_.insert(panes_.begin() + at, stage.id);
    return Q_EMIT panesChanged();
  }
  panes_.push_back(LastStage{});
  Q_EMIT panesChanged();
}

void StagePresenter::removePane(int index) {
  if (panes_.size() <= kMinPanes || index < 0 || index >= static_cast<int>(panes_.size())) return;
  panes_.erase(panes_.begin() + index);
  Q_EMIT panesChanged();
}

}  // namespace fxs::ui
