// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without a mouse, and without a screen: Tab reaches every control once before it comes back, and
// each has a name and a role.
#include <QAbstractButton>
#include <QAccessible>
#include <QLineEdit>
#include <set>

#include "features/graph/graph_canvas.h"
#include "widgets/tab_row.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class KeyboardTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
    window_->resize(1280, 800);
    openSettled(samplePath("masked_attention.pt2"));
    waitUntil(
        [&] {
          return !bench_->get<DiagnosisPresenter>().state().running &&
                 !bench_->get<PassPresenter>().counting();
        },
        "diagnosed");
    settle();
  }
  void settle() {
    waitUntil(
        [&] {
          return settled(*bench_) && !bench_->get<HistoryPresenter>().busy() &&
                 !bench_->get<Graphs>().colours.busy();
        },
        "settled");
    // Until nothing is shown or hidden any more.
    std::set<QWidget*> before;
    for (std::set<QWidget*> now = controls(); now != before; now = controls()) {
      before = now;
      QTest::qWait(50);
    }
  }
  /// What wants the focus by Tab: visible, enabled, and not in a pane of which only the title
  /// shows.
  std::set<QWidget*> controls() const {
    std::set<QWidget*> found;
    for (QWidget* each : window_->findChildren<QWidget*>()) {
      if (!each->isVisible() || !each->isEnabled() || each->window() != window_.get()) continue;
      if (!(each->focusPolicy() & Qt::TabFocus) || each->focusProxy()) continue;
      bool inStrip = false;
      for (const QWidget* up = each; up; up = up->parentWidget())
        if (const auto* dock = qobject_cast<const DockFrame*>(up))
          inStrip = dock->isStrip() && dock->widget()->isAncestorOf(each);
      if (!inStrip) found.insert(each);
    }
    return found;
  }
  static std::string describedControl(const QWidget* widget) {
    QString name = widget->accessibleName();
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget); button && name.isEmpty())
      name = button->text();
    return QString("%1 '%2' in %3")
        .arg(widget->metaObject()->className(), name,
             widget->parentWidget()->metaObject()->className())
        .toStdString();
  }
  void expectOnceAround(Qt::Key key) {
    const std::set<QWidget*> wanted = controls();
    ASSERT_GT(wanted.size(), 30U);
    part<GraphPane>()->setFocus();
    QWidget* const first = QApplication::focusWidget();
    std::set<QWidget*> reached;
    for (QWidget* now = first; reached.insert(now).second; now = QApplication::focusWidget()) {
      ASSERT_LE(reached.size(), wanted.size());
      QTest::keyClick(now, key);
      ASSERT_NE(QApplication::focusWidget(), nullptr);
    }
    EXPECT_EQ(QApplication::focusWidget(), first)
        << "stuck at " << describedControl(QApplication::focusWidget());
    for (const QWidget* each : wanted)
      EXPECT_TRUE(reached.contains(const_cast<QWidget*>(each)))
          << "not reached: " << describedControl(each);
    for (QWidget* each : reached)
      EXPECT_TRUE(wanted.contains(each)) << "reached: " << describedControl(each);
  }
  void expectNamesAndRoles() {
    for (QWidget* each : controls()) {
      QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(each);
      ASSERT_NE(accessible, nullptr) << describedControl(each);
      EXPECT_FALSE(accessible->text(QAccessible::Name).isEmpty())
          << "no name: " << describedControl(each);
      const QAccessible::Role role = accessible->role();
      EXPECT_TRUE(role != QAccessible::NoRole && role != QAccessible::Client &&
                  role != QAccessible::Window)
          << "no role " << role << ": " << describedControl(each);
    }
  }
  template <class Check>
  void inEveryState(Check check) {
    for (const Arrangement each : kArrangements) {
      SCOPED_TRACE(name(each).toStdString());
      bench_->get<ArrangementPresenter>().choose(each);
      for (const QString& page : part<DockFrame>("results")->pages()) {
        SCOPED_TRACE(page.toStdString());
        part<DockFrame>("results")->setCurrentPage(page);
        settle();
        ASSERT_EQ(part<DockFrame>("results")->currentPage(), page);
        check();
      }
      for (const char* selected : {"layer_norm", "linear_4", "output"}) {
        SCOPED_TRACE(selected);
        bench_->get<SelectionPresenter>().selectNode(node(selected), Origin::List);
        settle();
        check();
      }
      bench_->get<SelectionPresenter>().selectGroup(
          layout::GroupId::of(2), bench_->get<Graphs>().program.nodesIn(layout::GroupId::of(2)),
          Origin::Tree);
      bench_->get<Graphs>().colours.mark(*query::parse("op=aten.linear"));
      settle();
      check();
      bench_->get<Graphs>().colours.choose(kByKind);
    }
  }
};

TEST_F(KeyboardTest, TabReachesEveryControlOnceAndEachHasANameAndARole) {
  inEveryState([this] {
    expectOnceAround(Qt::Key_Tab);
    expectNamesAndRoles();
  });
  expectOnceAround(Qt::Key_Backtab);
}

TEST_F(KeyboardTest, ArrowsGoFromTabToTab) {
  part<DockFrame>("results")->setCurrentPage("stages");
  settle();
  auto* row = part<DockFrame>("results")->findChild<TabRow*>();
  for (QAbstractButton* tab : row->findChildren<QAbstractButton*>())
    if (tab->isChecked()) tab->setFocus();
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
  EXPECT_NE(part<DockFrame>("results")->currentPage(), "stages");
  EXPECT_TRUE(row->isAncestorOf(QApplication::focusWidget()));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Left);
  EXPECT_EQ(part<DockFrame>("results")->currentPage(), "stages");
}

TEST_F(KeyboardTest, ReturnAndSpaceFollowALink) {
  bench_->get<SelectionPresenter>().selectNode(node("linear_4"), Origin::List);
  for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Space}) {
    settle();
    LinkButton* link = part<InspectorPane>()->findChild<LinkButton*>();
    ASSERT_NE(link, nullptr);
    const fx::NodeId before = bench_->get<SelectionPresenter>().current().node();
    link->setFocus();
    QTest::keyClick(link, key);
    EXPECT_NE(bench_->get<SelectionPresenter>().current().node(), before)
        << link->accessibleName().toStdString();
    bench_->get<SelectionPresenter>().selectNode(before, Origin::List);
  }
}

TEST_F(KeyboardTest, AScreenReaderReadsTheLineOfTheCursor) {
  CodeView* view = paneOf("raw")->view();
  view->goTo({3, 5});
  QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(view);
  ASSERT_NE(accessible, nullptr);
  EXPECT_EQ(accessible->role(), QAccessible::EditableText);
  EXPECT_TRUE(accessible->state().readOnly);
  const QString line = QString::fromStdString(std::string(view->code()->line(3)));
  ASSERT_FALSE(line.trimmed().isEmpty());
  EXPECT_EQ(accessible->text(QAccessible::Value), line);
  ASSERT_NE(accessible->textInterface(), nullptr);
  EXPECT_EQ(accessible->textInterface()->characterCount(), line.size());
  EXPECT_EQ(accessible->textInterface()->text(0, 5), line.left(5));
  EXPECT_EQ(accessible->textInterface()->cursorPosition(), 5);
}

TEST_F(KeyboardTest, AScreenReaderFindsAndSelectsTheBoxesInView) {
  auto* canvas = part<GraphArea>()->pane()->findChild<GraphCanvas*>();
  const QAccessibleInterface* graph = QAccessible::queryAccessibleInterface(canvas);
  ASSERT_NE(graph, nullptr);
  ASSERT_GT(graph->childCount(), 3);
  QStringList names;
  for (int i = 0; i < graph->childCount(); ++i) {
    QAccessibleInterface* box = graph->child(i);
    ASSERT_TRUE(box && box->isValid());
    EXPECT_EQ(graph->indexOfChild(box), i);
    EXPECT_EQ(box->role(), QAccessible::ListItem);
    EXPECT_TRUE(box->rect().intersects(graph->rect()));
    names << box->text(QAccessible::Name);
    const std::string name = names.back().section(", ", 0, 0).toStdString();
    const fx::Node* shown = bench_->get<SessionPresenter>().program()->findNode(name);
    if (!shown || box->state().selected) continue;
    ASSERT_NE(box->actionInterface(), nullptr);
    box->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    settle();
    EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), shown->id);
    EXPECT_TRUE(box->isValid()) << name;
    EXPECT_TRUE(box->state().selected) << name;
    return;
  }
  ADD_FAILURE() << names.join('\n').toStdString();
}

}  // namespace
}  // namespace fxs::ui
