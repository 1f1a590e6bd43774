#include "bundle/content.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/private_paths.h"

namespace fxs::bundle {
namespace {

constexpr std::size_t kLinesShown = 60;  // of a text inside the issue
constexpr std::size_t kBytesShown = 6000;

/// The beginning of a text, for a place where all of it would be too much.
std::string excerpt(const std::string& text) {
  std::size_t end = 0;
  for (std::size_t lines = 0; end < text.size() && lines < kLinesShown; ++lines) {
    const std::size_t next = std::min(text.find('\n', end), text.size() - 1) + 1;
    if (next > kBytesShown) break;
    end = next;
  }
  return end == text.size() ? text : text.substr(0, end) + "..\n";
}

/// What the engine said of the failing stage.
std::string engineWords(const Content& content) { return withoutPrivatePaths(failingStage(*content.lowering)->stderrText); }

std::string findingLines(const Content& content) {
  std::string out;
  for (const fx::Finding& finding : failingStage(*content.lowering)->findings)
    out += fmt::format("{} at {}: {}\n", name(finding.severity), finding.stage, finding.message);
  return out;
}

std::string pipelines(const Content& content) {
  std::string out;
  for (const lower::StageResult& stage : content.lowering->stages) {
    constexpr std::string_view kOption = "--pass-pipeline=";
    std::string pipeline;
    for (const std::string& argument : stage.argv)
      if (argument.starts_with(kOption)) pipeline = argument.substr(kOption.size());
    if (stage.argv.empty()) break;
    if (const std::size_t at = content.extraLibraryPath.empty() ? std::string::npos : pipeline.find(content.extraLibraryPath);
        at != std::string::npos)
      pipeline.replace(at, content.extraLibraryPath.size(), kExtraLibraryFile);
    out += fmt::format("{}: {}\n", stage.id, pipeline.empty() ? "(parse, verify and print)" : pipeline);
  }
  return out;
}

/// "3 operations, cut out of a program of 412", "412 operations".
std::string sizeText(const Manifest& m) {
  const std::string calls = fmt::format("{} operation{}", m.callNodes, m.callNodes == 1 ? "" : "s");
  return m.callNodes == m.originalCallNodes ? calls : fmt::format("{}, cut out of a program of {}", calls, m.originalCallNodes);
}

}  // namespace

std::string readmeText(const Content& content) {
  const Manifest& m = content.manifest;
  std::string out = fmt::format("# {}: {} does not reach {}\n\n", m.verified ? "Reproducer" : "Files of a failure", m.program, m.target);
  out += fmt::format("Failure: {}\n\nThis bundle, unpacked elsewhere and run again: {}.\n\n", text(m.signature), m.statement);
  out += fmt::format(
      "The program has {}. It was seen with torch-mlir-opt {} (SHA-256 {}).\n\n"
      "To see it fail, with nothing but a shell and an engine:\n\n"
      "    ./run.sh /path/to/torch-mlir-opt\n\n"
      "With fxscope: `fxscope-cli replay BUNDLE.zip` says whether an engine still fails in this way (`--engine` names another one), and\n"
      "`fxscope-cli lower BUNDLE.zip --to {}` shows every stage. PyTorch opens the program: `torch.export.load(\"{}\")`{}.\n\n",
      sizeText(m), m.engineVersion, m.engineSha256, m.target, kProgramFile,
      m.weights == "none" ? "; its weights are left out and read as zeros" : "");
  out +=
      "| file | what it is |\n|---|---|\n"
      "| manifest.json | the failure, the engine and the checksum of every file |\n"
      "| program.pt2, program.txt | the program, as torch.export.load opens it and as text |\n"
      "| raw.mlir | the program in the RAW torch dialect |\n"
      "| minimal.mlir | raw.mlir with less in it that fails in the same way, where there is less |\n"
      "| input.mlir | the last good module: what the failing stage reads |\n"
      "| failure.mlir | the module at the pass that failed, where the engine gave it |\n"
      "| pipeline.txt, commands.txt | what the engine was asked, stage by stage |\n"
      "| engine.txt | what the engine said |\n"
      "| diagnostics.txt, diagnostics.json | what fxscope makes of it |\n"
      "| environment.txt | what it was seen with |\n"
      "| issue.md | a text for an issue tracker |\n"
      "| run.sh | runs the failing stage again |\n";
  return out;
}

std::string issueText(const Content& content) {
  const Manifest& m = content.manifest;
  const std::string subject = m.signature.op.empty() ? m.signature.pass : m.signature.op;
  std::string out = fmt::format("# {}: {} ({})\n\n", m.signature.stage, subject.empty() ? m.signature.kind : subject, m.signature.kind);
  out += fmt::format("Lowering to `{}` fails: {}.\n\n## To reproduce\n\n", m.target, text(m.signature));
  out += fmt::format("`input.mlir` is in the attached bundle; `./run.sh ENGINE` there runs it.\n\n```sh\n{}```\n\n", commandsText(content));
  out += fmt::format("The program ({}):\n\n```\n{}```\n\n", sizeText(m), excerpt(content.programText));
  const std::string& input = inputOfFailure(*content.lowering, content.raw);
  if (input.size() <= kBytesShown) out += fmt::format("`input.mlir`:\n\n```mlir\n{}```\n\n", input);
  out += fmt::format("## What the engine says\n\n```\n{}\n```\n\n", excerpt(engineWords(content)));
  out += fmt::format("## Seen with\n\n```\n{}```\n", content.environment);
  return out;
}

std::vector<File> filesOf(const Content& content) {
  const lower::StageResult& stage = *failingStage(*content.lowering);
  std::vector<File> files{{"README.md", readmeText(content)},
                          {std::string(kScriptFile), runScript(content), true},
                          {"issue.md", issueText(content)},
                          {std::string(kProgramFile), content.pt2},
                          {"program.txt", content.programText},
                          {std::string(kRawFile), content.raw},
                          {std::string(kInputFile), inputOfFailure(*content.lowering, content.raw)}};
  if (!stage.failureIr.empty()) files.push_back({std::string(kFailureFile), stage.failureIr});
  if (!content.minimal.empty()) files.push_back({std::string(kMinimalFile), content.minimal});
  if (!content.extraLibraryPath.empty()) files.push_back({std::string(kExtraLibraryFile), content.extraLibrary});
  files.push_back({"pipeline.txt", pipelines(content)});
  files.push_back({"commands.txt", commandsText(content)});
  files.push_back({"engine.txt", engineWords(content)});
  files.push_back(
      {"diagnostics.txt", withoutPrivatePaths(content.diagnosticsText.empty() ? findingLines(content) : content.diagnosticsText)});
  if (!content.diagnosticsJson.empty()) files.push_back({"diagnostics.json", withoutPrivatePaths(content.diagnosticsJson)});
  files.push_back({"environment.txt", content.environment});
  return files;
}

}  // namespace fxs::bundle
