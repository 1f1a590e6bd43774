// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No text is cut without a tool tip, nothing overlaps, and no pane is too small to be of use: in
// each arrangement, on each page of the results, at two sizes of the window and with text of 200 %.
#include <QAbstractButton>
#include <QDockWidget>
#include <QHeaderView>
#include <QScrollBar>
#include <QSplitter>

#include "cut_text.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

constexpr int kLeastRows = 2;   ///< of a table or tree
constexpr int kLeastLines = 3;  ///< of a text
constexpr QSize kLeastGraph(160, 72);

/// Rows or lines of which less than the text shows, and views that show too few of them.
QString tooSmall(const QWidget* widget) {
  if (const auto* text = qobject_cast<const CodeView*>(widget)) {
    const int lines = text->viewport()->height() / std::max(1, text->lineRect(0).height());
    return lines >= kLeastLines ? QString()
                                : QString("%1 lines show in %2x%3")
                                      .arg(lines)
                                      .arg(text->width())
                                      .arg(text->height());
  }
  if (qobject_cast<const GraphPane*>(widget))
    return widget->width() >= kLeastGraph.width() && widget->height() >= kLeastGraph.height()
               ? QString()
               : QString("a graph of %1x%2").arg(widget->width()).arg(widget->height());
  const auto* view = qobject_cast<const QAbstractItemView*>(widget);
  if (!view || qobject_cast<const QHeaderView*>(view) || !view->model() ||
      view->model()->rowCount(view->rootIndex()) == 0)
    return {};
  const int height = view->visualRect(view->model()->index(0, 0, view->rootIndex())).height();
  if (height < view->fontMetrics().height() &&
      view->itemDelegate()->metaObject()->className() != QString("QStyledItemDelegate"))
    return QString("rows of %1 pixels for text of %2")
        .arg(height)
        .arg(view->fontMetrics().height());
  const int rows = std::min(kLeastRows, view->model()->rowCount(view->rootIndex()));
  return view->viewport()->height() >= rows * height
             ? QString()
             : QString("less than %1 rows of %2 show in %3x%4")
                   .arg(rows)
                   .arg(height)
                   .arg(view->width())
                   .arg(view->height());
}

QStringList overlaps(const QWidget* parent) {
  QStringList found;
  if (!parent->layout() || qobject_cast<const QDockWidget*>(parent)) return found;
  std::vector<const QWidget*> shown;
  for (const QObject* child : parent->children())
    if (const auto* each = qobject_cast<const QWidget*>(child);
        each && each->isVisible() && !each->isWindow())
      shown.push_back(each);
  for (std::size_t i = 0; i < shown.size(); ++i)
    for (std::size_t j = i + 1; j < shown.size(); ++j) {
      const bool handle = qobject_cast<const QSplitterHandle*>(shown[i]) ||
                          qobject_cast<const QSplitterHandle*>(shown[j]);
      if (!handle && shown[i]->geometry().intersects(shown[j]->geometry()))
        found << described(shown[i],
                           QString("overlaps a %1").arg(shown[j]->metaObject()->className()));
    }
  return found;
}

bool isInStrip(const QWidget* widget) {
  for (const QWidget* up = widget; up; up = up->parentWidget())
    if (const auto* dock = qobject_cast<const DockFrame*>(up))
      return dock->isStrip() && dock->widget()->isAncestorOf(widget);
  return false;
}

QStringList flaws(const MainWindow& window) {
  QStringList found;
  const auto* inspector = window.findChild<InspectorPane*>();
  if (inspector->isVisible() && inspector->horizontalScrollBar()->maximum() > 0)
    found << QString("the inspector is %1 pixels wider than its pane")
                 .arg(inspector->horizontalScrollBar()->maximum());
  const auto* search = window.findChild<FittedButton*>("search");
  if (!search->isVisible() || search->width() < search->minimumSizeHint().width())
    found << "no search button";
  const auto* target = window.findChild<QComboBox*>("target");
  if (target->width() < target->minimumSizeHint().width()) found << "no output type";
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    if (!widget->isVisible() || widget->window() != &window || isInStrip(widget)) continue;
    if (const QString cut = cutText(widget); !cut.isEmpty())
      found << described(widget, "cut: " + cut);
    if (const QString small = tooSmall(widget); !small.isEmpty()) found << described(widget, small);
    found += overlaps(widget);
    if (const auto* header = qobject_cast<const QHeaderView*>(widget)) {
      for (const QString& title : cutTitles(header))
        found << described(widget->parentWidget(), "cut: " + title);
    } else if (const auto* view = qobject_cast<const QAbstractItemView*>(widget);
               view && view->model()) {
      for (const QString& cell : cutCells(view)) found << described(view, "cut: " + cell);
    }
  }
  return found;
}

struct WindowSize {
  QSize size;
  double scale;
  const char* sample;  ///< looked at on every page; with FXSCOPE_ALL, each is
};

class FittingTextTest : public WindowTest, public ::testing::WithParamInterface<WindowSize> {
 protected:
  void SetUp() override {
    textScale_ = GetParam().scale;
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
  }
  void open(const QString& sample) {
    remake();
    window_->resize(GetParam().size);
    openSettled(samplePath(sample));
    waitUntil(
        [&] {
          return !bench_->get<DiagnosisPresenter>().state().running &&
                 !bench_->get<PassPresenter>().counting() &&
                 !bench_->get<HistoryPresenter>().busy();
        },
        "all is known");
  }
  void expectNoFlaw(const QString& where) {
    // What is laid out anew takes some rounds of the event loop.
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
          return settled(*bench_) && !bench_->get<Graphs>().colours.busy() &&
                 flaws(*window_).isEmpty();
        },
        1000))
        << flaws(*window_).join('\n').toStdString() << '\n'
        << where.toStdString() << ", "
        << name(bench_->get<ArrangementPresenter>().current()).toStdString();
    EXPECT_EQ(window_->size(), GetParam().size) << where.toStdString();
  }
};

TEST_P(FittingTextTest, NothingIsCutOrTooSmallOnAnyPage) {
  const bool all = qEnvironmentVariableIsSet("FXSCOPE_ALL");
  for (const char* sample : {"masked_attention.pt2", "decoder_dynamic.pt2", "addmm.pt2"}) {
    if (!all && QLatin1String(sample) != GetParam().sample) continue;
    open(sample);
    for (const Arrangement each : kArrangements) {
      bench_->get<ArrangementPresenter>().choose(each);
      for (const QString& page : part<DockFrame>("results")->pages()) {
        part<DockFrame>("results")->setCurrentPage(page);
        expectNoFlaw(QString("%1, page %2").arg(sample, page));
      }
    }
  }
}

TEST_P(FittingTextTest, NothingIsCutWhateverIsSelectedMarkedOrColoured) {
  open("masked_attention.pt2");
  for (const Arrangement each : kArrangements) {
    bench_->get<ArrangementPresenter>().choose(each);
    for (const char* page : {"modules", "nodes"}) {
      part<DockFrame>("navigator")->setCurrentPage(page);
      bench_->get<SelectionPresenter>().selectNode(node("layer_norm"), Origin::List);
      waitUntil([&] { return !bench_->get<HistoryPresenter>().busy(); }, "its history");
      expectNoFlaw("a call is selected");
      bench_->get<Graphs>().colours.mark(*query::parse("op=aten.linear module=layers.1 dtype=f32"));
      expectNoFlaw("a query is marked");
      bench_->get<SelectionPresenter>().selectGroup(
          layout::GroupId::of(2), bench_->get<Graphs>().program.nodesIn(layout::GroupId::of(2)),
          Origin::Tree);
      bench_->get<Graphs>().colours.choose(kBySize);
      expectNoFlaw("a module is selected, and the graph coloured by size");
      bench_->get<SelectionPresenter>().clear();
      bench_->get<Graphs>().colours.choose("problem");
      expectNoFlaw("nothing is selected, and the graph coloured by problem");
      bench_->get<Graphs>().colours.choose(kByKind);
    }
  }
}

TEST_P(FittingTextTest, NothingIsCutBeforeAProgramIsOpen) {
  remake();
  window_->resize(GetParam().size);
  const auto cut = [&] {
    QStringList found;
    for (const QWidget* widget : window_->findChildren<QWidget*>()) {
      if (!widget->isVisible() || widget->window() != window_.get()) continue;
      if (const QString text = cutText(widget); !text.isEmpty())
        found << described(widget, "cut: " + text);
      found += overlaps(widget);
    }
    return found;
  };
  EXPECT_TRUE(QTest::qWaitFor([&] { return cut().isEmpty(); }, 1000))
      << cut().join('\n').toStdString();
}

INSTANTIATE_TEST_SUITE_P(Sizes, FittingTextTest,
                         ::testing::Values(WindowSize{{1280, 800}, 1, "decoder_dynamic.pt2"},
                                           WindowSize{{1920, 1080}, 1, "addmm.pt2"},
                                           WindowSize{{1280, 800}, 2, "masked_attention.pt2"}),
                         [](const auto& each) {
                           return std::to_string(each.param.size.width()) +
                                  (each.param.scale > 1 ? "LargeText" : "");
                         });

}  // namespace
}  // namespace fxs::ui
