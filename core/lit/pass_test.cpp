// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/pass_test.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/safe_text.h"
#include "lit/matches.h"
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

class PassTestWriter {
 public:
  PassTestWriter(const PassTest& test, const Settings& settings, CommandRunner& runner,
                 const RunContext& context)
      : test_(test), settings_(settings), runner_(runner), context_(context) {}

  Result<std::string> write() {
    const std::vector<std::string> without{test_.program};
    const std::vector<std::string> with{test_.program, "--pass-pipeline=" + test_.pipeline};
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
  struct Ran {
    Plan plan;
    TestRun run;
  };
  Result<Ran> ran(const std::string& text) const {
    Ran out;
    out.plan = plan(parseTest(text), settings_);
    if (!out.plan.skipped.empty())
      return fail(ErrorCode::EngineFailed,
                  "the test cannot be verified: " + out.plan.skipped.front().message);
    FXS_TRY(out.run, lit::run(out.plan, text, runner_, context_));
    return out;
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

Result<std::string> writePassTest(const PassTest& test, const Settings& settings,
                                  CommandRunner& runner, const RunContext& context) {
  return PassTestWriter(test, settings, runner, context).write();
}

}  // namespace fxs::lit
