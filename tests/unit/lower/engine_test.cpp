// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/sha256.h"
#include "fake_engine.h"
#include "lower/engine_program.h"
#include "table_runner.h"

namespace fxs::lower {
namespace {

using namespace std::chrono_literals;
using test::fakeEngine;
using test::TemporaryDirectory;
using test::writeScript;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

constexpr const char* kWayOut =
    "; run 'fxscope-cli engine fetch' to install one, or pass another with --engine or "
    "FXSCOPE_ENGINE";

std::string refusal(const std::string& path) {
  // Its folder is the test's own.
  PosixCommandRunner runner({{}, {std::filesystem::path(path).parent_path().string()}});
  const auto engine = probeEngine(path, "", runner, {}, {.timeout = 400ms, .sha256 = {}});
  if (engine) return "no error";
  EXPECT_EQ(engine.error().code, ErrorCode::EngineFailed);
  const std::string& message = engine.error().message;
  const std::string begin = "engine " + path + ": ";
  EXPECT_TRUE(message.starts_with(begin) && message.ends_with(kWayOut)) << message;
  return message.substr(begin.size(), message.size() - begin.size() - std::string(kWayOut).size());
}

TEST(EngineFaults, Missing) { EXPECT_EQ(refusal("/no/such/engine"), "does not exist"); }

TEST(EngineFaults, NotExecutable) {
  const TemporaryDirectory dir;
  std::ofstream(dir.file("engine")) << "x";
  EXPECT_EQ(refusal(dir.file("engine")), "is not executable");
}

TEST(EngineFaults, Directory) { EXPECT_EQ(refusal("/tmp"), "is not a file"); }

TEST(EngineFaults, NoProgramAtAll) {
  const TemporaryDirectory dir;
  std::ofstream(dir.file("engine")) << "just text\n";
  std::filesystem::permissions(dir.file("engine"), std::filesystem::perms::owner_all);
  EXPECT_EQ(refusal(dir.file("engine")), "cannot be run (Exec format error)");
}

TEST(EngineFaults, WrongProgram) {
  const TemporaryDirectory dir;
  EXPECT_EQ(refusal(writeScript(dir, "e", "echo 'echo (GNU coreutils) 9.1'")),
            "is not a torch-mlir-opt: its --version says 'echo (GNU coreutils) 9.1'");
}

TEST(EngineFaults, PlainMlirOpt) {
  const TemporaryDirectory dir;
  EXPECT_EQ(refusal(writeScript(dir, "mlir-opt",
                                "echo '  LLVM version 15.0.6'; echo '--canonicalize - x'")),
            "is not a torch-mlir-opt: it registers none of torch-mlir's pipelines");
}

TEST(EngineFaults, PrintsNothing) {
  const TemporaryDirectory dir;
  EXPECT_EQ(refusal(writeScript(dir, "e", "exit 0")),
            "printed nothing for --version: it is not a torch-mlir-opt");
}

TEST(EngineFaults, EndsWithAnError) {
  const TemporaryDirectory dir;
  EXPECT_EQ(refusal(writeScript(dir, "e", "echo 'no such flag' >&2; exit 3")),
            "--version ended with status 3 (no such flag): it is not a torch-mlir-opt");
}

TEST(EngineFaults, NeedsMoreThanItsCageHas) {
  if (cageStrength().landlock == 0)
    GTEST_SKIP() << "this kernel has no Landlock: files are not held";
  const TemporaryDirectory dir, other;
  const std::string log = other.file("log"),
                    path = writeScript(dir, "e",
                                       "echo x >> " + log + " || exit 1; echo '  LLVM version 1'");
  const std::string said = path + ": 2: cannot create " + log + ": Permission denied";
  EXPECT_EQ(refusal(path), "its cage prevents it from answering --version (" + said.substr(0, 80) +
                               "..); FXSCOPE_CAGE_READ and FXSCOPE_CAGE_WRITE name further folders "
                               "that it may read and write");
}

TEST(EngineFaults, Hangs) {
  const TemporaryDirectory dir;
  EXPECT_EQ(refusal(writeScript(dir, "e", "echo $$ > " + dir.file("pid") + "; sleep 100 & wait")),
            "did not answer --version within 400 ms");
  std::string pid;
  std::ifstream(dir.file("pid")) >> pid;
  EXPECT_FALSE(test::isRunning(pid));
}

TEST(EngineFaults, IsKilled) {
  const TemporaryDirectory dir;
  EXPECT_EQ(refusal(writeScript(dir, "e", "kill -KILL $$")), "was ended by signal 9 at --version");
}

TEST(EngineFaults, PrintsForEver) {
  const TemporaryDirectory dir;
  EXPECT_EQ(refusal(writeScript(dir, "e", "yes")),
            "printed more than 4 MiB for --version: it is not a torch-mlir-opt");
}

TEST(EngineFaults, PrintsGarbage) {
  const TemporaryDirectory dir;
  EXPECT_EQ(refusal(writeScript(dir, "e", "printf '\\001\\377binary\\n'")),
            "is not a torch-mlir-opt: its --version says '\\x01\\xffbinary'");
}

TEST(Engine, SaysItsVersionChecksumAndPasses) {
  const TemporaryDirectory dir;
  const std::string path = fakeEngine(dir, "");
  PosixCommandRunner runner;
  const auto engine = probeEngine(path, "", runner, {});
  ASSERT_TRUE(engine.has_value()) << engine.error().message;
  EXPECT_EQ(engine->version, "LLVM 99.0.0fake");
  EXPECT_EQ(engine->sha256, sha256(test::contentOf(path)));
  EXPECT_THAT(engine->passes, ElementsAre("torch-backend-to-linalg-on-tensors-backend-pipeline",
                                          "torch-backend-to-stablehlo-backend-pipeline",
                                          "torch-backend-to-tosa-backend-pipeline",
                                          "torch-match-quantized-custom-ops",
                                          "torchdynamo-export-to-torch-backend-pipeline"));
}

/// Counts what the real runner is asked.
class CountingRunner final : public CommandRunner {
 public:
  Result<Exit> run(const Command& command, std::stop_token stop) override {
    ++runs;
    return runner_.run(command, stop);
  }
  int runs = 0;

 private:
  PosixCommandRunner runner_;
};

TEST(Engine, IsAskedAgainOnlyWhenTheFileChanges) {
  const TemporaryDirectory dir;
  const std::string path = fakeEngine(dir, "");
  const std::string cache = dir.file("cache/deeper");
  CountingRunner runner;
  const auto first = probeEngine(path, cache, runner, {});
  EXPECT_EQ(runner.runs, 2);
  const auto second = probeEngine(path, cache, runner, {});
  EXPECT_EQ(runner.runs, 2);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->sha256, second->sha256);
  EXPECT_EQ(first->passes, second->passes);
  fakeEngine(dir, "# changed");
  const auto third = probeEngine(path, cache, runner, {});
  EXPECT_EQ(runner.runs, 4);
  ASSERT_TRUE(third);
  EXPECT_NE(first->sha256, third->sha256);
}

TEST(Engine, DamagedCacheIsNotBelieved) {
  const TemporaryDirectory dir;
  const std::string path = fakeEngine(dir, "");
  CountingRunner runner;
  ASSERT_TRUE(probeEngine(path, dir.file("cache"), runner, {}));
  for (const char* damage : {"", "{", "[1]", "{\"path\": 3}"}) {
    for (const auto& entry : std::filesystem::directory_iterator(dir.file("cache")))
      std::ofstream(entry.path()) << damage;
    const int before = runner.runs;
    EXPECT_TRUE(probeEngine(path, dir.file("cache"), runner, {})) << damage;
    EXPECT_EQ(runner.runs, before + 2) << damage;
  }
}

TEST(Engine, OneWithAnotherChecksumIsNotRun) {
  const TemporaryDirectory dir;
  const std::string path = fakeEngine(dir, "");
  const std::string found = sha256(test::contentOf(path)), wanted(64, 'a');
  CountingRunner runner;
  for (const std::string& cache : {std::string(), dir.file("cache")}) {
    const auto engine = probeEngine(path, cache, runner, {}, {.sha256 = wanted});
    ASSERT_FALSE(engine);
    EXPECT_EQ(engine.error().code, ErrorCode::EngineFailed);
    EXPECT_EQ(
        engine.error().message,
        "engine " + path + ": it is not the pinned one (SHA-256 " + found.substr(0, 12) +
            ".., expected aaaaaaaaaaaa..), and was not run; remove it and run 'fxscope-cli engine "
            "fetch' to install it "
            "again, or put your own engine elsewhere and pass it with --engine or FXSCOPE_ENGINE");
    EXPECT_EQ(runner.runs, 0);
  }
  EXPECT_TRUE(probeEngine(path, dir.file("cache"), runner, {}, {.sha256 = found}));
  EXPECT_FALSE(probeEngine(path, dir.file("cache"), runner, {}, {.sha256 = wanted}))
      << "what is kept is compared too";
}

TEST(Engine, OneThatIsReplacedBetweenRunsIsNotRun) {
  const TemporaryDirectory dir;
  const std::string path = fakeEngine(dir, "cat");
  PosixCommandRunner runner;
  const auto engine = probeEngine(path, "", runner, {});
  ASSERT_TRUE(engine);
  EXPECT_TRUE(runner.run(engineProgram(*engine, {"-"}), {}));
  fakeEngine(dir, "cat # other");
  const auto exit = runner.run(engineProgram(*engine, {"-"}), {});
  ASSERT_FALSE(exit);
  EXPECT_EQ(exit.error().message,
            path + ": was changed since it was inspected; restart to use the current version");
}

TEST(Engine, OneThatGotAHardLinkOrAnotherModeIsTheSame) {
  const TemporaryDirectory dir;
  const std::string path = fakeEngine(dir, "cat");
  PosixCommandRunner runner;
  const auto engine = probeEngine(path, "", runner, {});
  ASSERT_TRUE(engine);
  std::filesystem::create_hard_link(path, dir.file("link"));
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  EXPECT_NE(identityOf(path), engine->file);
  EXPECT_TRUE(runner.run(engineProgram(*engine, {"-"}), {}));
}

TEST(Engine, ThePinnedOneIsKnownByItsChecksum) {
  EXPECT_EQ(pinnedEngineSha256().size(), 64u);
  EXPECT_EQ(pinnedEngineSha256().find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(EngineProgram, ReadsItselfItsLibrariesAndTheFilesOfItsPipeline) {
  const TemporaryDirectory dir;
  std::filesystem::create_directories(dir.file("bin"));
  for (const char* name : {"bin/opt", "bin/libTorch.so.23", "bin/private"})
    std::ofstream(dir.file(name)) << "\177ELF";
  const Engine engine{dir.file("bin/opt"), "LLVM 1", "", {}};
  const Command command =
      engineProgram(engine, {"-",
                             "--pass-pipeline=builtin.module(a{extra-library=/x/lib.mlir "
                             "backend-legal-ops=y},b{extra-library=})"});
  EXPECT_THAT(command.argv, ElementsAre(engine.path, "-", testing::_));
  ASSERT_TRUE(command.cage);
  EXPECT_EQ(command.cage->reading, Cage::Reading::Listed);
  EXPECT_EQ(command.cage->processes, Cage::Processes::Threads);
  EXPECT_THAT(command.cage->writes, testing::IsEmpty());
  EXPECT_THAT(command.cage->reads,
              UnorderedElementsAre(engine.path, engine.path, dir.file("bin/../lib"),
                                   dir.file("bin/../lib64"), dir.file("bin/libTorch.so.23"),
                                   "/x/lib.mlir"));
}

TEST(EngineProgram, ScriptReadsEverythingAndStartsPrograms) {
  const TemporaryDirectory dir;
  const Command command = engineProgram({fakeEngine(dir, "cat"), "LLVM 1", "", {}}, {"-"});
  EXPECT_EQ(command.cage->reading, Cage::Reading::Everything);
  EXPECT_EQ(command.cage->processes, Cage::Processes::Programs);
  EXPECT_THAT(command.cage->writes, testing::IsEmpty());
}

TEST(RegisteredOps, AreAskedOnceAndKeptByChecksum) {
  const TemporaryDirectory dir;
  test::TableRunner runner;
  runner.on("--split-input-file", [](const Command&) {
    return test::exited(
        1, "",
        "a:1:1: error: unregistered operation 'torch.fxscope.no_such_operation' found in dialect "
        "('torch')\n"
        "b:1:1: error: unregistered operation 'torch.aten.diff' found in dialect ('torch')\n"
        "c:1:1: error: 'torch.aten.add.Tensor' op requires one result\n");
  });
  const Engine engine{"/e", "LLVM 1", std::string(64, 'a'), {}};
  const std::vector<std::string> names{"torch.aten.add.Tensor", "torch.aten.diff"};
  const auto ops = registeredOps(engine, names, dir.path(), runner, {});
  ASSERT_TRUE(ops.has_value());
  EXPECT_THAT(*ops, UnorderedElementsAre("torch.aten.add.Tensor"));
  EXPECT_EQ(runner.asked().size(), 1u);
  EXPECT_EQ(*registeredOps(engine, names, dir.path(), runner, {}), *ops);
  EXPECT_EQ(runner.asked().size(), 1u);
  // Another name: only that one is asked for.
  ASSERT_TRUE(
      registeredOps(engine, {"torch.aten.add.Tensor", "torch.aten.mm"}, dir.path(), runner, {}));
  ASSERT_EQ(runner.asked().size(), 2u);
  EXPECT_EQ(runner.asked()[1].stdinText,
            "\"torch.fxscope.no_such_operation\"() : () -> ()\n// -----\n\"torch.aten.mm\"() : () "
            "-> ()\n");
  const Engine other{"/e", "LLVM 1", std::string(64, 'b'), {}};
  ASSERT_TRUE(registeredOps(other, names, dir.path(), runner, {}));
  EXPECT_EQ(runner.asked().size(), 3u);
}

TEST(RegisteredOps, NameThatIsNoOperationIsNeverAsked) {
  test::TableRunner runner;
  const auto ops =
      registeredOps({"/e", "", std::string(64, 'a'), {}},
                    {"torch.x\"() : () -> ()\nevil", "builtin.module"}, "", runner, {});
  ASSERT_TRUE(ops.has_value());
  EXPECT_TRUE(ops->empty());
  EXPECT_TRUE(runner.asked().empty());
}

TEST(RegisteredOps, EngineThatDoesNotUnderstandIsAnError) {
  test::TableRunner runner;
  runner.on("--split-input-file", [](const Command&) { return test::exited(0, "fine"); });
  const auto ops =
      registeredOps({"/e", "", std::string(64, 'a'), {}}, {"torch.aten.mm"}, "", runner, {});
  ASSERT_FALSE(ops.has_value());
  EXPECT_EQ(ops.error().message,
            "engine /e: did not say which operations its torch dialect registers; pass another "
            "with --engine");
}

}  // namespace
}  // namespace fxs::lower
