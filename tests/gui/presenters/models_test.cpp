// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include "features/inspector/metadata_model.h"
#include "features/navigator/module_tree_model.h"
#include "features/stages/stages_model.h"
#include "fx/text.h"
#include "read/read.h"
#include "session/selection_presenter.h"

namespace fxs::ui {
namespace {

fx::ProgramPtr sample(const std::string& name) {
  const auto capture = read::openCapture(std::string(FXS_SOURCE_DIR) + "/samples/" + name, {}, {});
  EXPECT_TRUE(capture) << toString(capture.error());
  return capture ? capture->program : nullptr;
}

TEST(NodeListModel, IsAnItemModelOfEveryNode) {
  NodeListModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  const fx::ProgramPtr program = sample("transformer_block.pt2");
  model.setProgram(program);
  ASSERT_EQ(model.rowCount(), static_cast<int>(program->nodes.size()));
  for (const fx::Node& node : program->nodes)
    EXPECT_EQ(model.indexOf(node.id).data().toString().toStdString(), node.name);
  MarksByNode marks(program->nodes.size());
  marks.back().add({Emphasis::Error, "error", "no pattern"});
  QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
  model.setMarks(marks);
  EXPECT_EQ(changed.count(), 1);
  const QModelIndex last = model.index(model.rowCount() - 1, 0);
  EXPECT_EQ(last.data(kMarksRole).value<const NodeMarks*>()->status.emphasis, Emphasis::Error);
  EXPECT_EQ(last.data(Qt::ToolTipRole).toString(), last.data().toString() + "\nno pattern");
  model.setProgram(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(ModuleTreeModel, HoldsEveryNodeOnce) {
  ModuleTreeModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  for (const char* name :
       {"transformer_block.pt2", "control_flow.pt2", "residual_block.pt2", "addmm.pt2"}) {
    const fx::ProgramPtr program = sample(name);
    const auto tree = std::make_shared<const layout::GroupTree>(layout::groupTree(*program));
    model.setTree(program, tree);
    std::size_t grouped = 0;
    for (const layout::Group& group : tree->groups) {
      grouped += group.nodes.size();
      for (const fx::NodeId node : group.nodes) {
        const QModelIndex index = model.indexOf(node);
        ASSERT_TRUE(index.isValid()) << name << ' ' << program->node(node).name;
        EXPECT_EQ(index.data(kNodeIdRole).toUInt(), node.value);
        EXPECT_EQ(model.index(index.row(), 0, index.parent()), index);
      }
      if (group.parent.valid()) {
        {
          EXPECT_EQ(model.indexOf(group.id).data(kGroupIdRole).toUInt(), group.id.value);
        }
      }
    }
    EXPECT_GT(grouped, 0U);
  }
}

TEST(ModuleTreeModel, AModuleSaysHowManyProblemsItHolds) {
  const fx::ProgramPtr program = sample("transformer_block.pt2");
  const auto tree = std::make_shared<const layout::GroupTree>(layout::groupTree(*program));
  ModuleTreeModel model;
  model.setTree(program, tree);
  for (const layout::Group& group : tree->groups) {
    if (!group.parent.valid() || group.nodes.empty()) continue;
    MarksByNode marks(program->nodes.size());
    marks[group.nodes.front().index()].add({Emphasis::Error, "error", {}});
    model.setMarks(marks);
    const QModelIndex index = model.indexOf(group.id);
    EXPECT_EQ(index.data(kMarksRole).value<const NodeMarks*>()->status.emphasis, Emphasis::Error);
    EXPECT_EQ(index.data(kBadgeRole).toString(), "1");
    EXPECT_FALSE(index.data().toString().contains("problem"));
    EXPECT_EQ(index.data(Qt::AccessibleTextRole).toString(),
              index.data().toString() + ", 1 problem");
    model.setMarks({});
    EXPECT_FALSE(index.data(kBadgeRole).isValid());
    return;
  }
  FAIL() << "no module with nodes of its own";
}

TEST(MetadataModel, NamesTheRuleAndItsReason) {
  MetadataModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setRows({{"val", "(absent)", "f32[2]", "fake-tensor", "a tensor has a shape", true},
                 {"original_aten", "x", "x", {}, {}, false}});
  EXPECT_EQ(model.index(0, MetadataModel::After).data().toString(), "f32[2]");
  EXPECT_EQ(model.index(0, MetadataModel::RuleColumn).data(Qt::ToolTipRole).toString(),
            "fake-tensor: a tensor has a shape");
  EXPECT_EQ(model.index(1, MetadataModel::RuleColumn).data().toString(), "–");
}

TEST(StagesModel, EveryMarkHasAWordAndAShape) {
  StagesModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setStages({{"torch",
                    "Torch backend IR",
                    StageMark::Ok,
                    std::chrono::duration<double>(0.024),
                    {},
                    {},
                    false},
                   {"tosa", "TOSA", StageMark::Failed, {}, "failed here", {}, false}});
  EXPECT_EQ(model.index(0, StagesModel::Time).data().toString(), "24 ms");
  EXPECT_EQ(model.index(1, StagesModel::Status).data().toString(), "FAILED");
  QSet<QString> words;
  for (const StageMark mark :
       {StageMark::Waiting, StageMark::Running, StageMark::Ok, StageMark::Failed,
        StageMark::Crashed, StageMark::Timeout, StageMark::Skipped}) {
    words << statusText(mark);
    EXPECT_FALSE(iconOf(mark).isEmpty());
  }
  EXPECT_EQ(words.size(), 7);
}

TEST(SelectionPresenter, BackAndForwardWalkWhatWasSelected) {
  Services services{session::Environment{}};
  auto& selection = services.get<SelectionPresenter>();
  QSignalSpy changed(&selection, &SelectionPresenter::changed);
  for (std::uint32_t i = 1; i <= 3; ++i) selection.selectNode(fx::NodeId{i}, Origin::List);
  selection.selectNode(fx::NodeId{3}, Origin::List);
  EXPECT_EQ(changed.count(), 3);
  EXPECT_FALSE(selection.canGoForward());
  selection.back();
  selection.back();
  EXPECT_EQ(selection.current().node(), fx::NodeId{1});
  EXPECT_FALSE(selection.canGoBack());
  selection.forward();
  EXPECT_EQ(selection.current().node(), fx::NodeId{2});
  selection.selectNode(fx::NodeId{9}, Origin::Graph);
  EXPECT_FALSE(selection.canGoForward());
  selection.back();
  EXPECT_EQ(selection.current().node(), fx::NodeId{2});
  selection.reset();
  EXPECT_TRUE(selection.current().empty());
  EXPECT_FALSE(selection.canGoBack());
}

}  // namespace
}  // namespace fxs::ui
