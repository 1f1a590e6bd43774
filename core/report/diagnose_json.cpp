// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/json.h"
#include "report/beyond_torch_mlir.h"
#include "report/diagnose.h"
#include "report/diagnose_words.h"
#include "report/finding.h"
#include "report/source_location.h"

namespace fxs::report {
namespace {

using diagnose::Blocked;
using diagnose::Experiment;

void engine(JsonWriter& json, const lower::Engine& engine, const Paths& paths) {
  json.key("engine")
      .beginObject()
      .member("path", paths.of(engine.path))
      .member("version", engine.version)
      .member("sha256", engine.sha256)
      .endObject();
}

void computed(JsonWriter& json, std::string_view key,
              const std::optional<diagnose::Computed>& what) {
  json.key(key);
  if (!what) {
    json.null();
    return;
  }
  json.beginObject().member("verdict", what->verdict).textOrNull("message", what->why);
  json.member("reference", what->reference).textOrNull("scope", what->scope).endObject();
}

void target(JsonWriter& json, const DiagnoseReport& report,
            const diagnose::TargetDiagnosis& target) {
  json.beginObject().member("to", lower::name(target.target));
  json.memberOrNull("lowers",
                    target.lowers || target.isKnown ? std::optional(target.lowers) : std::nullopt);
  json.textOrNull("stopped_at", target.stoppedAt);
  json.member("operations", blockedOperations(report.diagnosis, target.target));
  json.member("nodes", blockedNodes(report.diagnosis, target.target));
  json.memberOrNull("rest_lowers", target.restLowers);
  json.textOrNull("rest_message", target.restMessage);
  json.memberOrNull("fixed_lowers", target.fixedLowers).member("changes", target.changes);
  json.key("warnings");
  writeFindings(json, target.warnings, report.program, report.paths);
  computed(json, "computed", target.computed);
  computed(json, "fixed_computed", target.fixedComputed);
  json.member("seconds", target.seconds.count()).endObject();
}

void experiment(JsonWriter& json, const Experiment& experiment) {
  json.beginObject()
      .member("id", experiment.id)
      .member("change", experiment.change)
      .member("outcome", diagnose::name(experiment.outcome))
      .member("proof", diagnose::name(experiment.proof))
      .member("verified", diagnose::name(diagnose::verifiedBy(experiment)))
      .member("verified_message", diagnose::title(diagnose::verifiedBy(experiment)));
  json.textOrNull("message", experiment.message);
  json.textOrNull("proof_message", experiment.proofMessage).textOrNull("cost", experiment.cost);
  json.textOrNull("snippet", experiment.snippet).textOrNull("language", experiment.language);
  json.textOrNull("python", experiment.python).endObject();
}

void source(JsonWriter& json, const SourceLocation& place, const Paths& paths) {
  json.key("source");
  if (!place.line) {
    json.null();
    return;
  }
  json.beginObject().member("file", paths.of(place.line->file)).member("line", place.line->line);
  json.textOrNull("code", place.line->code).endObject();
}

void node(JsonWriter& json, const DiagnoseReport& report, fx::NodeId id) {
  const SourceLocation place = sourceLocationOf(report.program, id);
  json.beginObject().member("name", report.program.node(id).name).member("index", id.index());
  json.textOrNull("module", place.module);
  source(json, place, report.paths);
  json.endObject();
}

void finding(JsonWriter& json, const DiagnoseReport& report, const Blocked& entry) {
  const SourceLocation place = entry.nodes.empty()
                                   ? SourceLocation{}
                                   : sourceLocationOf(report.program, entry.nodes.front());
  json.beginObject()
      .member("severity", stops(entry) ? "error" : "warning")
      .member("to", lower::name(entry.target));
  json.textOrNull("node", firstNodeOf(entry, report.program)).textOrNull("target", entry.fxTarget);
  json.textOrNull("op", entry.op).textOrNull("types", entry.types).textOrNull("stage", entry.stage);
  json.textOrNull("pass", entry.pass);
  json.member("kind", diagnose::name(entry.kind))
      .member("title", diagnose::title(entry.kind))
      .member("message", entry.message);
  json.textOrNull("engine_message", entry.engineMessage);
  source(json, place, report.paths);
  json.textOrNull("module", place.module).member("count", entry.nodes.size());
  json.key("nodes").beginArray();
  for (const fx::NodeId id : entry.nodes) node(json, report, id);
  json.endArray().memberOrNull("tried", entry.tried);
  json.member("agreement", diagnose::name(entry.agreement));
  json.textOrNull("agreement_message", entry.agreementMessage).key("experiments").beginArray();
  for (const Experiment& each : entry.experiments) experiment(json, each);
  json.endArray();
  const Experiment* best = bestOf(entry);
  json.textOrNull("best", best != nullptr ? best->id : std::string()).endObject();
}

void support(JsonWriter& json, const diagnose::Diagnosis& diagnosis) {
  json.key("support").beginArray();
  for (const diagnose::SupportRow& row : diagnosis.support)
    for (std::size_t i = 0; i < row.cells.size() && i < diagnosis.targets.size(); ++i)
      json.beginObject()
          .member("op", row.fxTarget)
          .member("target", lower::name(diagnosis.targets[i].target))
          .member("count", row.cells[i].count)
          .member("blocked", row.cells[i].blocked)
          .member("wrong", row.cells[i].wrong)
          .member("status", statusOf(row.cells[i]))
          .endObject();
  json.endArray();
}

}  // namespace

std::string diagnoseJson(const DiagnoseReport& report) {
  const diagnose::Diagnosis& diagnosis = report.diagnosis;
  JsonWriter json;
  json.beginObject().member("schema", "fxscope-diagnose/1").member("input", report.input);
  engine(json, diagnosis.engine, report.paths);
  json.member("complete", diagnosis.complete).key("targets").beginArray();
  for (const diagnose::TargetDiagnosis& each : diagnosis.targets) target(json, report, each);
  json.endArray().key("findings").beginArray();
  for (const Blocked& entry : diagnosis.blocked) finding(json, report, entry);
  json.endArray();
  support(json, diagnosis);
  json.member("notes", diagnosis.notes);
  writeBeyond(json, diagnosis.beyond ? &*diagnosis.beyond : nullptr);
  json.textOrNull("python", report.paths.of(diagnosis.python));
  json.member("distinct", diagnosis.distinct).endObject();
  return json.take();
}

}  // namespace fxs::report
