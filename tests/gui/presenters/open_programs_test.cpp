// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/open_programs.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

namespace fxs::ui {
namespace {

/// "a.pt2 [b.pt2] c.pt2": the current one in brackets.
std::string listed(const OpenPrograms& programs) {
  QStringList out;
  for (int i = 0; i < static_cast<int>(programs.all().size()); ++i)
    out << (i == programs.current() ? '[' + programs.title(i) + ']' : programs.title(i));
  return out.join(' ').toStdString();
}

/// a.pt2, b.pt2 and c.pt2, of which the last is the current one.
void openThree(OpenPrograms& programs) {
  for (const char* file : {"/d/a.pt2", "/d/b.pt2", "/d/c.pt2"})
    programs.choose(programs.add({file}));
}

TEST(OpenPrograms, AWindowBeginsWithOneThatHasNoFile) {
  OpenPrograms programs;
  EXPECT_EQ(listed(programs), "[]");
  EXPECT_TRUE(programs.kept().empty());
  const int id = programs.currentProgram().id;
  programs.choose(programs.add({"/d/a.pt2"}));
  EXPECT_EQ(listed(programs), "[a.pt2]");
  EXPECT_EQ(programs.currentProgram().id, id) << "its page is used";
  programs.close(0);
  EXPECT_EQ(listed(programs), "[]");
  EXPECT_NE(programs.currentProgram().id, id);
  programs.close(0);
  EXPECT_EQ(listed(programs), "[]");
}

TEST(OpenPrograms, ANewOneIsNextToTheCurrentOne) {
  OpenPrograms programs;
  openThree(programs);
  EXPECT_EQ(listed(programs), "a.pt2 b.pt2 [c.pt2]");
  programs.step(1);
  EXPECT_EQ(listed(programs), "[a.pt2] b.pt2 c.pt2");
  programs.add({"/d/x.pt2"});
  EXPECT_EQ(listed(programs), "[a.pt2] x.pt2 b.pt2 c.pt2");
  programs.step(-1);
  EXPECT_EQ(listed(programs), "a.pt2 x.pt2 b.pt2 [c.pt2]");
}

TEST(OpenPrograms, ClosedOnesComeBackWhereTheyWere) {
  OpenPrograms programs;
  openThree(programs);
  OpenProgram b = programs.all()[1];
  b.kept.target = "tosa";
  b.kept.node = "mm_3";
  programs.update(b);
  programs.close(1);
  programs.close(1);
  EXPECT_EQ(listed(programs), "[a.pt2]");
  programs.reopen();
  programs.reopen();
  EXPECT_EQ(listed(programs), "a.pt2 [b.pt2] c.pt2");
  EXPECT_EQ(programs.currentProgram().kept, b.kept);
  EXPECT_FALSE(programs.canReopen());
  programs.reopen();
  EXPECT_EQ(listed(programs), "a.pt2 [b.pt2] c.pt2");
}

TEST(OpenPrograms, TheCurrentOneStaysWhenOthersAreClosed) {
  OpenPrograms programs;
  openThree(programs);
  programs.choose(1);
  programs.close(0);
  EXPECT_EQ(listed(programs), "[b.pt2] c.pt2");
  programs.close(0);
  EXPECT_EQ(listed(programs), "[c.pt2]");
  programs.reopen();
  programs.reopen();
  programs.closeOthers(2);
  EXPECT_EQ(listed(programs), "[c.pt2]");
}

TEST(OpenPrograms, OneThatWasNotReadIsNotReopened) {
  OpenPrograms programs;
  openThree(programs);
  programs.drop(programs.all()[2].id);
  EXPECT_EQ(listed(programs), "a.pt2 [b.pt2]");
  EXPECT_FALSE(programs.canReopen());
}

TEST(OpenPrograms, AFileThatIsOpenAgainIsChosenNotReopened) {
  OpenPrograms programs;
  openThree(programs);
  programs.close(0);
  programs.choose(programs.add({"/d/a.pt2"}));
  programs.choose(0);
  programs.reopen();
  EXPECT_EQ(listed(programs), "b.pt2 c.pt2 [a.pt2]");
}

TEST(OpenPrograms, FilesOfOneNameAreToldByTheirFolders) {
  OpenPrograms programs;
  openThree(programs);
  programs.choose(programs.add({"/e/a.pt2"}));
  EXPECT_EQ(listed(programs), "d/a.pt2 b.pt2 c.pt2 [e/a.pt2]");
}

TEST(OpenPrograms, AreRestoredWithOneSignal) {
  OpenPrograms programs;
  QSignalSpy changed(&programs, &OpenPrograms::changed);
  programs.restore({{"/d/a.pt2"}, {"/d/b.pt2"}}, "/d/b.pt2");
  EXPECT_EQ(listed(programs), "a.pt2 [b.pt2]");
  programs.restore({{"/d/a.pt2"}, {"/d/c.pt2"}}, "/d/gone.pt2");
  EXPECT_EQ(listed(programs), "[a.pt2] b.pt2 c.pt2");
  EXPECT_EQ(changed.count(), 2);
}

TEST(KeptPrograms, LinesAreReadBack) {
  const std::vector<KeptProgram> programs{{"/d/a \"b\"\n.pt2", "2", "tosa", "mm_3", "stages"},
                                          {"/d/b.pt2"}};
  const QStringList lines = toLines(programs);
  EXPECT_EQ(lines.last(), R"({"file":"/d/b.pt2"})");
  EXPECT_EQ(keptFrom(lines), programs);
}

TEST(KeptPrograms, WhatIsNotUnderstoodIsLeftOut) {
  QStringList lines{"",
                    "{",
                    "[1]",
                    "null",
                    R"({"file": 3})",
                    R"({"file": "relative.pt2"})",
                    R"({"file": "/d/)" + QString(20'000, 'x') + R"("})",
                    QString(15'000, '['),
                    R"({"file": "/d/a.pt2", "node": ["x"], "target": {"a": 1}, "more": true})",
                    R"({"file": "/d/a.pt2"})"};
  EXPECT_EQ(keptFrom(lines), std::vector<KeptProgram>{{"/d/a.pt2"}});
  for (int i = 0; i < 1000; ++i) lines << QString(R"({"file": "/d/%1"})").arg(i);
  EXPECT_EQ(keptFrom(lines).size(), 50U);
}

}  // namespace
}  // namespace fxs::ui
