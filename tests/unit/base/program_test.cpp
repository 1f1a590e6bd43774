// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/subprocess.h"
#include "fake_engine.h"

namespace fxs {
namespace {

using test::TemporaryDirectory;
using test::writeScript;

TEST(FindProgram, NameIsLookedUpInTheSearchPathOnly) {
  const TemporaryDirectory first, second;
  writeScript(second, "tool", "true");
  std::ofstream(first.file("tool")) << "not executable";
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(second.path());
  EXPECT_EQ(findProgram("tool", first.path() + "::.:" + second.path()).value_or("?"),
            second.file("tool"));
  const auto none = findProgram("tool", first.path() + "::.:");
  std::filesystem::current_path(before);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::NotFound);
  EXPECT_EQ(none.error().message, "tool: no such program in PATH");
}

TEST(FindProgram, PathIsMadeAbsolute) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path("/usr");
  EXPECT_EQ(findProgram("./bin/../bin/env", "").value_or("?"), "/usr/./bin/../bin/env");
  std::filesystem::current_path(before);
  EXPECT_EQ(findProgram("/no/such/tool", "").value_or("?"), "/no/such/tool");
}

TEST(Program, OneThatWasReplacedSinceItWasLookedAtIsNotRun) {
  const TemporaryDirectory dir;
  Command command;
  command.argv = {writeScript(dir, "tool", "echo first")};
  command.program = identityOf(command.argv[0]);
  EXPECT_EQ(PosixCommandRunner().run(command, {})->out, "first\n");
  writeScript(dir, "tool", "echo other");
  // Of the same size, and its time set back.
  const timespec times[2] = {
      {0, UTIME_OMIT},
      {command.program->modified / 1'000'000'000, command.program->modified % 1'000'000'000}};
  ASSERT_EQ(::utimensat(AT_FDCWD, command.argv[0].c_str(), times, 0), 0);
  EXPECT_EQ(identityOf(command.argv[0])->modified, command.program->modified);
  const auto exit = PosixCommandRunner().run(command, {});
  ASSERT_FALSE(exit);
  EXPECT_EQ(
      exit.error().message,
      command.argv[0] + ": was changed since it was inspected; restart to use the current version");
}

}  // namespace
}  // namespace fxs
