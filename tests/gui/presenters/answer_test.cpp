// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each sample has a verdict in a sentence, and a next step. FXSCOPE_ANSWERS names a folder of other
// programs whose answers are printed, a line each.
#include <gtest/gtest.h>

#include <QDir>
#include <QDirIterator>
#include <QTest>
#include <atomic>
#include <cstdio>

#include "features/answer/answer_presenter.h"
#include "output_type.h"
#include "real_engine.h"
#include "session/work_list.h"

namespace fxs::ui {
namespace {

constexpr int kPatienceMs = 120'000;

QStringList programsIn(const QString& folder) {
  QStringList out;
  QDirIterator files(folder, {"*.pt2", "*.mlir", "*.json"}, QDir::Files,
                     QDirIterator::Subdirectories);
  while (files.hasNext())
    if (const QString file = files.next(); !file.contains("/registries/")) out << file;
  out.sort();
  return out;
}

/// Notes the largest memory limit of the commands.
class LimitsRunner final : public CommandRunner {
 public:
  Result<Exit> run(const Command& command, std::stop_token stop) override {
    std::uint64_t before = largest;
    while (before < command.memoryLimit &&
           !largest.compare_exchange_weak(before, command.memoryLimit)) {
    }
    return real_.run(command, stop);
  }
  std::atomic<std::uint64_t> largest = 0;

 private:
  PosixCommandRunner real_;
};

class AnswerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto engine = test::realEngine();
    if (!engine) GTEST_SKIP() << test::kNoEngine;
    environment_.runner = &runner_;
    environment_.enginePath = engine->path;
  }
  /// Opens a program and waits for its diagnosis.
  const AnswerState& answerOf(const QString& file) {
    services_ = std::make_unique<Services>(environment_);
    services_->choose(ExecutorCheck([](const auto&) { return QString(); }));
    services_->set(std::make_shared<QuietTime>(quiet_));
    auto& session = services_->get<SessionPresenter>();
    session.setTarget(test::outputType("tosa"));
    auto& answer = services_->get<AnswerPresenter>();
    const auto& work = services_->get<WorkList>();
    session.open(file);
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
          return session.state().activity == Activity::Idle && !work.running(WorkFor::View) &&
                 !work.running(WorkFor::Answer);
        },
        kPatienceMs))
        << file.toStdString();
    return answer.state();
  }
  /// The actions of the next steps, the first first.
  static QStringList stepsOf(const AnswerState& state) {
    QStringList out;
    for (const AnswerStep& step : state.steps) out << step.action;
    return out;
  }

  PosixCommandRunner runner_;
  session::Environment environment_;
  QuietTime quiet_{std::chrono::minutes(10)};
  std::unique_ptr<Services> services_;
};

TEST_F(AnswerTest, EverySampleHasASentenceAndANextStep) {
  QStringList files = programsIn(QString(FXS_SOURCE_DIR) + "/samples");
  ASSERT_FALSE(files.isEmpty());
  if (const QString more = qEnvironmentVariable("FXSCOPE_ANSWERS"); !more.isEmpty())
    files += programsIn(more);
  for (const QString& file : files) {
    const AnswerState state = answerOf(file);
    const std::string name = QDir(FXS_SOURCE_DIR).relativeFilePath(file).toStdString();
    std::printf("%s | %s | %s\n", name.c_str(), qPrintable(state.message),
                qPrintable(stepsOf(state).join(", ")));
    EXPECT_FALSE(state.message.isEmpty()) << name;
    EXPECT_FALSE(state.steps.empty()) << name;
    EXPECT_FALSE(state.running) << name;
  }
}

TEST_F(AnswerTest, AVerifiedFixIsTheNextStep) {
  const AnswerState state = answerOf(QString(FXS_SOURCE_DIR) + "/samples/masked_attention.pt2");
  EXPECT_EQ(state.message.toStdString(),
            "tosa: 1 operation blocks it, at 2 nodes. Fix verified: the whole program lowers.");
  EXPECT_EQ(state.standing, report::Answer::Standing::Stops);
  EXPECT_EQ(stepsOf(state), QStringList({"export-fixed", "export-bundle"}));
}

TEST_F(AnswerTest, AKernelLeadsToRegistriesAtOnce) {
  const AnswerState state = answerOf(QString(FXS_SOURCE_DIR) + "/samples/kernels/softmax.json");
  EXPECT_EQ(state.message, "tosa: registries lower Helion kernels; pipelines do not");
  ASSERT_FALSE(state.steps.empty());
  EXPECT_EQ(state.steps.front().action, "lower-registries");
}

TEST_F(AnswerTest, AModuleLeadsToAnOutputTypeThatCanStartFromIt) {
  const AnswerState state = answerOf(QString(FXS_SOURCE_DIR) + "/samples/matmul_relu.mlir");
  EXPECT_TRUE(state.message.startsWith("Not lowered: ")) << state.message.toStdString();
  EXPECT_EQ(stepsOf(state), QStringList({"target-loops"}));
}

TEST_F(AnswerTest, AProgramThatLowersIsCompared) {
  const AnswerState state = answerOf(QString(FXS_SOURCE_DIR) + "/samples/addmm.pt2");
  EXPECT_EQ(state.message.toStdString(), "tosa: lowers");
  EXPECT_EQ(stepsOf(state), QStringList({"compare"}));
}

TEST_F(AnswerTest, WithoutAnExecutorOneIsInstalled) {
  services_ = std::make_unique<Services>(environment_);
  services_->choose(ExecutorCheck([](const auto&) { return QString("install one"); }));
  auto& session = services_->get<SessionPresenter>();
  session.setTarget(test::outputType("tosa"));
  const auto& answer = services_->get<AnswerPresenter>();
  session.open(QString(FXS_SOURCE_DIR) + "/samples/addmm.pt2");
  EXPECT_TRUE(QTest::qWaitFor([&] { return answer.state().running; }, kPatienceMs));
  EXPECT_TRUE(answer.state().steps.empty());
  ASSERT_TRUE(QTest::qWaitFor([&] { return settled(*services_); }, kPatienceMs));
  EXPECT_EQ(stepsOf(answer.state()), QStringList({"fetch-executors"}));
}

TEST_F(AnswerTest, WithoutAnEngineItSaysWhatIsMissing) {
  environment_.enginePath.clear();
  environment_.engineMissing = "no engine was found; ./run installs one";
  const AnswerState state = answerOf(QString(FXS_SOURCE_DIR) + "/samples/addmm.pt2");
  EXPECT_TRUE(state.message.startsWith("Not lowered: ")) << state.message.toStdString();
  EXPECT_EQ(stepsOf(state), QStringList({"run"}));
}

TEST_F(AnswerTest, AFileThatCannotBeReadSaysSo) {
  const AnswerState state = answerOf(QString(FXS_SOURCE_DIR) + "/samples/addmm.py");
  EXPECT_TRUE(state.message.startsWith("addmm.py: not read: is ")) << state.message.toStdString();
  EXPECT_EQ(stepsOf(state), QStringList({"open"}));
}

TEST_F(AnswerTest, AnOutputTypeThatWasLoweredToKeepsItsVerdict) {
  answerOf(QString(FXS_SOURCE_DIR) + "/samples/addmm.pt2");
  const auto& answer = services_->get<AnswerPresenter>();
  const auto messages = [&] {
    QStringList out;
    for (const TypeAnswer& each : answer.state().types) out << each.message;
    return out;
  };
  EXPECT_EQ(messages(), QStringList({"linalg-on-tensors: not run", "stablehlo: not run"}));
  services_->get<SessionPresenter>().setTarget(test::outputType("stablehlo"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return settled(*services_); }, kPatienceMs));
  EXPECT_EQ(messages(), QStringList({"linalg-on-tensors: not run", "tosa: lowers"}));
  EXPECT_EQ(answer.state().message, "stablehlo: lowers");
}

/// Once nothing else is going on; see QuietTime.
TEST_F(AnswerTest, TheOtherOutputTypesAreFoundInTheBackground) {
  quiet_.before = std::chrono::milliseconds(0);
  answerOf(QString(FXS_SOURCE_DIR) + "/samples/masked_attention.pt2");
  const auto& answer = services_->get<AnswerPresenter>();
  const auto& others = services_->get<OtherTypesPresenter>();
  const auto known = [&] {
    return others.of(test::outputType("linalg-on-tensors")) &&
           others.of(test::outputType("stablehlo"));
  };
  ASSERT_TRUE(QTest::qWaitFor(known, kPatienceMs));
  const std::vector<TypeAnswer> found = answer.state().types;
  ASSERT_EQ(found.size(), 2U);
  for (const TypeAnswer& each : found) {
    // As if it had been chosen.
    services_->get<SessionPresenter>().setTarget(each.type);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return settled(*services_) && !services_->get<WorkList>().running(WorkFor::Answer); },
        kPatienceMs));
    EXPECT_EQ(each.standing, answer.state().standing) << each.message.toStdString();
  }
}

TEST_F(AnswerTest, RunsInTheBackgroundHaveSmallLimits) {
  LimitsRunner limits;
  environment_.runner = &limits;
  quiet_.before = std::chrono::milliseconds(200);
  answerOf(QString(FXS_SOURCE_DIR) + "/samples/addmm.pt2");
  EXPECT_EQ(limits.largest, lower::Limits().memory);
  limits.largest = 0;
  const auto& others = services_->get<OtherTypesPresenter>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return others.of(test::outputType("stablehlo")).has_value(); },
                              kPatienceMs));
  EXPECT_GT(limits.largest, 0U);
  EXPECT_LE(limits.largest, std::uint64_t{2} << 30);
  services_.reset();  // its jobs use the runner
}

TEST_F(AnswerTest, NothingBeginsInTheBackgroundAfterACancelledRun) {
  quiet_.before = std::chrono::milliseconds(0);
  services_ = std::make_unique<Services>(environment_);
  services_->set(std::make_shared<QuietTime>(quiet_));
  auto& session = services_->get<SessionPresenter>();
  const auto& answer = services_->get<AnswerPresenter>();
  QObject::connect(&session, &SessionPresenter::stageEnded, &session, [&] { session.cancel(); });
  session.open(QString(FXS_SOURCE_DIR) + "/samples/masked_attention.pt2");
  ASSERT_TRUE(QTest::qWaitFor([&] { return session.state().cancelled; }, kPatienceMs));
  EXPECT_FALSE(
      QTest::qWaitFor([&] { return services_->get<WorkList>().running(WorkFor::Answer); }, 500));
  for (const TypeAnswer& each : answer.state().types)
    EXPECT_TRUE(each.message.endsWith(": not run")) << each.message.toStdString();
}

}  // namespace
}  // namespace fxs::ui
