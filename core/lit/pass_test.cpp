// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/pass_test.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/joined.h"
#include "base/safe_text.h"
#include "lit/matches.h"
#include "lit/parts.h"
#include "lit/run.h"
#include "lit/test.h"
#include "lit/tools.h"
#include "lit/write_test.h"

namespace fxs::lit {
namespace {

/// The first line of what a program says.
std::string firstLine(std::string_view text) {
  return printable(text.substr(0, std::min(text.find('\n'), text.size())));
}

/// What a stage that is not as expected says: FileCheck, of the first directive that failed.
std::string saidBy(const Stage& stage, const StageRun& run) {
  if (stage.kind == ProgramKind::FileCheck)
    for (const Match& match : readFileCheck(run.err).all)
      if (match.outcome == Match::Outcome::Failed)
        return "line " + std::to_string(match.check.line) + ": " + match.directive + ": " +
               match.message;
  return run.err.empty() ? run.message : run.message + ": " + firstLine(run.err);
}

/// `torch-mlir-opt --pass-pipeline=..`, as words.
std::vector<std::string> commandOf(const std::string& program, const std::string& pipeline) {
  std::vector<std::string> out{program};
  if (!pipeline.empty()) out.push_back("--pass-pipeline=" + pipeline);
  return out;
}

struct Ran {
  Plan plan;
  TestRun run;
};
Result<Ran> ranTest(const std::string& text, const Settings& settings, CommandRunner& runner,
                    const RunContext& context) {
  Ran out;
  out.plan = plan(parseTest(text), settings);
  if (!out.plan.skipped.empty())
    return fail(ErrorCode::EngineFailed,
                "the test cannot be verified: " + out.plan.skipped.front().message);
  FXS_TRY(out.run, run(out.plan, text, runner, context));
  return out;
}

class PassTestWriter {
 public:
  PassTestWriter(const PassTest& test, const Settings& settings, CommandRunner& runner,
                 const RunContext& context)
      : test_(test), settings_(settings), runner_(runner), context_(context) {}

  Result<std::string> write() {
    const std::vector<std::string> without = commandOf(test_.program, {});
    const std::vector<std::string> with = commandOf(test_.program, test_.pipeline);
    FXS_TRY(const std::string input, printed(test_.module, without));
    FXS_TRY(const std::string output, printed(input, with));
    FXS_TRY(std::string text, writeTest({input, with, output}));
    FXS_TRY(const std::string message, failureOf(text));
    if (!message.empty())
      return fail(ErrorCode::Unsupported,
                  "the test does not pass, so it is not written: " + message);
    FXS_TRY(const std::string unchanged, writeTest({input, without, output}));
    FXS_TRY(const std::string difference, failureOf(unchanged));
    if (difference.empty())
      return fail(ErrorCode::Usage, "the test passes without '" + test_.pipeline +
                                        "' too, since CHECK lines name only what it leaves; it is "
                                        "not written");
    return text;
  }

 private:
  Result<Ran> ran(const std::string& text) const {
    return ranTest(text, settings_, runner_, context_);
  }

  /// What the command prints for a module.
  Result<std::string> printed(std::string_view module, const std::vector<std::string>& argv) const {
    FXS_TRY(const std::string text, writeTest({module, argv, {}}));
    FXS_TRY(Ran ran, this->ran(text));
    StageRun& only = ran.run.stages.front();
    if (!only.isAsExpected)
      return fail(ErrorCode::InvalidInput, "the test cannot be made: " + argv.front() + " " +
                                               saidBy(ran.plan.stages.front(), only));
    return std::move(only.out);
  }

  /// "" if the test passes.
  Result<std::string> failureOf(const std::string& text) const {
    FXS_TRY(const Ran ran, this->ran(text));
    for (std::size_t i = ran.run.stages.size(); i-- > 0;)
      if (!ran.run.stages[i].isAsExpected) return saidBy(ran.plan.stages[i], ran.run.stages[i]);
    return std::string();
  }

  const PassTest& test_;
  const Settings& settings_;
  CommandRunner& runner_;
  const RunContext& context_;
};

}  // namespace

Result<std::vector<std::string>> outputsOf(const std::string& program, const std::string& pipeline,
                                           const std::vector<std::string>& modules,
                                           const Settings& settings, CommandRunner& runner,
                                           const RunContext& context) {
  std::vector<std::string> out;
  if (modules.empty()) return out;
  std::vector<std::string> argv = commandOf(program, pipeline);
  if (modules.size() > 1) argv.emplace_back("--split-input-file");
  const std::string separator = "\n" + std::string(kSplitMarker) + "\n";
  FXS_TRY(const std::string text, writeTest({joined(modules, separator), argv, {}}));
  FXS_TRY(const Ran ran, ranTest(text, settings, runner, context));
  const StageRun& only = ran.run.stages.front();
  if (modules.size() == 1) return std::vector<std::string>{only.isAsExpected ? only.out : ""};
  const std::vector<Part> parts = partsOf(only.out);
  if (parts.size() == modules.size()) {
    for (const Part& part : parts) out.emplace_back(part.text.of(only.out));
    return out;
  }
  // A crash ends all of them.
  for (const std::string& each : modules) {
    FXS_TRY(std::vector<std::string> one,
            outputsOf(program, pipeline, {each}, settings, runner, context));
    out.push_back(std::move(one.front()));
  }
  return out;
}

Result<std::string> writePassTest(const PassTest& test, const Settings& settings,
                                  CommandRunner& runner, const RunContext& context) {
  return PassTestWriter(test, settings, runner, context).write();
}

}  // namespace fxs::lit
