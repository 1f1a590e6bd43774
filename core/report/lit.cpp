// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/lit.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/json.h"
#include "lit/lines.h"
#include "lit/matches.h"
#include "lit/tools.h"
#include "report/line.h"

namespace fxs::report {
namespace {

/// Of the output of a failed program in the text; JSON has all.
constexpr std::size_t kShownErrorLines = 20;
constexpr std::size_t kShownLineBytes = 400;
constexpr std::size_t kShownRunBytes = 2000;

std::vector<std::string_view> textLines(std::string_view text) {
  std::vector<std::string_view> out;
  lit::forEachLine(text, [&](const lit::Line& line) {
    out.push_back(line.range.of(text));
    return true;
  });
  return out;
}

/// What FileCheck says of a stage that is one; std::nullopt if it is not, or did not run.
std::optional<lit::Matches> checksIn(const LitTest& test, std::size_t stage) {
  if (test.plan.stages[stage].kind != lit::ProgramKind::FileCheck || !test.run.stages[stage].ran)
    return std::nullopt;
  return lit::readFileCheck(test.run.stages[stage].err);
}

bool isShown(const lit::Match& match, const lit::StageRun& run, ShownChecks shown) {
  if (shown == ShownChecks::All) return true;
  return !run.isAsExpected && match.outcome == lit::Match::Outcome::Failed;
}

/// "passed", "failed" or "not run".
std::string_view runOutcome(const LitTest& test, std::size_t run) {
  const auto passed = lit::passed(test.plan, test.run, run);
  if (!passed) return "not run";
  return *passed ? "passed" : "failed";
}

/// Why a RUN line was not run, without its number.
std::string skipMessage(const LitTest& test, std::size_t run) {
  const std::string number = "line " + std::to_string(test.test.runs[run].line) + ": ";
  for (const lit::SkippedRun& skipped : test.plan.skipped) {
    if (skipped.run != run) continue;
    const std::size_t begin = skipped.message.starts_with(number) ? number.size() : 0;
    return test.paths.in(skipped.message.substr(begin));
  }
  return {};
}

/// A line at which FileCheck points, after its number, so that it cannot look like one of ours.
std::string sourceLine(const lit::CheckPosition& at, std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  return line("      {:>5} | {}\n", at.line, text.substr(begin).substr(0, kShownLineBytes));
}

std::string failedMatchText(const lit::Match& match) {
  std::string out = line("      {}:{}:{}: error: {}: {}\n", match.check.file, match.check.line,
                         match.check.column, match.directive, match.message) +
                    sourceLine(match.check, match.checkLine);
  if (match.input)
    out += line("      {}:{}:{}: note: {}\n", match.input->file, match.input->line,
                match.input->column, match.inputMessage) +
           sourceLine(*match.input, match.inputLine);
  for (const lit::CheckNote& note : match.notes)
    out += line("      {}:{}:{}: note: {}\n", note.at.file, note.at.line, note.at.column,
                note.message) +
           sourceLine(note.at, note.line);
  return out;
}

/// The CHECK line, and the line of the input that it matched.
std::string matchText(const lit::Match& match) {
  std::string_view check = match.checkLine;
  check.remove_prefix(std::min(check.find(match.directive), check.size()));
  std::string out =
      line("      {:>5}  {}\n", match.check.line, check.empty() ? match.directive : check);
  if (match.outcome == lit::Match::Outcome::Excluded)
    return out + "             not found, as it should be\n";
  if (match.input)
    out += line("         -> {:>5} {}\n", match.input->line,
                std::string_view(match.inputLine).substr(0, kShownLineBytes));
  return out;
}

std::string checksText(const LitTest& test, std::size_t stage, const lit::Matches& matches,
                       ShownChecks shown) {
  const lit::StageRun& run = test.run.stages[stage];
  std::string out;
  for (const lit::Match& match : matches.all) {
    if (!isShown(match, run, shown)) continue;
    out += match.outcome == lit::Match::Outcome::Failed ? failedMatchText(match) : matchText(match);
  }
  if (!run.isAsExpected)
    for (const std::string& message : matches.messages) out += line("      stderr: {}\n", message);
  return out;
}

std::string errorsText(std::string_view errors) {
  const std::vector<std::string_view> lines = textLines(errors);
  std::string out;
  for (std::size_t i = 0; i < std::min(lines.size(), kShownErrorLines); ++i)
    out += line("      stderr: {}\n", lines[i].substr(0, kShownLineBytes));
  if (lines.size() > kShownErrorLines)
    out += line("      .. {} more lines (--json)\n", lines.size() - kShownErrorLines);
  return out;
}

std::string stageText(const LitTest& test, std::size_t stage, ShownChecks shown) {
  const lit::StageRun& run = test.run.stages[stage];
  const auto matches = checksIn(test, stage);
  std::string out;
  if (!run.isAsExpected)
    out +=
        line("    {}: {}\n", run.argv.front().substr(run.argv.front().rfind('/') + 1), run.message);
  if (matches) {
    const std::string checks = checksText(test, stage, *matches, shown);
    if (!checks.empty() && run.isAsExpected) out += "    checked line -> line of the input\n";
    out += checks;
    if (!checks.empty()) return out;
  }
  return run.isAsExpected ? out : out + errorsText(test.paths.in(run.err));
}

std::vector<std::string> argvOf(const LitTest& test, const lit::StageRun& run) {
  std::vector<std::string> out{test.paths.of(run.argv.front())};
  for (std::size_t i = 1; i < run.argv.size(); ++i) out.push_back(test.paths.in(run.argv[i]));
  return out;
}

class LitJson {
 public:
  explicit LitJson(ShownChecks shown) : shown_(shown) {}

  std::string write(const std::vector<LitTest>& tests) {
    json_.beginObject().member("schema", "fxscope-lit/1").key("tests").beginArray();
    for (const LitTest& each : tests) test(each);
    json_.endArray().endObject();
    return json_.take();
  }

 private:
  void test(const LitTest& test) {
    json_.beginObject().member("file", test.file);
    json_.member("outcome", lit::name(lit::outcomeOf(test.test, test.plan, test.run)));
    json_.member("messages", test.test.messages).key("conditions").beginArray();
    for (const lit::Condition& each : test.test.conditions)
      json_.beginObject()
          .member("kind", lit::name(each.kind))
          .member("line", each.line)
          .member("text", each.text)
          .memberOrNull("holds", lit::holds(each))
          .endObject();
    json_.endArray().key("runs").beginArray();
    for (std::size_t i = 0; i < test.test.runs.size(); ++i) run(test, i);
    json_.endArray().endObject();
  }

  void run(const LitTest& test, std::size_t index) {
    const lit::RunLine& line = test.test.runs[index];
    json_.beginObject()
        .member("line", line.line)
        .member("last_line", line.lastLine)
        .member("text", line.text)
        .member("outcome", runOutcome(test, index))
        .textOrNull("message", skipMessage(test, index));
    json_.key("commands").beginArray();
    for (std::size_t i = 0; i < test.plan.stages.size(); ++i)
      if (test.plan.stages[i].run == index) command(test, i);
    json_.endArray().endObject();
  }

  void command(const LitTest& test, std::size_t stage) {
    const lit::StageRun& run = test.run.stages[stage];
    const bool exited = run.ran && run.reason == ExitReason::Exited;
    json_.beginObject()
        .member("argv", argvOf(test, run))
        .member("ran", run.ran)
        .member("as_expected", run.isAsExpected)
        .memberOrNull("exit_code", exited ? std::optional(run.status) : std::nullopt)
        .textOrNull("message", run.message);
    const auto matches = checksIn(test, stage);
    const bool showsErrors = !run.isAsExpected && !matches;
    json_.textOrNull("stderr", showsErrors ? test.paths.in(run.err) : "");
    json_.key("checks");
    if (matches) checks(test, stage, *matches);
    else json_.null();
    json_.endObject();
  }

  void checks(const LitTest& test, std::size_t stage, const lit::Matches& matches) {
    json_.beginObject().member("messages", matches.messages).key("matches").beginArray();
    for (const lit::Match& each : matches.all)
      if (isShown(each, test.run.stages[stage], shown_)) match(each);
    json_.endArray().endObject();
  }

  void match(const lit::Match& match) {
    constexpr std::array<std::string_view, 3> kOutcomes{"found", "excluded", "failed"};
    json_.beginObject()
        .member("outcome", kOutcomes.at(static_cast<std::size_t>(match.outcome)))
        .member("directive", match.directive)
        .member("message", match.message);
    json_.key("check");
    position(match.check, match.checkLine);
    json_.endObject().key("input");
    if (match.input) {
      position(*match.input, match.inputLine);
      json_.endObject();
    } else {
      json_.null();
    }
    json_.key("notes").beginArray();
    for (const lit::CheckNote& note : match.notes) {
      position(note.at, note.line);
      json_.member("message", note.message).endObject();
    }
    json_.endArray().endObject();
  }
  /// Leaves the object open.
  void position(const lit::CheckPosition& at, std::string_view text) {
    json_.beginObject()
        .member("file", at.file)
        .member("line", at.line)
        .member("column", at.column)
        .textOrNull("text", text);
  }

  JsonWriter json_;
  ShownChecks shown_;
};

}  // namespace

std::string litText(const LitTest& test, ShownChecks shown) {
  const auto outcome = lit::outcomeOf(test.test, test.plan, test.run);
  std::string out = line("{}: {}\n", test.file, lit::name(outcome));
  if (test.test.runs.empty()) out += "  has no RUN line\n";
  for (const lit::Condition& each : test.test.conditions)
    out += line("  line {}: {}: {}{}\n", each.line, lit::name(each.kind), each.text,
                lit::holds(each) ? "" : " (not decided here)");
  for (const std::string& message : test.test.messages) out += line("  {}\n", message);
  for (std::size_t i = 0; i < test.test.runs.size(); ++i) {
    const lit::RunLine& run = test.test.runs[i];
    const bool isCut = run.text.size() > kShownRunBytes;
    out += line("  line {}: {}: {}{}\n", run.line, runOutcome(test, i),
                std::string_view(run.text).substr(0, kShownRunBytes), isCut ? " .." : "");
    if (const std::string message = skipMessage(test, i); !message.empty())
      out += line("    {}\n", message);
    for (std::size_t s = 0; s < test.plan.stages.size(); ++s)
      if (test.plan.stages[s].run == i) out += stageText(test, s, shown);
  }
  return out;
}

std::string litSummary(const std::vector<LitTest>& tests) {
  std::size_t failedTests = 0, idleTests = 0, lines = 0, passed = 0, failed = 0;
  for (const LitTest& test : tests) {
    const auto outcome = lit::outcomeOf(test.test, test.plan, test.run);
    failedTests += lit::isFailure(outcome) ? 1 : 0;
    idleTests += outcome == lit::TestOutcome::NotRun ? 1 : 0;
    lines += test.test.runs.size();
    for (std::size_t i = 0; i < test.test.runs.size(); ++i) {
      const auto ended = lit::passed(test.plan, test.run, i);
      passed += ended == true ? 1 : 0;
      failed += ended == false ? 1 : 0;
    }
  }
  return line(
      "tests: {} passed, {} failed, {} not run; RUN lines: {} passed, {} failed, {} not "
      "run\n",
      tests.size() - failedTests - idleTests, failedTests, idleTests, passed, failed,
      lines - passed - failed);
}

std::string litJson(const std::vector<LitTest>& tests, ShownChecks shown) {
  return LitJson(shown).write(tests);
}

}  // namespace fxs::report
