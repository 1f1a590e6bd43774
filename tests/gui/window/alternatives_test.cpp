// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <QFile>
#include <QMenu>
#include <condition_variable>
#include <mutex>

#include "engines/known_engines.h"
#include "features/alone/alone_section.h"
#include "features/coverage/coverage_page.h"
#include "output_type.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class WaysTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
  }
  void showIn(int pane, const ShownText& id) { bench_->get<StagePresenter>().setPane(pane, id); }
};

TEST_F(WaysTest, TwoWaysOfLoweringTheSameNodeStandSideBySide) {
  openSettled(samplePath("transformer_block.pt2"));
  // Nobody looked: nothing was made.
  for (const Alternative alternative : kAlternatives)
    EXPECT_EQ(bench_->get<AlternativesPresenter>().state(alternative).lowering, nullptr);
  bench_->get<StagePresenter>().setPanes(
      {"fx", "tosa", Alternative::Registries, Alternative::Nodes});
  waitUntil(
      [&] {
        return bench_->get<AlternativesPresenter>().state(Alternative::Registries).lowering &&
               bench_->get<AlternativesPresenter>().state(Alternative::Nodes).lowering &&
               settled(*bench_);
      },
      "both are lowered");
  for (const Alternative alternative : {Alternative::Registries, Alternative::Nodes}) {
    const AlternativeState& state = bench_->get<AlternativesPresenter>().state(alternative);
    EXPECT_TRUE(state.lowering->complete)
        << state.lowering->note.toStdString() << state.lowering->detail.toStdString();
    EXPECT_EQ(bench_->get<StagePresenter>().stage(alternative)->mark, StageMark::Ok);
  }
  // One selection: the node's lines are marked in every pane.
  for (const fx::Node& each : bench_->get<SessionPresenter>().program()->nodes) {
    if (each.op != fx::NodeOp::CallFunction || each.target != "aten.linear.default") continue;
    bench_->get<SelectionPresenter>().selectNode(each.id, Origin::List);
    for (CodePane* pane : part<StageStrip>()->panes()) {
      EXPECT_FALSE(pane->view()->related().empty())
          << name(pane->stageId()).toStdString() << ", " << each.name;
      EXPECT_EQ(pane->view()->related(),
                bench_->get<StagePresenter>().linesOf(pane->stageId(), {each.id}));
    }
  }
}

/// It is read beside the text of the output type, where there is space for both.
TEST_F(WaysTest, AKeyShowsAWayInTheArrangementOfTexts) {
  openSettled(samplePath("addmm.pt2"));
  ASSERT_EQ(bench_->get<ArrangementPresenter>().current(), Arrangement::Graph);
  window_->actions()["lower-registries"]->trigger();
  EXPECT_EQ(bench_->get<ArrangementPresenter>().current(), Arrangement::Stages);
  EXPECT_TRUE(bench_->get<StagePresenter>().shows(Alternative::Registries));
}

TEST_F(WaysTest, NodesThatDoNotMakeTheProgramAreNotOk) {
  openSettled(samplePath("merge_heads.pt2"));
  bench_->get<SessionPresenter>().setTarget(test::outputType("linalg-on-tensors"));
  bench_->get<StagePresenter>().setPanes({"fx", "linalg-on-tensors", Alternative::Nodes});
  waitUntil(
      [&] {
        return bench_->get<AlternativesPresenter>().state(Alternative::Nodes).lowering &&
               settled(*bench_);
      },
      "lowered to linalg");
  const AlternativeState& state = bench_->get<AlternativesPresenter>().state(Alternative::Nodes);
  EXPECT_FALSE(state.lowering->complete);
  EXPECT_TRUE(state.lowering->note.contains("became 1")) << state.lowering->note.toStdString();
}

TEST_F(WaysTest, TwoEnginesStandSideBySide) {
  const QString other = folder_.filePath("other-engine");
  QFile script(other);
  ASSERT_TRUE(script.open(QIODevice::WriteOnly));
  script.write(("#!/bin/sh\nexec '" + around_.environment.enginePath + "' \"$@\"\n").c_str());
  script.close();
  ASSERT_TRUE(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
  around_.environment.enginesFolder = folder_.filePath("engines").toStdString();
  remake();
  openSettled(samplePath("addmm.pt2"));
  // None is known yet.
  window_->actions()["lower-engine"]->trigger();
  EXPECT_EQ(paneOf(Alternative::Engine), nullptr);
  session::Environment environment = around_.environment;
  environment.runner = runner_;
  const auto added = engines::addEngine("other", other.toStdString(), environment, {});
  ASSERT_TRUE(added) << toString(added.error());
  window_->actions()["lower-engine"]->trigger();
  waitUntil(
      [&] {
        return bench_->get<AlternativesPresenter>().state(Alternative::Engine).lowering &&
               settled(*bench_);
      },
      "lowered with the other engine");
  const AlternativeState& state = bench_->get<AlternativesPresenter>().state(Alternative::Engine);
  EXPECT_TRUE(state.lowering->complete) << state.lowering->note.toStdString();
  EXPECT_EQ(bench_->get<StagePresenter>().stage(Alternative::Engine)->title, "With engine other");
  ASSERT_NE(paneOf(Alternative::Engine), nullptr);
  const fx::NodeId call = aCall();
  bench_->get<SelectionPresenter>().selectNode(call, Origin::List);
  EXPECT_FALSE(bench_->get<StagePresenter>().linesOf(Alternative::Engine, {call}).empty());
  EXPECT_EQ(paneOf(Alternative::Engine)->view()->related(),
            bench_->get<StagePresenter>().linesOf(Alternative::Engine, {call}));
  // The text is that of the engine in use, because the other one is it in disguise.
  EXPECT_EQ(state.lowering->text,
            bench_->get<SessionPresenter>().snapshot()->lowering->stages.back().text);
}

TEST_F(WaysTest, APageThatIsShownLeavesTheSelectionAndFollowsIt) {
  openSettled(samplePath("transformer_block.pt2"));
  bench_->get<SelectionPresenter>().selectNode(node("linear_1"), Origin::List);
  window_->actions()["show-coverage"]->trigger();
  waitUntil(
      [&] {
        return bench_->get<AlternativesPresenter>().state(Alternative::Registries).lowering !=
               nullptr;
      },
      "lowered by registries");
  const QTreeView* view = part<CoveragePage>()->view();
  waitUntil([&] { return view->selectionModel()->isSelected(view->currentIndex()); },
            "the row of the node");
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), node("linear_1"));
  EXPECT_EQ(view->currentIndex().data(CoverageModel::kNodeRole).toInt(),
            static_cast<int>(node("linear_1").index()));
}

TEST_F(WaysTest, CoverageSaysWhichRegistryLowersWhichNode) {
  openSettled(samplePath("custom_op.pt2"));
  window_->actions()["show-coverage"]->trigger();
  waitUntil(
      [&] {
        return bench_->get<AlternativesPresenter>().state(Alternative::Registries).lowering !=
               nullptr;
      },
      "lowered by registries");
  CoveragePage* page = part<CoveragePage>();
  EXPECT_EQ(page->message(), "");
  const CoverageRow& first = page->model().coverage(0);
  EXPECT_EQ(first.status, CoverageRow::Status::NotLowered);
  EXPECT_FALSE(first.message.isEmpty());
  EXPECT_EQ(bench_->get<StagePresenter>().stage(Alternative::Registries)->mark, StageMark::Failed);
  clickRow(page->view(), page->view()->model()->index(0, 0));
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), first.node);
  page->filter()->setText("no such registry");
  EXPECT_EQ(page->message(), "No node, class or registry matches");
  page->filter()->clear();
  // A new run drops it, and makes it again because it is looked at.
  bench_->get<SessionPresenter>().run();
  EXPECT_EQ(bench_->get<AlternativesPresenter>().state(Alternative::Registries).lowering, nullptr);
  waitUntil(
      [&] {
        return bench_->get<AlternativesPresenter>().state(Alternative::Registries).lowering !=
               nullptr;
      },
      "lowered again");
}

TEST_F(WaysTest, MainCallsTheGroupsThatAreChosen) {
  openSettled(samplePath("transformer_block.pt2"));
  window_->actions()["show-coverage"]->trigger();
  const auto lowering = [&] {
    return bench_->get<AlternativesPresenter>().state(Alternative::Registries).lowering;
  };
  waitUntil([&] { return lowering() != nullptr; }, "lowered by registries");
  EXPECT_EQ(lowering()->text.find("subgraph0"), std::string::npos);
  CoveragePage* page = part<CoveragePage>();
  const auto choose = [&](const QString& name) {
    const AlternativeLoweringPtr before = lowering();
    const QList<QAction*> actions = page->optionsButton()->menu()->actions();
    const auto action = std::find_if(actions.begin(), actions.end(), [&](QAction* each) {
      return each->text().remove(u'&') == name;
    });
    ASSERT_NE(action, actions.end()) << name.toStdString();
    (*action)->trigger();
    waitUntil([&] { return lowering() != nullptr && lowering() != before; }, "lowered again");
    EXPECT_TRUE((*action)->isChecked());
  };
  choose("A subgraph for each module");
  EXPECT_NE(lowering()->text.find("@subgraph2"), std::string::npos);
  EXPECT_TRUE(page->summary().contains("3 subgraphs")) << page->summary().toStdString();
  choose("Weights packed in one argument for each type");
  EXPECT_NE(lowering()->text.find("tensor.extract_slice"), std::string::npos);
  EXPECT_TRUE(lowering()->complete) << lowering()->note.toStdString();
}

TEST_F(WaysTest, ARegistryOfTheUsersOwnIsReadAnewForEachLowering) {
  const QString own = folder_.filePath("own.fxreg");
  ASSERT_TRUE(QFile::copy(QString(FXS_SOURCE_DIR) + "/samples/registries/acme.fxreg", own));
  session::Environment environment = around_.environment;
  environment.runner = runner_;
  alternatives_ = sessionAlternatives(environment, {own.toStdString()});
  remake();
  openSettled(samplePath("custom_op.pt2"));
  window_->actions()["show-coverage"]->trigger();
  waitUntil(
      [&] {
        return bench_->get<AlternativesPresenter>().state(Alternative::Registries).lowering !=
               nullptr;
      },
      "lowered by registries");
  EXPECT_TRUE(
      bench_->get<AlternativesPresenter>().state(Alternative::Registries).lowering->complete)
      << bench_->get<AlternativesPresenter>()
             .state(Alternative::Registries)
             .lowering->note.toStdString();
  QFile file(own);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
  file.write("registry own\nnonsense\n");
  file.close();
  bench_->get<SessionPresenter>().run();
  waitUntil(
      [&] {
        return !bench_->get<AlternativesPresenter>()
                    .state(Alternative::Registries)
                    .message.isEmpty();
      },
      "refused");
  EXPECT_TRUE(bench_->get<AlternativesPresenter>()
                  .state(Alternative::Registries)
                  .message.contains("own.fxreg:2: "))
      << bench_->get<AlternativesPresenter>().state(Alternative::Registries).message.toStdString();
}

TEST_F(WaysTest, ANodeAloneIsLoweredToEveryOutputTypeOfTheEngineAndInlined) {
  openSettled(samplePath("addmm.pt2"));
  const fx::NodeId addmm = aCall();
  bench_->get<SelectionPresenter>().selectNode(addmm, Origin::List);
  EXPECT_FALSE(bench_->get<AlonePresenter>().wanted());
  window_->actions()["lower-alone"]->trigger();
  waitUntil([&] { return bench_->get<AlonePresenter>().lowering() != nullptr && settled(*bench_); },
            "lowered alone");
  ASSERT_EQ(bench_->get<AlonePresenter>().lowering()->targets.size(), 5u);
  for (const AloneLowering::Target& target : bench_->get<AlonePresenter>().lowering()->targets) {
    EXPECT_EQ(target.status, lower::StageStatus::Ok)
        << lower::name(target.type) << ": " << target.note.toStdString();
    EXPECT_NE(target.text, "");
    EXPECT_NE(target.inlined, "");
    EXPECT_NE(target.inlined, target.text);
  }
  CodePane* pane = paneOf(NodeAlone{});
  ASSERT_NE(pane, nullptr);
  EXPECT_EQ(pane->message(), "");
  EXPECT_FALSE(pane->view()->related().empty());
  // What the whole program is lowered to, until another output type is chosen.
  EXPECT_EQ(bench_->get<AlonePresenter>().chosen(), bench_->get<SessionPresenter>().target());
  ASSERT_NE(bench_->get<AlonePresenter>().target(), nullptr);
  EXPECT_EQ(bench_->get<AlonePresenter>().target()->type, bench_->get<SessionPresenter>().target());
  const CodeTextPtr before = pane->view()->code();
  bench_->get<AlonePresenter>().setInlined(true);
  waitUntil(
      [&] {
        return pane->view()->code() && pane->view()->code() != before &&
               !bench_->get<StagePresenter>().preparing();
      },
      "the inlined text");
  EXPECT_EQ(bench_->get<StagePresenter>().fileText(NodeAlone{}),
            bench_->get<AlonePresenter>().target()->inlined);
  bench_->get<AlonePresenter>().choose(std::nullopt);
  waitUntil(
      [&] {
        return bench_->get<StagePresenter>().stage(NodeAlone{})->title ==
                   "This node by itself: its program" &&
               !bench_->get<StagePresenter>().preparing();
      },
      "the program");
  EXPECT_EQ(pane->message(), "");
  // Another node follows by itself; one that is no call says so.
  bench_->get<SelectionPresenter>().selectNode(
      bench_->get<SessionPresenter>().program()->main().nodes.front(), Origin::List);
  EXPECT_EQ(bench_->get<AlonePresenter>().lowering(), nullptr);
  EXPECT_EQ(pane->message(), "Only a call can be lowered by itself");
}

TEST_F(WaysTest, EscapeStopsAWayAndWhatWentWrongIsSaid) {
  std::mutex mutex;
  std::condition_variable_any never;
  alternatives_ = [&](const AlternativeChoice& choice, const session::SnapshotPtr&,
                      const RunContext& context) -> Result<AlternativeLoweringPtr> {
    if (choice.alternative == Alternative::Nodes)
      return fail(ErrorCode::InvalidInput, "nothing to lower");
    context.report({"lowering by registries: 3 of 9", -1});
    std::unique_lock lock(mutex);
    never.wait(lock, context.stop, [] { return false; });
    return fail(ErrorCode::Cancelled, "stopped");
  };
  alone_ = [](const session::SnapshotPtr&, fx::NodeId,
              const RunContext&) -> Result<AloneLoweringPtr> {
    return fail(ErrorCode::InvalidInput, "'add' takes a value that nobody knows");
  };
  remake();
  openSettled(samplePath("addmm.pt2"));
  showIn(1, Alternative::Nodes);
  waitUntil(
      [&] {
        return !bench_->get<AlternativesPresenter>().state(Alternative::Nodes).message.isEmpty();
      },
      "refused");
  EXPECT_EQ(paneOf(Alternative::Nodes)->message(), "Not run: nothing to lower");
  showIn(2, Alternative::Registries);
  waitUntil(
      [&] {
        return bench_->get<AlternativesPresenter>().state(Alternative::Registries).step ==
               "lowering by registries: 3 of 9";
      },
      "it goes on");
  EXPECT_EQ(paneOf(Alternative::Registries)->message(), "Lowering by registries: 3 of 9 …");
  EXPECT_TRUE(window_->actions()["stop"]->isEnabled());
  QTest::keyClick(window_.get(), Qt::Key_Escape);
  waitUntil([&] { return !bench_->get<AlternativesPresenter>().running(); }, "stopped");
  EXPECT_EQ(paneOf(Alternative::Registries)->message(), "Not run: cancelled; F5 runs it again");
  bench_->get<SelectionPresenter>().selectNode(aCall(), Origin::List);
  window_->actions()["lower-alone"]->trigger();
  waitUntil([&] { return !bench_->get<AlonePresenter>().message().isEmpty(); }, "refused");
  EXPECT_EQ(paneOf(NodeAlone{})->message(), "'add' takes a value that nobody knows");
  close();
}

}  // namespace
}  // namespace fxs::ui
