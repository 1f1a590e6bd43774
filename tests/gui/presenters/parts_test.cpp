// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "features/parts/parts_presenter.h"
#include "real_engine.h"

namespace fxs::ui {
namespace {

TEST(Parts, OfATextAreOpenedOneByOne) {
  const auto engine = test::realEngine();
  if (!engine) GTEST_SKIP() << test::kNoEngine;
  QTemporaryDir folder;
  QFile file(folder.filePath("parts.mlir"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  for (int part = 1; part <= 11; ++part)
    file.write(QString("%1func.func @f%2() {\n  return\n}\n")
                   .arg(part > 1 ? "// -----\n" : "")
                   .arg(part)
                   .toUtf8());
  file.close();
  PosixCommandRunner runner;
  session::Environment environment;
  environment.runner = &runner;
  environment.enginePath = engine->path;
  Services services{environment};
  auto& session = services.get<SessionPresenter>();
  auto& parts = services.get<PartsPresenter>();
  QSignalSpy opened(&session, &SessionPresenter::programChanged);
  const auto settle = [&](int count) {
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return opened.count() == count && settled(services); }, 60'000));
  };
  session.open(file.fileName());
  settle(1);
  ASSERT_EQ(parts.models().size(), 11U);
  EXPECT_EQ(parts.positionText(), "1 of 11");
  EXPECT_EQ(parts.titleOf(9), "Part 10");
  parts.step(-1);
  parts.choose(9);
  settle(2);
  EXPECT_EQ(parts.positionText(), "10 of 11");
  EXPECT_EQ(session.snapshot()->request.read.model, "10");
  EXPECT_NE(session.snapshot()->capture->module->text.find("@f10"), std::string::npos);
  session.open(file.fileName());
  settle(3);
  EXPECT_EQ(parts.current(), 0);
}

}  // namespace
}  // namespace fxs::ui
