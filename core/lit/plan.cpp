// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/plan.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "base/ascii.h"
#include "base/result.h"
#include "base/safe_text.h"
#include "lit/limits.h"
#include "lit/matches.h"
#include "lit/substitutions.h"

namespace fxs::lit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNull = "/dev/null";

/// The name of the test in the folder: that of its file, if it is plain.
std::string nameInFolder(const std::string& file) {
  const std::string name = file.substr(file.rfind('/') + 1);
  const bool isPlain = !name.empty() && (isAlnum(name[0]) || name[0] == '_') &&
                       name.size() <= 128 && std::all_of(name.begin(), name.end(), [](char c) {
                         return isWordChar(c) || c == '.' || c == '-' || c == '+';
                       });
  return isPlain ? name : "input.mlir";
}

/// Whether a path leads to a file in the working directory.
bool staysInFolder(std::string_view path) {
  if (path.empty() || path.front() == '/' || path.size() > 512) return false;
  if (path.find('\0') != std::string_view::npos) return false;
  return path != ".." && !path.starts_with("../") && path.find("/../") == std::string_view::npos &&
         !path.ends_with("/..");
}

/// Options with which a tool loads code from a file. LLVM's tools also read options from a file
/// that a word with `@` names.
bool loadsCode(std::string_view word) {
  if (word.size() > 1 && word.front() == '@') return true;
  while (word.starts_with('-')) word.remove_prefix(1);
  const std::string_view option = word.substr(0, word.find('='));
  constexpr std::array<std::string_view, 3> kOptions{"load", "load-dialect-plugin",
                                                     "load-pass-plugin"};
  return std::find(kOptions.begin(), kOptions.end(), option) != kOptions.end();
}

/// Variables that make the loader of programs, or the interpreter of a script, run other code.
bool changesLoader(std::string_view variable) {
  const std::string_view name = variable.substr(0, variable.find('='));
  constexpr std::array<std::string_view, 6> kPrefixes{"LD_",  "PYTHON", "PERL",
                                                      "RUBY", "NODE_",  "BASH_"};
  constexpr std::array<std::string_view, 5> kNames{"GCONV_PATH", "GLIBC_TUNABLES", "PATH", "ENV",
                                                   "SHELLOPTS"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); }) ||
         std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// The folder of the suite that has a test in `folder`: the nearest one around it with lit's
/// configuration, or `folder`.
std::string suiteOf(const fs::path& folder) {
  std::error_code ignored;
  for (fs::path around = folder; around != around.parent_path(); around = around.parent_path())
    for (const char* name : {"lit.cfg.py", "lit.cfg"})
      if (fs::is_regular_file(around / name, ignored)) return around.string();
  return folder.string();
}

class Planner {
 public:
  Planner(const Test& test, const Settings& settings) : test_(test), settings_(settings) {
    out_.testFile = nameInFolder(settings.file);
    out_.reads = settings.reads;
    out_.temporaryDir = settings.temporaryDir;
    out_.limits = settings.limits;
  }

  Plan make() {
    for (run_ = 0; run_ < test_.runs.size(); ++run_) takeRun(test_.runs[run_]);
    if (namesFolder_) out_.reads.push_back(suiteOf(fs::path(settings_.file).parent_path()));
    return std::move(out_);
  }

 private:
  void takeRun(const RunLine& line) {
    if (!line.message.empty()) {
      skip(line, line.message);
      return;
    }
    WordContext words{out_.testFile, settings_.file, settings_.substitutions};
    auto stages = stagesOf(line, words);
    if (stages && lost_ && words.namesTemporary)
      stages = fail(ErrorCode::Unsupported,
                    "may read what a line before, which is not run, would have written");
    if (stages && out_.stages.size() + stages->size() > kMaxStages)
      stages = fail(ErrorCode::Unsupported, "is beyond " + std::to_string(kMaxStages) +
                                                " programs, the most that are run for a test");
    if (!stages)
      return skip(line, "line " + std::to_string(line.line) + ": the RUN: line " +
                            stages.error().message + "; it is not run");
    namesFolder_ = namesFolder_ || words.namesFolder;
    std::move(stages->begin(), stages->end(), std::back_inserter(out_.stages));
  }

  void skip(const RunLine& line, std::string message) {
    lost_ = lost_ || line.text.find("%t") != std::string::npos;
    out_.skipped.push_back({run_, std::move(message)});
  }

  Result<std::vector<Stage>> stagesOf(const RunLine& line, WordContext& words) const {
    std::vector<Stage> out;
    for (std::size_t p = 0; p < line.pipelines.size(); ++p) {
      const Pipeline& pipeline = line.pipelines[p];
      for (std::size_t c = 0; c < pipeline.size(); ++c) {
        FXS_TRY(Stage stage, stageOf(pipeline[c], words));
        stage.run = run_;
        stage.pipeline = p;
        stage.endsPipeline = c + 1 == pipeline.size();
        if (c > 0 && stage.input == Stage::Input::None) stage.input = Stage::Input::Previous;
        explain(stage);
        out.push_back(std::move(stage));
      }
    }
    return out;
  }

  Result<Stage> stageOf(const ShellCommand& command, WordContext& words) const {
    Stage out;
    out.expect = command.expect;
    FXS_TRY(const std::string name, substituted(command.argv.front(), words));
    const auto program = settings_.programs.find(name);
    if (program == settings_.programs.end()) return unknownProgram(name);
    out.kind = programKind(name);
    out.argv.push_back(program->second);
    for (std::size_t i = 1; i < command.argv.size(); ++i) {
      FXS_TRY(std::string word, substituted(command.argv[i], words));
      if (loadsCode(word))
        return fail(ErrorCode::Unsupported, "loads code into a program: " + printableName(word));
      out.argv.push_back(std::move(word));
    }
    for (const std::string& variable : command.environment) {
      FXS_TRY(std::string value, substituted(variable, words));
      if (changesLoader(value))
        return fail(ErrorCode::Unsupported,
                    "sets " + printableName(value) + ", which could run other code");
      out.environment.push_back(std::move(value));
    }
    FXS_CHECK(streams(command, out, words));
    return out;
  }

  tl::unexpected<Error> unknownProgram(const std::string& name) const {
    const auto missing = settings_.missing.find(name);
    return fail(ErrorCode::Unsupported, "runs " + printableName(name) +
                                            (missing == settings_.missing.end()
                                                 ? ", which is none of the programs in the settings"
                                                 : ", which was not found: " + missing->second));
  }

  Result<> streams(const ShellCommand& command, Stage& out, WordContext& words) const {
    FXS_TRY(out.out, sinkOf(command.out, words));
    FXS_TRY(out.err, sinkOf(command.err, words));
    if (!command.stdinFile) return {};
    FXS_TRY(out.inputFile, substituted(*command.stdinFile, words));
    if (out.inputFile != kNull && !staysInFolder(out.inputFile))
      return fail(ErrorCode::Unsupported, "reads " + printableName(out.inputFile) +
                                              " from outside of its temporary folder");
    out.input = Stage::Input::File;
    return {};
  }
  static Result<Sink> sinkOf(const Sink& sink, WordContext& words) {
    if (sink.kind == Sink::Kind::Output || sink.kind == Sink::Kind::Errors) return sink;
    const bool namesTemporary = words.namesTemporary;
    FXS_TRY(std::string file, substituted(sink.file, words));
    // What was in a file that is written anew does not matter.
    if (sink.kind == Sink::Kind::File) words.namesTemporary = namesTemporary;
    if (file != kNull && !staysInFolder(file))
      return fail(ErrorCode::Unsupported,
                  "writes " + printableName(file) + " outside of its temporary folder");
    return Sink{sink.kind, std::move(file)};
  }

  void explain(Stage& stage) const {
    const bool isShown = stage.endsPipeline && stage.err.kind == Sink::Kind::Errors;
    if (settings_.explainsMatches && stage.kind == ProgramKind::FileCheck && isShown)
      stage.argv.insert(stage.argv.end(), kExplainOptions.begin(), kExplainOptions.end());
  }

  const Test& test_;
  const Settings& settings_;
  Plan out_;
  std::size_t run_ = 0;
  bool namesFolder_ = false;
  bool lost_ = false;  ///< a line that is not run may have written to `%t`
};

}  // namespace

Plan plan(const Test& test, const Settings& settings) { return Planner(test, settings).make(); }

Plan withRuns(Plan plan, const std::vector<std::size_t>& runs) {
  std::erase_if(plan.stages, [&](const Stage& stage) {
    return !std::binary_search(runs.begin(), runs.end(), stage.run);
  });
  return plan;
}

}  // namespace fxs::lit
