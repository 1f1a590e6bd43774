// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every sample in the window: it opens, every stage can be shown, and a selection made in any place
// shows in all others.
#include <QDir>
#include <QMimeData>

#include "features/problems/problems_page.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

std::vector<std::string> sampleNames() {
  std::vector<std::string> names;
  for (const QString& name :
       QDir(QString(FXS_SOURCE_DIR) + "/samples").entryList({"*.pt2"}, QDir::Files, QDir::Name))
    names.push_back(name.toStdString());
  return names;
}

class EverySample : public WindowTest, public ::testing::WithParamInterface<std::string> {};

// Opened once for both, as that takes longest.
TEST_P(EverySample, ASelectionInAnyPlaceShowsInAllOthersAndEveryStageShowsItsTextOrSaysWhyNot) {
  openSettled(samplePath(QString::fromStdString(GetParam())));
  const fx::NodeId call = aCall();
  clickInGraph(call);
  expectEverythingShows(call);
  bench_->get<SelectionPresenter>().clear();
  clickInTree(call);
  expectEverythingShows(call);
  bench_->get<SelectionPresenter>().clear();
  clickInList(call);
  expectEverythingShows(call);
  for (const QString stage : {"fx", "raw"}) {
    bench_->get<SelectionPresenter>().clear();
    clickInStage(stage, call);
    expectEverythingShows(call);
  }
  part<DockFrame>("results")->setCurrentPage("problems");
  waitUntil([&] { return !bench_->get<DiagnosisPresenter>().state().running; }, "diagnosed");
  for (int i = 0; i < static_cast<int>(bench_->get<ProblemsPresenter>().problems().size()); ++i) {
    const std::vector<fx::NodeId> nodes =
        bench_->get<ProblemsPresenter>().problems()[static_cast<std::size_t>(i)].nodes;
    bench_->get<SelectionPresenter>().clear();
    clickRow(part<ProblemsPage>()->view(), part<ProblemsPage>()->model().index(i, 0));
    EXPECT_EQ(bench_->get<SelectionPresenter>().current().nodes, nodes);
    if (nodes.size() == 1 && bench_->get<ProblemsPresenter>().indexAt(nodes.front()) == i)
      expectEverythingShows(nodes.front());
  }
  CodePane* pane = part<StageStrip>()->panes().front();
  for (const Stage& stage : std::vector<Stage>(bench_->get<StagePresenter>().stages())) {
    const int row = pane->chooser()->findData(QVariant::fromValue(stage.id));
    ASSERT_GE(row, 0) << name(stage.id).toStdString();
    pane->chooser()->setCurrentIndex(row);
    Q_EMIT pane->chooser()->activated(row);
    EXPECT_EQ(pane->stageId(), stage.id);
    if (bench_->get<StagePresenter>().textOf(stage.id))
      EXPECT_GT(pane->view()->code()->all().size(), 20U) << name(stage.id).toStdString();
    else EXPECT_FALSE(pane->message().isEmpty()) << name(stage.id).toStdString();
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, EverySample, ::testing::ValuesIn(sampleNames()),
                         [](const auto& each) {
                           return each.param.substr(0, each.param.find('.'));
                         });

}  // namespace
}  // namespace fxs::ui
