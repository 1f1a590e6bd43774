// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bundle/content.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/counted.h"
#include "base/joined.h"
#include "base/safe_text.h"
#include "bundle/stages.h"
#include "mlir/text/without_locations.h"
#include "upstream/script.h"

namespace fxs::bundle {
namespace {

constexpr std::size_t kLinesShown = 60;  // limits for a text quoted in the issue
constexpr std::size_t kBytesShown = 6000;

/// The first lines of a text, followed by ".." if it was truncated.
std::string excerpt(const std::string& text) {
  std::size_t end = 0;
  for (std::size_t lines = 0; end < text.size() && lines < kLinesShown; ++lines) {
    const std::size_t next = std::min(text.find('\n', end), text.size() - 1) + 1;
    if (next > kBytesShown) break;
    end = next;
  }
  return end == text.size() ? text : text.substr(0, end) + "..\n";
}

std::string environmentText(const Manifest& m) {
  std::string torch =
      "PyTorch " + (m.torchVersion.empty() ? "of unknown version" : m.torchVersion) + ", ";
  if (m.module) torch.clear();
  return fmt::format(
      "fxscope {}\nengine: torch-mlir-opt, {}, SHA-256 {}\nprogram: {}{}\nsystem: {}\n", m.tool,
      m.engineVersion, m.engineSha256, torch, m.readAs, m.system);
}

Result<std::string> pipelines(const Manifest& m) {
  FXS_TRY(const std::vector<lower::StageSpec> stages, stagesOf(m));
  std::string out;
  for (const lower::StageSpec& stage : stages)
    out += fmt::format("{}: {}\n", stage.id,
                       stage.pipeline.empty() ? "(parse, verify and print)" : stage.pipeline);
  return out;
}

/// A Markdown code span; backquotes in the text become apostrophes.
std::string code(std::string text) {
  std::replace(text.begin(), text.end(), '`', '\'');
  return "`" + text + "`";
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  if (from.empty()) return;
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// "3 operations, extracted from a program of 412", "412 operations".
std::string sizeText(const Manifest& m) {
  const std::string calls = counted(m.callNodes, "operation");
  return m.callNodes == m.originalCallNodes
             ? calls
             : fmt::format("{}, extracted from a program of {}", calls, m.originalCallNodes);
}

}  // namespace

namespace {

/// How a program is opened without fxscope.
std::string openedText(const Manifest& m) {
  if (m.module) return fmt::format("Its module is {}", kModuleFile);
  return fmt::format("PyTorch opens the program: `torch.export.load(\"{}\")`{}", kProgramFile,
                     m.weights == "none" ? "; its weights are not included and read as zeros" : "");
}

/// Rows of the table of files.
std::string_view programRows(const Manifest& m) {
  if (m.module)
    return "| program.mlir, program.txt | the module, and its operations as a graph |\n"
           "| raw.mlir | the module as it is lowered, with every operation located at its node |\n";
  return "| program.pt2, program.txt | the program, for torch.export.load and as text |\n"
         "| repro.py, e2e_test.py | the program as plain PyTorch, and as a test case of "
         "torch-mlir, "
         "if Python can say it; not run |\n"
         "| raw.mlir | the program in the RAW torch dialect |\n";
}

/// What the user changed before lowering, and of it.
std::string changesText(const Manifest& m) {
  std::vector<std::string> changes;
  for (const SetArgument& set : m.arguments)
    changes.push_back(code(fmt::format("{}.{} = {}", set.node, set.name, set.value)));
  for (const std::string& node : m.decomposeNodes)
    changes.push_back(fmt::format("{} is decomposed", code(node)));
  for (const std::string& node : m.keepNodes)
    changes.push_back(fmt::format("{} is not decomposed", code(node)));
  if (!m.edited.empty())
    changes.push_back(fmt::format("the text of stage {} is {}", m.edited, kEditedFile));
  for (const StagePasses& each : m.passes)
    changes.push_back(fmt::format("stage {} leaves out passes", each.stage));
  return changes.empty() ? std::string()
                         : fmt::format(" It was lowered with changes: {}.", joined(changes));
}

/// The program that runs the failing stage, if that is another one than the engine.
std::string otherProgram(const Manifest& m) {
  if (!m.module || m.module->name == lower::kEngineTool) return {};
  return fmt::format(" Its failing stage is run by {} (SHA-256 {}).", m.module->name,
                     m.module->sha256);
}

}  // namespace

std::string readmeText(const Manifest& m) {
  const bool added = !m.targetDefinition.empty();
  std::string out = fmt::format("# {}: {} does not reach {}\n\n",
                                m.verified ? "Reproducer" : "Files of a failure", m.program,
                                lower::name(m.target));
  out += fmt::format("Failure: {}\n\nReplayed after unpacking: {}.\n\n", code(text(m.signature)),
                     m.statement);
  out += fmt::format(
      "The program has {}. The failure was observed with torch-mlir-opt {} (SHA-256 {}).{}{}\n\n"
      "To reproduce it with only a shell and an engine:\n\n"
      "    ./run.sh /path/to/{}\n\n"
      "If you received this bundle from someone else, run `fxscope-cli replay BUNDLE.zip` first: "
      "it regenerates run.sh and the other files "
      "from\n"
      "the manifest and the program, compares them, and reports whether the engine still fails in "
      "the same way (`--engine` selects "
      "another).\n"
      "`fxscope-cli lower BUNDLE.zip --to {}{}` shows every stage. {}.\n\n",
      sizeText(m), m.engineVersion, m.engineSha256, otherProgram(m), changesText(m),
      m.module && m.module->name != lower::kEngineTool ? m.module->name : kEngineName,
      lower::name(m.target), added ? fmt::format(" --output-types {}", kOutputTypesFile) : "",
      openedText(m));
  out +=
      "| file | contents |\n|---|---|\n"
      "| manifest.json | the failure, the engine and the checksum of every file |\n" +
      std::string(programRows(m)) +
      "| minimal.mlir | raw.mlir reduced to operations that fail in the same way, if it could be "
      "reduced |\n"
      "| test.mlir | it as a lit test, which passes once the operation is lowered |\n"
      "| input.mlir | the last valid module: the input of the failing stage |\n"
      "| failure.mlir | the module at the failing pass, if the engine printed it |\n"
      "| pipeline.txt, commands.txt | the pass pipeline and the command line of each stage |\n"
      "| engine.txt | the output of the engine |\n"
      "| diagnostics.txt, diagnostics.json | the findings of fxscope |\n"
      "| environment.txt | versions of fxscope, the engine, PyTorch and the system |\n"
      "| issue.md | text for an issue tracker |\n"
      "| run.sh | runs the failing stage again |\n";
  if (added)
    out += fmt::format("| {} | the output type of yours that `--output-types` names |\n",
                       kOutputTypesFile);
  if (!m.edited.empty())
    out += fmt::format("| {} | the edited text of stage {}, which lowering continues from |\n",
                       kEditedFile, m.edited);
  return out;
}

Result<std::string> issueText(const Content& content) {
  const Manifest& m = content.manifest;
  FXS_TRY(const std::string commands, commandsText(m));
  const std::string subject = m.signature.op.empty() ? m.signature.pass : m.signature.op;
  std::string out = fmt::format("# {}: {} ({})\n\n", m.signature.stage,
                                subject.empty() ? m.signature.kind : subject, m.signature.kind);
  out += fmt::format("Lowering to `{}` fails: {}.\n\n## To reproduce\n\n", lower::name(m.target),
                     code(text(m.signature)));
  out += fmt::format(
      "`input.mlir` is in the attached bundle; run `./run.sh ENGINE` there.\n\n```sh\n{}```\n\n",
      commands);
  out +=
      fmt::format("The program ({}):\n\n```\n{}```\n\n", sizeText(m), excerpt(content.programText));
  if (content.input.size() <= kBytesShown)
    out += fmt::format("`input.mlir`:\n\n```mlir\n{}```\n\n", content.input);
  out += fmt::format("## Engine output\n\n```\n{}\n```\n\n", excerpt(content.engineText));
  out += fmt::format("## Environment\n\n```\n{}```\n", environmentText(m));
  return out;
}

lower::LowerOptions lowerOptionsOf(const Manifest& m, const std::string& library) {
  lower::LowerOptions options;
  options.target = m.target;
  options.allowNonFinites = m.allowNonFinites;
  options.backendLegalOps.insert(m.backendLegalOps.begin(), m.backendLegalOps.end());
  if (m.extraLibrary) options.extraLibrary = library;
  for (const StagePasses& each : m.passes) options.pipelines[each.stage] = each.pipeline;
  return options;
}

std::string publicVersion(const std::string& version) {
  return printable(PrivateText().text(version));
}

std::shared_ptr<const lower::Lowering> portable(const lower::Lowering& given,
                                                const std::string& library, PrivateText& filter) {
  auto out = std::make_shared<lower::Lowering>(given);
  const std::string engine = given.engine.path;
  out->engine.path = kEngineName;
  const auto clean = [&](std::string& text) {
    replaceAll(text, library, kExtraLibraryFile);
    if (engine.find('/') != std::string::npos) replaceAll(text, engine, kEngineName);
    text = filter.text(text);
  };
  const std::vector<lower::OutputType> path = lower::pathTo(given.target);
  for (std::size_t i = 0; i < out->stages.size(); ++i) {
    lower::StageResult& stage = out->stages[i];
    const lower::StageTool& tool = path[i]->stage.tool;
    if (!stage.argv.empty()) {
      const std::string program = std::exchange(stage.argv[0], commandName(tool));
      if (!tool.isEngine() && program.find('/') != std::string::npos)
        replaceAll(stage.stderrText, program, stage.argv[0]);
    }
    for (std::string& argument : stage.argv) replaceAll(argument, library, kExtraLibraryFile);
    clean(stage.stderrText);
    for (fx::Finding& finding : stage.findings) clean(finding.message);
    for (std::string& warning : stage.warnings) clean(warning);
  }
  return out;
}

/// Where the result is wrong; `lowered.mlir` is what the engine makes of raw.mlir.
std::string wrongReadme(const Manifest& m) {
  const WrongResult& w = *m.wrong;
  std::string out = fmt::format("# {}: {} computes a wrong result in {}\n\n",
                                m.verified ? "Reproducer" : "Files of a wrong result", m.program,
                                lower::name(m.target));
  out += fmt::format("{}: {}\n\n", code(text(m.signature)), code(w.message));
  out += fmt::format(
      "{}Executed with {}. Replayed after unpacking: {}.\n\n"
      "The program has {}. It was lowered with torch-mlir-opt {} (SHA-256 {}).\n\n"
      "`fxscope-cli replay BUNDLE.zip` lowers it again, runs it with every executor that is "
      "installed, and compares the results with the\n"
      "expected ones (`--engine` selects another engine). Without fxscope: commands.txt makes "
      "lowered.mlir, and PyTorch computes\n\n"
      "```python\n"
      "import torch\n"
      "from safetensors.torch import load_file\n\n"
      "program, inputs = torch.export.load(\"{}\"), load_file(\"{}\")\n"
      "arguments = [inputs[name] for name in program.graph_signature.user_inputs]  # a size is a "
      "number: inputs[name].item()\n"
      "print(program.module()(*arguments))\n"
      "```\n\n",
      w.expectedBy.empty() ? std::string()
                           : "The expected values are those of " + w.expectedBy + ". ",
      joined(w.executors, " and "), m.statement, sizeText(m), m.engineVersion, m.engineSha256,
      kProgramFile, kInputsFile);
  out +=
      "| file | contents |\n|---|---|\n"
      "| manifest.json | the result, the engine and the checksum of every file |\n"
      "| program.pt2, program.txt | the program, for torch.export.load and as text |\n"
      "| inputs.safetensors | its inputs, in order |\n"
      "| expected.safetensors | the results that it should have, if they are known |\n"
      "| found.safetensors | the results that each executor computed, if there are any |\n"
      "| raw.mlir | the program in the RAW torch dialect |\n"
      "| lowered.mlir | what the engine makes of it, and what was executed |\n"
      "| pipeline.txt, commands.txt | the pass pipeline and the command line of each stage |\n"
      "| environment.txt | versions of fxscope, the engine, PyTorch and the system |\n"
      "| issue.md | text for an issue tracker |\n";
  if (!m.targetDefinition.empty())
    out += fmt::format("| {} | the output type of yours that `--output-types` names |\n",
                       kOutputTypesFile);
  return out;
}

Result<std::string> wrongIssue(const Content& content) {
  const Manifest& m = content.manifest;
  const WrongResult& w = *m.wrong;
  FXS_TRY(const std::string commands, commandsText(m));
  std::string out = fmt::format("# {}: {} computes a wrong result\n\n", m.signature.stage,
                                m.signature.op.empty() ? m.signature.fxTarget : m.signature.op);
  out += fmt::format(
      "Lowered to `{}`, the program below computes another result than {}: {}{}\n\n",
      lower::name(m.target), w.expectedBy.empty() ? "it specifies" : w.expectedBy, code(w.message),
      m.signature.pass.empty() ? "." : fmt::format(". The pass is {}.", code(m.signature.pass)));
  out += fmt::format("Executed with {}.\n\n## To reproduce\n\n```sh\n{}```\n\n",
                     joined(w.executors, " and "), commands);
  out +=
      fmt::format("The program ({}):\n\n```\n{}```\n\n", sizeText(m), excerpt(content.programText));
  if (content.raw.size() <= kBytesShown)
    out += fmt::format("`raw.mlir`:\n\n```mlir\n{}```\n\n", content.raw);
  if (content.lowered.size() <= kBytesShown)
    out += fmt::format("`lowered.mlir`:\n\n```mlir\n{}```\n\n", content.lowered);
  out += fmt::format("## Environment\n\n```\n{}```\n", environmentText(m));
  return out;
}

Result<std::vector<File>> filesOfWrong(const Content& content) {
  FXS_TRY(std::string issue, wrongIssue(content));
  FXS_TRY(std::string commands, commandsText(content.manifest));
  FXS_TRY(std::string asked, pipelines(content.manifest));
  std::vector<File> files{{"README.md", wrongReadme(content.manifest)},
                          {"issue.md", std::move(issue)},
                          {std::string(kProgramFile), content.pt2},
                          {"program.txt", content.programText},
                          {std::string(kInputsFile), content.inputs}};
  if (!content.expected.empty()) files.push_back({std::string(kExpectedFile), content.expected});
  if (!content.found.empty()) files.push_back({std::string(kFoundFile), content.found});
  files.push_back({std::string(kRawFile), content.raw});
  files.push_back({std::string(kLoweredFile), content.lowered});
  if (content.manifest.extraLibrary)
    files.push_back({std::string(kExtraLibraryFile), content.extraLibrary});
  files.push_back({"pipeline.txt", std::move(asked)});
  files.push_back({"commands.txt", std::move(commands)});
  files.push_back({"environment.txt", environmentText(content.manifest)});
  if (const std::string& types = content.manifest.targetDefinition; !types.empty())
    files.push_back({std::string(kOutputTypesFile), types});
  return files;
}

/// Of the failing stage; "" for one without passes.
Result<std::string> litTest(const Content& content) {
  FXS_TRY(const std::vector<lower::StageSpec> stages, stagesOf(content.manifest));
  const lower::StageSpec& stage = stages.back();
  if (stage.pipeline.empty()) return std::string();
  return upstream::litTestText({commandName(stage.tool), stage.pipeline,
                                mlir::withoutLocations(content.input),
                                content.manifest.signature.op, ""});
}

Result<std::vector<File>> filesOf(const Content& content) {
  if (content.manifest.wrong) return filesOfWrong(content);
  FXS_TRY(std::string script, runScript(content.manifest));
  FXS_TRY(std::string issue, issueText(content));
  FXS_TRY(std::string commands, commandsText(content.manifest));
  FXS_TRY(std::string asked, pipelines(content.manifest));
  FXS_TRY(std::string test, litTest(content));
  const bool isModule = content.manifest.module.has_value();
  std::vector<File> files{
      {"README.md", readmeText(content.manifest)},
      {std::string(kScriptFile), std::move(script), true},
      {"issue.md", std::move(issue)},
      {std::string(isModule ? kModuleFile : kProgramFile), isModule ? content.module : content.pt2},
      {"program.txt", content.programText},
      {std::string(kRawFile), content.raw}};
  if (!content.manifest.edited.empty()) files.push_back({std::string(kEditedFile), content.edited});
  files.push_back({std::string(kInputFile), content.input});
  if (!content.failureIr.empty()) files.push_back({std::string(kFailureFile), content.failureIr});
  if (!content.minimal.empty()) files.push_back({std::string(kMinimalFile), content.minimal});
  if (!content.script.empty()) files.push_back({std::string(kReproFile), content.script});
  if (!content.e2eTest.empty()) files.push_back({std::string(kE2eTestFile), content.e2eTest});
  if (!test.empty()) files.push_back({std::string(kLitTestFile), std::move(test)});
  if (content.manifest.extraLibrary)
    files.push_back({std::string(kExtraLibraryFile), content.extraLibrary});
  files.push_back({"pipeline.txt", std::move(asked)});
  files.push_back({"commands.txt", std::move(commands)});
  files.push_back({"engine.txt", content.engineText});
  files.push_back({"diagnostics.txt", content.diagnosticsText});
  if (!content.diagnosticsJson.empty())
    files.push_back({"diagnostics.json", content.diagnosticsJson});
  files.push_back({"environment.txt", environmentText(content.manifest)});
  if (const std::string& types = content.manifest.targetDefinition; !types.empty())
    files.push_back({std::string(kOutputTypesFile), types});
  return files;
}

}  // namespace fxs::bundle
