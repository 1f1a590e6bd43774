// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that changes on disk while it is open, and what is selected in it.
#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "program_from.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "write/pt2.h"

namespace fxs::ui {
namespace {

constexpr const char* kBefore =
    "x: f32[2, 4] = placeholder\na: f32[2, 4] = aten.relu.default(x)\nb: f32[2, 4] = "
    "aten.neg.default(a)\nreturn b";
constexpr const char* kAfter =
    "x: f32[2, 4] = placeholder\nn: f32[2, 4] = aten.exp.default(x)\nb: f32[2, 4] = "
    "aten.neg.default(n)\nreturn b";

QByteArray bytesOf(const char* graph) {
  const auto bytes = write::pt2Bytes(*test::programFrom(graph), {}, {});
  EXPECT_TRUE(bytes) << toString(bytes.error());
  return bytes ? QByteArray::fromStdString(*bytes) : QByteArray();
}

class ChangedFile : public ::testing::Test {
 protected:
  void SetUp() override {
    write(bytesOf(kBefore));
    open([this] { session_.open(file_); });
  }
  session::Environment environment() {
    session::Environment out;
    out.runner = &runner_;
    return out;
  }
  void open(const std::function<void()>& how) {
    QSignalSpy opened(&session_, &SessionPresenter::programChanged);
    how();
    waitFor([&] { return opened.count() == 1 && settled(services_); });
  }
  void write(const QByteArray& bytes, const QString& to = {}) {
    QFile file(to.isEmpty() ? file_ : to);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }
  static void waitFor(const std::function<bool()>& condition) {
    ASSERT_TRUE(QTest::qWaitFor(condition, 60'000));
  }
  bool isChanged() const { return session_.state().changedOnDisk; }
  QStringList selected() const {
    QStringList out;
    for (const fx::NodeId node : selection_.current().nodes)
      out << QString::fromStdString(session_.program()->node(node).name);
    return out;
  }
  void select(const char* name) { ASSERT_TRUE(selection_.selectByName(name)); }

  QTemporaryDir folder_;
  QString file_ = folder_.filePath("model.pt2");
  PosixCommandRunner runner_;
  Services services_{environment()};
  SessionPresenter& session_ = services_.get<SessionPresenter>();
  SelectionPresenter& selection_ = services_.get<SelectionPresenter>();
};

TEST_F(ChangedFile, IsToldOnceItIsComplete) {
  const QByteArray after = bytesOf(kAfter);
  QSignalSpy states(&session_, &SessionPresenter::stateChanged);
  bool wasEarly = false;
  QObject::connect(&session_, &SessionPresenter::stateChanged, &session_,
                   [&] { wasEarly = wasEarly || isChanged(); });
  {
    QFile file(file_);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    // As long as an exporter that writes for longer than is waited for.
    QElapsedTimer clock;
    for (clock.start(); clock.elapsed() < 1500; QTest::qWait(100)) {
      file.write(after.left(10));
      file.flush();
    }
    EXPECT_FALSE(wasEarly);
    ASSERT_TRUE(file.resize(0) && file.seek(0));
    file.write(after);
  }
  waitFor([this] { return isChanged(); });
  open([this] { session_.reload(); });
  EXPECT_FALSE(isChanged());
  EXPECT_NE(session_.program()->findNode("n"), nullptr);
}

TEST_F(ChangedFile, IsToldWhereItWasReplaced) {
  const QString other = folder_.filePath("other");
  write(bytesOf(kAfter), other);
  ASSERT_TRUE(QFile::remove(file_));
  QTest::qWait(1200);
  EXPECT_FALSE(isChanged()) << "that it is gone does not make another version";
  ASSERT_TRUE(QFile::rename(other, file_));
  waitFor([this] { return isChanged(); });
  // Its watch is that of the new file.
  session_.ignoreChange();
  EXPECT_FALSE(isChanged());
  write(bytesOf(kBefore) + "more");
  waitFor([this] { return isChanged(); });
}

TEST_F(ChangedFile, IsNotToldAgainAfterItWasIgnored) {
  write(bytesOf(kAfter));
  waitFor([this] { return isChanged(); });
  session_.ignoreChange();
  write("", folder_.filePath("another"));  // the folder changes, and is looked at
  QTest::qWait(1200);
  EXPECT_FALSE(isChanged());
}

TEST_F(ChangedFile, IsReloadedWhileItIsWatched) {
  session_.setWatching(true);
  select("b");
  QSignalSpy opened(&session_, &SessionPresenter::programChanged);
  QSignalSpy failed(&session_, &SessionPresenter::openFailed);
  write(bytesOf(kAfter));
  QElapsedTimer clock;
  clock.start();
  waitFor([&] { return opened.count() == 1; });
  EXPECT_LT(clock.elapsed(), 1000);
  EXPECT_EQ(selected(), QStringList{"b"});
  EXPECT_NE(session_.program()->findNode("n"), nullptr);
  // What cannot be read leaves what is open, and the next version is read.
  waitFor([this] { return settled(services_); });
  write("not an archive");
  waitFor([&] { return failed.count() == 1; });
  EXPECT_EQ(opened.count(), 1);
  write(bytesOf(kBefore));
  waitFor([&] { return opened.count() == 2; });
  EXPECT_EQ(failed.count(), 1) << "an error is told once";
}

TEST_F(ChangedFile, IsNotReloadedBeforeAnEditEnds) {
  session_.setWatching(true);
  session_.setEdited(true);
  QSignalSpy opened(&session_, &SessionPresenter::programChanged);
  write(bytesOf(kAfter));
  waitFor([this] { return isChanged(); });
  QTest::qWait(500);
  EXPECT_EQ(opened.count(), 0);
  session_.setEdited(false);
  waitFor([&] { return opened.count() == 1; });
}

TEST_F(ChangedFile, KeepsWhatIsSelectedByName) {
  select("b");
  write(bytesOf(kAfter));
  open([this] { session_.reload(); });
  EXPECT_EQ(selected(), QStringList{"b"});
  EXPECT_FALSE(selection_.canGoBack()) << "the history is of nodes of the other";
}

TEST_F(ChangedFile, SelectsNothingWhereTheNodeIsGone) {
  select("a");
  write(bytesOf(kAfter));
  open([this] { session_.reload(); });
  EXPECT_EQ(selected(), QStringList());
  EXPECT_TRUE(selection_.untouched());
}

TEST_F(ChangedFile, AnotherFileStartsWithoutASelection) {
  select("b");
  const QString other = folder_.filePath("other.pt2");
  write(bytesOf(kAfter), other);
  open([&] { session_.open(other); });
  EXPECT_EQ(selected(), QStringList());
  selection_.selectOnceOpened("a");
  open([this] { session_.open(file_); });
  EXPECT_EQ(selected(), QStringList{"a"});
}

}  // namespace
}  // namespace fxs::ui
