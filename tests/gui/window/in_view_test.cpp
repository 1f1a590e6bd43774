// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is selected is in view: after selections drawn at random from every kind of view, in every
// arrangement, at two sizes, and after what shows or resizes the views.
#include <QHeaderView>
#include <QSplitter>
#include <random>

#include "features/coverage/coverage_page.h"
#include "features/passes/passes_page.h"
#include "features/problems/problems_page.h"
#include "widgets/code_view.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

/// At each of two sizes of the text; FXSCOPE_ALL: 200 in all.
int selections() { return qEnvironmentVariableIsSet("FXSCOPE_ALL") ? 100 : 12; }

class InViewTest : public WindowTest {
 protected:
  void start(double textScale, const QString& sample) {
    if (!hasEngine()) GTEST_SKIP() << "no engine";
    textScale_ = textScale;
    remake();
    window_->resize(1280, 800);
    bench_->get<ArrangementPresenter>().reset();
    openSettled(samplePath(sample));
  }
  std::size_t draw(std::size_t count) { return random_() % count; }
  const Selection& selected() const { return bench_->get<SelectionPresenter>().current(); }

  void settle() {
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
    waitUntil([&] { return settled(*bench_) && !bench_->get<Graphs>().program.busy(); }, "settled");
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }

  fx::NodeId anyNode() {
    const std::vector<fx::Node>& nodes = bench_->get<SessionPresenter>().program()->nodes;
    return nodes[draw(nodes.size())].id;
  }
  bool isOpen(const QWidget* widget) const {
    return widget && widget->isVisible() && !widget->visibleRegion().isEmpty();
  }

  /// Each selects as a person does in one kind of view; false if the view is not open, or has
  /// nothing to select.
  bool selectInGraph() {
    clickInGraph(anyNode());
    return true;
  }
  bool selectGroup() {
    GraphPresenter& graph = bench_->get<Graphs>().program;
    const std::vector<layout::Group>& groups = graph.tree()->groups;
    const layout::GroupId group = groups[draw(groups.size())].id;
    if (group.index() == 0) return false;
    bench_->get<SelectionPresenter>().selectGroup(group, graph.nodesIn(group), Origin::Tree);
    return true;
  }
  bool selectInTree() {
    if (!isOpen(part<Navigator>()->modules()->view())) return false;
    clickInTree(anyNode());
    return true;
  }
  bool selectInList() {
    if (!part<DockFrame>("navigator")->isVisible() || part<DockFrame>("navigator")->isStrip())
      return false;
    clickInList(anyNode());
    return true;
  }
  bool selectInText() {
    const std::vector<CodePane*> panes = part<StageStrip>()->panes();
    CodePane* pane = panes[draw(panes.size())];
    const auto text = pane->stageText();
    if (!isOpen(pane->view()) || !text) return false;
    const auto line = static_cast<std::uint32_t>(draw(text->code->lineCount()));
    pane->view()->goToLine(line);
    QTest::mouseClick(pane->view()->viewport(), Qt::LeftButton, {},
                      pane->view()->lineRect(line).center());
    return true;
  }
  bool selectRow(QAbstractItemView* view) {
    if (!isOpen(view) || view->model()->rowCount() == 0) return false;
    const auto row = static_cast<int>(draw(static_cast<std::size_t>(view->model()->rowCount())));
    clickRow(view, view->model()->index(row, 0));
    return true;
  }
  bool selectByCommand() {
    return bench_->get<SelectionPresenter>().selectByName(
        QString::fromStdString(bench_->get<SessionPresenter>().program()->node(anyNode()).name));
  }

  bool select(std::size_t kind) {
    switch (kind) {
      case 0: return selectInGraph();
      case 1: return selectGroup();
      case 2: return selectInTree();
      case 3: return selectInList();
      case 4: return selectInText();
      case 5: return selectRow(part<ProblemsPage>()->view());
      case 6: return selectRow(part<CoveragePage>()->view());
      default: return selectByCommand();
    }
  }

  /// Something that shows, hides or resizes views.
  void disturb() {
    static const std::vector<QString> kPages{"problems", "passes", "coverage"};
    switch (draw(5)) {
      case 0: window_->resize(1280 - static_cast<int>(draw(200)), 800); break;
      case 1: window_->resize(1280, 800); break;
      case 2:
        window_->actions()["maximize"]->trigger();
        settle();
        window_->actions()["maximize"]->trigger();
        break;
      case 3: part<DockFrame>("results")->setCurrentPage(kPages[draw(kPages.size())]); break;
      default: part<DockFrame>("navigator")->setCurrentPage(draw(2) == 0 ? "modules" : "nodes");
    }
  }

  void expectRow(const QAbstractItemView* view) {
    const QModelIndex at = view->currentIndex();
    if (!at.isValid() || !view->selectionModel()->isRowSelected(at.row(), at.parent())) return;
    const QRect row = view->visualRect(at);
    const QRect all = view->viewport()->rect();
    EXPECT_FALSE(row.isEmpty()) << view->accessibleName().toStdString();
    const bool fits = row.height() <= all.height();
    EXPECT_TRUE(fits ? row.top() >= -1 && row.bottom() <= all.bottom() + 1 : row.intersects(all))
        << "row " << at.row() << " of " << view->accessibleName().toStdString() << " at "
        << row.top() << ".." << row.bottom() << " of " << all.height();
    ++checked_;
  }
  void expectLine(CodePane* pane) {
    const auto& stages = bench_->get<StagePresenter>();
    const std::vector<std::uint32_t> lines = pane->view()->related();
    if (lines.empty() || !stages.leads(pane->pane(), selected())) return;
    const bool isOwn = selected().origin == Origin::Stage && selected().stage == pane->stageId();
    const std::uint32_t line = isOwn ? selected().line : stages.mainLine(pane->stageId(), lines);
    EXPECT_TRUE(pane->view()->isLineVisible(line))
        << "line " << line << " of " << name(pane->stageId()).toStdString();
    ++checked_;
  }
  void expectBox(GraphArea* area) {
    GraphPane* pane = area->pane();
    const Selection& now = selected();
    auto rect = now.group.valid() ? pane->groupRect(now.group) : std::nullopt;
    if (!rect) rect = pane->nodeRect(now.node());
    ASSERT_TRUE(rect) << "no box";
    const QRectF all(pane->rect());
    const bool fits = rect->width() <= all.width() && rect->height() <= all.height();
    EXPECT_TRUE(fits ? all.contains(*rect) : all.intersects(*rect))
        << "box at " << rect->x() << ',' << rect->y() << " of " << all.width() << 'x'
        << all.height();
    if (!now.group.valid()) {
      const auto& view = *pane->picture().view;
      EXPECT_TRUE(view.boxes[view.boxOf[now.node().index()].index()].node.valid())
          << "a folded group hides "
          << bench_->get<SessionPresenter>().program()->node(now.node()).name;
    }
    ++checked_;
  }
  void expectAllInView() {
    if (selected().empty()) return;
    for (QAbstractItemView* view : window_->findChildren<QAbstractItemView*>())
      if (isOpen(view->viewport()) && !qobject_cast<QHeaderView*>(view)) expectRow(view);
    for (CodePane* pane : part<StageStrip>()->panes())
      if (isOpen(pane->view())) expectLine(pane);
    for (GraphArea* area : window_->findChildren<GraphArea*>())
      if (isOpen(area->pane())) expectBox(area);
  }

  void run() {
    for (int i = 0; i < selections() && !HasFailure(); ++i) {
      const std::size_t arrangement = draw(kArrangements.size());
      const std::size_t kind = draw(8);
      SCOPED_TRACE(QString("selection %1, kind %2, %3")
                       .arg(i)
                       .arg(kind)
                       .arg(name(kArrangements[arrangement]))
                       .toStdString());
      if (!select(kind)) selectByCommand();
      settle();
      expectAllInView();
      window_->actions()["arrange-" + name(kArrangements[arrangement])]->trigger();
      settle();
      expectAllInView();
      disturb();
      settle();
      expectAllInView();
    }
    EXPECT_GT(checked_, 6 * selections());
  }

  std::minstd_rand random_{7};
  int checked_ = 0;
};

TEST_F(InViewTest, AfterEverySelectionAndEverySwitch) {
  start(1, "masked_attention.pt2");
  run();
}

TEST_F(InViewTest, WithTextOfTwoHundredPercent) {
  start(2, "transformer_block.pt2");
  run();
}

}  // namespace
}  // namespace fxs::ui
