// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What executors run and what the ends of programs mean, with recorded answers of the programs.
#include "execute/executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/byte_source.h"
#include "base/scratch_directory.h"
#include "base/zip_writer.h"
#include "lower/output_types.h"
#include "lower/pipeline_text.h"
#include "table_runner.h"

namespace fxs::execute {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr const char* kText = R"(func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.addf %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
})";

class LlvmExecutor : public testing::Test {
 protected:
  LlvmExecutor() : directory_(*ScratchDirectory::make(testing::TempDir(), "tests")) {
    tools_.mlirOpt = "/usr/bin/mlir-opt-22";
    tools_.mlirTranslate = "/usr/bin/mlir-translate-22";
    tools_.clang = "/usr/bin/clang-22";
    tools_.runnerLibrary = "/usr/lib/llvm-22/lib/libmlir_c_runner_utils.so.22.1";
    call_.text = kText;
    call_.arguments = {{DType::Float32, {2}, std::string(8, '\0')}};
  }
  /// Answers of compilers that succeed.
  void compilers() {
    for (const char* program : {"mlir-opt-22", "mlir-translate-22", "clang-22"})
      runner_.on(program, [](const Command&) { return test::exited(0, ""); });
  }
  Execution execute() {
    const Executors all = executorsFor(tools_, directory_.path(), runner_);
    EXPECT_EQ(all.all.size(), 1u);
    auto out = all.all.front()->execute(call_, {});
    EXPECT_TRUE(out.has_value()) << out.error().message;
    return out ? *out : Execution{};
  }

  ScratchDirectory directory_;
  Tools tools_;
  test::TableRunner runner_;
  Call call_;
};

/// A result as the program writes it: rank, sizes, elements.
std::string written(const std::vector<std::int64_t>& sizes, const std::string& elements) {
  std::string out;
  const auto add = [&](std::int64_t number) {
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  add(static_cast<std::int64_t>(sizes.size()));
  for (const std::int64_t size : sizes) add(size);
  return out + elements;
}

TEST_F(LlvmExecutor, RunsThreeCompilersAndTheProgramInCages) {
  compilers();
  runner_.on(".txt", [](const Command& command) {
    EXPECT_TRUE(writeWholeFile(command.argv[2], written({2}, "12345678")).has_value());
    return test::exited(0, "");
  });
  const Execution out = execute();
  EXPECT_EQ(out.outcome, Outcome::Ran) << out.message;
  ASSERT_EQ(out.results.size(), 1u);
  EXPECT_EQ(out.results[0], (tensor::Tensor{DType::Float32, {2}, "12345678"}));
  ASSERT_EQ(runner_.asked().size(), 4u);
  EXPECT_THAT(runner_.asked()[0].stdinText, HasSubstr("@fxscope_function("));
  EXPECT_THAT(runner_.asked()[0].argv, Contains(HasSubstr("one-shot-bufferize")));
  EXPECT_THAT(runner_.asked()[2].argv, Contains("-O1"));
  EXPECT_THAT(runner_.asked()[2].argv, Contains("-ffp-contract=off"));
  EXPECT_THAT(runner_.asked()[2].argv, Contains("-avx512bf16"));
  EXPECT_THAT(runner_.asked()[0].argv, Not(Contains(HasSubstr("generate-runtime-verification"))));
  EXPECT_THAT(out.variants, ElementsAre("exact"));
  for (const Command& command : runner_.asked()) {
    ASSERT_TRUE(command.cage.has_value());
    EXPECT_EQ(command.cage->reading, Cage::Reading::Listed);
    EXPECT_EQ(command.cage->processes, command.argv[0] == tools_.clang ? Cage::Processes::Programs
                                                                       : Cage::Processes::Threads);
    EXPECT_GT(command.timeout.count(), 0);
    EXPECT_GT(command.memoryLimit, 0u);
  }
}

TEST_F(LlvmExecutor, AResultThatIsAnArgumentHasItsElements) {
  call_.text =
      R"(func.func @main(%x: tensor<?xf32>, %y: tensor<2xf32>) -> (tensor<?xf32>, tensor<2xf32>, tensor<?xf32>) {
  %0 = arith.addf %x, %x : tensor<?xf32>
  return %x, %y, %0 : tensor<?xf32>, tensor<2xf32>, tensor<?xf32>
})";
  call_.arguments = {{DType::Float32, {2}, "argument"}, {DType::Float32, {2}, "argument"}};
  compilers();
  runner_.on(".txt", [](const Command& command) {
    EXPECT_TRUE(writeWholeFile(
                    command.argv[2],
                    written({2}, "computed") + written({2}, "computed") + written({2}, "computed"))
                    .has_value());
    return test::exited(0, "");
  });
  const Execution out = execute();
  ASSERT_EQ(out.results.size(), 3u) << out.message;
  EXPECT_EQ(out.results[0].bytes, "argument");
  EXPECT_EQ(out.results[1].bytes, "computed") << "only what is used otherwise may be computed upon";
  EXPECT_EQ(out.results[2].bytes, "computed");
}

TEST_F(LlvmExecutor, CompilesOnceForSeveralCalls) {
  compilers();
  runner_.on(".txt", [](const Command& command) {
    EXPECT_TRUE(writeWholeFile(command.argv[2], written({2}, "12345678")).has_value());
    return test::exited(0, "");
  });
  const Executors all = executorsFor(tools_, directory_.path(), runner_);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(all.all.front()->execute(call_, {}).has_value());
  EXPECT_EQ(runner_.asked().size(), 6u);
}

TEST_F(LlvmExecutor, WhatRunsIsWhatOutputTypesShow) {
  compilers();
  runner_.on(".txt", [](const Command& command) {
    EXPECT_TRUE(writeWholeFile(command.argv[2], written({2}, "12345678")).has_value());
    return test::exited(0, "");
  });
  call_.checks = true;
  EXPECT_THAT(execute().variants, ElementsAre("exact", "checks", "unoptimized"));
  const auto& types = lower::OutputTypes::builtin();
  const std::string loops = (*types.from("loops"))->stage.pipeline,
                    dialect = (*types.from("llvm-dialect"))->stage.pipeline;
  const std::string ran = *std::find_if(
      runner_.asked()[0].argv.begin(), runner_.asked()[0].argv.end(),
      [](const std::string& argument) { return argument.starts_with("--pass-pipeline="); });
  const auto passes = [](std::string_view pipeline) {
    std::vector<std::string> out;
    const auto parsed = lower::parsePipeline(pipeline);
    for (const lower::PipelinePass& pass : *parsed) out.push_back(lower::textOf(pass));
    return out;
  };
  std::vector<std::string> wanted = passes(loops), further = passes(dialect);
  wanted.insert(wanted.end(), further.begin(), further.end());
  std::vector<std::string> found = passes(std::string_view(ran).substr(ran.find('=') + 1));
  const auto checks = std::find_if(found.begin(), found.end(), [](const auto& pass) {
    return pass.starts_with("generate-runtime");
  });
  ASSERT_NE(checks, found.end());
  EXPECT_THAT(*std::prev(checks), StartsWith("one-shot-bufferize"));
  found.erase(checks);
  EXPECT_EQ(found, wanted);
  EXPECT_THAT(runner_.asked()[2].argv, Contains("-O0"));
}

TEST_F(LlvmExecutor, AFailedCheckIsACrashAtItsNode) {
  call_.checks = true;
  compilers();
  runner_.on(".txt", [](const Command&) {
    Exit exit = test::exited(0, "",
                             "ERROR: Runtime op verification failed\n"
                             "%cast = memref.cast %alloc : memref<?x8xf32> to memref<1x8xf32>\n^ "
                             "size mismatch of dim 0\n"
                             "Location: loc(\"bmm\"(\"fx\":27:0))\n");
    exit.reason = ExitReason::Signalled;
    exit.signal = 6;
    return Result<Exit>(exit);
  });
  const Execution out = execute();
  EXPECT_EQ(out.outcome, Outcome::Crashed);
  EXPECT_EQ(out.node, fx::NodeId(27));
  EXPECT_EQ(
      out.message,
      "size mismatch of dim 0: %cast = memref.cast %alloc : memref<?x8xf32> to memref<1x8xf32>");
  EXPECT_THAT(runner_.asked()[0].argv, Contains(HasSubstr("generate-runtime-verification")));
  EXPECT_THAT(runner_.asked()[2].argv, Contains("-O0"));
}

TEST_F(LlvmExecutor, WhatCannotBeCompiledIsNotSupported) {
  runner_.on("mlir-opt-22", [](const Command&) {
    return test::exited(1, "", "fx:14:0: error: failed to legalize operation 'math.erf'\n");
  });
  const Execution out = execute();
  EXPECT_EQ(out.outcome, Outcome::NotSupported);
  EXPECT_EQ(out.message, "mlir-opt-22: failed to legalize operation 'math.erf'");
  EXPECT_EQ(out.node, fx::NodeId(14));
}

TEST_F(LlvmExecutor, ErrorsOfTheLinkerAreNamed) {
  for (const char* program : {"mlir-opt-22", "mlir-translate-22"})
    runner_.on(program, [](const Command&) { return test::exited(0, ""); });
  runner_.on("clang-22", [](const Command&) {
    return test::exited(1, "",
                        "/usr/bin/ld: /tmp/a.o: in function `f':\nm.ll:(.text+0x1): undefined "
                        "reference to `log10l'\n");
  });
  EXPECT_EQ(execute().message, "clang-22: undefined reference to `log10l'");
}

TEST_F(LlvmExecutor, MissingResultsSignalsAndTimeoutsAreOutcomes) {
  compilers();
  int calls = 0;
  runner_.on(".txt", [&](const Command& command) {
    EXPECT_TRUE(writeWholeFile(command.argv[2], written({2}, "1234")).has_value());
    Exit exit = test::exited(0, "");
    if (calls == 1) exit.reason = ExitReason::Signalled, exit.signal = 11;
    if (calls == 2) exit.reason = ExitReason::TimedOut;
    ++calls;
    return Result<Exit>(exit);
  });
  const Executors all = executorsFor(tools_, directory_.path(), runner_);
  const auto incomplete = all.all.front()->execute(call_, {});
  ASSERT_TRUE(incomplete.has_value());
  EXPECT_EQ(incomplete->outcome, Outcome::Crashed);
  EXPECT_EQ(incomplete->message, "its results are incomplete");
  EXPECT_THAT(incomplete->results, IsEmpty());
  const auto crashed = all.all.front()->execute(call_, {});
  ASSERT_TRUE(crashed.has_value());
  EXPECT_EQ(crashed->outcome, Outcome::Crashed);
  EXPECT_THAT(crashed->message, HasSubstr("signal 11"));
  const auto late = all.all.front()->execute(call_, {});
  ASSERT_TRUE(late.has_value());
  EXPECT_EQ(late->outcome, Outcome::TimedOut);
}

TEST_F(LlvmExecutor, ArgumentsThatDoNotFitAreUsageErrors) {
  compilers();
  const Executors all = executorsFor(tools_, directory_.path(), runner_);
  call_.arguments = {};
  auto out = all.all.front()->execute(call_, {});
  ASSERT_FALSE(out.has_value());
  EXPECT_EQ(out.error().code, ErrorCode::Usage);
  EXPECT_EQ(out.error().message, "the function expects 1 arguments, got 0");
  call_.arguments = {{DType::Float32, {2, 1}, std::string(8, '\0')}};
  EXPECT_FALSE(all.all.front()->execute(call_, {}).has_value());
  call_.arguments = {{DType::Float32, {3}, std::string(8, '\0')}};
  EXPECT_FALSE(all.all.front()->execute(call_, {}).has_value());
}

TEST_F(LlvmExecutor, RefusesDialectsThatItDoesNotLower) {
  const Executors all = executorsFor(tools_, directory_.path(), runner_);
  EXPECT_EQ(all.all.front()->refuses("func.func @main() {\n  chlo.erf\n  return\n}"),
            "LLVM 22 does not lower the dialect chlo");
  EXPECT_EQ(all.all.front()->refuses(kText), "");
}

TEST(Executors, SayHowToGetThoseThatAreMissing) {
  test::TableRunner runner;
  const Executors none = executorsFor({}, "", runner);
  EXPECT_THAT(none.all, IsEmpty());
  EXPECT_EQ(none.missing,
            "no executor is installed; run 'fxscope-cli engine fetch --numbers' to install IREE (a "
            "download of 99 MB)");
  Tools llvm;
  for (std::string* each : {&llvm.mlirOpt, &llvm.mlirTranslate, &llvm.clang, &llvm.runnerLibrary})
    *each = "/usr/bin/true";
  EXPECT_EQ(executorsFor(llvm, "", runner).missing,
            "IREE is not installed, and a single executor proves nothing; run 'fxscope-cli engine "
            "fetch --numbers' to install IREE (a "
            "download of 99 MB)");
}

TEST(UnpackIree, RefusesWheelsWithOtherProgramsOrWithout) {
  const ScratchDirectory folder = *ScratchDirectory::make(testing::TempDir(), "tests");
  const std::string wheel = folder.file("a.whl"), programs = folder.file("iree");
  const auto unpacked = [&](const std::string& member) {
    EXPECT_TRUE(writeZipFile(wheel, {{member, "x"}}));
    const auto done = unpackIree({wheel}, programs, {});
    return done ? std::string() : done.error().message;
  };
  EXPECT_EQ(unpacked("iree/compiler/_mlir_libs/iree-compile"),
            "iree-compile is not the pinned program");
  EXPECT_EQ(
      unpacked("iree/iree-compile"),
      "the wheels of IREE have no iree-compile, iree-lld, iree-opt, iree-profile, iree-run-module, "
      "iree_platform_libs/rocm/ockl.bc, iree_platform_libs/rocm/ocml.bc, "
      "libIREECompiler.so");
  EXPECT_TRUE(std::filesystem::is_empty(programs));
}

}  // namespace
}  // namespace fxs::execute
