// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/tool_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/ascii.h"
#include "base/byte_source.h"
#include "base/program.h"
#include "base/scratch_directory.h"
#include "lower/engine_program.h"
#include "lower/prepared_input.h"
#include "mlir/text/module.h"

namespace fxs::lower {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFiles = 1024;

/// Whether `name` matches a pattern in which `*` stands for any characters.
bool matches(std::string_view name, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  for (std::size_t at = star; at <= name.size(); ++at)
    if (matches(name.substr(at), pattern.substr(star + 1))) return true;
  return false;
}

/// The files of `folder` that match, sorted by name; not symbolic links, which could lead anywhere.
std::vector<std::string> filesLike(const std::string& folder, const std::string& pattern) {
  std::vector<std::string> out;
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, ignored), end;
       !ignored && entry != end && out.size() < kMaxFiles; entry.increment(ignored)) {
    std::error_code unknown;
    const std::string file = entry->path().filename().string();
    if (entry->symlink_status(unknown).type() == fs::file_type::regular && matches(file, pattern))
      out.push_back(file);
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// The start of a line that says which of several files follows.
std::string_view commentMark(mlir::TextForm form) {
  switch (form) {
    case mlir::TextForm::Mlir:
    case mlir::TextForm::Ptx: return "// ";
    case mlir::TextForm::LlvmIr: return "; ";
    case mlir::TextForm::Assembly:
    case mlir::TextForm::Plain: break;
  }
  return "# ";
}

/// The output in files; InvalidInput if there is none or it exceeds the limit.
Result<std::string> outputIn(const std::string& folder, const StageSpec& stage,
                             const Limits& limits) {
  const std::string& pattern = stage.tool.output;
  const std::vector<std::string> files = filesLike(folder, pattern);
  if (files.empty()) return fail(ErrorCode::InvalidInput, "wrote no file " + pattern);
  std::string out;
  for (const std::string& file : files) {
    const std::uint64_t most = limits.output > 0 ? limits.output : kMaxStageText;
    auto text =
        readWholeFile(folder + "/" + file, most - std::min<std::uint64_t>(most, out.size()));
    if (!text)
      return fail(ErrorCode::InvalidInput, fmt::format("wrote more than {} MiB", most >> 20));
    if (files.size() > 1) out += std::string(commentMark(stage.writes)) + file + "\n";
    out += *text;
    if (!out.ends_with('\n')) out += '\n';
  }
  return out;
}

std::string firstSaid(std::string_view err) {
  constexpr std::size_t kLongest = 300;
  for (std::size_t begin = 0; begin < err.size();) {
    const std::size_t end = std::min(err.find('\n', begin), err.size());
    std::string_view line = err.substr(begin, std::min(end - begin, kLongest));
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) return std::string(line);
    begin = end + 1;
  }
  return {};
}

void replacePlaceholder(std::string& text, std::string_view mark, const std::string& with) {
  for (std::size_t at = text.find(mark); at != std::string::npos;
       at = text.find(mark, at + with.size()))
    text.replace(at, mark.size(), with);
}

Result<FoundTool> found(const StageTool& tool, const Engine& engine) {
  if (tool.isEngine()) return FoundTool{engine.path, {}, isScript(engine.path)};
  if (tool.isPath()) {
    std::error_code ignored;
    if (!fs::is_regular_file(tool.program, ignored))
      return fail(ErrorCode::NotFound,
                  tool.program + ": no such program; correct its path in the file that names it");
    return FoundTool{tool.program, {tool.program}, true};
  }
  if (!engine.tools || !engine.tools->find)
    return fail(ErrorCode::NotFound, tool.program + ": no other tools than the engine were set up");
  return engine.tools->find(tool.program);
}

/// Whether the tool reads its input from a file, which its arguments name.
bool namesInput(const StageTool& tool) {
  return std::any_of(tool.arguments.begin(), tool.arguments.end(), [](const std::string& argument) {
    return argument.find("${input}") != std::string::npos;
  });
}

/// The command that runs the tool in `folder`, where `file` is its input.
Command toolCommand(const StageSpec& stage, const FoundTool& tool, const std::string& folder,
                    const std::string& file, const Limits& limits) {
  Command command;
  command.argv = {tool.path};
  for (std::string argument : stage.tool.arguments) {
    // In this order: a pipeline must not be able to name the input.
    replacePlaceholder(argument, "${input}", file);
    replacePlaceholder(argument, "${pipeline}", stage.pipeline);
    command.argv.push_back(std::move(argument));
  }
  command.directory = folder;
  Cage& cage = command.cage.emplace();
  cage.reads = tool.reads;
  cage.reads.push_back(tool.path);
  cage.reads.push_back(folder);
  cage.writes = {folder};
  if (isScript(tool.path)) cage.reading = Cage::Reading::Everything;
  if (tool.startsPrograms) cage.processes = Cage::Processes::Programs;
  command.timeout = limits.timeout;
  command.memoryLimit = limits.memory;
  command.outputLimit = limits.output;
  return command;
}

/// As judge(); a failure is explained by the first line that the tool said.
void judgeTool(EngineRun& run, Result<Exit> exit, const Limits& limits) {
  judge(run, std::move(exit), limits);
  if (run.outcome == RunOutcome::NoEngine) run.outcome = RunOutcome::NoTool;
  if (run.outcome != RunOutcome::Failed) return;
  if (const std::string said = firstSaid(run.err); !said.empty()) run.message += ": " + said;
}

}  // namespace

std::string unlike(std::string_view text, mlir::TextForm form) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return "printed nothing";
  if (text.find('\0') != std::string_view::npos) return "printed bytes that are not text";
  const auto holds = [&](std::initializer_list<std::string_view> prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view word) {
      return text.starts_with(word) || text.find("\n" + std::string(word)) != text.npos;
    });
  };
  switch (form) {
    case mlir::TextForm::Mlir:
      return holds({"module", "\"builtin.module\"", "func.func", "\"func.func\"", "spirv.module"})
                 ? ""
                 : "printed no MLIR module";
    case mlir::TextForm::LlvmIr:
      return holds({"define ", "declare ", "@", "source_filename", "target "})
                 ? ""
                 : "printed no LLVM IR";
    case mlir::TextForm::Assembly:
      return holds({"\t.text", "\t.section", "\t.globl", "\t.file"}) ? "" : "printed no assembly";
    case mlir::TextForm::Ptx: return holds({".version"}) ? "" : "printed no PTX";
    case mlir::TextForm::Plain: break;
  }
  return {};
}

EngineRun runTool(const StageSpec& stage, const std::string& input, mlir::TextForm reads,
                  const Engine& engine, const Limits& limits, CommandRunner& runner,
                  const RunContext& context) {
  EngineRun run;
  run.program = stage.tool.title();
  const auto is = [&](RunOutcome outcome, std::string message) {
    run.outcome = outcome;
    run.message = std::move(message);
    return run;
  };
  const auto tool = found(stage.tool, engine);
  if (!tool) return is(RunOutcome::NoTool, tool.error().message);
  const auto scratch = ScratchDirectory::make(
      engine.tools ? engine.tools->temporaryDir : std::string(), "the files of a stage");
  if (!scratch && endsAll(scratch.error())) throw Abandoned(scratch.error());
  if (!scratch) return is(RunOutcome::NoTool, scratch.error().message);

  const std::string file = "input" + std::string(mlir::extension(reads));
  Command command = toolCommand(stage, *tool, scratch->path(), file, limits);
  if (!namesInput(stage.tool)) {
    command.stdinText = input;
  } else if (auto written = writeWholeFile(scratch->file(file), input); !written) {
    if (endsAll(written.error())) throw Abandoned(written.error());
    return is(RunOutcome::NoTool, written.error().message);
  }
  run.argv = command.argv;
  auto exit = runToEnd(command, runner, context.stop);
  run.program = stage.tool.title();
  judgeTool(run, std::move(exit), limits);
  if (run.outcome != RunOutcome::Ok) return run;
  if (!stage.tool.output.empty()) {
    auto text = outputIn(scratch->path(), stage, limits);
    if (!text) return is(RunOutcome::NoTool, "succeeded but " + text.error().message);
    run.out = *std::move(text);
  }
  if (const std::string problem = unlike(run.out, stage.writes); !problem.empty())
    return is(RunOutcome::NoTool, "succeeded but " + problem);
  return run;
}

EngineRun runStage(const StageSpec& stage, const std::string& input, mlir::TextForm reads,
                   const Engine& engine, const Limits& limits, CommandRunner& runner,
                   const RunContext& context) {
  if (!stage.prepare.empty()) {
    StageSpec prepared = stage;
    prepared.prepare.clear();
    return runStage(prepared, preparedInput(input, stage.prepare), reads, engine, limits, runner,
                    context);
  }
  if (!stage.tool.runsPasses())
    return runTool(stage, input, reads, engine, limits, runner, context);
  EngineRun run;
  if (const auto runs = engineOfStage(stage, engine)) {
    run = std::move(runEngine(*runs, {stage.pipeline}, input, limits, runner, context).front());
  } else {
    run.outcome = RunOutcome::NoTool;
    run.message = runs.error().message;
  }
  run.program = stage.tool.title();
  return run;
}

Result<Engine> engineOfStage(const StageSpec& stage, const Engine& engine) {
  if (stage.tool.isEngine()) return engine;
  FXS_TRY(const FoundTool tool, found(stage.tool, engine));
  Engine out;
  out.path = tool.path;
  out.file = identityOf(tool.path);
  out.tools = engine.tools;
  return out;
}

Result<std::string> versionLineOf(const Engine& tool, const Limits& limits, CommandRunner& runner,
                                  const RunContext& context) {
  Command command = engineProgram(tool, {"--version"});
  command.timeout = limits.timeout;
  command.outputLimit = std::uint64_t{1} << 16;
  FXS_TRY(const Exit exit, runToEnd(command, runner, context.stop));
  std::istringstream lines(exit.out);
  for (std::string line; std::getline(lines, line);)
    if (line.find("version") != std::string::npos) return std::string(trimmed(line));
  return std::string();
}

Result<ToolOfStage> toolOfStage(const LowerOptions& options, std::string_view stage,
                                const Engine& engine) {
  FXS_TRY(const std::vector<StageSpec> specs, filledStages(options));
  const auto spec = std::find_if(specs.begin(), specs.end(),
                                 [&](const StageSpec& each) { return each.id == stage; });
  if (spec == specs.end() || spec->pipeline.empty() || !spec->tool.runsPasses())
    return fail(ErrorCode::Unsupported, "this stage runs no passes");
  FXS_TRY(Engine tool, engineOfStage(*spec, engine));
  return ToolOfStage{*spec, std::move(tool)};
}

}  // namespace fxs::lower
