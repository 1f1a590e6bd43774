// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/variants/variants_presenter.h"

#include <algorithm>
#include <utility>

#include "base/byte_source.h"
#include "features/variants/comparison_state.h"
#include "lower/stopped.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr int kVariantTexts = 30;  ///< their place among the texts besides the stages
constexpr std::string_view kStandardInput = "-";
constexpr std::uint64_t kMaxElided = std::uint64_t{1} << 30;

/// How many lines are between those that two texts begin and end with.
std::size_t changedLines(std::string_view before, std::string_view after) {
  const auto linesOf = [](std::string_view text) {
    std::vector<std::string_view> out;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      out.push_back(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
  };
  const std::vector<std::string_view> a = linesOf(before), b = linesOf(after);
  const auto begin = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto end = std::mismatch(a.rbegin(), std::make_reverse_iterator(begin.first), b.rbegin(),
                                 std::make_reverse_iterator(begin.second));
  return static_cast<std::size_t>(
      std::max(end.first.base() - begin.first, end.second.base() - begin.second));
}

const lower::StageResult* stopOf(const lower::Lowering& lowering) {
  for (const lower::StageResult& stage : lowering.stages)
    if (stage.status != lower::StageStatus::Ok) return &stage;
  return nullptr;
}

/// The stages from the first that the variant changes.
std::size_t firstChanged(const lower::Lowering& lowering) {
  for (std::size_t i = 0; i < lowering.stages.size(); ++i) {
    const std::string& id = lowering.stages[i].id;
    const bool isEdited = lowering.edit && lowering.edit->stage == id;
    const bool skips = std::any_of(lowering.skipped.begin(), lowering.skipped.end(),
                                   [&](const lower::StagePass& pass) { return pass.stage == id; });
    if (isEdited || skips || lowering.pipelines.contains(id)) return i;
  }
  return 0;
}

}  // namespace

struct VariantsPresenter::Entry {
  explicit Entry(Services& services) : task(services, WorkFor::Answer, CancelBy::Button) {}
  VariantState state;
  session::SnapshotPtr madeFrom;  ///< whose text is edited, until it is lowered
  bool listsPasses = false;       ///< its passes are wanted
  Task<Result<session::SnapshotPtr>> task;
};

VariantsPresenter::VariantsPresenter(Services& services)
    : services_(services),
      session_(services.get<SessionPresenter>()),
      passes_(services.get<PassPresenter>()),
      sources_(services.get<TextSources>()),
      runner_(services.chosen(sessionVariants(services.environment))),
      tester_(services.chosen(sessionVariantTests(services.environment))),
      bundler_(services.chosen(sessionBundler(services.environment))),
      loading_(services),
      saving_(services),
      testing_(services, WorkFor::Answer, CancelBy::Button),
      bundling_(services, WorkFor::Answer, CancelBy::Button) {
  connect(&session_, &SessionPresenter::programChanged, this, &VariantsPresenter::load);
}

VariantsPresenter::~VariantsPresenter() = default;

std::vector<VariantState> VariantsPresenter::all() const {
  std::vector<VariantState> out;
  for (const auto& each : all_) out.push_back(each->state);
  return out;
}

VariantsPresenter::Entry* VariantsPresenter::entry(int id) const {
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [&](const auto& each) { return each->state.id == id; });
  return found == all_.end() ? nullptr : found->get();
}

std::optional<VariantState> VariantsPresenter::find(int id) const {
  const Entry* found = entry(id);
  return found ? std::optional(found->state) : std::nullopt;
}

int VariantsPresenter::idOf(const std::string& name) const {
  for (const auto& each : all_)
    if (each->state.spec.name == name) return each->state.id;
  return -1;
}

variant::Variants VariantsPresenter::specs() const {
  variant::Variants out;
  for (const auto& each : all_) out.push_back(each->state.spec);
  return out;
}

session::SnapshotPtr VariantsPresenter::loweringOf(int variant) const {
  if (variant < 0) return session_.snapshot();
  const Entry* found = entry(variant);
  return found ? found->state.lowered : nullptr;
}

bool VariantsPresenter::running() const {
  return std::any_of(all_.begin(), all_.end(),
                     [](const auto& each) { return each->task.running(); });
}

Result<EditSource> VariantsPresenter::sourceOf(const ShownText& shown) const {
  if (!session_.hasProgram()) return fail(ErrorCode::Unsupported, "Open a program first");
  if (const auto* stage = std::get_if<StageId>(&shown)) return stageSource(-1, stage->id, shown);
  if (const auto* stage = std::get_if<VariantStage>(&shown))
    return stageSource(stage->variant, stage->stage, shown);
  if (const auto* snapshot = std::get_if<PassSnapshot>(&shown)) return passSource(snapshot->index);
  return fail(ErrorCode::Unsupported,
              "This text cannot be edited; the stages and the modules after passes can");
}

Result<EditSource> VariantsPresenter::stageSource(int variant, const QString& stage,
                                                  const ShownText& shown) const {
  if (stage == "fx" || stage == "rewritten")
    return fail(ErrorCode::Unsupported,
                "The FX graph cannot be edited; raw and the stages after it can");
  const session::SnapshotPtr lowering = loweringOf(variant);
  if (!lowering || !lowering->lowering)
    return fail(ErrorCode::Unsupported, "Nothing was lowered yet (F5)");
  for (const lower::StageResult& result : lowering->lowering->stages) {
    if (text(result.id) != stage) continue;
    if (result.status != lower::StageStatus::Ok)
      return fail(ErrorCode::Unsupported, result.text.empty() && !result.failureIr.empty()
                                              ? "This is the IR at the failure; edit the stage "
                                                "before it, or the module before the pass"
                                              : "This stage has no text");
    if (result.form != mlir::TextForm::Mlir)
      return fail(ErrorCode::Unsupported, "Only MLIR can be edited");
    QString title = text(result.title);
    if (variant >= 0) title = text(entry(variant)->state.spec.name) + ": " + title;
    return EditSource{shown, title, variant, result.id, std::nullopt, {}, result.text};
  }
  return fail(ErrorCode::Unsupported, "This stage does not belong to the selected output type");
}

std::optional<VariantsPresenter::TracedBy> VariantsPresenter::listedLowering() const {
  if (passes_.trace() && passes_.listed() == Listed::Program) return TracedBy{};
  const auto found = traces_.find(passes_.trace().get());
  return found == traces_.end() ? std::nullopt : std::optional(found->second);
}

Result<EditSource> VariantsPresenter::passSource(int index) const {
  const std::optional<TracedBy> of = listedLowering();
  if (!of) return fail(ErrorCode::Unsupported, "The rewrites of one node cannot be edited");
  const lower::PassTrace& trace = passes_.trace()->passes();
  const lower::IrSnapshot& snapshot = trace.snapshots.at(static_cast<std::size_t>(index));
  const ShownText shown = PassSnapshot{index};
  if (of->isComparison) {
    const bool isOriginal =
        trace.passes.at(static_cast<std::size_t>(snapshot.pass)).pass == kOriginal;
    return stageSource(isOriginal ? -1 : of->variant, text(snapshot.stage), shown);
  }
  if (snapshot.failure)
    return fail(ErrorCode::Unsupported,
                "This is the IR at the failure; edit the module before the pass");
  if (snapshot.pass < 0) return stageSource(of->variant, text(snapshot.stage), shown);
  FXS_TRY(const auto pass, passAt(snapshot.pass));
  EditSource out;
  out.shown = shown;
  out.title = passes_.titleOf(index);
  out.variant = of->variant;
  out.stage = pass.second.stage;
  out.pass = pass.second.pass;
  out.passName = trace.passes[static_cast<std::size_t>(snapshot.pass)].pass;
  FXS_TRY(out.original, readWholeFile(trace.pathOf(snapshot), kMaxElided));
  return out;
}

Result<std::pair<int, lower::StagePass>> VariantsPresenter::passAt(int pass) const {
  const std::optional<TracedBy> of = listedLowering();
  if (!of || of->isComparison || !passes_.trace())
    return fail(ErrorCode::Unsupported, "Return to the passes first (Ctrl+Alt+0)");
  const std::vector<lower::PassRun>& runs = passes_.trace()->passes().passes;
  if (pass < 0 || pass >= static_cast<int>(runs.size()))
    return fail(ErrorCode::Unsupported, "Select a pass first");
  const std::string& stage = runs[static_cast<std::size_t>(pass)].stage;
  const auto before = std::count_if(runs.begin(), runs.begin() + pass,
                                    [&](const lower::PassRun& run) { return run.stage == stage; });
  return std::pair(of->variant, lower::StagePass{stage, static_cast<std::size_t>(before)});
}

int VariantsPresenter::addEdit(const EditSource& source, const std::string& before,
                               const std::string& text) {
  variant::Variant spec;
  spec.name = "edited " + source.stage;
  spec.change = source.stage;
  if (source.pass) spec.change += ", after pass " + std::to_string(*source.pass + 1);
  if (!source.passName.empty()) spec.change += " (" + source.passName + ")";
  spec.change += ": " + counted(changedLines(before, text), "line").toStdString();
  spec.edit = std::make_shared<const lower::Edit>(lower::Edit{source.stage, source.pass, text});
  return add(std::move(spec), source.variant);
}

int VariantsPresenter::addSkip(int from, const lower::StagePass& pass, const QString& name) {
  variant::Variant spec;
  spec.name = "without " + name.toStdString();
  spec.change = pass.stage + ", without pass " + std::to_string(pass.pass + 1) + " (" +
                name.toStdString() + ")";
  spec.skipped.insert(pass);
  return add(std::move(spec), from);
}

int VariantsPresenter::addPipeline(int from, const std::string& stage, const std::string& pipeline,
                                   const QString& change) {
  variant::Variant spec;
  spec.name = "passes of " + stage;
  spec.change = stage + ": " + change.toStdString();
  spec.pipelines[stage] = pipeline;
  return add(std::move(spec), from);
}

int VariantsPresenter::addNodeChange(const NodeChange& change) {
  variant::Variant spec;
  switch (change.kind) {
    case NodeChange::Kind::SetArgument:
      spec.arguments[{change.node, change.argument}] = change.value;
      spec.name = change.node + '.' + change.argument + '=' + change.value;
      spec.change = spec.name;
      break;
    case NodeChange::Kind::Decompose:
      spec.decomposeNodes.insert(change.node);
      spec.name = change.node + " decomposed";
      spec.change = change.node + " is decomposed";
      break;
    case NodeChange::Kind::Keep:
      spec.keepNodes.insert(change.node);
      spec.name = change.node + " kept";
      spec.change = change.node + " is not decomposed";
      break;
  }
  const Entry* shown = entry(current_);
  return add(std::move(spec), shown && !shown->state.spec.edit ? current_ : -1);
}

int VariantsPresenter::add(variant::Variant spec, int from) {
  if (!session_.hasProgram()) return -1;
  if (const Entry* parent = entry(from)) variant::inherit(spec, parent->state.spec);
  spec.target = lower::name(session_.target());
  spec.name = variant::freeName(specs(), spec.name);
  auto made = std::make_unique<Entry>(services_);
  made->state.id = next_++;
  made->state.spec = std::move(spec);
  made->madeFrom = loweringOf(from);
  Entry& entry = *made;
  all_.push_back(std::move(made));
  connect(&entry.task, &Work::changed, this, &VariantsPresenter::changed);
  current_ = entry.state.id;
  lower(entry, session::Phase::Lower);
  save();
  return entry.state.id;
}

void VariantsPresenter::lower(Entry& entry, session::Phase until) {
  const session::SnapshotPtr from = entry.state.lowered ? entry.state.lowered : session_.snapshot();
  if (!from) return;
  if (until == session::Phase::Lower) {
    entry.state.mark = StageMark::Running;
    entry.state.status = "lowering …";
  }
  const QString name = text(entry.state.spec.name);
  entry.task.start(
      (until == session::Phase::Lower ? "lowering " : "tracing the passes of ") + name,
      [from, madeFrom = entry.madeFrom ? entry.madeFrom : from, spec = entry.state.spec, until,
       run = runner_](const RunContext& context) {
        return run(from, madeFrom, spec, until, context);
      },
      [this, &entry](Result<session::SnapshotPtr> result) { ended(entry, std::move(result)); });
}

void VariantsPresenter::ended(Entry& entry, Result<session::SnapshotPtr> result) {
  VariantState& state = entry.state;
  const int id = state.id;
  if (!result) {
    if (!state.lowered) {
      state.mark = StageMark::Skipped;
      state.status =
          entry.task.state().cancelled ? QString("cancelled") : entry.task.state().message;
    }
    entry.listsPasses = false;
    Q_EMIT changed();
    return;
  }
  const bool isNew = !state.lowered;
  state.lowered = *std::move(result);
  entry.madeFrom.reset();
  const lower::Lowering& lowering = *state.lowered->lowering;
  const lower::StageResult* stop = stopOf(lowering);
  state.mark = stop ? markOf(stop->status) : StageMark::Ok;
  if (lower::wasStopped(lowering)) state.status = "cancelled";
  else if (!stop) state.status = "lowers to " + text(lower::name(lowering.target));
  else {
    state.status = statusText(state.mark) + " in " + text(stop->title);
    if (!stop->findings.empty()) state.status += ": " + text(stop->findings.front().message);
  }
  if (lowering.edit != state.spec.edit) {
    state.spec.edit = lowering.edit;  // with locations
    save();
  }
  if (isNew) addTexts(entry);
  Q_EMIT changed();
  if (entry.listsPasses && state.lowered->trace) {
    entry.listsPasses = false;
    traces_[state.lowered->trace.get()] = {id, false};
    passes_.showOther(state.lowered->trace, Listed::Variant);
    passes_.step(1);
  } else if (id == current_) {
    Q_EMIT ready(id);
  }
}

void VariantsPresenter::addTexts(const Entry& entry) {
  const lower::Lowering& lowering = *entry.state.lowered->lowering;
  const std::size_t first = variant::changesNodes(entry.state.spec) ? 0 : firstChanged(lowering);
  for (std::size_t i = first; i < lowering.stages.size(); ++i) {
    const lower::StageResult& stage = lowering.stages[i];
    if (stage.ir().empty()) continue;
    const int id = entry.state.id;
    sources_.add({kVariantTexts, VariantStage{id, text(stage.id)},
                  [this, id, i] { return textOf(id, i); }, [] {}, [] { return true; },
                  [path = lower::pathTo(lowering.target), i] {
                    return i < path.size() ? std::optional(path[i]) : std::nullopt;
                  }});
  }
}

OtherText VariantsPresenter::textOf(int id, std::size_t stage) const {
  const VariantState& state = entry(id)->state;
  const lower::StageResult& result = state.lowered->lowering->stages[stage];
  OtherText out{{VariantStage{id, text(result.id)},
                 text(state.spec.name) + ": " + text(result.title),
                 markOf(result.status),
                 result.seconds,
                 {},
                 {},
                 result.text.empty()}};
  if (!result.findings.empty() && result.status != lower::StageStatus::Ok)
    out.stage.note = text(result.findings.front().message);
  out.source = &result;
  out.file = result.ir();
  out.form = result.irForm();
  out.make = [held = state.lowered, stage] {
    const lower::StageResult& of = held->lowering->stages[stage];
    const auto origins = stage < held->origins.size() ? held->origins[stage] : nullptr;
    return stageText(trace::openText(of.ir(), origins, of.irForm()));
  };
  return out;
}

void VariantsPresenter::removeTexts(int id) {
  std::vector<ShownText> gone;
  for (const TextSource& source : sources_.all())
    if (const auto* text = std::get_if<VariantStage>(&source.id); text && text->variant == id)
      gone.push_back(source.id);
  for (const ShownText& text : gone) sources_.remove(text);
}

void VariantsPresenter::select(int id) {
  Entry* found = entry(id);
  current_ = found ? id : -1;
  Q_EMIT changed();
  if (!found || found->task.running()) return;
  if (found->state.lowered) Q_EMIT ready(id);
  else lower(*found, session::Phase::Lower);
}

bool VariantsPresenter::compare(int id) {
  const Entry* found = entry(id);
  if (!found || !found->state.lowered) return false;
  const trace::TracePtr made =
      comparisonOf(session_.snapshot(), found->state.lowered, found->state.spec.name);
  if (!made) return false;
  std::erase_if(traces_, [](const auto& each) { return each.second.isComparison; });
  traces_[made.get()] = {id, true};
  passes_.showOther(made, Listed::Comparison);
  // The last stage that differs, or where either stopped.
  for (auto row = passes_.passes().rbegin(); row != passes_.passes().rend(); ++row)
    if (row->changed || row->failed) {
      passes_.setHandles(row->before, row->snapshot);
      break;
    }
  return true;
}

void VariantsPresenter::tracePasses(int id) {
  Entry* found = entry(id);
  if (!found || !found->state.lowered || found->task.running()) return;
  if (found->state.lowered->trace) {
    traces_[found->state.lowered->trace.get()] = {id, false};
    passes_.showOther(found->state.lowered->trace, Listed::Variant);
    passes_.step(1);
    return;
  }
  found->listsPasses = true;
  lower(*found, session::Phase::Trace);
}

std::pair<std::string, QString> VariantsPresenter::fileOf(int id) const {
  const Entry* found = entry(id);
  if (!found || !found->state.lowered) return {};
  const std::vector<lower::StageResult>& stages = found->state.lowered->lowering->stages;
  const auto last = std::find_if(stages.rbegin(), stages.rend(),
                                 [](const lower::StageResult& each) { return !each.ir().empty(); });
  if (last == stages.rend()) return {};
  return {last->ir(), text(mlir::extension(last->irForm()))};
}

void VariantsPresenter::makeTest(int id, const QString& file) {
  const Entry* found = entry(id);
  if (!found || !found->state.lowered) return;
  testing_.start(
      "making a lit test",
      [lowered = found->state.lowered, make = tester_](const RunContext& context) {
        return make(lowered, context);
      },
      [this, file](const Result<std::string>& made) {
        if (made) Q_EMIT testMade(file, *made);
        else if (!testing_.state().cancelled)
          Q_EMIT exportFailed("No lit test: " + lines(toString(made.error())));
      });
}

void VariantsPresenter::makeBundle(int id, const QString& file) {
  const Entry* found = entry(id);
  if (!found || !found->state.lowered) return;
  bundle::BundleOptions options;
  options.path = file.toStdString();
  options.reduce = false;  // a variant is its text and its passes
  bundling_.start(
      "preparing the bundle",
      [lowered = found->state.lowered, options, make = bundler_](const RunContext& context) {
        return make(lowered, options, context);
      },
      [this](const Result<bundle::BundleResult>& made) {
        if (made) Q_EMIT bundleMade(*made);
        else if (!bundling_.state().cancelled)
          Q_EMIT exportFailed("No bundle: " + lines(toString(made.error())));
      });
}

bool VariantsPresenter::rename(int id, const QString& name) {
  Entry* found = entry(id);
  const std::string wanted = name.trimmed().toStdString();
  if (!found || wanted.empty()) return false;
  if (found->state.spec.name == wanted) return true;
  if (idOf(wanted) >= 0) return false;
  renameTo(*found, wanted);
  save();
  Q_EMIT changed();
  return true;
}

void VariantsPresenter::renameTo(Entry& renamed, const std::string& name) {
  for (const auto& each : all_)
    if (each->state.spec.parent == renamed.state.spec.name) each->state.spec.parent = name;
  renamed.state.spec.name = name;
  Q_EMIT sources_.changed();
}

void VariantsPresenter::drop(int id) {
  const Entry* found = entry(id);
  if (!found) return;
  keepOnly(variant::without(specs(), found->state.spec.name));
  save();
  Q_EMIT changed();
}

void VariantsPresenter::keepOnly(const variant::Variants& left) {
  const auto isGone = [&](const auto& each) {
    return !variant::variantNamed(left, each->state.spec.name);
  };
  const auto listed = listedLowering();
  if (const Entry* shown = listed ? entry(listed->variant) : nullptr;
      shown && !variant::variantNamed(left, shown->state.spec.name))
    passes_.showProgram();
  for (const auto& each : all_)
    if (isGone(each)) removeTexts(each->state.id);
  std::erase_if(all_, isGone);
  std::erase_if(traces_, [&](const auto& each) { return !entry(each.second.variant); });
  if (!entry(current_)) current_ = -1;
}

void VariantsPresenter::load() {
  for (const auto& each : all_) removeTexts(each->state.id);
  all_.clear();
  traces_.clear();
  current_ = -1;
  problem_.clear();
  unsaved_ = false;
  kept_.clear();
  ++loads_;
  file_ = session_.state().file.toStdString();
  loading_.start(
      [file = file_](const RunContext&) -> Result<variant::Variants> {
        if (file == kStandardInput) return variant::Variants();
        return variant::readBeside(file);
      },
      [this](Result<variant::Variants> read) {
        if (read) adopt({}, {*std::move(read), {}});
        else problem_ = lines(toString(read.error()));
        if (std::exchange(unsaved_, false)) save();
        Q_EMIT changed();
      });
  Q_EMIT changed();
}

void VariantsPresenter::save() {
  if (file_ == kStandardInput) {
    problem_ = "Standard input has no file beside which variants can be kept";
    return;
  }
  unsaved_ = saving_.running() || loading_.running();  // what is not read yet would be lost
  if (unsaved_) return;
  saving_.start([file = file_, kept = kept_, mine = specs()](
                    const RunContext&) { return variant::mergeBeside(file, kept, mine); },
                [this, load = loads_, mine = specs()](Result<variant::Merged> written) {
                  if (load != loads_) return;  // a program was opened meanwhile
                  problem_ = written ? QString() : lines(toString(written.error()));
                  if (written) adopt(mine, *std::move(written));
                  if (std::exchange(unsaved_, false)) save();
                  Q_EMIT changed();
                });
}

void VariantsPresenter::adopt(variant::Variants mine, variant::Merged merged) {
  for (const auto& [from, to] : merged.renamed) {
    if (Entry* each = entry(idOf(from))) renameTo(*each, to);
    for (variant::Variant& each : mine)
      if (each.name == from) each.name = to;
      else if (each.parent == from) each.parent = to;
  }
  variant::Variants left;  // without those that others dropped
  for (const variant::Variant& each : specs())
    if (!variant::variantNamed(mine, each.name) || variant::variantNamed(merged.all, each.name))
      left.push_back(each);
  keepOnly(left);
  for (const variant::Variant& spec : merged.all) {
    Entry* shown = entry(idOf(spec.name));
    if (const variant::Variant* known = variant::variantNamed(mine, spec.name)) {
      if (shown && shown->state.spec == *known && *known != spec) shown->state.spec = spec;
      continue;
    }
    if (shown) {  // made meanwhile
      left.insert(left.end(), merged.all.begin(), merged.all.end());
      renameTo(*shown, variant::freeName(left, spec.name));
    }
    auto made = std::make_unique<Entry>(services_);
    made->state = {next_++, spec, nullptr, StageMark::Waiting, "not run yet"};
    connect(&made->task, &Work::changed, this, &VariantsPresenter::changed);
    all_.push_back(std::move(made));
  }
  kept_ = std::move(merged.all);
  const auto positionOf = [this](const auto& each) {
    return std::find_if(kept_.begin(), kept_.end(), [&](const variant::Variant& spec) {
      return spec.name == each->state.spec.name;
    });
  };
  std::stable_sort(all_.begin(), all_.end(),
                   [&](const auto& a, const auto& b) { return positionOf(a) < positionOf(b); });
}

}  // namespace fxs::ui
