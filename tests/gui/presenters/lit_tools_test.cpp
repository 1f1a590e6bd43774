// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lit tests with the programs of this machine.
#include <gtest/gtest.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "features/lit/lit_presenter.h"
#include "real_engine.h"

namespace fxs::ui {
namespace {

class LitToolsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto engine = test::realEngine();
    if (!engine) GTEST_SKIP() << test::kNoEngine;
    session::Environment environment;
    environment.runner = &runner_;
    environment.enginePath = engine->path;
    environment.temporaryDir = folder_.path().toStdString();
    environment.searchPath = "/usr/bin";
    services_ = std::make_unique<Services>(environment);
    lit();
  }
  void open(const QByteArray& text) {
    QFile file(folder_.filePath("x.mlir"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    session().open(file.fileName());
    settle();
  }
  void settle() {
    ASSERT_TRUE(QTest::qWaitFor(
        [this] {
          return settled(*services_) && !services_->get<WorkList>().running(WorkFor::Answer);
        },
        60'000));
  }
  LitPresenter& lit() { return services_->get<LitPresenter>(); }
  SessionPresenter& session() { return services_->get<SessionPresenter>(); }
  std::string lastText() {
    const auto& lowering = session().snapshot()->lowering;
    return lowering ? lowering->stages.back().text : session().state().stepProblem.toStdString();
  }

  QTemporaryDir folder_;
  PosixCommandRunner runner_;
  std::unique_ptr<Services> services_;
};

TEST_F(LitToolsTest, APipelineOfARunLineIsTheOutputType) {
  open(
      "// RUN: torch-mlir-opt %s -canonicalize -cse | FileCheck %s\n"
      "// CHECK: arith.addi\n"
      "// CHECK-NEXT: return\n"
      "func.func @f(%a: i32) -> i32 {\n"
      "  %0 = arith.addi %a, %a : i32\n"
      "  %1 = arith.addi %a, %a : i32\n"
      "  return %1 : i32\n"
      "}\n");
  ASSERT_TRUE(lit().hasTest()) << lit().emptyText().toStdString();
  const lower::OutputType before = session().target();
  lit().lowerWith(0);
  settle();
  EXPECT_EQ(lower::name(session().target()), "pipeline");
  EXPECT_NE(session().target()->stage.pipeline.find("canonicalize"), std::string::npos)
      << session().target()->stage.pipeline;
  const std::string text = lastText();
  EXPECT_NE(text.find("arith.addi"), std::string::npos) << text;
  EXPECT_EQ(text.find("arith.addi"), text.rfind("arith.addi")) << text;
  if (lit().rows()[0].mark == LitMark::NotRun)
    GTEST_SKIP() << lit().rows()[0].message.toStdString();
  lit().run(0);
  settle();
  EXPECT_EQ(lit().rows()[0].mark, LitMark::Passed) << lit().result().message.toStdString();
  ASSERT_EQ(lit().result().checks.size(), 2U);
  ASSERT_TRUE(lit().result().checks[0].output);
  EXPECT_EQ(lit().result().checks[0].output->line, 2U);
  EXPECT_EQ(lit().result().checks[0].outcome, CheckRow::Outcome::Found);
}

TEST_F(LitToolsTest, ACrashReproducerIsLoweredByItsPipeline) {
  open(
      "module {\n  func.func @f(%a: i32) -> i32 {\n"
      "    %0 = arith.addi %a, %a : i32\n"
      "    return %a : i32\n  }\n}\n"
      "{-#\n  external_resources: {\n    mlir_reproducer: {\n"
      "      pipeline: \"builtin.module(func.func(canonicalize))\",\n"
      "      disable_threading: false,\n      verify_each: true\n    }\n  }\n#-}\n");
  EXPECT_EQ(session().target()->stage.pipeline, "builtin.module(func.func(canonicalize))");
  EXPECT_EQ(lastText().find("arith.addi"), std::string::npos) << lastText();
  EXPECT_FALSE(lit().hasTest());
}

}  // namespace
}  // namespace fxs::ui
