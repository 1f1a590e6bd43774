// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli lit: runs lit tests, and shows what each CHECK line matched.
#include "report/lit.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <set>
#include <utility>

#include "base/byte_source.h"
#include "base/joined.h"
#include "base/number_from.h"
#include "command.h"
#include "lit/limits.h"
#include "lit_settings.h"
#include "report/line.h"

namespace fxs::cli {
namespace {

namespace fs = std::filesystem;

/// Adds the programs of --tool NAME=PATH.
Result<> addTools(const Arguments& arguments, lit::Settings& settings) {
  for (const std::string& tool : arguments.raw("--tool")) {
    const std::size_t equals = std::min(tool.find('='), tool.size());
    const std::string name = tool.substr(0, equals);
    if (name.empty() || equals + 1 >= tool.size())
      return fail(ErrorCode::Usage, "option '--tool': expected NAME=PATH, got '" + tool + "'");
    const std::string path = tool.substr(equals + 1);
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored))
      return fail(ErrorCode::Usage, "option '--tool': " + path + ": no such file");
    settings.programs[name] = fs::absolute(path, ignored).string();
  }
  return {};
}

/// Leaves the RUN line at a line of the file, and those before it that may write the files that it
/// reads.
Result<> selectLine(lit::Test& test, const std::string& file, std::uint32_t line) {
  const auto at = std::find_if(test.runs.begin(), test.runs.end(), [&](const lit::RunLine& run) {
    return run.line <= line && line <= run.lastLine;
  });
  if (at == test.runs.end()) {
    std::vector<std::string> lines;
    for (const lit::RunLine& run : test.runs) lines.push_back(std::to_string(run.line));
    return fail(ErrorCode::Usage,
                file + ": line " + std::to_string(line) + " has no RUN line" +
                    (lines.empty() ? std::string() : "; they begin at " + joined(lines)));
  }
  std::vector<lit::RunLine> kept;
  for (const std::size_t run : lit::runsFor(test, static_cast<std::size_t>(at - test.runs.begin())))
    kept.push_back(std::move(test.runs[run]));
  test.runs = std::move(kept);
  return {};
}

Result<report::LitTest> runTest(const std::string& file, const lit::Settings& shared,
                                const std::optional<std::uint32_t>& line,
                                const Arguments& arguments, Console& console) {
  report::LitTest out;
  out.paths = pathsOf(arguments, file);
  out.file = out.paths.of(file);
  lit::Settings settings = shared;
  if (file == "-") {
    out.text = console.environment.stdinText;
  } else {
    std::error_code ignored;
    settings.file = fs::absolute(file, ignored).lexically_normal().string();
    FXS_TRY(out.text, readWholeFile(file, lit::kMaxFileBytes));
  }
  out.test = lit::parseTest(out.text);
  if (line) FXS_CHECK(selectLine(out.test, file, *line));
  lit::skipUnsupported(out.test);
  out.plan = lit::plan(out.test, settings);
  FXS_TRY(out.run, lit::run(out.plan, out.text, *console.environment.runner, console.context));
  return out;
}

/// The programs of RUN lines that only --tool can name.
std::set<std::string> unknownPrograms(const report::LitTest& test, const lit::Settings& settings) {
  std::set<std::string> out;
  for (const lit::SkippedRun& skipped : test.plan.skipped) {
    const lit::RunLine& run = test.test.runs[skipped.run];
    if (!run.message.empty()) continue;
    for (const lit::Pipeline& pipeline : run.pipelines)
      for (const lit::ShellCommand& command : pipeline) {
        const std::string& name = command.argv.front();
        const bool isKnown = settings.programs.contains(name) || settings.missing.contains(name);
        if (!isKnown && name.find('%') == std::string::npos) out.insert(name);
      }
  }
  return out;
}

Result<int> runLit(const Arguments& arguments, Console& console) {
  const std::vector<std::string> files = arguments.raw("FILE");
  if (files.size() > 1 && std::find(files.begin(), files.end(), "-") != files.end())
    return fail(ErrorCode::Usage, "'-', standard input, is one FILE and no other");
  std::optional<std::uint32_t> line;
  if (const auto text = arguments.get("--line")) {
    line = numberFrom<std::uint32_t>(*text);
    if (!line || files.size() > 1)
      return fail(ErrorCode::Usage, "option '--line': expected the number of a line of one FILE");
  }
  FXS_TRY(lit::Settings settings, litSettingsFrom(arguments, console));
  FXS_CHECK(addTools(arguments, settings));
  const auto shown =
      arguments.has("--matches") ? report::ShownChecks::All : report::ShownChecks::Failed;
  const bool json = arguments.has("--json");
  std::vector<report::LitTest> tests;
  std::set<std::string> unknown;
  bool failed = false;
  for (const std::string& file : files) {
    FXS_TRY(report::LitTest test, runTest(file, settings, line, arguments, console));
    failed = failed || lit::isFailure(lit::outcomeOf(test.test, test.plan, test.run));
    if (!json && console.clearProgress) console.clearProgress();
    if (!json) console.out << report::litText(test, shown);
    unknown.merge(unknownPrograms(test, settings));
    tests.push_back(std::move(test));
  }
  if (json) {
    console.out << report::litJson(tests, shown);
  } else {
    if (!unknown.empty())
      console.out << report::line("not known here: {}; name a program with --tool NAME=PATH\n",
                                  joined(unknown));
    console.out << report::litSummary(tests);
  }
  return failed ? kFindings : kDone;
}

}  // namespace

void registerLit(Commands& commands);
void registerLit(Commands& commands) {
  commands.add(
      {"lit",
       "run the RUN lines of LLVM lit tests, and show what FileCheck says",
       {{"FILE", "a lit test, or - for standard input", true, true}},
       {{"--line", "N", "run only the RUN line at this line of FILE, and those that write its %t"},
        {"--matches", "", "show each CHECK line beside the line of the input that it matched"},
        {"--tool", "NAME=PATH",
         "program that RUN lines may run by this name, besides torch-mlir-opt (the engine), "
         "mlir-opt, FileCheck and not",
         true},
        {"--timeout", "TIME",
         "time limit per program, in seconds, or minutes with m (default: 120)"},
        {"--memory", "SIZE",
         "address space limit of a program, in MiB, or GiB with G (default: 8G)"},
        {"--json", "", "print JSON (resources/schemas/lit.schema.json)"}},
       reporting<runLit>,
       Group::Passes});
}

}  // namespace fxs::cli
