// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a RUN line of a lit test did: its output, and the lines of the test that are compared with
// it, each with what it matched.
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "lit/plan.h"
#include "lit/run.h"
#include "lit/test.h"
#include "text/code_text.h"

namespace fxs::ui {

/// A test, and what its RUN lines would run.
struct LoadedTest {
  QString file;
  std::string text;
  lit::Test test = {};
  lit::Plan plan = {};
  std::string reproduced = {};  ///< the pass pipeline of a crash reproducer; "" if it is none
};
using LoadedTestPtr = std::shared_ptr<const LoadedTest>;
/// What ran of it: all of its RUN lines, or one with those that it needs.
struct RanTest {
  lit::Plan plan;
  lit::TestRun run;
};
using RanTestPtr = std::shared_ptr<const RanTest>;

enum class LitMark : std::uint8_t { Waiting, Running, Passed, Failed, NotRun };
QString iconOf(LitMark);
/// "passed", "FAILED", "not run"; "" while waiting.
QString statusText(LitMark);

struct LitRow {
  std::uint32_t line = 0;  ///< 1-based
  QString text;            ///< "mlir-opt %s -cse | FileCheck %s"
  QString programs;        ///< "mlir-opt-22, FileCheck-22"
  LitMark mark = LitMark::Waiting;
  QString message;  ///< why it is not run, or what failed; "" otherwise
};

/// A CHECK or an expected-* line; or a diagnostic that no line expects.
struct CheckRow {
  enum class Outcome : std::uint8_t { Waiting, Found, Absent, Failed };
  std::uint32_t line = 0;  ///< of the test, 1-based
  QString directive;       ///< "CHECK-NEXT"
  QString pattern = {};
  Outcome outcome = Outcome::Waiting;
  /// What it matched; of a failed one, what it may have been meant for.
  std::optional<FindMatch> output = {};
  QString message = {};  ///< what the program says of it, in lines
};

struct LitResult {
  std::vector<CheckRow> checks;  ///< by line
  CodeTextPtr output;            ///< null if nothing ran
  QString title;                 ///< "output of mlir-opt-22"
  /// In the words of the program that failed, in lines; or why nothing ran.
  QString message;
};

/// Of each RUN line before it runs.
std::vector<LitRow> litRows(const LoadedTest&);
/// `run`: index in Test::runs. `ran`: null if it did not run.
LitResult litResult(const LoadedTest&, std::size_t run, const RanTest* ran);
/// Sets mark and message of a RUN line that ran.
void takeOutcome(LitRow&, std::size_t run, const RanTest& ran);

}  // namespace fxs::ui
