// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QScrollBar>
#include <mutex>

#include "features/problems/problems_page.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

/// The layout worker runs; every other program hangs until it is told to stop.
class HangingEngine final : public CommandRunner {
 public:
  explicit HangingEngine(CommandRunner& real) : real_(real) {}
  Result<Exit> run(const Command& command, std::stop_token stop) override {
    if (command.argv.front().find("fxscope-layout") != std::string::npos)
      return real_.run(command, stop);
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    stopped.wait(lock, stop, [] { return false; });
    return fail(ErrorCode::Cancelled, "stopped");
  }

 private:
  CommandRunner& real_;
};

void drop(QWidget& on, const QString& file) {
  QMimeData mime;
  mime.setUrls({QUrl::fromLocalFile(file)});
  QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&on, &enter);
  ASSERT_TRUE(enter.isAccepted());
  QDropEvent event(QPointF(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&on, &event);
}

TEST_F(WindowTest, StartsWithSamplesAndNoPanes) {
  EXPECT_TRUE(window_->showsWelcome());
  EXPECT_FALSE(part<DockFrame>("texts")->isVisible());
  EXPECT_EQ(samplesIn(QString(FXS_SOURCE_DIR) + "/samples").size(), 10U);
  for (const WelcomeEntry& sample : samplesIn(QString(FXS_SOURCE_DIR) + "/samples"))
    EXPECT_FALSE(sample.detail.isEmpty()) << sample.title.toStdString();
}

TEST_F(WindowTest, ADroppedFileOpensAndIsRemembered) {
  QSignalSpy opened(&bench_->get<SessionPresenter>(), &SessionPresenter::programChanged);
  drop(*window_, samplePath("addmm.pt2"));
  waitUntil([&] { return opened.count() == 1 && settled(*bench_); }, "opened");
  EXPECT_FALSE(window_->showsWelcome());
  EXPECT_TRUE(window_->windowTitle().startsWith("addmm.pt2"));
  EXPECT_EQ(window_->recentFiles(), QStringList{samplePath("addmm.pt2")});
}

TEST_F(WindowTest, ABrokenFileIsRefusedAndTheOldProgramStays) {
  openSettled(samplePath("addmm.pt2"));
  const fx::ProgramPtr before = bench_->get<SessionPresenter>().program();
  const QString broken = folder_.filePath("broken.pt2");
  QFile file(broken);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("no archive at all");
  file.close();
  QSignalSpy failed(&bench_->get<SessionPresenter>(), &SessionPresenter::openFailed);
  drop(*window_, broken);
  waitUntil([&] { return failed.count() == 1; }, "refused");
  EXPECT_EQ(bench_->get<SessionPresenter>().program(), before);
  const QString banner = part<BannerBar>()->text("open");
  EXPECT_TRUE(banner.startsWith("Could not open broken.pt2: ")) << banner.toStdString();
  EXPECT_TRUE(banner.endsWith("addmm.pt2 stays open")) << banner.toStdString();
  EXPECT_EQ(window_->recentFiles(), QStringList{samplePath("addmm.pt2")});
}

TEST_F(WindowTest, EscapeCancelsARunAndSaysSo) {
  HangingEngine hanging(posix_);
  runner_ = &hanging;
  around_.environment.enginePath = "/nowhere/torch-mlir-opt";
  remake();
  window_->openFile(samplePath("addmm.pt2"));
  waitUntil(
      [&] {
        return bench_->get<SessionPresenter>().hasProgram() &&
               bench_->get<SessionPresenter>().state().step.contains("lowering");
      },
      "lowering");
  EXPECT_TRUE(window_->actions()["stop"]->isEnabled());
  QTest::keyClick(window_.get(), Qt::Key_Escape);
  waitUntil([&] { return bench_->get<SessionPresenter>().state().activity == Activity::Idle; },
            "stopped");
  EXPECT_TRUE(bench_->get<SessionPresenter>().state().cancelled);
  EXPECT_FALSE(window_->actions()["stop"]->isEnabled());
  const Stage* last = bench_->get<StagePresenter>().stage("tosa");
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(last->note, "not run: cancelled");
  // The queue must not outlive the runner.
  close();
}

TEST_F(WindowTest, WithoutAnEngineTheGraphAndRawAreThereAndTheWayOutIsSaid) {
  around_.environment.enginePath.clear();
  around_.environment.installedEngines.clear();
  around_.environment.engineMissing = "no engine found; 'fxscope-cli engine fetch' installs one";
  remake();
  openSettled(samplePath("addmm.pt2"));
  EXPECT_EQ(part<BannerBar>()->text("engine"),
            "Not lowered: no engine found; 'fxscope-cli engine fetch' installs one. The graph, its "
            "metadata and the RAW import are "
            "available without "
            "an engine.");
  EXPECT_NE(bench_->get<StagePresenter>().textOf("raw"), nullptr);
  EXPECT_EQ(bench_->get<StagePresenter>().textOf("tosa"), nullptr);
  CodePane* backend = part<StageStrip>()->panes().back();
  EXPECT_EQ(backend->message(),
            "Not run: no engine found; 'fxscope-cli engine fetch' installs one");
}

TEST_F(WindowTest, ReloadReadsTheFileAgain) {
  const QString file = folder_.filePath("program.pt2");
  ASSERT_TRUE(QFile::copy(samplePath("addmm.pt2"), file));
  openSettled(file);
  const std::size_t before = bench_->get<SessionPresenter>().program()->nodes.size();
  ASSERT_TRUE(QFile::remove(file));
  ASSERT_TRUE(QFile::copy(samplePath("transformer_block.pt2"), file));
  waitUntil([&] { return bench_->get<SessionPresenter>().state().changedOnDisk; },
            "the change is seen");
  EXPECT_EQ(part<BannerBar>()->text("disk"), "program.pt2 changed on disk");
  QSignalSpy opened(&bench_->get<SessionPresenter>(), &SessionPresenter::programChanged);
  window_->actions()["reload"]->trigger();
  waitUntil([&] { return opened.count() == 1 && settled(*bench_); }, "read again");
  EXPECT_NE(bench_->get<SessionPresenter>().program()->nodes.size(), before);
  EXPECT_EQ(part<BannerBar>()->text("disk"), "");
}

TEST_F(WindowTest, AWatchedFileIsReadAgainWithoutAQuestion) {
  const QString file = folder_.filePath("program.pt2");
  ASSERT_TRUE(QFile::copy(samplePath("addmm.pt2"), file));
  openSettled(file);
  auto& session = bench_->get<SessionPresenter>();
  session.setWatching(true);
  QString asked;
  QObject::connect(&session, &SessionPresenter::stateChanged, window_.get(),
                   [&] { asked += part<BannerBar>()->text("disk"); });
  QSignalSpy opened(&session, &SessionPresenter::programChanged);
  ASSERT_TRUE(QFile::remove(file));
  ASSERT_TRUE(QFile::copy(samplePath("transformer_block.pt2"), file));
  waitUntil([&] { return opened.count() == 1 && settled(*bench_); }, "read again");
  EXPECT_EQ(asked, "");
  // A version that cannot be read leaves the question, and says why.
  QFile broken(file);
  ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
  broken.write("no archive at all");
  broken.close();
  waitUntil([&] { return !part<BannerBar>()->text("open").isEmpty(); }, "refused");
  EXPECT_EQ(part<BannerBar>()->text("disk"), "program.pt2 changed on disk");
}

TEST_F(WindowTest, AnotherTargetKeepsTheProgramAndItsSelection) {
  openSettled(samplePath("masked_attention.pt2"));
  const fx::ProgramPtr program = bench_->get<SessionPresenter>().program();
  bench_->get<SelectionPresenter>().selectNode(aCall(), Origin::List);
  const int row = part<QComboBox>("target")->findText("linalg-on-tensors");
  ASSERT_GE(row, 0);
  Q_EMIT part<QComboBox>("target")->activated(row);
  waitUntil(
      [&] {
        return settled(*bench_) &&
               bench_->get<StagePresenter>().stages().back().id == ShownText("linalg-on-tensors");
      },
      "lowered anew");
  EXPECT_EQ(bench_->get<SessionPresenter>().program(), program);
  EXPECT_EQ(part<StageStrip>()->panes().back()->stageId(), ShownText("linalg-on-tensors"));
  expectEverythingShows(bench_->get<SelectionPresenter>().current().node());
}

TEST_F(WindowTest, OutputTypesOfAFileStandBesideTheOthers) {
  if (!hasEngine()) GTEST_SKIP() << "no engine";
  const auto types = lower::OutputTypes::builtin().with(
      R"j({"schema": "fxscope-output-types/1", "types": [{"id": "tidy", "title": "Tidied TOSA", "after": "tosa", "backend": true,
          "pipeline": "builtin.module(canonicalize,cse)"}]})j",
      "types.json", {});
  ASSERT_TRUE(types) << types.error().message;
  around_.environment.outputTypes = *types;
  remake();
  QStringList shown;
  for (int i = 0; i < part<QComboBox>("target")->count(); ++i)
    shown << part<QComboBox>("target")->itemText(i);
  EXPECT_EQ(shown, (QStringList{"raw",
                                "torch",
                                "linalg-on-tensors",
                                "tosa",
                                "stablehlo",
                                "loops",
                                "llvm-dialect",
                                "llvm-ir",
                                "assembly",
                                "iree-input",
                                "iree-flow",
                                "iree-stream",
                                "iree-executable-sources",
                                "iree-executable-targets",
                                "iree-assembly",
                                "iree-cuda-dispatches",
                                "iree-cuda-llvm",
                                "iree-ptx",
                                "iree-vulkan-dispatches",
                                "iree-spirv",
                                "iree-rocm-llvm",
                                "iree-amdgcn",
                                "tidy"}));
  EXPECT_EQ(bench_->get<DiagnosisPresenter>().allTargets(),
            "linalg-on-tensors, tosa, stablehlo and tidy");
  openSettled(samplePath("addmm.pt2"));
  window_->actions()["target-tidy"]->trigger();
  waitUntil(
      [&] {
        return settled(*bench_) &&
               bench_->get<StagePresenter>().stages().back().id == ShownText("tidy");
      },
      "lowered anew");
  EXPECT_EQ(bench_->get<StagePresenter>().stages().back().title, "Tidied TOSA");
  EXPECT_EQ(bench_->get<StagePresenter>().stages().back().mark, StageMark::Ok);
  EXPECT_EQ(part<QComboBox>("target")->currentText(), "tidy");
}

TEST_F(WindowTest, AFailedStageSaysSoWhereOneLooks) {
  if (!hasEngine()) GTEST_SKIP() << "no engine";
  openSettled(samplePath("masked_attention.pt2"));
  const Stage* tosa = bench_->get<StagePresenter>().stage("tosa");
  ASSERT_NE(tosa, nullptr);
  EXPECT_EQ(tosa->mark, StageMark::Failed);
  EXPECT_GT(bench_->get<ProblemsPresenter>().errors(), 0U);
  EXPECT_EQ(part<DockFrame>("results")->currentPage(), "problems");
  // F8 goes there.
  window_->actions()["next-problem"]->trigger();
  const Problem& first = bench_->get<ProblemsPresenter>().problems().front();
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().nodes, first.nodes);
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().problem, first.operation);
  for (const fx::NodeId at : first.nodes)
    EXPECT_EQ(bench_->get<Marks>().at(at).status.emphasis, Emphasis::Error);
  EXPECT_TRUE(bench_->get<ProblemsPresenter>().blocks(bench_->get<NodePresenter>().state()->node));
}

TEST_F(WindowTest, AProgramThatLowersSaysWhatWasChecked) {
  if (!hasEngine()) GTEST_SKIP() << "no engine";
  openSettled(samplePath("addmm.pt2"));
  EXPECT_EQ(
      part<ProblemsPage>()->message(),
      "No problems. Checked: reading, normalizing, rewriting, importing, and 3 stages up to tosa");
}

TEST_F(WindowTest, FollowingCanBeTurnedOff) {
  openSettled(samplePath("transformer_block.pt2"));
  CodeView* raw = paneOf("raw")->view();
  raw->verticalScrollBar()->setValue(0);
  window_->actions()["follow"]->setChecked(false);
  const auto& nodes = bench_->get<SessionPresenter>().program()->main().nodes;
  bench_->get<SelectionPresenter>().selectNode(nodes[nodes.size() - 2], Origin::List);
  EXPECT_EQ(raw->verticalScrollBar()->value(), 0);
  window_->actions()["follow"]->setChecked(true);
  bench_->get<SelectionPresenter>().selectNode(nodes[nodes.size() - 3], Origin::List);
  const auto lines = bench_->get<StagePresenter>().linesOf("raw", {nodes[nodes.size() - 3]});
  if (!lines.empty()) {
    EXPECT_TRUE(raw->isLineVisible(lines.front()));
  }
}

TEST_F(WindowTest, ThePaletteGoesToANodeByItsName) {
  openSettled(samplePath("transformer_block.pt2"));
  const fx::NodeId call = aCall();
  window_->actions()["palette"]->trigger();
  EXPECT_TRUE(part<SearchPopup>()->isVisible());
  QTest::keyClicks(
      part<SearchPopup>()->edit(),
      QString::fromStdString(bench_->get<SessionPresenter>().program()->node(call).name));
  QTest::keyClick(part<SearchPopup>()->edit(), Qt::Key_Return);
  EXPECT_FALSE(part<SearchPopup>()->isVisible());
  expectEverythingShows(call);
}

TEST_F(WindowTest, EveryActionIsInThePaletteAndHasAKey) {
  QSet<QString> keys;
  for (const Actions::Entry& entry : window_->actions().all()) {
    EXPECT_FALSE(entry.spec.name.isEmpty());
    EXPECT_FALSE(entry.spec.keys.isEmpty()) << entry.spec.name.toStdString();
    EXPECT_FALSE(keys.contains(entry.spec.keys))
        << "two actions on " << entry.spec.keys.toStdString();
    keys << entry.spec.keys;
  }
  QTest::keyClick(window_.get(), Qt::Key_Question, Qt::ShiftModifier);
  waitUntil([&] { return part<KeysOverlay>()->isVisible(); }, "the keys show");
  QTest::keyClick(part<KeysOverlay>(), Qt::Key_Escape);
  EXPECT_FALSE(part<KeysOverlay>()->isVisible());
}

TEST_F(WindowTest, KeysThatDoNotFitAreScrolled) {
  textScale_ = 2;
  remake();
  window_->resize(1280, 800);
  window_->actions()["keys"]->trigger();
  waitUntil([&] { return part<KeysOverlay>()->isVisible(); }, "the keys show");
  const QImage top = part<KeysOverlay>()->grab().toImage();
  QTest::keyClick(part<KeysOverlay>(), Qt::Key_PageDown);
  ASSERT_TRUE(part<KeysOverlay>()->isVisible());
  EXPECT_NE(part<KeysOverlay>()->grab().toImage(), top);
  QTest::keyClick(part<KeysOverlay>(), Qt::Key_PageUp);
  EXPECT_EQ(part<KeysOverlay>()->grab().toImage(), top);
  QTest::keyClick(part<KeysOverlay>(), Qt::Key_Escape);
  EXPECT_FALSE(part<KeysOverlay>()->isVisible());
}

TEST_F(WindowTest, FindEverywhereLooksIntoEveryText) {
  openSettled(samplePath("addmm.pt2"));
  window_->actions()["find-everywhere"]->trigger();
  QTest::keyClicks(part<SearchPopup>()->edit(), "addmm");
  waitUntil([&] { return part<SearchPopup>()->rowCount() > 0; }, "hits");
  QSet<QString> kinds;
  for (const Hit& hit : bench_->get<SearchPresenter>().hits()) kinds << hit.kind;
  EXPECT_TRUE(kinds.contains("node"));
  EXPECT_TRUE(kinds.contains("FX graph"));
}

TEST_F(WindowTest, FindInATextCountsAndSteps) {
  openSettled(samplePath("transformer_block.pt2"));
  CodePane* pane = paneOf("raw");
  QSignalSpy searched(pane->findBar(), &FindBar::searched);
  pane->findBar()->start();
  QTest::keyClicks(pane->findBar()->edit(), "torch.aten");
  waitUntil([&] { return searched.count() > 0 && pane->findBar()->countText().contains(" of "); },
            "counted");
  const QString before = pane->findBar()->countText();
  QTest::keyClick(pane->findBar()->edit(), Qt::Key_Return);
  EXPECT_NE(pane->findBar()->countText(), before);
}

TEST_F(WindowTest, MarkdownOfTheNodeIsCopied) {
  openSettled(samplePath("addmm.pt2"));
  bench_->get<SelectionPresenter>().selectNode(node("addmm"), Origin::List);
  window_->actions()["copy-markdown"]->trigger();
  const QString copied = QApplication::clipboard()->text();
  EXPECT_TRUE(copied.startsWith("### `addmm` (`aten.addmm.default`)")) << copied.toStdString();
  EXPECT_TRUE(copied.contains("| beta | ")) << copied.toStdString();
}

TEST_F(WindowTest, LayoutThemeAndPanesAreRemembered) {
  openSettled(samplePath("addmm.pt2"));
  appearance_->setMode(ThemeMode::Dark);
  window_->actions()["show-inspector"]->trigger();
  bench_->get<StagePresenter>().setPanes({"fx", "torch"});
  remake();
  EXPECT_TRUE(appearance_->theme().dark);
  EXPECT_EQ(bench_->get<StagePresenter>().panes(), (ShownTexts{"fx", "torch"}));
  openSettled(samplePath("addmm.pt2"));
  EXPECT_FALSE(part<InspectorPane>()->isVisible());
  EXPECT_TRUE(part<DockFrame>("texts")->isVisible());
  window_->actions()["reset-layout"]->trigger();
  EXPECT_TRUE(part<InspectorPane>()->isVisible());
  EXPECT_EQ(bench_->get<StagePresenter>().panes(), ShownTexts{LastStage{}});
}

TEST_F(WindowTest, TheThemeChangesInPlace) {
  openSettled(samplePath("addmm.pt2"));
  const QColor light = window_->grab().toImage().pixelColor(5, 5);
  window_->actions()["theme"]->trigger();
  const QColor dark = window_->grab().toImage().pixelColor(5, 5);
  EXPECT_GT(light.lightness(), 200);
  EXPECT_LT(dark.lightness(), 60);
}

TEST_F(WindowTest, TenMegabytesOfTextOpenAtOnceAndScroll) {
  std::string text;
  while (text.size() < 10'000'000)
    text +=
        "    %81 = torch.aten.add.Tensor %79, %80, %int1 : !torch.vtensor<[1,16,96],f32>, "
        "!torch.vtensor<[1,16,96],f32>\n";
  const CodeTextPtr code = CodeText::of(text);
  CodeView view(*appearance_);
  view.resize(600, 400);
  view.show();
  QElapsedTimer clock;
  clock.start();
  view.setCode(code);
  view.grab();
  const qint64 opened = clock.restart();
  for (int i = 0; i < 20; ++i) {
    view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum() / 20 * i);
    view.grab();
  }
  measured("10 MB of text opened", static_cast<double>(opened), 500);
  measured("a screen of it painted", static_cast<double>(clock.elapsed()) / 20, 100);
  view.setWrap(true);
  view.goToLine(static_cast<std::uint32_t>(code->lineCount()));
  EXPECT_TRUE(view.isLineVisible(static_cast<std::uint32_t>(code->lineCount() - 1)));
}

}  // namespace
}  // namespace fxs::ui
