// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sweep as JUnit's XML, as CI systems read it: test suites, cases, and of these failures (the
// program does not lower), errors (it could not be tried) and skipped ones.
#include <fmt/format.h>

#include <set>
#include <utility>

#include "base/safe_text.h"
#include "report/sweep.h"

namespace fxs::report {
namespace {

using sweep::Status;

enum class Verdict { Passed, Failed, Error, Skipped };

class SweepInJunit {
 public:
  explicit SweepInJunit(const SweepReport& report) : report_(report) {
    if (!report.summary.drift) return;
    isCompared_ = true;
    for (const sweep::Changed& each : report.summary.drift->lost)
      lost_.emplace(each.type, each.program);
  }

  std::string text() {
    std::string suites;
    for (const sweep::TypeTotals& each : report_.summary.types) suites += suite(each.type);
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"fxscope sweep\"{}>\n{}"
        "</testsuites>\n",
        countsText(total_), suites);
  }

 private:
  struct Counts {
    std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
    double seconds = 0;
    void add(const Counts& more) {
      tests += more.tests;
      failures += more.failures;
      errors += more.errors;
      skipped += more.skipped;
      seconds += more.seconds;
    }
  };

  std::string countsText(const Counts& counts) const {
    return fmt::format(" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"{}", counts.tests,
                       counts.failures, counts.errors, counts.skipped, timeText(counts.seconds));
  }
  /// The same lines give the same bytes unless times are asked for.
  std::string timeText(double seconds) const {
    return report_.timings ? fmt::format(" time=\"{:.3f}\"", seconds) : std::string();
  }

  std::string suite(const std::string& type) {
    Counts counts;
    std::string cases;
    for (const auto& [program, lines] : report_.summary.merged.programs)
      if (const auto line = lines.find(type); line != lines.end())
        cases += testCase(program, line->second, counts);
    if (isCompared_)
      for (const sweep::Changed& each : report_.summary.drift->lost)
        if (each.type == type && report_.summary.merged.find(each.program, type) == nullptr)
          cases += missing(each, counts);
    total_.add(counts);
    return fmt::format("  <testsuite name=\"{}\"{}>\n{}  </testsuite>\n", richText(type),
                       countsText(counts), cases);
  }

  Verdict verdictOf(const sweep::Line& line) const {
    if (line.status == Status::Ok) return Verdict::Passed;
    if (line.status == Status::Timeout || line.status == Status::Abandoned) return Verdict::Error;
    if (isCompared_ && !lost_.contains({line.to, line.program})) return Verdict::Skipped;
    return line.status == Status::Unreadable || line.status == Status::Crashed ? Verdict::Error
                                                                               : Verdict::Failed;
  }

  std::string testCase(const std::string& program, const sweep::Line& line, Counts& counts) const {
    const double seconds = line.seconds.lower;
    const std::string head = fmt::format("    <testcase classname=\"{}\" name=\"{}\"{}",
                                         richText(line.to), richText(program), timeText(seconds));
    ++counts.tests;
    counts.seconds += seconds;
    const std::string reason = richText(reasonOf(line));
    const std::string type(sweep::name(line.status));
    switch (verdictOf(line)) {
      case Verdict::Passed: return head + "/>\n";
      case Verdict::Skipped:
        ++counts.skipped;
        return fmt::format("{}>\n      <skipped message=\"{}, as before: {}\"/>\n    </testcase>\n",
                           head, type, reason);
      case Verdict::Failed: ++counts.failures; return ended(head, "failure", type, reason);
      case Verdict::Error: ++counts.errors; return ended(head, "error", type, reason);
    }
    return {};
  }

  std::string missing(const sweep::Changed& each, Counts& counts) const {
    ++counts.tests;
    ++counts.failures;
    return ended(fmt::format("    <testcase classname=\"{}\" name=\"{}\"{}", richText(each.type),
                             richText(each.program), timeText(0)),
                 "failure", "missing", "the program was swept before, and is not any more");
  }

  static std::string ended(const std::string& head, std::string_view kind, std::string_view type,
                           std::string_view reason) {
    return fmt::format("{}>\n      <{} type=\"{}\" message=\"{}\"/>\n    </testcase>\n", head, kind,
                       type, reason);
  }

  const SweepReport& report_;
  bool isCompared_ = false;
  std::set<std::pair<std::string, std::string>> lost_;  ///< output type and program
  Counts total_;
};

}  // namespace

std::string sweepJunit(const SweepReport& report) { return SweepInJunit(report).text(); }

}  // namespace fxs::report
