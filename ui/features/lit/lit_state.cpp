// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/lit/lit_state.h"

#include <algorithm>
#include <string_view>

#include "lit/checks.h"
#include "lit/expectations.h"
#include "lit/lines.h"
#include "lit/matches.h"
#include "lit/tools.h"
#include "lit/verify_errors.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

/// Of what a program wrote, in a message.
constexpr std::size_t kMessageBytes = 4000;

std::string_view baseNameOf(std::string_view program) {
  return program.substr(program.rfind('/') + 1);
}

QString quotedAt(const lit::CheckPosition& at, const QString& note, std::string_view line) {
  QString out = QString("%1:%2:%3: %4").arg(text(at.file)).arg(at.line).arg(at.column).arg(note);
  if (!line.empty()) out += "\n    " + text(line);
  return out;
}

/// As FileCheck prints it.
QString failureText(const lit::Match& match) {
  QStringList out{quotedAt(match.check,
                           "error: " + text(match.directive) + ": " + text(match.message),
                           match.checkLine)};
  if (match.input)
    out << quotedAt(*match.input, "note: " + text(match.inputMessage), match.inputLine);
  for (const lit::CheckNote& note : match.notes)
    out << quotedAt(note.at, "note: " + text(note.message), note.line);
  return out.join('\n');
}

class ResultMaker {
 public:
  ResultMaker(const LoadedTest& loaded, std::size_t run, const RanTest* ran)
      : loaded_(loaded),
        plan_(ran != nullptr ? ran->plan : loaded.plan),
        ran_(ran != nullptr ? &ran->run : nullptr) {
    for (std::size_t i = 0; i < plan_.stages.size(); ++i)
      if (plan_.stages[i].run == run) stages_.push_back(i);
  }

  LitResult make() {
    for (const std::size_t stage : stages_) {
      if (plan_.stages[stage].kind == lit::ProgramKind::FileCheck) addChecks(stage);
      else if (lit::verifiesDiagnostics(plan_.stages[stage].argv)) addExpectations(stage);
    }
    if (ran_ != nullptr && !stages_.empty()) show(shownStage());
    std::stable_sort(out_.checks.begin(), out_.checks.end(),
                     [](const CheckRow& a, const CheckRow& b) { return a.line < b.line; });
    return std::move(out_);
  }

 private:
  const lit::StageRun* runOf(std::size_t stage) const {
    return ran_ != nullptr && ran_->stages[stage].ran ? &ran_->stages[stage] : nullptr;
  }
  bool failed(std::size_t stage) const {
    return runOf(stage) != nullptr && !ran_->stages[stage].isAsExpected;
  }

  /// The first that failed, else the last FileCheck, else the last.
  std::size_t shownStage() const {
    for (const std::size_t stage : stages_)
      if (failed(stage)) return stage;
    for (auto at = stages_.rbegin(); at != stages_.rend(); ++at)
      if (plan_.stages[*at].kind == lit::ProgramKind::FileCheck && runOf(*at)) return *at;
    return stages_.back();
  }

  void show(std::size_t stage) {
    const lit::StageRun* run = runOf(stage);
    const QString program = text(baseNameOf(plan_.stages[stage].argv.front()));
    if (run == nullptr) {
      out_.message = program + " did not run: " + text(ran_->stages[stage].message);
      return;
    }
    if (failed(stage)) out_.message = failureOf(stage, program);
    if (plan_.stages[stage].kind == lit::ProgramKind::FileCheck) return showInput(stage);
    const bool showsErrors = run->out.empty() || (failed(stage) && !run->err.empty());
    setOutput(showsErrors ? run->err : run->out,
              (showsErrors ? "errors of " : "output of ") + program);
    if (showsErrors) placeErrors();
  }

  void setOutput(const std::string& output, const QString& title) {
    out_.output = CodeText::of(output);
    out_.title = title;
  }

  /// What a FileCheck reads.
  void showInput(std::size_t stage) {
    const auto from = inputStage(stage);
    if (!from) return;
    setOutput(ran_->stages[*from].out,
              "output of " + text(baseNameOf(plan_.stages[*from].argv.front())));
    placeMatches(stage);
  }

  /// The stage whose output it reads; std::nullopt if a program wrote it to a file by itself.
  std::optional<std::size_t> inputStage(std::size_t stage) const {
    const lit::Stage& check = plan_.stages[stage];
    std::string file = check.inputFile;
    if (check.input != lit::Stage::Input::File) file = lit::fileCheckOptions(check.argv).inputFile;
    if (file.empty()) return stage > 0 ? std::optional(stage - 1) : std::nullopt;
    for (std::size_t i = stage; i-- > 0;)
      if (plan_.stages[i].out.file == file) return i;
    return std::nullopt;
  }

  QString failureOf(std::size_t stage, const QString& program) const {
    const lit::StageRun& run = *runOf(stage);
    QStringList out{program + ": " + text(run.message)};
    const bool isCheck = plan_.stages[stage].kind == lit::ProgramKind::FileCheck;
    const lit::Matches matches = isCheck ? lit::readFileCheck(run.err) : lit::Matches{};
    for (const std::string& message : matches.messages) out << text(message);
    for (const lit::Match& match : matches.all)
      if (match.outcome == lit::Match::Outcome::Failed) out << failureText(match);
    if (out.size() == 1 && !run.err.empty())
      out << lines(std::string_view(run.err).substr(0, kMessageBytes));
    return out.join('\n');
  }

  QString at(TextRange range) const { return text(range.of(loaded_.text)); }

  void addChecks(std::size_t stage) {
    const auto options = lit::fileCheckOptions(plan_.stages[stage].argv);
    if (options.checkFile != plan_.testFile) return;
    const std::size_t first = out_.checks.size();
    for (const lit::Check& check : lit::checksOf(loaded_.text, options.prefixes))
      out_.checks.push_back({check.line, at(check.directive), at(check.pattern)});
    const lit::StageRun* run = runOf(stage);
    if (run == nullptr) return;
    for (const lit::Match& match : lit::readFileCheck(run->err).all)
      if (match.check.file == plan_.testFile) takeMatch(match, first);
  }

  void takeMatch(const lit::Match& match, std::size_t first) {
    const auto row =
        std::find_if(out_.checks.begin() + static_cast<std::ptrdiff_t>(first), out_.checks.end(),
                     [&](const CheckRow& each) { return each.line == match.check.line; });
    if (row == out_.checks.end()) return;
    switch (match.outcome) {
      case lit::Match::Outcome::Found:
        if (row->outcome == CheckRow::Outcome::Waiting) row->outcome = CheckRow::Outcome::Found;
        return;
      case lit::Match::Outcome::Excluded: row->outcome = CheckRow::Outcome::Absent; return;
      case lit::Match::Outcome::Failed:
        row->outcome = CheckRow::Outcome::Failed;
        row->message = failureText(match);
        return;
    }
  }

  /// Of the matches of the FileCheck whose input is shown.
  void placeMatches(std::size_t stage) {
    const auto blanks = lit::fileCheckOptions(plan_.stages[stage].argv).strictWhitespace
                            ? lit::Blanks::Strict
                            : lit::Blanks::Joined;
    for (const lit::Match& match : lit::readFileCheck(runOf(stage)->err).all) {
      const lit::CheckPosition* input = match.input ? &*match.input : nullptr;
      // Of a failed one: what it may have been meant for, after where the search began.
      if (match.outcome == lit::Match::Outcome::Failed && !match.notes.empty())
        input = &match.notes.back().at;
      if (input == nullptr || match.check.file != plan_.testFile ||
          match.outcome == lit::Match::Outcome::Excluded)
        continue;
      for (CheckRow& row : out_.checks)
        if (row.line == match.check.line && !row.output) row.output = rangeOf(*input, blanks);
    }
  }

  std::optional<FindMatch> rangeOf(const lit::CheckPosition& at, lit::Blanks blanks) const {
    if (at.line == 0 || at.line > out_.output->lineCount()) return std::nullopt;
    const TextRange range = lit::rangeIn(out_.output->line(at.line - 1), at, blanks);
    return FindMatch{at.line - 1, static_cast<std::uint32_t>(range.begin),
                     static_cast<std::uint32_t>(range.end)};
  }

  void addExpectations(std::size_t stage) {
    const lit::StageRun* run = runOf(stage);
    const auto said =
        run != nullptr ? lit::verifyErrorsOf(run->err) : std::vector<lit::VerifyError>{};
    for (const lit::Expectation& each : lit::expectationsOf(loaded_.text)) {
      CheckRow& row = out_.checks.emplace_back();
      row.line = each.line;
      row.directive = "expected-" + text(lit::name(each.severity));
      row.pattern = at(each.text);
      // A tool that crashed compared nothing.
      if (run != nullptr && run->reason == ExitReason::Exited)
        row.outcome = CheckRow::Outcome::Found;
      for (const lit::VerifyError& error : said)
        if (error.kind == lit::VerifyError::Kind::Missing && error.line == each.line)
          fail(row, error);
    }
    for (const lit::VerifyError& error : said) {
      if (error.kind != lit::VerifyError::Kind::Unexpected) continue;
      CheckRow& row = out_.checks.emplace_back();
      row.line = error.line;
      row.directive = "unexpected";
      row.pattern = text(error.message);
      fail(row, error);
    }
  }
  static void fail(CheckRow& row, const lit::VerifyError& error) {
    row.outcome = CheckRow::Outcome::Failed;
    row.message = text(error.message);
  }

  /// Where the errors shown speak of a row.
  void placeErrors() {
    for (CheckRow& row : out_.checks) {
      if (row.message.isEmpty() || row.output) continue;
      const std::string message = row.message.toStdString();
      for (std::uint32_t line = 0; line < out_.output->lineCount() && !row.output; ++line) {
        const std::string_view shown = out_.output->line(line);
        const std::size_t at = shown.find(message);
        const bool isAtLine =
            shown.find(":" + std::to_string(row.line) + ":") != std::string_view::npos;
        if (at != std::string_view::npos && isAtLine)
          row.output = FindMatch{line, static_cast<std::uint32_t>(at),
                                 static_cast<std::uint32_t>(at + message.size())};
      }
    }
  }

  const LoadedTest& loaded_;
  const lit::Plan& plan_;
  const lit::TestRun* ran_;
  std::vector<std::size_t> stages_;  ///< of the RUN line
  LitResult out_;
};

/// "mlir-opt, FileCheck" of a line that is not run.
QString programsOf(const lit::RunLine& line) {
  std::vector<std::string> out;
  for (const lit::Pipeline& pipeline : line.pipelines)
    for (const lit::ShellCommand& command : pipeline) out.push_back(command.argv.front());
  return listed(out);
}

/// Without what the row says by itself: "line 3: the RUN: line ..; it is not run".
QString skipReason(std::string_view message, std::uint32_t line) {
  constexpr std::string_view kRunLine = "the RUN: line ", kNotRun = "; it is not run";
  const std::string number = "line " + std::to_string(line) + ": ";
  if (message.starts_with(number)) message.remove_prefix(number.size());
  if (message.starts_with(kRunLine)) message.remove_prefix(kRunLine.size());
  if (message.ends_with(kNotRun)) message.remove_suffix(kNotRun.size());
  return text(message);
}

}  // namespace

QString iconOf(LitMark mark) {
  switch (mark) {
    case LitMark::Waiting:
    case LitMark::NotRun: return "skipped";
    case LitMark::Running: return "running";
    case LitMark::Passed: return "done";
    case LitMark::Failed: return "error";
  }
  return {};
}

QString statusText(LitMark mark) {
  switch (mark) {
    case LitMark::Waiting: return {};
    case LitMark::Running: return "running";
    case LitMark::Passed: return "passed";
    case LitMark::Failed: return "FAILED";
    case LitMark::NotRun: return "not run";
  }
  return {};
}

std::vector<LitRow> litRows(const LoadedTest& loaded) {
  std::vector<LitRow> out;
  for (const lit::RunLine& run : loaded.test.runs)
    out.push_back({run.line, text(run.text), programsOf(run), LitMark::Waiting, {}});
  std::vector<QStringList> programs(out.size());
  for (const lit::Stage& stage : loaded.plan.stages)
    programs[stage.run] << text(baseNameOf(stage.argv.front()));
  for (std::size_t i = 0; i < out.size(); ++i)
    if (!programs[i].isEmpty()) out[i].programs = programs[i].join(", ");
  for (const lit::SkippedRun& skipped : loaded.plan.skipped) {
    out[skipped.run].mark = LitMark::NotRun;
    out[skipped.run].message = skipReason(skipped.message, out[skipped.run].line);
  }
  return out;
}

LitResult litResult(const LoadedTest& loaded, std::size_t run, const RanTest* ran) {
  return ResultMaker(loaded, run, ran).make();
}

void takeOutcome(LitRow& row, std::size_t run, const RanTest& ran) {
  const auto passed = lit::passed(ran.plan, ran.run, run);
  if (!passed) return;
  row.mark = *passed ? LitMark::Passed : LitMark::Failed;
  row.message.clear();
  for (std::size_t i = 0; i < ran.plan.stages.size() && row.message.isEmpty(); ++i) {
    const lit::Stage& stage = ran.plan.stages[i];
    if (stage.run == run && !ran.run.stages[i].isAsExpected)
      row.message = text(baseNameOf(stage.argv.front())) + ": " + text(ran.run.stages[i].message);
  }
}

}  // namespace fxs::ui
