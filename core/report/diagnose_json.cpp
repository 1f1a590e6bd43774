// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/json.h"
#include "report/beyond_torch_mlir.h"
#include "report/diagnose.h"
#include "report/diagnose_words.h"
#include "report/finding.h"
#include "report/json_members.h"
#include "report/source_location.h"

namespace fxs::report {
namespace {

using diagnose::Blocked;
using diagnose::Experiment;

std::uint64_t whole(std::size_t count) { return static_cast<std::uint64_t>(count); }

void boolOrNull(JsonWriter& json, std::string_view key, const std::optional<bool>& value) {
  if (value) json.member(key, *value);
  else json.key(key).null();
}

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
  json.beginObject().member("verdict", what->verdict);
  orNull(json, "message", what->why);
  json.member("reference", what->reference);
  orNull(json, "scope", what->scope);
  json.endObject();
}

void target(JsonWriter& json, const DiagnoseReport& report,
            const diagnose::TargetDiagnosis& target) {
  json.beginObject().member("to", lower::name(target.target));
  boolOrNull(json, "lowers",
             target.lowers || target.isKnown ? std::optional(target.lowers) : std::nullopt);
  orNull(json, "stopped_at", target.stoppedAt);
  json.member("operations", whole(blockedOperations(report.diagnosis, target.target)));
  json.member("nodes", whole(blockedNodes(report.diagnosis, target.target)));
  boolOrNull(json, "rest_lowers", target.restLowers);
  orNull(json, "rest_message", target.restMessage);
  boolOrNull(json, "fixed_lowers", target.fixedLowers);
  strings(json, "changes", target.changes);
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
  orNull(json, "message", experiment.message);
  orNull(json, "proof_message", experiment.proofMessage);
  orNull(json, "cost", experiment.cost);
  orNull(json, "snippet", experiment.snippet);
  orNull(json, "language", experiment.language);
  orNull(json, "python", experiment.python);
  json.endObject();
}

void source(JsonWriter& json, const SourceLocation& place, const Paths& paths) {
  json.key("source");
  if (!place.line) {
    json.null();
    return;
  }
  json.beginObject().member("file", paths.of(place.line->file)).member("line", place.line->line);
  orNull(json, "code", place.line->code);
  json.endObject();
}

void node(JsonWriter& json, const DiagnoseReport& report, fx::NodeId id) {
  const SourceLocation place = sourceLocationOf(report.program, id);
  json.beginObject()
      .member("name", report.program.node(id).name)
      .member("index", whole(id.index()));
  orNull(json, "module", place.module);
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
  orNull(json, "node", firstNodeOf(entry, report.program));
  orNull(json, "target", entry.fxTarget);
  orNull(json, "op", entry.op);
  orNull(json, "types", entry.types);
  orNull(json, "stage", entry.stage);
  orNull(json, "pass", entry.pass);
  json.member("kind", diagnose::name(entry.kind))
      .member("title", diagnose::title(entry.kind))
      .member("message", entry.message);
  orNull(json, "engine_message", entry.engineMessage);
  source(json, place, report.paths);
  orNull(json, "module", place.module);
  json.member("count", whole(entry.nodes.size()));
  json.key("nodes").beginArray();
  for (const fx::NodeId id : entry.nodes) node(json, report, id);
  json.endArray();
  stringsOrNull(json, "tried", entry.tried);
  json.member("agreement", diagnose::name(entry.agreement));
  orNull(json, "agreement_message", entry.agreementMessage);
  json.key("experiments").beginArray();
  for (const Experiment& each : entry.experiments) experiment(json, each);
  json.endArray();
  const Experiment* best = bestOf(entry);
  orNull(json, "best", best != nullptr ? best->id : std::string());
  json.endObject();
}

void support(JsonWriter& json, const diagnose::Diagnosis& diagnosis) {
  json.key("support").beginArray();
  for (const diagnose::SupportRow& row : diagnosis.support)
    for (std::size_t i = 0; i < row.cells.size() && i < diagnosis.targets.size(); ++i)
      json.beginObject()
          .member("op", row.fxTarget)
          .member("target", lower::name(diagnosis.targets[i].target))
          .member("count", whole(row.cells[i].count))
          .member("blocked", whole(row.cells[i].blocked))
          .member("wrong", whole(row.cells[i].wrong))
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
  strings(json, "notes", diagnosis.notes);
  writeBeyond(json, diagnosis.beyond ? &*diagnosis.beyond : nullptr);
  orNull(json, "python", report.paths.of(diagnosis.python));
  json.member("distinct", whole(diagnosis.distinct)).endObject();
  return json.take();
}

}  // namespace fxs::report
