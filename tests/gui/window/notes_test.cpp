// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bookmarks and notes: made with keys and in the inspector, listed, marked where the node is, and
// kept beside the program.
#include "notes/notes.h"

#include <sys/stat.h>
#include <unistd.h>

#include <QFile>

#include "features/notes/note_section.h"
#include "features/notes/notes_page.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class WindowNotesTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    file_ = folder_.filePath("model.pt2");
    ASSERT_TRUE(QFile::copy(samplePath("masked_attention.pt2"), file_));
    openSettled(file_);
  }
  void select(const char* name) {
    bench_->get<SelectionPresenter>().selectNode(node(name), Origin::List);
  }
  void press(int key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(window_.get(), static_cast<Qt::Key>(key), modifiers);
  }
  QTextEdit* field() const { return part<NoteSection>()->field(); }
  NotesPage* page() const { return part<NotesPage>(); }
  QStringList rows() const {
    QStringList out;
    for (int row = 0; row < page()->model().rowCount(); ++row)
      out << page()->model().index(row, NotesModel::Node).data().toString() + '=' +
                 page()->model().index(row, NotesModel::Note).data().toString();
    return out;
  }
  QStringList kept() const {
    QStringList out;
    const auto notes = notes::readBeside(file_.toStdString());
    EXPECT_TRUE(notes) << notes.error().message;
    if (notes)
      for (const auto& [name, note] : *notes) out << text(name.node) + '=' + text(note.text);
    return out;
  }
  /// The graph as it is drawn, at the top left corner of a node.
  QImage cornerOf(const char* name) const {
    GraphPane* pane = part<GraphPane>();
    const QPoint at = pane->nodeRect(node(name))->topLeft().toPoint();
    return pane->grab(QRect(at - QPoint(12, 14), QSize(34, 14))).toImage();
  }
  QString file_;
};

TEST_F(WindowNotesTest, CtrlBBookmarksTheNodeAndMarksItEverywhere) {
  bench_->get<Graphs>().program.openAll();
  waitUntil([&] { return settled(*bench_); }, "laid out");
  bench_->get<SelectionPresenter>().clear();
  EXPECT_FALSE(part<NoteSection>()->isVisible()) << "of no node";
  select("layer_norm");
  EXPECT_TRUE(part<NoteSection>()->isVisible());
  const QImage before = cornerOf("layer_norm");
  press(Qt::Key_B, Qt::ControlModifier);
  EXPECT_EQ(kept(), QStringList{"layer_norm="});
  EXPECT_NE(cornerOf("layer_norm"), before);
  const Navigator* navigator = part<Navigator>();
  const QModelIndex inTree = navigator->treeModel().indexOf(node("layer_norm"));
  const auto flagOf = [](const QModelIndex& index) {
    return index.data(kMarksRole).value<const NodeMarks*>()->flag.emphasis;
  };
  EXPECT_EQ(flagOf(navigator->listModel().indexOf(node("layer_norm"))), Emphasis::Flag);
  EXPECT_EQ(flagOf(inTree), Emphasis::Flag);
  EXPECT_EQ(flagOf(inTree.parent()), Emphasis::Flag) << "the module that has it";
  EXPECT_EQ(rows(), QStringList{"layer_norm="});
  part<NoteSection>()->button()->click();
  EXPECT_EQ(kept(), QStringList());
  EXPECT_EQ(cornerOf("layer_norm"), before);
}

TEST_F(WindowNotesTest, ANoteIsTypedInTheInspectorAndIsThereAgain) {
  select("layer_norm");
  press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
  ASSERT_TRUE(field()->hasFocus());
  QTest::keyClicks(field(), "ask [Ana]?");  // keys that are actions elsewhere
  EXPECT_EQ(kept(), QStringList()) << "while typing";
  select("linear_4");
  EXPECT_EQ(kept(), QStringList{"layer_norm=ask [Ana]?"});
  EXPECT_EQ(field()->toPlainText(), "");
  select("layer_norm");
  EXPECT_EQ(field()->toPlainText(), "ask [Ana]?");

  QTest::keyClicks(field(), "first, ");
  waitUntil([&] { return kept() == QStringList{"layer_norm=first, ask [Ana]?"}; },
            "written after a pause");
  QTest::keyClicks(field(), "and ");
  close();
  EXPECT_EQ(kept(), QStringList{"layer_norm=first, and ask [Ana]?"}) << "closed while typing";
  remake();
  openSettled(file_);
  select("layer_norm");
  EXPECT_EQ(field()->toPlainText(), "first, and ask [Ana]?");
  EXPECT_EQ(rows(), QStringList{"layer_norm=first, and ask [Ana]?"});
}

TEST_F(WindowNotesTest, WhatIsBeingTypedSurvivesThatTheInspectorIsRebuilt) {
  select("layer_norm");
  window_->actions()["edit-note"]->trigger();
  QTest::keyClicks(field(), "half a sen");
  Q_EMIT bench_->get<NodePresenter>().changed();
  ASSERT_TRUE(field()->hasFocus());
  QTest::keyClicks(field(), "tence");
  EXPECT_EQ(field()->toPlainText(), "half a sentence");
  QSignalSpy reloaded(&bench_->get<SessionPresenter>(), &SessionPresenter::programChanged);
  window_->actions()["reload"]->trigger();
  waitUntil([&] { return reloaded.count() == 1; }, "reloaded");
  EXPECT_EQ(kept(), QStringList{"layer_norm=half a sentence"});
}

TEST_F(WindowNotesTest, TheListSelectsFiltersStepsRemovesAndRestores) {
  for (const char* name : {"linear_4", "layer_norm"}) {
    select(name);
    press(Qt::Key_B, Qt::ControlModifier);
  }
  bench_->get<NotesPresenter>().write(*bench_->get<NotesPresenter>().draft(node("linear_4")),
                                      "the wide one");
  EXPECT_EQ(rows(), (QStringList{"layer_norm=", "linear_4=the wide one"}));
  bench_->get<SelectionPresenter>().clear();
  for (const char* name : {"layer_norm", "linear_4", "layer_norm"}) {
    press(Qt::Key_F2);
    EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), node(name));
  }
  press(Qt::Key_F2, Qt::ShiftModifier);
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), node("linear_4"));

  press(Qt::Key_F2, Qt::ControlModifier);
  EXPECT_EQ(part<DockFrame>("results")->currentPage(), "notes");
  clickRow(page()->view(), page()->view()->model()->index(0, 0));
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), node("layer_norm"));
  page()->filter()->setText("WIDE");
  ASSERT_EQ(page()->view()->model()->rowCount(), 1);
  clickRow(page()->view(), page()->view()->model()->index(0, 0));
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), node("linear_4"));
  page()->filter()->clear();

  press(Qt::Key_B, Qt::ControlModifier);
  EXPECT_EQ(kept(), (QStringList{"layer_norm=", "linear_4=the wide one"}))
      << "a text is not removed by a key that toggles";
  QTest::keyClick(page()->view(), Qt::Key_Delete);
  EXPECT_EQ(kept(), QStringList{"layer_norm="});
  press(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(kept(), (QStringList{"layer_norm=", "linear_4=the wide one"}));
  EXPECT_FALSE(window_->actions()["restore-note"]->isEnabled());
}

TEST_F(WindowNotesTest, OfAChangedProgramNothingIsLostAndItIsSaid) {
  for (const char* name : {"layer_norm", "view_5"})
    bench_->get<NotesPresenter>().write(*bench_->get<NotesPresenter>().draft(node(name)), name);
  QFile::remove(file_);
  ASSERT_TRUE(QFile::copy(samplePath("transformer_block.pt2"), file_));
  openSettled(file_);
  const fx::Program& program = *bench_->get<SessionPresenter>().program();
  ASSERT_EQ(program.findNode("view_5"), nullptr);
  EXPECT_EQ(
      page()->summary(),
      "2 notes, 1 of another version, 1 not in this program  ·  kept in model.pt2.fxscope.json");
  select("layer_norm");
  EXPECT_TRUE(
      part<InspectorPane>()->plainText().contains("Written on another version of this program"));
  window_->actions()["show-notes"]->trigger();
  clickRow(page()->view(), page()->view()->model()->index(1, 0));
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), node("layer_norm"))
      << "there is no node to select";
  press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
  QTest::keyClicks(field(), "still ");
  page()->view()->setFocus();
  EXPECT_EQ(kept(), (QStringList{"layer_norm=still layer_norm", "view_5=view_5"}));
  EXPECT_FALSE(
      part<InspectorPane>()->plainText().contains("Written on another version of this program"));
}

TEST_F(WindowNotesTest, AFileThatCannotBeReadIsOneBannerAndLeftAsItIs) {
  const QByteArray broken = "{\"schema\": \"fxscope-notes/1\", \"notes\": [{\"node\": 1}]}";
  QFile notes(file_ + ".fxscope.json");
  ASSERT_TRUE(notes.open(QIODevice::WriteOnly));
  notes.write(broken);
  notes.close();
  openSettled(file_);
  EXPECT_EQ(part<BannerBar>()->text("notes"),
            "Notes: " + notes.fileName() +
                ": notes[0].node: expected a string, got an integer. The file is left as it is, "
                "and notes that you make now stay in this "
                "window");
  select("layer_norm");
  press(Qt::Key_B, Qt::ControlModifier);
  EXPECT_EQ(rows(), QStringList{"layer_norm="});
  ASSERT_TRUE(notes.open(QIODevice::ReadOnly));
  EXPECT_EQ(notes.readAll(), broken);
  notes.close();
  ASSERT_TRUE(notes.remove());
  waitUntil([&] { return part<BannerBar>()->text("notes").isEmpty(); },
            "it was seen that the file is gone");
  EXPECT_EQ(kept(), QStringList{"layer_norm="});
}

TEST_F(WindowNotesTest, InAFolderThatCannotBeWrittenNotesStayInTheWindow) {
  const std::string folder = folder_.path().toStdString();
  ASSERT_EQ(::chmod(folder.c_str(), 0555), 0);
  const bool isRoot = ::geteuid() == 0;
  ASSERT_EQ(isRoot ? ::seteuid(65534) : 0, 0);
  select("layer_norm");
  press(Qt::Key_B, Qt::ControlModifier);
  EXPECT_EQ(part<BannerBar>()->text("notes"),
            "Notes: " + file_ +
                ".fxscope.json: cannot be written: Permission denied. The file is left as it is, "
                "and your changes are in this window only");
  EXPECT_EQ(rows(), QStringList{"layer_norm="});
  ASSERT_EQ(isRoot ? ::seteuid(0) : 0, 0);
  ASSERT_EQ(::chmod(folder.c_str(), 0755), 0);
  for (QPushButton* each : part<BannerBar>()->findChildren<QPushButton*>())
    if (each->text() == "Try again") each->click();
  EXPECT_EQ(part<BannerBar>()->text("notes"), "");
  EXPECT_EQ(kept(), QStringList{"layer_norm="});
}

TEST_F(WindowNotesTest, AnOperationOfAStageIsMarkedLikeItsNode) {
  if (!hasEngine()) GTEST_SKIP() << "no engine";
  bench_->get<Graphs>().first.choose(StageId("torch"));
  waitUntil([&] { return settled(*bench_); }, "the graph of the stage");
  bench_->get<Graphs>().first.graph().openAll();
  waitUntil([&] { return settled(*bench_); }, "laid out");
  const auto cornerOfOperation = [&] {
    GraphPane* pane = part<GraphPane>();
    const fx::NodeId operation = bench_->get<Graphs>().first.shownFor({node("gelu")}).front();
    pane->centreOn(operation);
    return pane
        ->grab(
            QRect(pane->nodeRect(operation)->topLeft().toPoint() - QPoint(12, 14), QSize(34, 14)))
        .toImage();
  };
  const QImage before = cornerOfOperation();
  bench_->get<NotesPresenter>().toggle(node("gelu"));
  EXPECT_NE(cornerOfOperation(), before);
}

}  // namespace
}  // namespace fxs::ui
