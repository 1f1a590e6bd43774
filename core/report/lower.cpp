// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/lower.h"

#include <fmt/format.h>

#include <algorithm>

#include "contract/contract.h"
#include "report/finding.h"
#include "report/json_parts.h"
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
  if (stage.status == lower::StageStatus::Skipped) return stage.message;
  return (stage.failingPass.empty() ? "" : "in " + stage.failingPass) +
         (report.files && !stage.failureIr.empty() ? ", IR in " + failureFileOf(index, stage) : "");
}

Tone toneOf(const LowerReport& report, const lower::StageResult& stage) {
  if (stage.status == lower::StageStatus::Skipped) return Tone::Muted;
  return stage.status == lower::StageStatus::Ok && !isBroken(report, stage) ? Tone::Good
                                                                            : Tone::Bad;
}

Table stageTable(const LowerReport& report) {
  Table out{{{"stage"}, {"status"}, {"time", true}, {"ops", true}, {report.files ? "file" : ""}},
            {}};
  for (std::size_t i = 0; i < report.lowering.stages.size(); ++i) {
    const lower::StageResult& stage = report.lowering.stages[i];
    const bool isTimed = report.timed && stage.status != lower::StageStatus::Skipped;
    const bool isOk = stage.status == lower::StageStatus::Ok;
    out.rows.push_back({{stage.id, Inline(statusOf(report, stage), toneOf(report, stage)),
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
         {TextForm::Mlir, TextForm::LlvmIr, TextForm::Assembly, TextForm::Ptx, TextForm::Plain})
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

std::string lowerText(const LowerReport& report, const TextLayout& layout) {
  const lower::Engine& engine = report.lowering.engine;
  Document out{fmt::format("{} to {} via {}, engine {} ({})", report.input,
                           lower::nameWithSettings(report.lowering.target), report.via,
                           engine.version, report.paths.of(engine.path))};
  out.blocks.push_back(stageTable(report));
  if (const std::string note = lower::otherEngineNote(engine); !note.empty())
    out.blocks.push_back(Paragraph{"note: " + note});
  out.blocks.push_back(findingsList(report.findings, report.program));
  return renderText(out, layout);
}

std::string beyondText(const diagnose::BeyondTorchMlir& beyond, const TextLayout& layout) {
  std::string out;
  for (const std::string& sentence : diagnose::sentences(beyond))
    out += "\n" + renderText(Block(Paragraph{sentence}), layout);
  return out;
}

namespace {

/// A stage by its index.
JsonForm<std::size_t> stageResultForm(const LowerReport* report) {
  const auto with = [report](auto get) {
    return [report, get](std::size_t i) { return get(report->lowering.stages[i], i); };
  };
  using lower::StageResult, lower::StageStatus;
  const auto seconds = [report](const StageResult& stage, std::size_t) {
    const bool isTimed = report->timed && stage.status != StageStatus::Skipped;
    return isTimed ? std::optional(stage.seconds) : std::nullopt;
  };
  const auto ops = [report](const StageResult& stage, std::size_t i) {
    return stage.status == StageStatus::Ok ? std::optional(opsOf(*report, i)) : std::nullopt;
  };
  const auto coverage = [report](const StageResult& stage, std::size_t i) {
    const bool known =
        stage.status == StageStatus::Ok && i < report->origins.size() && report->origins[i];
    return known ? std::optional(report->origins[i]->counts().coverage()) : std::nullopt;
  };
  const auto argv = [report](const StageResult& stage, std::size_t) {
    std::vector<std::string> out;
    for (const std::string& argument : stage.argv)
      out.push_back(out.empty() ? report->paths.of(argument) : report->paths.in(argument));
    return out;
  };
  const auto file = [report](auto nameOf) {
    return [report, nameOf](const StageResult& stage, std::size_t i) {
      return report->files ? nameOf(i, stage) : std::string();
    };
  };
  const auto said = [report](const StageResult& stage, std::size_t) {
    return stage.status == StageStatus::Ok ? std::string() : report->paths.in(stage.stderrText);
  };
  const auto member = [&](auto of) {
    return with([of](const StageResult& stage, std::size_t) { return stage.*of; });
  };
  const auto status = [report](const StageResult& stage, std::size_t) {
    return statusOf(*report, stage);
  };
  return {
      {"name", member(&StageResult::id)},
      {"title", member(&StageResult::title)},
      {"status", with(status),
       JsonNames{"ok", "breach", "failed", "crashed", "timeout", "unknown", "skipped"},
       "breach: it ended with a text that breaks the contract of its output type; see findings"},
      {"seconds", with(seconds), atLeast(0)},
      {"ops", with(ops), "operations of its text, module and functions included"},
      {"coverage", with(coverage), atLeast(0), atMost(1),
       "fraction of operations whose FX node is known"},
      {"file", with(file(fileOf)), nullIfEmpty, "in DIR: the stage's text, with locations"},
      {"failure_file", with(file(failureFileOf)), nullIfEmpty,
       "in DIR: the IR at the failing pass"},
      {"failing_pass", member(&StageResult::failingPass), nullIfEmpty},
      {"message", member(&StageResult::message), nullIfEmpty, "of a skipped stage"},
      {"argv", with(argv), "the engine's command line; its standard input is the previous stage"},
      {"warnings", member(&StageResult::warnings)},
      {"stderr", with(said), nullIfEmpty, "the engine's own words, of a stage that is not ok"}};
}

JsonMember<lower::Engine> engineNoteMember() {
  return {"note", &lower::otherEngineNote, nullIfEmpty,
          "one line if it is another engine than that with which rules were checked"};
}

JsonAnswer<LowerReport> lowerAnswer(const LowerReport* report) {
  using R = LowerReport;
  const NodeContext context = contextOf(report);
  const JsonForm<lower::Parameter> parameter = {{"name", &lower::Parameter::name},
                                                {"value", &lower::Parameter::value}};
  const auto stages = [](const R& r) {
    return std::views::iota(std::size_t{0}, r.lowering.stages.size());
  };
  return {"fxscope-lower/1",
          "fxscope-cli lower --json, and lower.json of lower -o DIR",
          {{"input", &R::input, kInputMessage},
           {"target", [](const R& r) { return lower::name(r.lowering.target); }, isOutputType(),
            kOutputTypeMessage},
           {"parameters", [](const R& r) { return r.lowering.target->stage.parameters; },
            absentIfEmpty, parameter, "of the output type; --set sets them"},
           {"via", &R::via, JsonNames{"torch-mlir", "nodes", "registry", "fixed"},
            "the lowering path, as --via names it"},
           {"ok", &isOk,
            "the program reaches the output type: every stage ended, their texts keep the "
            "contracts of the output types, and no finding is an error; the exit code is then 0"},
           {"engine", [](const R& r) { return r.lowering.engine; },
            engineForm(context.paths).with({engineNoteMember()})},
           {"stages", stages, stageResultForm(report), atLeast(1),
            "in the order they run; what comes after a stage that is not ok is skipped"},
           {"rewritten_beyond_torch_mlir", &R::beyond, beyondForm(), kBeyondMessage},
           {"findings", [](const R& r) { return r.findings; }, findingForm(context)}}};
}

}  // namespace

std::string lowerJson(const LowerReport& report) { return lowerAnswer(&report).text(report); }
std::string lowerSchema() { return lowerAnswer(nullptr).schemaText(); }

std::pair<std::string, std::string> bundleTexts(LowerReport report) {
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
    out += fmt::format("{:<9} {}: {}\n", &wall == &cage.front() ? "cage" : "", wall.name,
                       wall.message);
  return out;
}

namespace {

struct EngineReport {
  const lower::Engine& engine;
  const lower::OutputTypes& types;
  const std::vector<CageWall>& cage;
};

JsonAnswer<EngineReport> engineAnswer() {
  using R = EngineReport;
  using lower::Engine;
  const JsonForm<CageWall> wall = {
      {"what", &CageWall::name, JsonNames{"files", "network", "processes", "signals", "limits"}},
      {"held", &CageWall::held},
      {"message", &CageWall::message}};
  const JsonForm<Engine> engine = {
      {"name", &Engine::name, nullIfEmpty, "of a known engine; null for one given by its path"},
      {"path", &Engine::path},
      {"version", &Engine::version, matches("^LLVM "), "LLVM's version, as printed by --version"},
      {"sha256", &Engine::sha256, isSha256(), "of the executable"},
      engineNoteMember()};
  return {"fxscope-engine/1", "fxscope-cli engine --json",
          JsonForm<R>{}
              .with([](const R& r) -> auto& { return r.engine; }, engine)
              .with({{"targets", [](const R& r) { return targetsOf(r.engine, r.types); },
                      "output types whose passes the engine registers all"},
                     {"pipelines", [](const R& r) { return pipelinesOf(r.engine, r.types); },
                      atLeast(1)},
                     {"cage", [](const R& r) { return r.cage; }, wall,
                      "what holds a run of the engine on this machine, and what does not"}})};
}

}  // namespace

std::string engineJson(const lower::Engine& engine, const lower::OutputTypes& types,
                       const std::vector<CageWall>& cage) {
  return engineAnswer().text({engine, types, cage});
}
std::string engineSchema() { return engineAnswer().schemaText(); }

}  // namespace fxs::report
