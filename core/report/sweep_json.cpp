// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/json.h"
#include "report/sweep.h"

namespace fxs::report {
namespace {

void changes(JsonWriter& json, std::string_view key, const std::vector<sweep::Changed>& all) {
  json.key(key).beginArray();
  for (const sweep::Changed& c : all)
    json.beginObject()
        .member("program", c.program)
        .member("type", c.type)
        .member("from", c.from)
        .member("to", c.to)
        .endObject();
  json.endArray();
}

void driftOrNull(JsonWriter& json, const std::optional<sweep::Drift>& drift) {
  json.key("drift");
  if (!drift) {
    json.null();
    return;
  }
  json.beginObject();
  changes(json, "lost", drift->lost);
  changes(json, "gained", drift->gained);
  changes(json, "not_known", drift->unknown);
  json.key("newly_blocking").beginArray();
  for (const sweep::NewBlocker& b : drift->blockers)
    json.beginObject()
        .member("operator", b.fxTarget)
        .member("type", b.type)
        .member("programs", b.programs)
        .endObject();
  json.endArray().member("added", drift->added).member("not_compared", drift->uncompared);
  json.endObject();
}

void byEngineOrNull(JsonWriter& json, const SweepEngines* all) {
  json.key("by_engine");
  if (all == nullptr) {
    json.null();
    return;
  }
  const sweep::EngineDrift& drift = all->drift;
  json.beginObject().member("compared", drift.compared).key("engines").beginArray();
  for (std::size_t i = 0; i < drift.engines.size(); ++i) {
    const sweep::EngineColumn& engine = drift.engines[i];
    json.beginObject()
        .member("name", all->names[i])
        .member("version", engine.version)
        .member("sha256", engine.sha256);
    json.key("lower").beginObject();
    for (std::size_t t = 0; t < drift.types.size(); ++t)
      json.member(drift.types[t], engine.lower[t]);
    json.endObject().member("gained", engine.gained).member("lost", engine.lost);
    json.member("otherwise", engine.otherwise).member("not_known", engine.unknown).endObject();
  }
  json.endArray().key("differ").beginArray();
  for (const sweep::EngineRow& row : drift.rows) {
    json.beginObject().member("program", row.program).member("type", row.type);
    json.member("outcomes", row.outcomes).member("changes", row.changes).endObject();
  }
  json.endArray().endObject();
}

void outcome(JsonWriter& json, const sweep::Line& line, bool timings) {
  json.beginObject().member("type", line.to).member("status", sweep::name(line.status));
  json.textOrNull("stage", line.stage).textOrNull("message", line.message);
  json.key("blockers").beginArray();
  for (const sweep::Blocker& b : line.blockers) {
    json.beginObject()
        .member("operator", b.fxTarget)
        .member("class", b.kind)
        .member("nodes", b.nodes);
    json.member("operations", b.operations).key("fix");
    if (b.fix)
      json.beginObject()
          .member("change", b.fix->change)
          .member("verified", b.fix->verified)
          .endObject();
    else json.null();
    json.endObject();
  }
  json.endArray().memberOrNull("complete", line.complete);
  json.memberOrNull("fixed_lowers", line.fixedLowers);
  if (timings)
    json.key("seconds")
        .beginObject()
        .member("read", line.seconds.read)
        .member("lower", line.seconds.lower)
        .member("diagnose", line.seconds.diagnose)
        .endObject()
        .member("peak_memory", line.peakMemory);
  json.endObject();
}

}  // namespace

std::string sweepJson(const SweepReport& report) {
  const sweep::Summary& summary = report.summary;
  JsonWriter json;
  json.beginObject().member("schema", "fxscope-sweep-report/1");
  json.member("fxscope", summary.merged.fxscope).key("engines").beginArray();
  for (const auto& [version, checksum] : summary.merged.engines)
    json.beginObject().member("version", version).member("sha256", checksum).endObject();
  json.endArray().member("options", summary.merged.options).key("types").beginArray();
  for (const sweep::TypeTotals& total : summary.types) {
    json.beginObject().member("type", total.type).member("programs", total.all());
    for (std::size_t i = 0; i < sweep::kStatuses; ++i)
      json.member(sweep::name(static_cast<sweep::Status>(i)), total.programs[i]);
    json.member("fixed_lowers", total.fixed).endObject();
  }
  json.endArray().key("operators").beginArray();
  for (const sweep::OperatorRow& row : summary.operators) {
    json.beginObject()
        .member("operator", row.fxTarget)
        .member("programs", row.programs)
        .member("frees", row.frees);
    json.key("types").beginArray();
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      json.beginObject()
          .member("type", summary.types[i].type)
          .member("blocked", row.cells[i].blocked)
          .member("frees", row.cells[i].frees)
          .endObject();
    json.endArray().member("classes", row.kinds).textOrNull("fix", row.fix);
    json.member("fixes", row.fixes).endObject();
  }
  json.endArray();
  driftOrNull(json, summary.drift);
  byEngineOrNull(json, report.engines);
  json.key("programs").beginArray();
  for (const auto& [program, lines] : summary.merged.programs) {
    json.beginObject().member("program", program).member("nodes", lines.begin()->second.nodes);
    json.textOrNull("sha256", lines.begin()->second.sha256).key("outcomes").beginArray();
    for (const auto& [type, line] : lines) outcome(json, line, report.timings);
    json.endArray().endObject();
  }
  json.endArray().endObject();
  return json.take();
}

}  // namespace fxs::report
