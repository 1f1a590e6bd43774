// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers: opened by their file, as colours of the graph, in the table and in the inspector.
#include "features/layers/layers_page.h"
#include "widgets/banner_bar.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class LayersTest : public WindowTest {
 protected:
  LayersPresenter& layers() { return bench_->get<LayersPresenter>(); }
  QString file(const QString& name, const QByteArray& text) {
    const QString path = folder_.filePath(name);
    QFile out(path);
    EXPECT_TRUE(out.open(QIODevice::WriteOnly));
    out.write(text);
    return path;
  }
  void open(const QString& path, std::size_t count) {
    window_->openFile(path);
    waitUntil([&] { return layers().all().size() == count; }, "the layers");
  }
  Shade shadeOf(const char* name) {
    const std::vector<Shade>& shades = bench_->get<Graphs>().colours.shades();
    const std::size_t at = node(name).index();
    return at < shades.size() ? shades[at] : Shade::None;
  }
  QStringList row(const LayersPage& page, int at) {
    QStringList out;
    const QAbstractItemModel& rows = *page.view()->model();
    for (int column = 0; column < rows.columnCount(); ++column)
      out << rows.index(at, column).data().toString();
    return out;
  }
};

TEST_F(LayersTest, AFileColoursTheGraphAndIsInTableAndInspector) {
  openSettled(samplePath("residual_block.pt2"));
  const fx::Program& program = *bench_->get<SessionPresenter>().program();
  std::vector<std::string> calls;
  for (const fx::Node& each : program.nodes)
    if (each.op == fx::NodeOp::CallFunction && calls.size() < 2) calls.push_back(each.name);
  ASSERT_EQ(calls.size(), 2u);
  const std::string text = "node,time,where\n" + calls[0] + ",1,cpu\n" + calls[1] + ",50,npu\n";
  open(file("l.csv", QByteArray::fromStdString(text)), 2);
  EXPECT_EQ(bench_->get<SessionPresenter>().state().file, samplePath("residual_block.pt2"));
  waitUntil([&] { return shadeOf(calls[1].c_str()) == Shade::Level5; }, "the colours");
  EXPECT_EQ(shadeOf(calls[0].c_str()), Shade::Level1);

  window_->actions()["show-layers"]->trigger();
  auto* page = part<LayersPage>();
  ASSERT_NE(page, nullptr);
  ASSERT_EQ(page->view()->model()->rowCount(), 2);
  EXPECT_EQ(row(*page, 0).at(2), "1");
  EXPECT_EQ(row(*page, 1).at(3), "npu");
  // By value, the largest first; a click selects the node.
  page->view()->sortByColumn(2, Qt::DescendingOrder);
  EXPECT_EQ(row(*page, 0).at(0), QString::fromStdString(calls[1]));
  clickRow(page->view(), page->view()->model()->index(0, 0));
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), node(calls[1].c_str()));
  EXPECT_EQ(layers().textOf(node(calls[1].c_str())), "time: 50\nwhere: npu");

  // The other layer, by the choice.
  page->choice()->setCurrentIndex(1);
  Q_EMIT page->choice()->activated(1);
  waitUntil([&] { return layers().shown() == 1; }, "the other layer");
  waitUntil([&] { return shadeOf(calls[1].c_str()) != Shade::Level5; }, "its colours");

  // Read again, a file replaces its layers; the program keeps none of a closed one.
  open(file("l.csv", QByteArray::fromStdString("node,time\n" + calls[0] + ",7\n")), 1);
  waitUntil([&] { return shadeOf(calls[0].c_str()) == Shade::Level5; }, "the new colours");
  window_->actions()["close-layer"]->trigger();
  EXPECT_TRUE(layers().all().empty());
  waitUntil([&] { return shadeOf(calls[0].c_str()) == Shade::None; }, "no colours");
  EXPECT_FALSE(page->message().isEmpty());
}

TEST_F(LayersTest, TextsHaveColoursOfTheirOwnThatTheTableShows) {
  openSettled(samplePath("masked_attention.pt2"));
  open(file("l.csv",
            "node,where,time\nlinear,npu,1\nlinear_1,npu,2\nlinear_2,cpu,3\nlayer_norm,gpu,4\n"),
       2);
  waitUntil([&] { return shadeOf("linear") == Shade::Class1; }, "the colours");
  EXPECT_EQ(shadeOf("linear_2"), Shade::Class2);
  EXPECT_EQ(shadeOf("layer_norm"), Shade::Class3);
  window_->actions()["show-layers"]->trigger();
  const QAbstractItemModel& rows = *part<LayersPage>()->view()->model();
  ASSERT_EQ(rows.rowCount(), 4);
  const auto shadeAt = [&](int row, int column) {
    return static_cast<Shade>(rows.index(row, column).data(LayersModel::kShade).toInt());
  };
  for (int row = 0; row < 4; ++row) {
    const QString name = rows.index(row, 0).data().toString();
    EXPECT_EQ(shadeAt(row, 0), Shade::None);
    EXPECT_EQ(shadeAt(row, 2), shadeOf(name.toUtf8().constData())) << name.toStdString();
    EXPECT_GE(shadeAt(row, 3), Shade::Level1);
    EXPECT_LE(shadeAt(row, 3), Shade::Level5);
  }
}

TEST_F(LayersTest, FloatingPointOperationsColourTheGraph) {
  openSettled(samplePath("masked_attention.pt2"));
  bench_->get<Graphs>().colours.choose("flops");
  waitUntil([&] { return shadeOf("linear_4") == Shade::Level5; }, "the colours");
  EXPECT_EQ(shadeOf("layer_norm"), Shade::None);
  const std::vector<LegendEntry>& legend = bench_->get<Graphs>().colours.legend();
  ASSERT_EQ(legend.size(), kLevels);
  EXPECT_EQ(legend.back().text, "41.0 K");
}

TEST_F(LayersTest, AWrongFileIsSaidAndTheOthersStay) {
  openSettled(samplePath("addmm.pt2"));
  open(file("a.csv", "node,t\naddmm,1\n"), 1);
  window_->openFile(file("b.json", R"({"schema": "fxscope-layer/1", "title": "T", "nodes": 5})"));
  auto* banners = part<BannerBar>();
  waitUntil([&] { return banners->text("layers").contains("nodes: expected an object"); },
            "the message");
  EXPECT_EQ(layers().all().size(), 1u);
}

TEST_F(LayersTest, AnotherProgramHasTheLayersPlacedAnew) {
  openSettled(samplePath("addmm.pt2"));
  open(file("a.json", R"({"schema": "fxscope-layer/1", "title": "T", "unit": "ms",)"
                      R"( "operators": {"aten.linear": 2}})"),
       1);
  EXPECT_EQ(layers().all()[0].placed.count, 0u);
  openSettled(samplePath("masked_attention.pt2"));
  EXPECT_GT(layers().all()[0].placed.count, 4u);
  EXPECT_EQ(layers().textOf(node("linear")), "T: 2 ms");
}

}  // namespace
}  // namespace fxs::ui
