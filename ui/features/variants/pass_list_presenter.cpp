// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/variants/pass_list_presenter.h"

#include <algorithm>

#include "base/json.h"
#include "base/nearest.h"
#include "lower/trace_plan.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

std::string inModule(const QString& typed) {
  return "builtin.module(" + typed.trimmed().toStdString() + ")";
}

}  // namespace

PassListPresenter::PassListPresenter(Services& services)
    : lister_(services.chosen(sessionPasses(services.environment))), loading_(services) {
  connect(&loading_, &Work::changed, this, &PassListPresenter::changed);
}

void PassListPresenter::load(int variant, const session::SnapshotPtr& lowering,
                             const std::string& stage) {
  variant_ = variant;
  stage_ = {};
  rows_.clear();
  loading_.start(
      "listing the passes",
      [lowering, stage, list = lister_](const RunContext& context) {
        return list(lowering, stage, context);
      },
      [this, skipped = lowering->request.lower.skipped](Result<PassesOfStage> listed) {
        if (!listed) return;
        stage_ = *std::move(listed);
        for (const lower::PipelinePass& pass : stage_.passes)
          rows_.push_back({pass, !skipped.contains({stage_.stage, rows_.size()}),
                           static_cast<int>(rows_.size())});
      });
}

QString PassListPresenter::insert(int at, const QString& typed) {
  if (typed.trimmed().isEmpty()) return "Type the name of a pass";
  auto passes = lower::parsePipeline(inModule(typed));
  if (!passes) return text(passes.error().message);
  for (lower::PipelinePass& pass : *passes) {
    if (!stage_.known.empty() && !lower::passNamed(stage_.known, pass.pass)) {
      std::vector<std::string_view> names;
      for (const lower::ToolPass& each : stage_.known) names.push_back(each.name);
      const std::vector<std::string> close = nearest(pass.pass, names, 1);
      return text("The tool has no pass '" + pass.pass + "'" +
                  (close.empty() ? "" : "; did you mean '" + close.front() + "'?"));
    }
    const auto same = std::find_if(rows_.begin(), rows_.end(),
                                   [&](const Row& row) { return row.pass.pass == pass.pass; });
    if (pass.anchors.empty() && same != rows_.end()) pass.anchors = same->pass.anchors;
  }
  auto position = rows_.begin() + std::clamp(at, 0, static_cast<int>(rows_.size()));
  for (lower::PipelinePass& pass : *passes)
    position = rows_.insert(position, {std::move(pass), true, -1}) + 1;
  Q_EMIT changed();
  return {};
}

void PassListPresenter::remove(int at) {
  if (!has(at)) return;
  rows_.erase(rows_.begin() + at);
  Q_EMIT changed();
}

int PassListPresenter::move(int at, int by) {
  if (!has(at) || !has(at + by)) return at;
  const int to = at + by;
  std::swap(rows_[static_cast<std::size_t>(at)], rows_[static_cast<std::size_t>(to)]);
  Q_EMIT changed();
  return to;
}

void PassListPresenter::setRuns(int at, bool runs) {
  if (!has(at) || rows_[static_cast<std::size_t>(at)].runs == runs) return;
  rows_[static_cast<std::size_t>(at)].runs = runs;
  Q_EMIT changed();
}

QString PassListPresenter::setOptions(int at, const QString& options) {
  if (!has(at)) return {};
  Row& row = rows_[static_cast<std::size_t>(at)];
  lower::PipelinePass next = row.pass;
  next.options = options.trimmed().toStdString();
  if (next.options == row.pass.options) return {};
  const auto parsed = lower::parsePipeline("builtin.module(" + lower::textOf(next) + ")");
  if (!parsed || *parsed != std::vector{next}) return "These are not options of one pass";
  row.pass = std::move(next);
  Q_EMIT changed();
  return {};
}

std::string PassListPresenter::pipeline() const {
  std::vector<lower::PipelinePass> passes;
  for (const Row& row : rows_)
    if (row.runs) passes.push_back(row.pass);
  return lower::restated(passes);
}

QString PassListPresenter::change() const {
  QStringList without, with, options;
  std::vector<bool> kept(stage_.passes.size());
  std::vector<int> order;
  for (const Row& row : rows_) {
    if (!row.runs) continue;
    if (row.was < 0) {
      with << text(row.pass.pass);
      continue;
    }
    const auto was = static_cast<std::size_t>(row.was);
    kept[was] = true;
    order.push_back(row.was);
    if (row.pass != stage_.passes[was]) options << text(row.pass.pass);
  }
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (!kept[i]) without << text(stage_.passes[i].pass);
  QStringList out;
  if (!without.isEmpty()) out << "without " + without.join(", ");
  if (!with.isEmpty()) out << "with " + with.join(", ");
  if (!options.isEmpty()) out << "other options of " + options.join(", ");
  if (!std::is_sorted(order.begin(), order.end())) out << "another order";
  return out.join("; ");
}

QStringList PassListPresenter::names() const {
  QStringList out;
  for (const lower::ToolPass& pass : stage_.known) out << text(pass.name);
  return out;
}

QString PassListPresenter::documentation(const std::string& pass) const {
  const lower::ToolPass* known = lower::passNamed(stage_.known, pass);
  if (!known) return {};
  QStringList out{text(known->name) + (known->summary.empty() ? "" : ": " + text(known->summary))};
  for (const lower::PassOption& option : known->options) {
    QString line = "  " + text(option.name);
    if (!option.choices.empty()) line += " (" + listed(option.choices) + ")";
    else if (!option.value.empty()) line += " (" + text(option.value) + ")";
    out << line + (option.summary.empty() ? "" : ": " + text(option.summary));
  }
  return out.join('\n');
}

Result<std::string> PassListPresenter::outputTypeFile(const QString& id,
                                                      const std::string& after) const {
  JsonWriter json;
  json.beginObject().member("schema", "fxscope-output-types/1").key("types").beginArray();
  json.beginObject()
      .member("id", id.toStdString())
      .member("title", stage_.title + ", " + change().toStdString())
      .member("after", after)
      .member("pipeline", pipeline())
      .endObject();
  json.endArray().endObject();
  std::string file = json.take();
  FXS_CHECK(lower::OutputTypes::builtin().with(file, "the output type", RunContext()));
  return file;
}

}  // namespace fxs::ui
