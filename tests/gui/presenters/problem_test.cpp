// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QFile>

#include "features/problems/blocked_state.h"
#include "features/problems/problem_state.h"
#include "features/problems/problems_model.h"
#include "features/support/support_model.h"
#include "made_diagnosis.h"
#include "output_type.h"

namespace fxs::ui {
namespace {

fx::Finding finding(fx::Severity severity, std::size_t node, std::string target,
                    std::string message) {
  fx::Finding made;
  made.severity = severity;
  made.node = fx::NodeId::of(node);
  made.target = std::move(target);
  made.stage = "tosa";
  made.kind = "illegal-op";
  made.message = std::move(message);
  return made;
}

const std::vector<fx::Finding>& findings() {
  static const std::vector<fx::Finding> made{
      finding(fx::Severity::Error, 1, "aten.erf.default", "no pattern takes aten.erf"),
      finding(fx::Severity::Error, 3, "aten.erf.default", "no pattern takes aten.erf"),
      finding(fx::Severity::Warning, 2, "aten.sort.default", "order is not stable"),
      finding(fx::Severity::Error, 4, "aten.foo.default", "the verifier does not take it"),
  };
  return made;
}

/// Every problem and part on a line.
std::string dump(const std::vector<Problem>& problems) {
  std::string out;
  const auto nodes = [](const std::vector<fx::NodeId>& ids) {
    std::string list;
    for (const fx::NodeId id : ids) list += (list.empty() ? "" : ",") + std::to_string(id.index());
    return '[' + list + ']';
  };
  for (const Problem& problem : problems) {
    out += problem.operation.toStdString() + ' ' + nodes(problem.nodes) +
           " stops:" + problem.targets.join("+").toStdString() +
           " helps:" + problem.help.toStdString() +
           (problem.verified > diagnose::Verified::ByItself ? " (proved)" : "") + '\n';
    for (const ProblemPart& part : problem.parts)
      out += "  " + std::string(fx::name(part.severity)) + ' ' + part.className.toStdString() +
             ' ' + part.target.toStdString() + ' ' + nodes(part.nodes) + ' ' +
             std::to_string(part.blocked) + '\n';
  }
  return out;
}

TEST(Problem, BeforeTheDiagnosisFindingsOfOneCauseAreOne) {
  EXPECT_EQ(dump(groupProblems(findings(), nullptr, test::outputType("tosa"))),
            "aten.erf.default [1,3] stops: helps:\n"
            "  error illegal op  [1,3] -1\n"
            "aten.foo.default [4] stops: helps:\n"
            "  error illegal op  [4] -1\n"
            "aten.sort.default [2] stops: helps:\n"
            "  warning illegal op  [2] -1\n");
}

TEST(Problem, ADiagnosisTakesThePlaceOfTheErrorsThatItExplains) {
  EXPECT_EQ(dump(groupProblems(findings(), madeDiagnosis().get(), test::outputType("tosa"))),
            "aten.erf.default [1,3] stops:tosa helps:decompose aten.erf.default (proved)\n"
            "  error no pattern tosa [1,3] 0\n"
            "aten.sort.default [2] stops:tosa+stablehlo helps:\n"
            "  error pattern refused tosa [2] 1\n"
            "  warning illegal op  [2] -1\n"
            "  note crash stablehlo [2] 2\n"
            "aten.foo.default [4] stops: helps:\n"
            "  error illegal op  [4] -1\n");
}

TEST(Problem, WhatStopsAnotherOutputTypeAloneIsANote) {
  EXPECT_EQ(dump(groupProblems({}, madeDiagnosis().get(), test::outputType("stablehlo"))),
            "aten.sort.default [2] stops:stablehlo+tosa helps:\n"
            "  error crash stablehlo [2] 2\n"
            "  note pattern refused tosa [2] 1\n"
            "aten.erf.default [1,3] stops:tosa helps:decompose aten.erf.default (proved)\n"
            "  note no pattern tosa [1,3] 0\n");
}

TEST(Problem, WhatTheWholeProgramLowersWithIsAWarning) {
  const auto diagnosis = madeDiagnosis();
  diagnosis->blocked[0].agreement = diagnose::Agreement::AloneOnly;
  const std::vector<Problem> problems =
      groupProblems({}, diagnosis.get(), test::outputType("tosa"));
  ASSERT_EQ(problems.front().operation, "aten.erf.default");
  EXPECT_EQ(problems.front().severity(), fx::Severity::Warning);
}

TEST(Problem, AChangeThatTheWholeProgramDisprovesIsNoHelp) {
  const auto diagnosis = madeDiagnosis();
  diagnosis->blocked[0].experiments.erase(diagnosis->blocked[0].experiments.begin());
  EXPECT_EQ(groupProblems({}, diagnosis.get(), test::outputType("tosa")).front().help, "");
  diagnosis->blocked[0].experiments[0].proof = diagnose::Proof::NotTried;
  const std::vector<Problem> problems =
      groupProblems({}, diagnosis.get(), test::outputType("tosa"));
  EXPECT_EQ(problems.front().help, "lower to x");
  EXPECT_EQ(problems.front().verified, diagnose::Verified::ByItself);
}

/// Nodes 1 and 3 fail for sizes that node 1 makes; node 2 does not depend on them.
std::shared_ptr<diagnose::Diagnosis> diagnosisOfSizes() {
  auto made = std::make_shared<diagnose::Diagnosis>(*madeDiagnosis());
  made->sizeSources = {{"aten.where in moe", {"u0"}, {fx::NodeId::of(1)}}};
  made->blocked[0].sizes = diagnose::SizeDependence{0, false, diagnose::WithNumbers::Lowers};
  made->otherTypes = {{test::outputType("linalg-on-tensors"), false, {"aten.index.Tensor"}, 3}};
  return made;
}

TEST(Problem, SizesKnownOnlyAtRunTimeAreOneProblem) {
  const auto diagnosis = diagnosisOfSizes();
  EXPECT_EQ(dump(groupProblems(findings(), diagnosis.get(), test::outputType("tosa"))),
            "Sizes known only at run time (u0, from aten.where in moe) [1,3] stops:tosa "
            "helps:stablehlo stops at 1 operator only (aten.sort.default, 1 node)\n"
            "  error no pattern tosa [1,3] 0\n"
            "aten.sort.default [2] stops:tosa+stablehlo helps:\n"
            "  error pattern refused tosa [2] 1\n"
            "  warning illegal op  [2] -1\n"
            "  note crash stablehlo [2] 2\n"
            "aten.foo.default [4] stops: helps:\n"
            "  error illegal op  [4] -1\n");
  const std::vector<Problem> problems =
      groupProblems({}, diagnosis.get(), test::outputType("tosa"));
  EXPECT_EQ(problems.front().className, "run-time sizes");
  EXPECT_EQ(problems.front().tip,
            "Sizes known only at run time (u0, from aten.where in moe)\n"
            "TOSA has static sizes only\n"
            "stablehlo stops at 1 operator only (aten.sort.default, 1 node)\n"
            "linalg-on-tensors stops at 1 operator only (aten.index.Tensor, 3 nodes)");
  diagnosis->targets[0].fixedLowers = true;
  EXPECT_EQ(groupProblems({}, diagnosis.get(), test::outputType("tosa")).front().operation,
            "aten.erf.default");
}

TEST(ProblemsModel, OperatorsThatFailForSizesAreRowsBelowTheirSource) {
  const auto diagnosis = diagnosisOfSizes();
  diagnosis->blocked[1].sizes = diagnosis->blocked[0].sizes;
  ProblemsModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setProblems(groupProblems({}, diagnosis.get(), test::outputType("tosa")));
  const QModelIndex sizes = model.index(0, 0);
  ASSERT_EQ(model.rowCount(sizes), 2);
  EXPECT_EQ(sizes.siblingAtColumn(ProblemsModel::Class).data().toString(), "run-time sizes");
  EXPECT_EQ(sizes.siblingAtColumn(ProblemsModel::Count).data().toString(), "3");
  EXPECT_FALSE(sizes.data(ProblemsModel::kVerifiedRole).toBool());
  EXPECT_EQ(model.index(0, 0, sizes).data().toString(),
            "aten.erf.default (f32[2, 2]) -> f32[2, 2]");
  EXPECT_EQ(model.index(1, ProblemsModel::Class, sizes).data().toString(), "pattern refused");
}

TEST(BlockedState, SaysHowItDependsOnSizes) {
  const auto diagnosis = diagnosisOfSizes();
  EXPECT_EQ(blockedState(*diagnosis, diagnosis->blocked[0]).sizes,
            "Sizes known only at run time (u0, from aten.where in moe). With numbers in their "
            "place it lowers by itself.");
  EXPECT_EQ(blockedState(*diagnosis, diagnosis->blocked[1]).sizes, "");
  diagnosis->blocked[1].sizes =
      diagnose::SizeDependence{0, false, diagnose::WithNumbers::Fails, "no pattern"};
  EXPECT_EQ(blockedState(*diagnosis, diagnosis->blocked[1]).sizes,
            "It depends on sizes known only at run time (u0), and fails with numbers in their "
            "place too: no pattern");
}

TEST(Problem, EveryClassHasAnIconOfItsOwn) {
  QSet<QByteArray> drawn;
  for (int kind = 0; kind < diagnose::kKindCount; ++kind) {
    QFile file(QString(FXS_SOURCE_DIR) + "/resources/icons/" +
               iconOf(static_cast<diagnose::Kind>(kind)) + ".svg");
    ASSERT_TRUE(file.open(QIODevice::ReadOnly)) << file.fileName().toStdString();
    drawn.insert(file.readAll());
  }
  EXPECT_EQ(drawn.size(), diagnose::kKindCount);
}

TEST(ProblemsModel, OperationsHaveRowsForTheirPartsOnlyWhenSeveral) {
  ProblemsModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setProblems(groupProblems(findings(), madeDiagnosis().get(), test::outputType("tosa")));
  std::string shown;
  const auto row = [&](const QModelIndex& index, const char* indent) {
    shown += indent;
    for (int column = 0; column < ProblemsModel::ColumnCount; ++column)
      shown +=
          (column ? " | " : "") + index.siblingAtColumn(column).data().toString().toStdString();
    shown += '\n';
  };
  for (int i = 0; i < model.rowCount(); ++i) {
    row(model.index(i, 0), "");
    for (int part = 0; part < model.rowCount(model.index(i, 0)); ++part)
      row(model.index(part, 0, model.index(i, 0)), "  ");
  }
  EXPECT_EQ(shown,
            "aten.erf.default | no pattern | 2 | tosa | decompose aten.erf.default\n"
            "aten.sort.default | pattern refused | 1 | tosa, stablehlo | \n"
            "  (f32[2, 2]) -> f32[2, 2] | pattern refused | 1 | tosa | \n"
            "  order is not stable | illegal op | 1 | tosa | \n"
            "  (f32[2, 2]) -> f32[2, 2] | crash | 1 | stablehlo | \n"
            "aten.foo.default | illegal op | 1 | tosa | \n");
  const QModelIndex part = model.indexOf("aten.sort.default", 2);
  EXPECT_EQ(part.data(ProblemsModel::kPartRole).toInt(), 2);
  EXPECT_EQ(part.parent(), model.indexOf("aten.sort.default"));
  EXPECT_EQ(model.nodesOf(model.indexOf("aten.erf.default")),
            (std::vector{fx::NodeId::of(1), fx::NodeId::of(3)}));
  EXPECT_FALSE(model.indexOf("aten.gone.default").isValid());
}

TEST(SupportModel, BlockedOperatorsStandFirstAndWhatIsNotKnownSaysSo) {
  SupportModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setDiagnosis(madeDiagnosis());
  std::string shown;
  for (int column = 0; column < model.columnCount(); ++column)
    shown +=
        model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().toStdString() + ' ';
  for (int row = 0; row < model.rowCount(); ++row) {
    shown += '\n';
    for (int column = 0; column < model.columnCount(); ++column)
      shown += (column ? " | " : "") + model.index(row, column).data().toString().toStdString();
  }
  EXPECT_EQ(shown,
            "Operator Nodes tosa stablehlo \n"
            "aten.erf.default | 2 | blocked | supported\n"
            "aten.sort.default | 1 | blocked | blocked\n"
            "aten.add.Tensor | 1 | supported | unknown");
  EXPECT_EQ(model.sums(), (QStringList{"tosa supports 1 of 3 operators",
                                       "stablehlo supports 1 of 3 operators, 1 unknown"}));
  model.setDiagnosis(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(BlockedState, ExperimentsSayHowSureTheyAre) {
  const auto diagnosis = madeDiagnosis();
  const BlockedState state = blockedState(*diagnosis, diagnosis->blocked[0]);
  EXPECT_EQ(state.className, "no pattern");
  EXPECT_EQ(state.where, "pass convert-torch-to-tosa, tosa stage");
  EXPECT_EQ(state.experimentsNote, "1 of 3 tried works, 1 not run");
  std::string shown;
  QSet<QString> icons;
  for (const ExperimentRow& row : state.experiments) {
    shown += row.icon.toStdString() + ": " + row.change.toStdString() + ", " +
             row.verdict.toStdString() + '\n';
    icons << row.icon;
  }
  EXPECT_EQ(shown,
            "done: decompose aten.erf.default, whole program lowers with it\n"
            "warning: lower to x, lowers by itself, but not in the whole program\n"
            "close: use static sizes, does not work\n"
            "minus: compute in f16, not run\n");
  EXPECT_EQ(icons.size(), 4);
}

}  // namespace
}  // namespace fxs::ui
