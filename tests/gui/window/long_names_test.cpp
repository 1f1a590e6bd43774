// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <QScrollBar>

#include "features/graph/path_bar.h"
#include "module_program.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

/// A name of some 240 characters with nothing in it to break a line at.
std::string longName(const std::string& begin) {
  std::string name = begin;
  while (name.size() < 240) name += "_quite_long_piece";
  return name;
}

TEST_F(WindowTest, NamesOfTwoHundredCharactersFitEveryPane) {
  test::ModuleProgram made;
  const std::string path = longName("blocks"), inner = path + ".inner",
                    op = longName("company.gelu") + ".default";
  std::vector<fx::NodeId> calls{made.input(longName("x"))};
  for (int i = 0; i < 3; ++i)
    calls.push_back(made.call(longName("gelu" + std::to_string(i)),
                              i == 1 ? op : "aten.gelu.default", {calls.back()},
                              path + ":" + longName("Block") + "/" + inner + ":Inner"));
  const fx::ProgramPtr program = made.returning({calls.back()});
  ASSERT_TRUE(program);
  fx::Program placed = *program;
  for (fx::Node& each : placed.nodes)
    if (auto* tensor = std::get_if<fx::TensorMeta>(&each.val)) tensor->device.type = "cpu";
  openSettled(fileOf(placed, "long.pt2"));
  window_->resize(1200, 800);
  const fx::NodeId node =
      bench_->get<SessionPresenter>().program()->findNode(longName("gelu1"))->id;
  bench_->get<Graphs>().program.openAll();
  bench_->get<SelectionPresenter>().selectNode(node, Origin::List);
  waitUntil([&] { return settled(*bench_) && !bench_->get<DiagnosisPresenter>().state().running; },
            "laid out");
  EXPECT_EQ(window_->width(), 1200);
  const InspectorPane* inspector = part<InspectorPane>();
  EXPECT_LE(inspector->widget()->width(), inspector->viewport()->width());
  EXPECT_EQ(inspector->horizontalScrollBar()->maximum(), 0);
  const auto* path_ = part<GraphArea>()->findChild<PathBar*>();
  ASSERT_NE(path_, nullptr);
  int right = 0;
  for (const QToolButton* step : path_->findChildren<QToolButton*>())
    if (step->isVisible()) right = std::max(right, step->geometry().right());
  EXPECT_LE(right, path_->width());
  EXPECT_GT(right, 0) << path_->width() << " of " << path_->parentWidget()->width();
  for (const layout::Rect& frame : bench_->get<Graphs>().program.graph().layout->frames)
    EXPECT_LT(frame.width, 700);
  // In full where one asks for it.
  EXPECT_TRUE(inspector->plainText().contains(QString::fromStdString(op)));
  EXPECT_TRUE(path_->labels().join(' ').contains(QString::fromStdString(path)));
}

TEST_F(WindowTest, ALongPathKeepsItsEnds) {
  PathBar bar(*appearance_);
  std::vector<PathStep> steps;
  for (int i = 0; i < 20; ++i) steps.push_back({QString("module_%1").arg(i), {}, [] {}});
  bar.setSteps(steps);
  bar.resize(400, 30);
  bar.show();
  QStringList shown;
  for (const QToolButton* step : bar.findChildren<QToolButton*>())
    if (step->isVisible()) shown << step->text();
  ASSERT_GE(shown.size(), 2);
  EXPECT_LT(shown.size(), 20);
  EXPECT_EQ(shown.front(), "module_0");
  EXPECT_EQ(shown.back(), "module_19");
}

}  // namespace
}  // namespace fxs::ui
