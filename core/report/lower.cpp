// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/lower.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "contract/contract.h"
#include "report/beyond_torch_mlir.h"
#include "report/finding.h"
#include "report/line.h"

namespace fxs::report {
namespace {

std::string stem(std::size_t index, const lower::StageResult& stage) {
  return fmt::format("{:02}-{}", index, stage.id);
}

std::string fileOf(std::size_t index, const lower::StageResult& stage) {
  return stage.text.empty() ? std::string()
                            : stem(index, stage) + std::string(mlir::extension(stage.form));
}
std::string failureNameOf(std::size_t index, const lower::StageResult& stage) {
  return stem(index, stage) + ".failure.mlir";
}
std::string failureFileOf(std::size_t index, const lower::StageResult& stage) {
  return stage.failureIr.empty() ? std::string() : failureNameOf(index, stage);
}

std::size_t opsOf(const LowerReport& report, std::size_t stage) {
  return stage < report.origins.size() && report.origins[stage]
             ? report.origins[stage]->counts().ops
             : 0;
}

/// Whether the stage ended with a text that breaks the contract of its output type.
bool isBroken(const LowerReport& report, const lower::StageResult& stage) {
  return stage.status == lower::StageStatus::Ok &&
         std::any_of(report.findings.begin(), report.findings.end(), [&](const fx::Finding& f) {
           return f.severity == fx::Severity::Error && f.kind == contract::kKind &&
                  f.stage == stage.id;
         });
}
std::string_view statusOf(const LowerReport& report, const lower::StageResult& stage) {
  return isBroken(report, stage) ? "breach" : lower::name(stage.status);
}

/// The last cell of a row: the stage's file, or where or why it stopped.
std::string fileOrReason(const LowerReport& report, std::size_t index) {
  const lower::StageResult& stage = report.lowering.stages[index];
  if (stage.status == lower::StageStatus::Ok) return report.files ? fileOf(index, stage) : "";
  if (stage.status == lower::StageStatus::Skipped) return stage.why;
  return (stage.failingPass.empty() ? "" : "in " + stage.failingPass) +
         (report.files && !stage.failureIr.empty() ? ", IR in " + failureFileOf(index, stage) : "");
}

Table stageTable(const LowerReport& report) {
  Table out{{{"stage"}, {"status"}, {"time", true}, {"ops", true}, {report.files ? "file" : ""}},
            {}};
  for (std::size_t i = 0; i < report.lowering.stages.size(); ++i) {
    const lower::StageResult& stage = report.lowering.stages[i];
    const bool isTimed = report.timed && stage.status != lower::StageStatus::Skipped;
    const bool isOk = stage.status == lower::StageStatus::Ok;
    out.rows.push_back({{stage.id, statusOf(report, stage),
                         isTimed ? fmt::format("{:.3f} s", stage.seconds.count()) : "-",
                         isOk ? std::to_string(opsOf(report, i)) : "-", fileOrReason(report, i)}});
  }
  return out;
}

/// The output types all of whose passes the engine registers.
std::vector<std::string> targetsOf(const lower::Engine& engine, const lower::OutputTypes& types) {
  std::vector<std::string> out;
  for (const lower::OutputType& type : types.all()) {
    bool all = true;
    for (const lower::StageSpec& stage : lower::stagesFor(type)) {
      all = all && stage.tool.isEngine();
      for (const std::string& pass : lower::passesOf(stage))
        all = all && engine.passes.contains(pass);
    }
    if (all) out.emplace_back(lower::name(type));
  }
  return out;
}

/// The named pipelines that the output types need and the engine registers, each once.
std::vector<std::string> pipelinesOf(const lower::Engine& engine, const lower::OutputTypes& types) {
  std::vector<std::string> out;
  for (const lower::OutputType& type : types.all())
    for (const std::string& pass :
         type->stage.tool.isEngine() ? lower::passesOf(type->stage) : std::vector<std::string>())
      if (pass.ends_with("-pipeline") && engine.passes.contains(pass) &&
          std::find(out.begin(), out.end(), pass) == out.end())
        out.push_back(pass);
  return out;
}

}  // namespace

std::vector<std::pair<std::string, const std::string*>> lowerFiles(
    const lower::Lowering& lowering) {
  std::vector<std::pair<std::string, const std::string*>> out;
  for (std::size_t i = 0; i < lowering.stages.size(); ++i) {
    const lower::StageResult& stage = lowering.stages[i];
    if (!stage.text.empty()) out.emplace_back(fileOf(i, stage), &stage.text);
    if (!stage.failureIr.empty()) out.emplace_back(failureFileOf(i, stage), &stage.failureIr);
  }
  return out;
}

std::vector<std::string> staleLowerFiles(const lower::Lowering& lowering) {
  using mlir::TextForm;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < lowering.stages.size(); ++i) {
    const lower::StageResult& stage = lowering.stages[i];
    for (const TextForm form :
         {TextForm::Mlir, TextForm::LlvmIr, TextForm::Assembly, TextForm::Plain})
      if (stage.text.empty() || form != stage.form)
        out.push_back(stem(i, stage) + std::string(mlir::extension(form)));
    if (stage.failureIr.empty()) out.push_back(failureNameOf(i, stage));
  }
  return out;
}

bool isOk(const LowerReport& report) {
  return report.lowering.ok() &&
         std::none_of(report.findings.begin(), report.findings.end(),
                      [](const fx::Finding& f) { return f.severity == fx::Severity::Error; });
}

std::string lowerText(const LowerReport& report) {
  const lower::Engine& engine = report.lowering.engine;
  Document out{fmt::format("{} to {} via {}, engine {} ({})", report.input,
                           lower::name(report.lowering.target), report.via, engine.version,
                           report.paths.of(engine.path))};
  out.blocks.push_back(stageTable(report));
  if (const std::string note = lower::otherEngineNote(engine); !note.empty())
    out.blocks.push_back(Paragraph{"note: " + note});
  if (report.beyond != nullptr)
    for (const std::string& sentence : diagnose::sentences(*report.beyond))
      out.blocks.push_back(Paragraph{sentence});
  out.blocks.push_back(findingsList(report.findings, report.program));
  return renderText(out);
}

std::string lowerJson(const LowerReport& report) {
  const lower::Lowering& lowering = report.lowering;
  JsonWriter json;
  json.beginObject()
      .member("schema", "fxscope-lower/1")
      .member("input", report.input)
      .member("target", lower::name(lowering.target))
      .member("via", report.via);
  json.member("ok", isOk(report))
      .key("engine")
      .beginObject()
      .member("path", report.paths.of(lowering.engine.path))
      .member("version", lowering.engine.version);
  json.member("sha256", lowering.engine.sha256);
  json.textOrNull("note", lower::otherEngineNote(lowering.engine));
  json.endObject().key("stages").beginArray();
  for (std::size_t i = 0; i < lowering.stages.size(); ++i) {
    const lower::StageResult& stage = lowering.stages[i];
    const bool ok = stage.status == lower::StageStatus::Ok;
    json.beginObject()
        .member("name", stage.id)
        .member("title", stage.title)
        .member("status", statusOf(report, stage));
    if (stage.status == lower::StageStatus::Skipped || !report.timed) json.key("seconds").null();
    else json.member("seconds", stage.seconds.count());
    if (ok) json.member("ops", opsOf(report, i));
    else json.key("ops").null();
    if (ok && i < report.origins.size() && report.origins[i])
      json.member("coverage", report.origins[i]->counts().coverage());
    else json.key("coverage").null();
    json.textOrNull("file", report.files ? fileOf(i, stage) : "");
    json.textOrNull("failure_file", report.files ? failureFileOf(i, stage) : "");
    json.textOrNull("failing_pass", stage.failingPass).textOrNull("message", stage.why);
    std::vector<std::string> argv;
    for (const std::string& argument : stage.argv)
      argv.push_back(argv.empty() ? report.paths.of(argument) : report.paths.in(argument));
    json.member("argv", argv).member("warnings", stage.warnings);
    json.textOrNull("stderr", ok ? "" : report.paths.in(stage.stderrText)).endObject();
  }
  json.endArray();
  writeBeyond(json, report.beyond);
  json.key("findings");
  writeFindings(json, report.findings, report.program, report.paths);
  json.endObject();
  return json.take();
}

std::pair<std::string, std::string> bundleWords(LowerReport report) {
  report.files = false;
  report.timed = false;
  return {lowerText(report), lowerJson(report)};
}

std::string engineText(const lower::Engine& engine, const lower::OutputTypes& types,
                       const std::vector<CageWall>& cage) {
  std::string out = engine.name.empty() ? std::string() : line("name      {}\n", engine.name);
  out += line("engine    {}\nversion   {}\nsha256    {}\n", engine.path, engine.version,
              engine.sha256);
  if (const std::string note = lower::otherEngineNote(engine); !note.empty())
    out += line("note      {}\n", note);
  out += "lowers to";
  for (const std::string& target : targetsOf(engine, types)) out += " " + target;
  out += "\npipelines";
  for (const std::string& pipeline : pipelinesOf(engine, types))
    out += line(" {}\n         ", pipeline);
  while (out.ends_with(' ')) out.pop_back();
  for (const CageWall& wall : cage)
    out += fmt::format("{:<9} {}: {}\n", &wall == &cage.front() ? "cage" : "", wall.what, wall.how);
  return out;
}

std::string engineJson(const lower::Engine& engine, const lower::OutputTypes& types,
                       const std::vector<CageWall>& cage) {
  JsonWriter json;
  json.beginObject().member("schema", "fxscope-engine/1").textOrNull("name", engine.name);
  json.member("path", engine.path)
      .member("version", engine.version)
      .member("sha256", engine.sha256);
  json.textOrNull("note", lower::otherEngineNote(engine));
  json.member("targets", targetsOf(engine, types)).member("pipelines", pipelinesOf(engine, types));
  json.key("cage").beginArray();
  for (const CageWall& wall : cage)
    json.beginObject()
        .member("what", wall.what)
        .member("held", wall.held)
        .member("message", wall.how)
        .endObject();
  json.endArray().endObject();
  return json.take();
}

}  // namespace fxs::report
