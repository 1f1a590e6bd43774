// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN lines as data.
#include <gtest/gtest.h>

#include <string>

#include "base/joined.h"
#include "lit/limits.h"
#include "lit/test.h"
#include "lit/tools.h"

namespace fxs::lit {
namespace {

std::string textOf(const Sink& sink, std::string_view number) {
  switch (sink.kind) {
    case Sink::Kind::Output: return number == "1" ? "" : " " + std::string(number) + ">&1";
    case Sink::Kind::Errors: return number == "2" ? "" : " " + std::string(number) + ">&2";
    case Sink::Kind::File: return " " + std::string(number) + ">[" + sink.file + "]";
    case Sink::Kind::Append: return " " + std::string(number) + ">>[" + sink.file + "]";
  }
  return {};
}

std::string textOf(const ShellCommand& command) {
  std::string out;
  if (command.expect == Expect::Failure) out += "fails ";
  if (command.expect == Expect::Crash) out += "crashes ";
  for (const std::string& variable : command.environment) out += "{" + variable + "} ";
  for (const std::string& word : command.argv) out += "[" + word + "]";
  if (command.stdinFile) out += " <[" + *command.stdinFile + "]";
  return out + textOf(command.out, "1") + textOf(command.err, "2");
}

/// `[a][b c] | [d] && [e]`, or the message.
std::string parsed(std::string_view line) {
  const ShellLine shell = parseShellLine(line);
  if (!shell.message.empty()) return shell.message;
  std::vector<std::string> pipelines;
  for (const Pipeline& pipeline : shell.pipelines) {
    std::vector<std::string> commands;
    for (const ShellCommand& command : pipeline) commands.push_back(textOf(command));
    pipelines.push_back(joined(commands, " | "));
  }
  return joined(pipelines, " && ");
}

TEST(ShellLine, SplitsWordsAndPipelines) {
  EXPECT_EQ(parsed("mlir-opt %s -cse | FileCheck %s"), "[mlir-opt][%s][-cse] | [FileCheck][%s]");
  EXPECT_EQ(parsed("a <%s>%t&&b|c"), "[a] <[%s] 1>[%t] && [b] | [c]");
}

TEST(ShellLine, QuotesAsAShellDoes) {
  EXPECT_EQ(parsed(R"(a -p='m(f{x="1"})' "b c"d\ e '')"), R"([a][-p=m(f{x="1"})][b cd e][])");
  EXPECT_EQ(parsed(R"(a "\"\\\$\n" 'x\' "'" "a$")"), R"([a]["\$\n][x\]['][a$])");
  EXPECT_EQ(parsed(R"(a "// CHECK: ""----")"), "[a][// CHECK: ----]");
}

TEST(ShellLine, LeavesBracketsInWordsAsTheyAre) {
  EXPECT_EQ(parsed("a --p=builtin.module(cse) --sizes=[1,2] {x}"),
            "[a][--p=builtin.module(cse)][--sizes=[1,2]][{x}]");
}

TEST(ShellLine, ReadsRedirections) {
  EXPECT_EQ(parsed("a 2>&1"), "[a] 2>&1");
  EXPECT_EQ(parsed("a > %t 2>&1"), "[a] 1>[%t] 2>[%t]");
  EXPECT_EQ(parsed("a 2>&1 >%t"), "[a] 1>[%t] 2>&1");
  EXPECT_EQ(parsed("a &> %t"), "[a] 1>[%t] 2>[%t]");
  EXPECT_EQ(parsed("a >& %t"), "[a] 1>[%t] 2>[%t]");
  EXPECT_EQ(parsed("a >>%t 2>/dev/null"), "[a] 1>>[%t] 2>[/dev/null]");
  EXPECT_EQ(parsed("a 1>&2"), "[a] 1>&2");
  EXPECT_EQ(parsed("a 12 >%t '2'>%u"), "[a][12][2] 1>[%u]");
}

TEST(ShellLine, ReadsWhatStandsBeforeACommand) {
  EXPECT_EQ(parsed("not mlir-opt %s"), "fails [mlir-opt][%s]");
  EXPECT_EQ(parsed("not --crash a"), "crashes [a]");
  EXPECT_EQ(parsed("not not a"), "[a]");
  EXPECT_EQ(parsed("! a"), "fails [a]");
  EXPECT_EQ(parsed("env A=1 B='x y' not a"), "fails {A=1} {B=x y} [a]");
  EXPECT_EQ(parsed("A=1 env -u C a C=2"), "{A=1} [a][C=2]");
}

TEST(ShellLine, RefusesWhatOnlyAShellCanDo) {
  EXPECT_EQ(parsed("a $(b)"), "has a variable or a command of a shell ($)");
  EXPECT_EQ(parsed("a \"$HOME\""), "has a variable or a command of a shell ($)");
  EXPECT_EQ(parsed("a `b`"), "has a command in backticks");
  EXPECT_EQ(parsed("a \"`b`\""), "has a command in backticks");
  EXPECT_EQ(parsed("a *.mlir"), "has a pattern for file names (* or ?)");
  EXPECT_EQ(parsed("a; b"), "has several commands separated by `;`");
  EXPECT_EQ(parsed("a || b"), "has commands that run after a failure (||)");
  EXPECT_EQ(parsed("a & b"), "starts a command in the background (&)");
  EXPECT_EQ(parsed("a <<EOF"), "has a here-document (<<)");
  EXPECT_EQ(parsed("diff <(a) <(b)"), "has a process substitution (<(..))");
  EXPECT_EQ(parsed("a |& b"), "has a pipe of errors (|&); `2>&1 |` is understood");
  EXPECT_EQ(parsed("a # b"), "has a word that begins with `#`, which only a shell knows");
  EXPECT_EQ(parsed("a ~/b"), "has a word that begins with `~`, which only a shell knows");
  EXPECT_EQ(parsed("(a)"), "has a word that begins with `(`, which only a shell knows");
  EXPECT_EQ(parsed("cd %t && a"), "has `cd`, which only a shell knows");
  EXPECT_EQ(parsed("a 3>&1"), "redirects another stream than 0, 1 and 2");
  EXPECT_EQ(parsed("a 2>&3"), "redirects to another stream than 1 and 2");
  EXPECT_EQ(parsed("! a | b"), "negates a pipeline (!)");
  EXPECT_EQ(parsed("a 'b"), "has a quote that is not closed (')");
  EXPECT_EQ(parsed("a \"b"), "has a quote that is not closed (\")");
  EXPECT_EQ(parsed("a \\"), "ends with a backslash");
  EXPECT_EQ(parsed(std::string_view("a\0b", 3)), "has a NUL, which ends words");
  EXPECT_EQ(parsed("a >"), "has a redirection without a file");
  EXPECT_EQ(parsed("a > | b"), "has a redirection without a file");
  EXPECT_EQ(parsed("a |"), "has a command without a program");
  EXPECT_EQ(parsed("A=1"), "has a command without a program");
  EXPECT_EQ(parsed("env --chdir=x a"), "has the option '--chdir=x' of env, which is not known");
}

TEST(Test, JoinsContinuedLines) {
  const lit::Test test = parseTest(R"(// RUN: mlir-opt %s \
// RUN:   -cse \
module {}
// RUN:   | FileCheck %s
// RUN: mlir-opt --x=%(line) --y=%(line-6)
)");
  ASSERT_EQ(test.runs.size(), 2U);
  EXPECT_EQ(test.runs[0].line, 1U);
  EXPECT_EQ(test.runs[0].lastLine, 4U);
  EXPECT_EQ(test.runs[0].text, "mlir-opt %s    -cse    | FileCheck %s");
  EXPECT_EQ(parsed(test.runs[0].text), "[mlir-opt][%s][-cse] | [FileCheck][%s]");
  EXPECT_EQ(test.runs[1].text, "mlir-opt --x=5 --y=-1");
  EXPECT_EQ(test.messages, std::vector<std::string>{});
}

TEST(Test, PutsDefinitionsIn) {
  const lit::Test test = parseTest(R"(// DEFINE: %{opts} =
// DEFINE: %{opt} = mlir-opt %s %{opts} \
// DEFINE:   | FileCheck %s
// RUN: %{opt}
// REDEFINE: %{opts} = -cse
// RUN: %{opt} %%{opts} %{other}
)");
  ASSERT_EQ(test.runs.size(), 2U);
  EXPECT_EQ(test.runs[0].text, "mlir-opt %s  | FileCheck %s");
  EXPECT_EQ(test.runs[1].text, "mlir-opt %s -cse | FileCheck %s %%{opts} %{other}");
}

TEST(Test, SaysWhichDefinitionsAreWrong) {
  const lit::Test test = parseTest(R"(// DEFINE: %{a} = %{a} x
// DEFINE: %{a} = b
// REDEFINE: %{c} = b
// DEFINE: d = e
// RUN: %{a}
)");
  const std::vector<std::string> expected{
      "line 2: the DEFINE: line defines %{a} again; REDEFINE: changes it",
      "line 3: the REDEFINE: line changes %{c}, which no DEFINE: line has defined",
      "line 4: the DEFINE: line is not of the form %{name} = value"};
  EXPECT_EQ(test.messages, expected);
  ASSERT_EQ(test.runs.size(), 1U);
  EXPECT_EQ(test.runs[0].message,
            "line 5: the RUN: line becomes longer than 65536 bytes, or never ends, when its "
            "definitions are put in; it is not run");
}

TEST(Test, KeepsConditionsAndStopsAtItsEnd) {
  const lit::Test test = parseTest(R"(// REQUIRES: asserts && !windows
# UNSUPPORTED: asan
; XFAIL: *
// SOME-RUN: no
// RUN: a
// END.
// RUN: b
)");
  ASSERT_EQ(test.conditions.size(), 3U);
  EXPECT_EQ(test.conditions[0].text, "asserts && !windows");
  EXPECT_EQ(test.conditions[1].kind, Condition::Kind::Unsupported);
  EXPECT_EQ(test.conditions[2].kind, Condition::Kind::Xfail);
  EXPECT_EQ(test.conditions[2].line, 3U);
  ASSERT_EQ(test.runs.size(), 1U);
  EXPECT_EQ(test.runs[0].text, "a");
}

TEST(Test, ALineThatIsNotUnderstoodHasAMessage) {
  const lit::Test test =
      parseTest("// RUN: a; b\n// RUN: %if x %{ a %}\n// RUN: a \\\nmodule {}\n");
  ASSERT_EQ(test.runs.size(), 3U);
  EXPECT_EQ(test.runs[0].message,
            "line 1: the RUN: line has several commands separated by `;`; it is not run");
  EXPECT_EQ(test.runs[1].message, "line 2: the RUN: line has a condition (%if); it is not run");
  EXPECT_EQ(test.runs[2].message,
            "line 3: the RUN: line ends with \\ and is not continued by another RUN: line; it is "
            "not run");
  for (const RunLine& run : test.runs) EXPECT_TRUE(run.pipelines.empty());
}

TEST(Test, IsBounded) {
  std::string many;
  for (std::size_t i = 0; i < kMaxRunLines + 2; ++i) many += "// RUN: a\n";
  const lit::Test test = parseTest(many);
  EXPECT_EQ(test.runs.size(), kMaxRunLines);
  EXPECT_EQ(test.messages,
            std::vector<std::string>{"line 257: more than 256 RUN lines; the rest is not read"});

  // What continues a line that is too long is no command by itself.
  const lit::Test longOne =
      parseTest("// RUN: " + std::string(kMaxCommandBytes + 1, 'a') + "\\\n// RUN: b\n// RUN: c\n");
  ASSERT_EQ(longOne.runs.size(), 2U);
  EXPECT_EQ(longOne.runs[0].message,
            "line 1: the RUN: line is longer than 65536 bytes; it is not run");
  EXPECT_EQ(longOne.runs[1].text, "c");
}

TEST(Tools, AreKnownByTheirNames) {
  for (const char* name : {"mlir-opt", "torch-mlir-opt", "stablehlo-opt", "/usr/bin/mlir-opt-22"})
    EXPECT_EQ(programKind(name), ProgramKind::Opt) << name;
  EXPECT_EQ(programKind("FileCheck"), ProgramKind::FileCheck);
  EXPECT_EQ(programKind("FileCheck-22"), ProgramKind::FileCheck);
  for (const char* name : {"opt", "mlir-translate", "not", ""})
    EXPECT_EQ(programKind(name), ProgramKind::Other) << name;
}

TEST(Tools, AnOptionSaysThatDiagnosticsAreVerified) {
  for (const char* option : {"-verify-diagnostics", "--verify-diagnostics=only-expected"})
    EXPECT_TRUE(verifiesDiagnostics({"mlir-opt", option, "%s"})) << option;
  for (const char* option : {"-verify-each", "--verify-diagnostics=false"})
    EXPECT_FALSE(verifiesDiagnostics({"mlir-opt", option})) << option;
}

TEST(Tools, FileCheckOptionsAreRead) {
  const FileCheckOptions options =
      fileCheckOptions({"FileCheck", "-DX=1", "-D#Y=2", "-D", "Z=3", "%s", "--input-file", "%t",
                        "--strict-whitespace", "--dump-input", "always"});
  EXPECT_EQ(options.checkFile, "%s");
  EXPECT_EQ(options.inputFile, "%t");
  EXPECT_EQ(options.definitions, (std::vector<std::string>{"X=1", "#Y=2", "Z=3"}));
  EXPECT_EQ(options.prefixes, std::vector<std::string>{"CHECK"});
  EXPECT_TRUE(options.strictWhitespace);
}

}  // namespace
}  // namespace fxs::lit
