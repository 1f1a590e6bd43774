// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/summary/summary_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSortFilterProxyModel>

#include "fx/text.h"

namespace fxs::ui {
namespace {

std::shared_ptr<const report::SummaryReport> made(const char* graph) {
  auto program = std::make_shared<fx::Program>(**fx::graphFrom(graph));
  const std::string root = "L__self__,,acme.Model;";
  program->strings = {"nn_module_stack", root + "L__self___a,a,torch.nn.Linear",
                      root + "L__self___b,b,torch.nn.Linear"};
  std::size_t calls = 0;
  for (fx::Node& node : program->nodes)
    if (node.op == fx::NodeOp::CallFunction)
      node.meta = {{fx::StringId::of(0), fx::StringId::of(++calls == 1 ? 1 : 2)}};
  read::Capture capture;
  capture.program = program;
  return std::make_shared<report::SummaryReport>(
      report::SummaryReport{"m.pt2", "test", summary::summarize(capture)});
}

const char* const kProgram =
    "w: f32[4, 4] = parameter \"a.weight\"\n"
    "x: f32[1500, 4] = placeholder\n"
    "a: f32[1500, 4] = aten.linear.default(x, w)\n"
    "b: f32[1500, 4] = aten.linear.default(a, w)\n"
    "c: f32[1500, 4] = aten.linear.default(b, w)\n"
    "d: f32[1500, 4] = acme.odd.default(c)\n"
    "return d\n";

QStringList rowOf(const QAbstractItemModel& model, int row) {
  QStringList cells;
  for (int column = 0; column < model.columnCount(); ++column)
    cells << model.index(row, column).data().toString();
  return cells;
}

TEST(SummaryModel, RowsAreModulesOrOperators) {
  SummaryModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  EXPECT_EQ(model.rowCount(), 0);
  model.show(made(kProgram), SummaryRows::Modules);
  ASSERT_EQ(model.rowCount(), 3);
  EXPECT_EQ(rowOf(model, 0),
            (QStringList{"(all)", "Model", "4", "16", "64 bytes", "144.0 K +", "100.0 %"}));
  EXPECT_EQ(rowOf(model, 1),
            (QStringList{"a", "Linear", "1", "16", "64 bytes", "48.0 K", "33.3 %"}));
  EXPECT_EQ(rowOf(model, 2),
            (QStringList{"b", "Linear", "3", "0", "0 bytes", "96.0 K +", "66.7 %"}));
  EXPECT_EQ(model.index(0, SummaryModel::Flops).data(Qt::ToolTipRole).toString(),
            "144,000 in 3 calls; not known of 1");
  model.show(made(kProgram), SummaryRows::Operators);
  ASSERT_EQ(model.rowCount(), 2);
  EXPECT_EQ(rowOf(model, 0),
            (QStringList{"aten.linear.default", "", "3", "", "", "144.0 K", "100.0 %"}));
  EXPECT_EQ(rowOf(model, 1), (QStringList{"acme.odd.default", "", "1", "", "", "not known", ""}));
  model.show(nullptr, SummaryRows::Operators);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(SummaryModel, SortsByNumbersNotByTheirTexts) {
  SummaryModel model;
  model.show(made(kProgram), SummaryRows::Modules);
  QSortFilterProxyModel sorted;
  sorted.setSourceModel(&model);
  sorted.setSortRole(SummaryModel::kSortRole);
  sorted.sort(SummaryModel::Flops, Qt::AscendingOrder);
  QStringList names;
  for (int row = 0; row < sorted.rowCount(); ++row) names << sorted.index(row, 0).data().toString();
  EXPECT_EQ(names, (QStringList{"a", "b", "(all)"}));
}

}  // namespace
}  // namespace fxs::ui
