// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The open program in numbers, made in a job when the program was read; and what it became, when
// its stages have ended.
#include <QObject>
#include <memory>

#include "layout/group_tree.h"
#include "report/summary.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"

namespace fxs::ui {

class SummaryPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit SummaryPresenter(Services& services);

  /// Null until it is made.
  const std::shared_ptr<const report::SummaryReport>& report() const { return report_; }
  const WorkState& state() const { return making_.state(); }
  /// Selects a module with its nodes, or the nodes of an operator; the root selects nothing.
  void select(const summary::ModuleTotal& module);
  void select(const summary::OperatorTotal& op);
  /// Index in Summary::modules of the module that is selected, or around the selected node; -1 for
  /// none.
  int selectedModule() const;
  /// Index in Summary::operators of the operator of the selected node; -1 for none.
  int selectedOperator() const;

 Q_SIGNALS:
  void changed();

 private:
  struct Made {
    std::shared_ptr<const report::SummaryReport> report;
    std::shared_ptr<const layout::GroupTree> tree;
    std::vector<double> flops;  ///< by node; 0 where they are not counted or not known
  };
  void make();
  void count();

  SessionPresenter& session_;
  SelectionPresenter& selection_;
  std::shared_ptr<const report::SummaryReport> report_;
  std::shared_ptr<const layout::GroupTree> tree_;
  std::vector<double> flops_;
  std::shared_ptr<const lower::Lowering> counted_;  ///< of which report_ says what it became
  Task<Result<Made>> making_;
  Task<std::vector<summary::Became>> counting_;
};

}  // namespace fxs::ui
