// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run that is stopped (Esc) while the engine runs says nothing about what it did not reach.
#include <gtest/gtest.h>

#include <QTest>
#include <filesystem>

#include "fake_engine.h"
#include "features/problems/problems_presenter.h"
#include "session/session_presenter.h"

namespace fxs::ui {
namespace {

TEST(StoppedRun, IsCancelledAndNothingIsConcluded) {
  const test::TemporaryDirectory folder;
  PosixCommandRunner runner({{}, {folder.path()}});
  session::Environment environment;
  environment.runner = &runner;
  environment.temporaryDir = folder.path();
  environment.enginePath =
      test::fakeEngine(folder, "case \"$*\" in *to-linalg*) touch " + folder.file("began") +
                                   "; exec sleep 100 ;; esac\ncat");
  Services services(environment);
  int diagnoses = 0;
  services.choose(Diagnoser([&](const auto&...) -> Result<DiagnosisPtr> {
    ++diagnoses;
    return fail(ErrorCode::Cancelled, "stopped");
  }));
  auto& session = services.get<SessionPresenter>();
  const auto& problems = services.get<ProblemsPresenter>();
  const auto& diagnosis = services.get<DiagnosisPresenter>();
  session.open(QString(FXS_SOURCE_DIR) + "/samples/addmm.pt2");
  ASSERT_TRUE(
      QTest::qWaitFor([&] { return std::filesystem::exists(folder.file("began")); }, 60'000));
  session.cancel();
  ASSERT_TRUE(QTest::qWaitFor([&] { return session.state().activity == Activity::Idle; }, 60'000));
  EXPECT_TRUE(session.state().cancelled);
  EXPECT_EQ(problems.emptyText().toStdString(),
            "The run was cancelled before every stage was checked");
  EXPECT_EQ(session.tracing().message.toStdString(), "No passes: the run was cancelled");
  EXPECT_FALSE(diagnosis.state().running);
  EXPECT_EQ(diagnoses, 0);
}

}  // namespace
}  // namespace fxs::ui
