// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text is edited in its pane, its errors are shown while one types, and lowering continues from
// it: with the engine.
#include <QAbstractItemView>
#include <QElapsedTimer>
#include <QFile>
#include <QInputDialog>
#include <algorithm>

#include "features/variants/editor_pane.h"
#include "features/variants/pass_list_dialog.h"
#include "features/variants/variants_page.h"
#include "output_type.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class EditTextTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
    file_ = folder_.filePath("model.pt2");
    ASSERT_TRUE(QFile::copy(samplePath("addmm.pt2"), file_));
    bench_->get<SessionPresenter>().setTarget(test::outputType("linalg-on-tensors"));
    openSettled(file_);
  }
  EditPresenter& edit() { return bench_->get<EditPresenter>(); }
  VariantsPresenter& variants() { return bench_->get<VariantsPresenter>(); }
  PassPresenter& passes() { return bench_->get<PassPresenter>(); }
  EditorPane* pane() const { return part<EditorPane>(); }
  CodeEditor* editor() const { return pane()->editor(); }
  void editStage(const ShownText& stage) {
    bench_->get<StagePresenter>().setPanes({"fx", stage});
    waitUntil([&] { return bench_->get<StagePresenter>().textOf(stage) != nullptr; }, "the text");
    paneOf(stage)->view()->setFocus();
    window_->actions()["edit-text"]->trigger();
    ASSERT_NE(pane(), nullptr);
    waitChecked();
  }
  void waitChecked() {
    waitUntil([&] { return !edit().checking(); }, "parsed");
  }
  void replace(const QString& before, const QString& after) {
    QTextCursor found = editor()->document()->find(before);
    ASSERT_FALSE(found.isNull()) << before.toStdString();
    found.insertText(after);
  }
  void continueEdit() {
    window_->actions()["continue"]->trigger();
    waitUntil([&] { return !variants().running() && !variants().all().empty(); }, "lowered");
    waitUntil([&] { return pane() == nullptr && settled(*bench_); }, "the editor is closed");
  }
  std::string shownText(Handle handle) const {
    return std::string(part<StageStrip>()->paneOf(handle)->view()->code()->all());
  }
  QString file_;
};

TEST_F(EditTextTest, AnErrorIsShownAtItsLineAndACorrectedTextContinues) {
  editStage("torch");
  EXPECT_TRUE(editor()->hasFocus());
  EXPECT_EQ(pane()->summary(), "No errors");
  EXPECT_FALSE(edit().isChanged());

  replace("torch.aten.mm %arg0", "torch.aten.mm %nothing");
  QElapsedTimer since;
  since.start();
  waitUntil([&] { return edit().firstError() != nullptr; }, "the first error");
  measured("first error after the last key", static_cast<double>(since.elapsed()), 300);
  const int line =
      editor()->document()->find("%nothing").blockNumber();  // of the text as it is now
  EXPECT_EQ(edit().firstError()->line, static_cast<std::uint32_t>(line));
  EXPECT_EQ(pane()->summary(),
            QString("1 error, line %1: use of undeclared SSA value name").arg(line + 1));
  const auto marks = editor()->extraSelections();
  EXPECT_TRUE(std::any_of(marks.begin(), marks.end(), [&](const auto& mark) {
    return mark.format.underlineStyle() == QTextCharFormat::WaveUnderline &&
           mark.cursor.blockNumber() == line;
  }));
  // It goes to the error instead of lowering.
  window_->actions()["continue"]->trigger();
  EXPECT_TRUE(variants().all().empty());
  EXPECT_EQ(editor()->textCursor().blockNumber(), line);

  QTest::keyClick(editor(), Qt::Key_Z, Qt::ControlModifier);
  waitChecked();
  EXPECT_EQ(pane()->summary(), "No errors");
  replace("torch.constant.float 5.000000e-01", "torch.constant.float 2.500000e-01");
  waitChecked();
  EXPECT_EQ(pane()->summary(), "No errors");
  continueEdit();

  const VariantState made = variants().all().front();
  EXPECT_EQ(made.spec.name, "edited torch");
  EXPECT_EQ(made.spec.change, "torch: 1 line");
  EXPECT_EQ(made.mark, StageMark::Ok) << made.status.toStdString();
  EXPECT_EQ(made.status, "lowers to linalg-on-tensors");
  EXPECT_EQ(passes().listed(), Listed::Comparison);
  EXPECT_NE(shownText(Handle::From).find("5.000000e-01"), std::string::npos);
  EXPECT_NE(shownText(Handle::To).find("2.500000e-01"), std::string::npos);
  EXPECT_EQ(part<VariantsPage>()->currentId(), made.id);
  // An operation that was not edited keeps its node.
  const fx::NodeId addmm = node("addmm");
  EXPECT_FALSE(bench_->get<StagePresenter>()
                   .linesOf(VariantStage{made.id, "linalg-on-tensors"}, {addmm})
                   .empty());
  waitUntil([&] { return QFile::exists(file_ + ".variants.json"); }, "kept");
}

TEST_F(EditTextTest, TheModuleAfterAPassIsEditedAndTheEditCanBeDiscarded) {
  ASSERT_TRUE(passes().trace());
  window_->actions()["next-pass"]->trigger();
  waitUntil([&] { return settled(*bench_) && passes().diff(); }, "compared");
  const int pass = passes().pass();
  editStage(PassSnapshot{passes().to()});
  const EditSource* source = edit().source();
  ASSERT_NE(source, nullptr);
  EXPECT_EQ(source->stage, "torch");
  EXPECT_EQ(source->pass, static_cast<std::size_t>(pass));
  window_->actions()["discard-edit"]->trigger();
  EXPECT_EQ(edit().source(), nullptr);
  waitUntil([&] { return pane() == nullptr; }, "closed");
  EXPECT_EQ(paneOf(PassSnapshot{passes().to()})->message(), "");
}

TEST_F(EditTextTest, WhatCannotBeEditedSaysSo) {
  bench_->get<StagePresenter>().setPanes({"fx"});
  window_->actions()["edit-text"]->trigger();
  EXPECT_EQ(pane(), nullptr);
  EXPECT_TRUE(part<VariantsPage>()->message().startsWith("Edit the text of a stage"));
  EXPECT_FALSE(window_->actions()["continue"]->isEnabled());
}

TEST_F(EditTextTest, APassIsSkippedAndAVariantIsRenamedAndDropped) {
  ASSERT_TRUE(passes().trace());
  const auto found =
      std::find_if(passes().passes().begin(), passes().passes().end(),
                   [](const PassRow& row) { return row.changed && row.stage == "torch"; });
  ASSERT_NE(found, passes().passes().end());
  const QString name = found->name;
  passes().choose(found->pass);
  window_->actions()["skip-pass"]->trigger();
  waitUntil([&] { return !variants().running() && settled(*bench_); }, "lowered");
  ASSERT_EQ(variants().all().size(), 1U);
  const VariantState made = variants().all().front();
  EXPECT_EQ(text(made.spec.name), "without " + name);
  ASSERT_EQ(made.spec.skipped.size(), 1U);
  EXPECT_TRUE(made.lowered) << made.status.toStdString();
  EXPECT_TRUE(variants().rename(made.id, "shorter"));
  EXPECT_FALSE(variants().rename(made.id, " "));
  EXPECT_EQ(part<VariantsPage>()->model().index(0, VariantsModel::Name).data().toString(),
            "shorter");
  // It is there again when the program is.
  waitUntil([&] { return settled(*bench_); }, "saved");
  bench_->get<SessionPresenter>().reload();
  waitUntil([&] { return settled(*bench_) && variants().current() < 0; }, "read again");
  waitUntil([&] { return variants().all().size() == 1; }, "read");
  EXPECT_EQ(variants().all().front().status, "not run yet");
  variants().select(variants().all().front().id);
  waitUntil([&] { return !variants().running() && variants().all().front().lowered; }, "lowered");
  variants().drop(variants().all().front().id);
  EXPECT_TRUE(variants().all().empty());
  waitUntil([&] { return !QFile::exists(file_ + ".variants.json"); }, "no file without variants");
}

TEST_F(EditTextTest, VariantsOfAnotherWindowAreKept) {
  ASSERT_TRUE(passes().trace());
  const auto found =
      std::find_if(passes().passes().begin(), passes().passes().end(),
                   [](const PassRow& row) { return row.changed && row.stage == "torch"; });
  ASSERT_NE(found, passes().passes().end());
  const std::string name = "without " + found->name.toStdString();
  variant::Variant theirs{name, "", "theirs", "tosa", nullptr, {}, {{"tosa", "builtin.module()"}}};
  ASSERT_TRUE(variant::mergeBeside(file_.toStdString(), {}, {theirs}));
  passes().choose(found->pass);
  window_->actions()["skip-pass"]->trigger();
  waitUntil([&] { return variants().all().size() == 2 && settled(*bench_); }, "merged");
  EXPECT_EQ(variants().all()[0].spec.name, name + " 2");
  EXPECT_EQ(variants().all()[1].spec, theirs);
  EXPECT_EQ(variants().all()[1].status, "not run yet");
  EXPECT_EQ(variant::readBeside(file_.toStdString())->size(), 2U);
  // What the other window drops goes here, too, with the next change.
  const int mine = variants().all()[0].id;
  ASSERT_TRUE(variant::mergeBeside(file_.toStdString(), {theirs}, {}));
  EXPECT_TRUE(variants().rename(mine, "mine"));
  waitUntil([&] { return variants().all().size() == 1 && settled(*bench_); }, "merged");
  EXPECT_EQ(variants().all()[0].id, mine);
  EXPECT_EQ(variants().all()[0].spec.name, "mine");
}

TEST_F(EditTextTest, ANodeHasAnotherArgumentAndIsDecomposed) {
  const auto lowered = [&](std::size_t count) {
    waitUntil([&] { return variants().all().size() == count && !variants().running(); }, "lowered");
    waitUntil([&] { return settled(*bench_); }, "compared");
    return variants().all().back();
  };
  bench_->get<SelectionPresenter>().selectNode(node("addmm"), Origin::List);
  window_->actions()["set-argument"]->trigger();
  auto* dialog = window_->findChild<QInputDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->comboBoxItems(), (QStringList{"beta=0.5", "alpha=2.0"}));
  dialog->setTextValue("beta=1");
  dialog->accept();
  const VariantState first = lowered(1);
  EXPECT_EQ(first.spec.name, "addmm.beta=1");
  EXPECT_EQ(first.mark, StageMark::Ok) << first.status.toStdString();
  EXPECT_EQ(passes().listed(), Listed::Comparison);
  const Stage* raw = bench_->get<StagePresenter>().stage(VariantStage{first.id, "raw"});
  EXPECT_NE(raw, nullptr) << "a change of the program is one of all stages";

  window_->actions()["decompose-node"]->trigger();
  const VariantState second = lowered(2);
  EXPECT_EQ(second.spec.name, "addmm decomposed");
  EXPECT_EQ(second.spec.parent, "addmm.beta=1");
  EXPECT_EQ(second.spec.arguments, first.spec.arguments);
  EXPECT_EQ(second.mark, StageMark::Ok) << second.status.toStdString();

  window_->actions()["keep-node"]->trigger();
  const VariantState third = lowered(3);
  EXPECT_TRUE(third.spec.decomposeNodes.empty());
  EXPECT_EQ(third.spec.keepNodes, std::set<std::string>{"addmm"});
  EXPECT_EQ(third.mark, StageMark::Ok) << third.status.toStdString();
}

TEST_F(EditTextTest, APassIsInsertedInTheListOfAStage) {
  ASSERT_TRUE(passes().trace());
  const auto last = std::find_if(passes().passes().rbegin(), passes().passes().rend(),
                                 [](const PassRow& row) { return row.ran; });
  ASSERT_NE(last, passes().passes().rend());
  passes().choose(last->pass);
  window_->actions()["edit-passes"]->trigger();
  auto* dialog = part<PassListDialog>();
  ASSERT_NE(dialog, nullptr);
  auto& list = bench_->get<PassListPresenter>();
  waitUntil([&] { return !list.state().running && dialog->list()->count() > 0; }, "listed");
  EXPECT_EQ(dialog->status(), "Nothing is changed");
  EXPECT_FALSE(dialog->lowerButton()->isEnabled());
  const int count = dialog->list()->count();
  dialog->inserted()->setText("cse");
  QTest::keyClick(dialog->inserted(), Qt::Key_Return);
  waitUntil([&] { return dialog->list()->count() == count + 1; }, "inserted");
  EXPECT_EQ(dialog->status(), "with cse");
  QTest::mouseClick(dialog->lowerButton(), Qt::LeftButton);
  waitUntil([&] { return !variants().running() && !variants().all().empty(); }, "lowered");
  const VariantState made = variants().all().front();
  EXPECT_EQ(made.spec.change, last->stage.toStdString() + ": with cse");
  EXPECT_EQ(made.mark, StageMark::Ok) << made.status.toStdString();
}

/// Whether an editor was drawn since it has an error.
class Drawn final : public QObject {
 public:
  explicit Drawn(CodeEditor& editor) : editor_(editor) {
    editor.viewport()->installEventFilter(this);
  }
  bool isDrawn() const { return isDrawn_; }

 private:
  bool eventFilter(QObject* object, QEvent* event) override {
    isDrawn_ = isDrawn_ || (event->type() == QEvent::Paint && !editor_.problems().empty());
    return QObject::eventFilter(object, event);
  }
  CodeEditor& editor_;
  bool isDrawn_ = false;
};

TEST_F(EditTextTest, FourThousandOperationsAreParsedWhileOneTypes) {
  const QString type = "!torch.vtensor<[16],f32>";
  QString text = QString("module {\n  func.func @main(%v0: %1) -> %1 {\n").arg(type);
  text += QString(
              "    %c = torch.vtensor.literal(dense<\"0x%1\"> : tensor<128xf32>) : "
              "!torch.vtensor<[128],f32>\n")
              .arg(QString("0000803F0000003F").repeated(64));  // long enough to be elided
  for (int i = 1; i <= 4000; ++i)
    text += QString("    %v%1 = torch.aten.relu %v%2 : %3 -> %3\n").arg(i).arg(i - 1).arg(type);
  text += QString("    return %v4000 : %1\n  }\n}\n").arg(type);
  QFile file(folder_.filePath("large.mlir"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(text.toUtf8());
  file.close();
  openSettled(file.fileName());
  editStage("raw");
  EXPECT_EQ(pane()->summary(), "No errors");
  EXPECT_TRUE(editor()->toPlainText().contains("…")) << "the constant is put back to be parsed";
  QTextCursor cursor = editor()->document()->find("torch.aten.relu %3989");
  ASSERT_FALSE(cursor.isNull());
  cursor.setPosition(cursor.selectionEnd());
  editor()->setTextCursor(cursor);
  Drawn drawn(*editor());
  QElapsedTimer since;
  since.start();
  QTest::keyClick(editor(), 'x');
  measured("a key in 4,000 operations", static_cast<double>(since.restart()), 50);
  waitUntil([&] { return drawn.isDrawn(); }, "the first error");
  measured("first error of 4,000 operations drawn after the last key",
           static_cast<double>(since.elapsed()), 300);
  EXPECT_EQ(edit().firstError()->line, static_cast<std::uint32_t>(cursor.blockNumber()));
}

TEST_F(EditTextTest, TheEditedTextIsSearched) {
  editStage("torch");
  window_->actions()["find"]->trigger();
  FindBar* find = pane()->findBar();
  EXPECT_TRUE(find->isVisible());
  EXPECT_TRUE(find->edit()->hasFocus());
  find->edit()->setText("constant.float");
  waitUntil([&] { return find->countText().startsWith("1 of "); }, "found");
  EXPECT_EQ(editor()->textCursor().selectedText(), "constant.float");
  const int first = editor()->textCursor().position();
  window_->actions()["find-next"]->trigger();
  EXPECT_TRUE(find->countText().startsWith("2 of "));
  EXPECT_GT(editor()->textCursor().position(), first);
  // A key that comes before the matches goes on from the first of them.
  editor()->moveCursor(QTextCursor::Start);
  find->edit()->setText("constant.");
  QTest::keyClick(find->edit(), Qt::Key_Return);
  waitUntil([&] { return editor()->textCursor().selectedText() == "constant."; }, "found");
  EXPECT_TRUE(find->countText().startsWith("2 of ")) << find->countText().toStdString();
  EXPECT_EQ(editor()->palette().color(QPalette::Inactive, QPalette::Highlight),
            appearance_->color(Role::FindCurrent));
  find->edit()->setText("constant.float");
  waitUntil([&] { return editor()->textCursor().selectedText() == "constant.float"; }, "found");
  // What is typed is searched, and the cursor stays.
  const QString count = find->countText();
  editor()->moveCursor(QTextCursor::Start);
  editor()->insertPlainText("// constant.float\n");
  const int here = editor()->textCursor().position();
  waitUntil([&] { return find->countText().section(' ', -1) != count.section(' ', -1); },
            "searched again");
  EXPECT_EQ(editor()->textCursor().position(), here);
  QTest::keyClick(find->edit(), Qt::Key_Escape);
  EXPECT_FALSE(find->isVisible());
  EXPECT_TRUE(editor()->hasFocus());
}

TEST_F(EditTextTest, NamesAreCompleted) {
  editStage("torch");
  QTextCursor cursor = editor()->document()->find("return %4");
  cursor.setPosition(cursor.selectionStart());
  editor()->setTextCursor(cursor);
  QTest::keyClicks(editor(), "%ar");
  EXPECT_TRUE(editor()->completer()->popup()->isVisible());
  QTest::keyClick(editor()->completer()->popup(), Qt::Key_Return);
  EXPECT_TRUE(editor()->toPlainText().contains("%arg0return %4"));
  QTest::keyClicks(editor(), " torch.aten.sigmoi");
  QTest::keyClick(editor()->completer()->popup(), Qt::Key_Return);
  EXPECT_TRUE(editor()->toPlainText().contains("%arg0 torch.aten.sigmoid"));
}

TEST_F(EditTextTest, AVariantThatDoesNotLowerIsExportedAsABundle) {
  int made = -1;
  const std::vector<PassRow> listed = passes().passes();
  for (int i = 0; i < static_cast<int>(listed.size()) && made < 0; ++i)
    if (const auto pass = variants().passAt(i);
        pass && listed[static_cast<std::size_t>(i)].name == "convert-torch-to-linalg")
      made = variants().addSkip(pass->first, pass->second, "convert-torch-to-linalg");
  ASSERT_GE(made, 0);
  waitUntil([&] { return !variants().running() && variants().find(made)->lowered; }, "lowered");
  ASSERT_EQ(variants().find(made)->mark, StageMark::Failed);
  std::optional<bundle::BundleResult> bundle;
  QString problem;
  QObject::connect(&variants(), &VariantsPresenter::bundleMade, window_.get(),
                   [&](const auto& result) { bundle = result; });
  QObject::connect(&variants(), &VariantsPresenter::exportFailed, window_.get(),
                   [&](const QString& message) { problem = message; });
  variants().makeBundle(made, folder_.filePath("variant.zip"));
  waitUntil([&] { return bundle || !problem.isEmpty(); }, "exported");
  ASSERT_TRUE(bundle) << problem.toStdString();
  EXPECT_TRUE(bundle->reproduces) << bundle->statement;
  EXPECT_TRUE(QFile::exists(folder_.filePath("variant.zip")));
}

}  // namespace
}  // namespace fxs::ui
