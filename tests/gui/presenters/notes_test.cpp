// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "base/byte_source.h"
#include "features/notes/notes_model.h"
#include "features/notes/notes_presenter.h"
#include "program_from.h"
#include "text/words.h"
#include "write/pt2.h"

namespace fxs::ui {
namespace {

constexpr const char* kGraph =
    "x: f32[2, 4] = placeholder\na: f32[2, 4] = aten.relu.default(x)\nb: f32[2, 4] = "
    "aten.neg.default(a)\n"
    "c: f32[2, 4] = aten.exp.default(b)\nreturn c";

/// A window's part of it: a session with its notes.
struct Session {
  session::Environment environment() {
    session::Environment out;
    out.runner = &runner;
    return out;
  }
  PosixCommandRunner runner;
  Services services{environment()};
  SessionPresenter& session = services.get<SessionPresenter>();
  Marks& marks = services.get<Marks>();
  NotesPresenter& notes = services.get<NotesPresenter>();

  void open(const QString& file) {
    QSignalSpy opened(&session, &SessionPresenter::programChanged);
    session.open(file);
    ASSERT_TRUE(QTest::qWaitFor([&] { return opened.count() == 1; }, 60'000));
  }
  fx::NodeId node(const char* name) const { return session.program()->findNode(name)->id; }
  void note(const char* name, const QString& text) { notes.write(*notes.draft(node(name)), text); }
  /// "a=text b=" in the order of the list.
  QString listed() const {
    QStringList out;
    for (const notes::Placed& each : notes.all())
      out << text(notes::fullName(each.name)) + '=' + text(each.note.text);
    return out.join(' ');
  }
};

class NotesTest : public ::testing::Test {
 protected:
  QString fileOf(const char* graph, const QString& name = "model.pt2") {
    const auto bytes = write::pt2Bytes(*test::programFrom(graph), {}, {});
    EXPECT_TRUE(bytes) << toString(bytes.error());
    EXPECT_TRUE(writeWholeFile(path(name), *bytes));
    return exact(path(name));
  }
  std::string path(const QString& name) const { return folder_.filePath(name).toStdString(); }
  QTemporaryDir folder_;
};

TEST_F(NotesTest, ABookmarkIsToggledAndANoteIsNotLostByIt) {
  Session s;
  s.open(fileOf(kGraph));
  EXPECT_TRUE(s.notes.toggle(s.node("b")));
  EXPECT_EQ(s.listed(), "b=");
  EXPECT_TRUE(s.notes.toggle(s.node("b")));
  EXPECT_EQ(s.listed(), "");
  EXPECT_FALSE(QFile::exists(folder_.filePath("model.pt2.fxscope.json")));
  s.note("b", "  a text\n");
  EXPECT_FALSE(s.notes.toggle(s.node("b")));
  EXPECT_EQ(s.listed(), "b=a text");
  EXPECT_EQ(s.notes.summary(), "1 note  ·  kept in model.pt2.fxscope.json");
  s.note("b", "");
  EXPECT_EQ(s.listed(), "b=") << "an emptied note stays a bookmark";
}

TEST_F(NotesTest, SignsAndStepsFollowTheProgram) {
  Session s;
  s.open(fileOf(kGraph));
  EXPECT_FALSE(s.notes.next({}, 1).valid());
  s.notes.toggle(s.node("c"));
  s.note("a", "first");
  EXPECT_EQ(s.listed(), "a=first c=");
  std::vector<Emphasis> flags;
  for (const NodeMarks& each : s.marks.all()) flags.push_back(each.flag.emphasis);
  EXPECT_EQ(flags, (std::vector{Emphasis::None, Emphasis::Note, Emphasis::None, Emphasis::Flag}));
  EXPECT_EQ(s.marks.at(s.node("a")).tip().toStdString(), "Note:\n  first");
  const auto step = [&](fx::NodeId from, int direction) {
    return s.session.program()->node(s.notes.next(from, direction)).name;
  };
  EXPECT_EQ(step({}, 1), "a");
  EXPECT_EQ(step({}, -1), "c");
  EXPECT_EQ(step(s.node("a"), 1), "c");
  EXPECT_EQ(step(s.node("b"), 1), "c");
  EXPECT_EQ(step(s.node("c"), 1), "a");
  EXPECT_EQ(step(s.node("b"), -1), "a");
  EXPECT_EQ(step(s.node("a"), -1), "c");
}

TEST_F(NotesTest, WhatIsRemovedCanBeRestored) {
  Session s;
  s.open(fileOf(kGraph));
  s.note("a", "first");
  s.note("b", "second");
  s.notes.remove({"", "a"});
  s.notes.remove({"", "b"});
  EXPECT_EQ(s.listed(), "");
  EXPECT_EQ(s.notes.restore(), s.node("b"));
  EXPECT_EQ(s.notes.restore(), s.node("a"));
  EXPECT_FALSE(s.notes.canRestore());
  EXPECT_EQ(s.listed(), "a=first b=second");
}

TEST_F(NotesTest, TwoWindowsLoseNothingOfEachOther) {
  const QString file = fileOf(kGraph);
  Session one, two;
  one.open(file);
  two.open(file);
  one.note("a", "from one");
  two.note("b", "from two");
  ASSERT_TRUE(QTest::qWaitFor([&] { return one.listed() == "a=from one b=from two"; }, 60'000))
      << one.listed().toStdString();
  // Both edit the same note.
  const auto first = one.notes.draft(one.node("c")), second = two.notes.draft(two.node("c"));
  one.notes.write(*first, "one");
  two.notes.write(*second, "two");
  EXPECT_EQ(two.listed(), "a=from one b=from two c=one\\ntwo");
}

TEST_F(NotesTest, ADraftIsWrittenBesideItsOwnProgram) {
  const QString first = fileOf(kGraph, "first.pt2"), second = fileOf(kGraph, "second.pt2");
  Session s;
  s.open(first);
  const auto draft = s.notes.draft(s.node("a"));
  s.open(second);
  s.notes.write(*draft, "of the first");
  EXPECT_EQ(s.listed(), "");
  s.open(first);
  EXPECT_EQ(s.listed(), "a=of the first");
}

TEST_F(NotesTest, WhatCannotBeWrittenStaysAndIsTriedAgain) {
  Session s;
  s.open(fileOf(kGraph));
  QFile broken(folder_.filePath("model.pt2.fxscope.json"));
  ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
  broken.write("<<<<<<< HEAD\n");
  broken.close();
  s.note("a", "mine");
  s.notes.toggle(s.node("b"));
  EXPECT_EQ(s.notes.problem(), broken.fileName() +
                                   ": line 1, column 1: not valid JSON: while parsing value - "
                                   "invalid literal. The file is left as it is, "
                                   "and your changes are in this window only");
  EXPECT_EQ(s.listed(), "a=mine b=");
  EXPECT_EQ(*readWholeFile(broken.fileName().toStdString(), 1000), "<<<<<<< HEAD\n");
  s.open(fileOf(kGraph));
  EXPECT_EQ(s.listed(), "a=mine b=") << "reloaded";
  ASSERT_TRUE(broken.remove());
  s.notes.tryAgain();
  EXPECT_EQ(s.notes.problem(), "");
  EXPECT_EQ(s.listed(), "a=mine b=");
  Session later;
  later.open(exact(path("model.pt2")));
  EXPECT_EQ(later.listed(), "a=mine b=");
}

TEST_F(NotesTest, TheTableSaysWhatBecameOfTheNodes) {
  Session s;
  s.open(fileOf(kGraph));
  for (const char* name : {"a", "b", "c"}) s.note(name, QString("on ") + name);
  s.open(
      fileOf("x: f32[2, 4] = placeholder\na: f32[2, 4] = aten.relu.default(x)\nb: f32[2, 4] = "
             "aten.exp.default(a)\nreturn b"));
  NotesModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setNotes(s.notes.all());
  QStringList rows;
  for (int row = 0; row < model.rowCount(); ++row) {
    QStringList cells;
    for (const int column : {NotesModel::Node, NotesModel::Version, NotesModel::Note})
      cells << model.index(row, column).data().toString();
    rows << cells.join(" | ");
  }
  EXPECT_EQ(rows, (QStringList{"a | another version | on a", "b | was aten.neg.default | on b",
                               "c | not in this program | on c"}));
  EXPECT_EQ(model.index(2, 0).data(Qt::AccessibleTextRole), "note on c, not in this program");
  EXPECT_EQ(model.indexOf(s.node("b")).row(), 1);
  EXPECT_FALSE(model.indexOf(fx::NodeId{}).isValid());
  s.note("a", "one\ntwo " + QString("word ").repeated(20));
  model.setNotes(s.notes.all());
  EXPECT_EQ(model.index(0, NotesModel::Note).data(Qt::ToolTipRole).toString(),
            "Note:\n  one\n  two word word word word word word word word word word word word word "
            "word word\n  word word word word word");
  model.setNotes({});
  EXPECT_EQ(model.rowCount(), 0);
}

}  // namespace
}  // namespace fxs::ui
