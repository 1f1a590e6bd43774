// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the programs of a plan are wired, and what their ends mean.
#include "lit/run.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "lit/matches.h"
#include "lit/plan.h"
#include "table_runner.h"

namespace fxs::lit {
namespace {

using test::exited;
using test::TableRunner;

Settings runSettings() {
  Settings out;
  out.programs = {{"mlir-opt", "/b/opt"},  {"FileCheck", "/b/FileCheck"},
                  {"cat", "/usr/bin/cat"}, {"cp", "/usr/bin/cp"},
                  {"ln", "/usr/bin/ln"},   {"false", "/usr/bin/false"},
                  {"ls", "/usr/bin/ls"},   {"env-of", "/usr/bin/printenv"}};
  out.file = "/t/x.mlir";
  out.temporaryDir = testing::TempDir() + "fxs-lit";
  return out;
}

struct Ran {
  Plan plan;
  TestRun run;
};
Ran ran(const std::string& text, CommandRunner& runner) {
  Ran out;
  out.plan = plan(parseTest(text), runSettings());
  auto run = lit::run(out.plan, text, runner, {});
  EXPECT_TRUE(run.has_value()) << run.error().message;
  if (run) out.run = *std::move(run);
  return out;
}
Ran really(const std::string& text) {
  PosixCommandRunner runner;
  return ran(text, runner);
}

TEST(LitRun, PassesWhatAProgramWritesToTheNext) {
  TableRunner runner;
  runner.on("/b/opt", [](const Command&) { return exited(0, "module {}\n", "a warning\n"); });
  runner.on("/b/FileCheck", [](const Command& command) {
    return exited(command.stdinText == "module {}\n" ? 0 : 1, "");
  });
  const Ran out = ran("// RUN: mlir-opt %s | FileCheck %s\n", runner);
  EXPECT_TRUE(out.run.passed);
  ASSERT_EQ(out.run.stages.size(), 2U);
  EXPECT_EQ(out.run.stages[0].out, "module {}\n");
  EXPECT_EQ(out.run.stages[0].err, "a warning\n");
  EXPECT_TRUE(out.run.stages[1].isAsExpected);
  ASSERT_EQ(runner.asked().size(), 2U);
  const Command& opt = runner.asked()[0];
  EXPECT_EQ(opt.argv, (std::vector<std::string>{"/b/opt", "x.mlir"}));
  ASSERT_TRUE(opt.cage.has_value());
  EXPECT_EQ(opt.cage->writes, std::vector<std::string>{opt.directory});
  EXPECT_EQ(opt.cage->reads, (std::vector<std::string>{"/b/opt", opt.directory}));
  EXPECT_GT(opt.outputLimit, 0U);
  EXPECT_GT(opt.memoryLimit, 0U);
  EXPECT_GT(opt.timeout.count(), 0);
  EXPECT_FALSE(std::filesystem::exists(opt.directory));
}

TEST(LitRun, NotInvertsAndACrashIsNoFailure) {
  TableRunner runner;
  Exit crash;
  crash.reason = ExitReason::Signalled;
  crash.signal = 6;
  runner.on("crash", [&](const Command&) { return crash; });
  runner.on("fail", [](const Command&) { return exited(3, ""); });
  runner.on("/b/opt", [](const Command&) { return exited(0, ""); });
  const auto message = [&](const std::string& line) {
    const Ran out = ran("// RUN: " + line + "\n", runner);
    EXPECT_EQ(out.run.stages[0].isAsExpected, out.run.stages[0].message.empty());
    EXPECT_EQ(out.run.passed, out.run.stages[0].isAsExpected);
    return out.run.stages[0].message;
  };
  EXPECT_EQ(message("mlir-opt ok"), "");
  EXPECT_EQ(message("mlir-opt fail"), "ended with exit code 3, expected 0");
  EXPECT_EQ(message("not mlir-opt fail"), "");
  EXPECT_EQ(message("not mlir-opt ok"), "ended with exit code 0, expected a failure");
  EXPECT_EQ(message("mlir-opt crash"), "crashed (signal 6)");
  EXPECT_EQ(message("not mlir-opt crash"), "crashed (signal 6)");
  EXPECT_EQ(message("not --crash mlir-opt crash"), "");
  EXPECT_EQ(message("not --crash mlir-opt fail"), "ended with exit code 3, expected a crash");
}

TEST(LitRun, AFailedPipelineEndsItsLineOnly) {
  TableRunner runner;
  runner.on("fail", [](const Command&) { return exited(1, "part\n"); });
  runner.on("/b", [](const Command&) { return exited(0, ""); });
  const Ran out =
      ran("// RUN: mlir-opt fail | FileCheck %s && mlir-opt %s\n// RUN: mlir-opt %s\n", runner);
  ASSERT_EQ(out.run.stages.size(), 4U);
  EXPECT_FALSE(out.run.passed);
  EXPECT_TRUE(out.run.stages[1].ran) << "the other end of the pipe runs";
  EXPECT_FALSE(out.run.stages[2].ran);
  EXPECT_EQ(out.run.stages[2].message, "not run, since a command before it in its line failed");
  EXPECT_TRUE(out.run.stages[3].isAsExpected);
  EXPECT_EQ(passed(out.plan, out.run, 0), false);
  EXPECT_EQ(passed(out.plan, out.run, 1), true);
}

TEST(LitRun, ASkippedLineIsNoPass) {
  TableRunner runner;
  runner.on("/b", [](const Command&) { return exited(0, ""); });
  const Ran out = ran("// RUN: unknown\n// RUN: mlir-opt\n", runner);
  EXPECT_FALSE(out.run.passed);
  EXPECT_EQ(passed(out.plan, out.run, 0), std::nullopt);
  EXPECT_EQ(passed(out.plan, out.run, 1), true);
  EXPECT_FALSE(ran("no test\n", runner).run.passed);
}

TEST(LitRun, AProgramThatIsMissingIsAMessage) {
  const Ran out = really("// RUN: mlir-opt %s | cat\n");
  ASSERT_EQ(out.run.stages.size(), 2U);
  EXPECT_FALSE(out.run.stages[0].ran);
  EXPECT_NE(out.run.stages[0].message.find("/b/opt"), std::string::npos);
}

TEST(LitRun, WritesAndReadsFilesInItsFolder) {
  const Ran out = really(
      "// RUN: cat %s > %t\n"
      "// RUN: cat %s >> %t && cat < %t 2>/dev/null && cp %t %t2 && cat %t2 | cat - %s\n"
      "// RUN: cat %t.none 2> %t3\n// RUN: cat < %t.none\n// RUN: ls\n"
      "// RUN: env A=b env-of A\n");
  ASSERT_EQ(out.run.stages.size(), 10U);
  const std::string text = out.run.stages[2].out;
  EXPECT_EQ(text.size() % 2, 0U);
  EXPECT_EQ(text.substr(text.size() / 2), text.substr(0, text.size() / 2));
  EXPECT_EQ(out.run.stages[5].out, text + text.substr(text.size() / 2));
  EXPECT_EQ(out.run.stages[6].message, "ended with exit code 1, expected 0");
  EXPECT_EQ(out.run.stages[7].message,
            "'x.mlir.tmp.none': cannot be read; no command before wrote it");
  EXPECT_EQ(out.run.stages[8].out, "x.mlir\nx.mlir.tmp\nx.mlir.tmp2\nx.mlir.tmp3\n");
  EXPECT_EQ(out.run.stages[9].out, "b\n");
}

TEST(LitRun, JoinsOutputAndErrors) {
  const Ran out = really("// RUN: cat %s none %s 2>&1 | cat\n");
  ASSERT_EQ(out.run.stages.size(), 2U);
  const std::string line = "// RUN: cat %s none %s 2>&1 | cat\n";
  EXPECT_EQ(out.run.stages[1].out, line + "/usr/bin/cat: none: No such file or directory\n" + line);
  EXPECT_EQ(out.run.stages[0].err, "");
}

TEST(LitRun, ALinkLeadsNowhere) {
  const Ran out = really(
      "// RUN: ln -s /etc/passwd %t && cat < %t\n// RUN: ln -s /tmp %t2 && cat %s > %t2/x\n"
      "// RUN: ln -s /etc/passwd %t3 && cat %s > %t3\n");
  ASSERT_EQ(out.run.stages.size(), 6U);
  for (std::size_t i = 1; i < 6; i += 2) {
    if (!out.run.stages[i - 1].isAsExpected) continue;  // the cage may refuse links
    EXPECT_FALSE(out.run.stages[i].isAsExpected);
    EXPECT_NE(out.run.stages[i].message.find("not a file in the temporary folder"),
              std::string::npos)
        << out.run.stages[i].message;
  }
}

TEST(LitRun, FileCheckSaysWhichLineMatched) {
  const std::string fileCheck = "/usr/bin/FileCheck-22";
  if (!std::filesystem::exists(fileCheck)) GTEST_SKIP() << "FileCheck-22 is not installed";
  const std::string text =
      "// RUN: cat %s | FileCheck %s --check-prefix=A\n// A: hel{{lo}} [[X:[a-z]+]]\n"
      "// A-NOT: ever\n// A: [[X]] again{{$}}\n\n    say  hello   world\nworld   again\n";
  Settings settings = runSettings();
  settings.programs["FileCheck"] = fileCheck;
  const Plan made = plan(parseTest(text), settings);
  PosixCommandRunner runner;
  const auto out = run(made, text, runner, {});
  ASSERT_TRUE(out.has_value());
  EXPECT_TRUE(out->passed) << out->stages.back().err;
  const Matches matches = readFileCheck(out->stages.back().err);
  ASSERT_EQ(matches.all.size(), 3U);
  EXPECT_EQ(matches.all[0].check.line, 2U);
  ASSERT_TRUE(matches.all[0].input.has_value());
  EXPECT_EQ(matches.all[0].input->line, 6U);
  const std::string_view line = "    say  hello   world";
  EXPECT_EQ(rangeIn(line, *matches.all[0].input).of(line), "hello   world");
  EXPECT_EQ(matches.all[1].input->line, 7U);
  EXPECT_EQ(matches.all[2].outcome, Match::Outcome::Excluded);
}

TEST(LitRun, EndsWithAStop) {
  std::stop_source stop;
  stop.request_stop();
  RunContext context;
  context.stop = stop.get_token();
  TableRunner runner;
  const auto out = run(plan(parseTest("// RUN: mlir-opt\n"), runSettings()), "", runner, context);
  ASSERT_FALSE(out.has_value());
  EXPECT_EQ(out.error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace fxs::lit
