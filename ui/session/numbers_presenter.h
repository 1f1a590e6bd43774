// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the open program computes: its lowered forms run on this machine and compared, on request,
// as a job. Results are kept by output type while the file is open, and dropped when it changes, on
// disk or by running the same output type again.
#include <QObject>
#include <QString>
#include <functional>
#include <vector>

#include "compare/comparison.h"
#include "session/colourings.h"
#include "session/marks.h"
#include "session/python_consent.h"
#include "session/session_presenter.h"

namespace fxs::ui {

/// Compares for some output types, with PyTorch if a Python is given: sessionComparer(), or a test
/// double.
using Comparer = std::function<Result<compare::ComparisonPtr>(
    const session::SnapshotPtr&, const std::vector<lower::OutputType>&, const std::string& python,
    const std::function<void(const compare::ComparisonPtr&)>& onPart, const RunContext&)>;
Comparer sessionComparer(session::Environment environment);
/// Why nothing can run on this machine, and how to change it; "" if an executor is installed.
QString missingExecutors(const session::Environment& environment);
using ExecutorCheck = std::function<QString(const session::Environment&)>;
/// Installs the executors and returns their folder: sessionExecutorFetcher(), or a test double.
using ExecutorFetcher = std::function<Result<std::string>(const RunContext&)>;
ExecutorFetcher sessionExecutorFetcher(session::Environment environment);

/// "s0=3 s1=5"
QString sizesText(const compare::Sizes&);
/// The verdict in words: "differs in NaN or infinity".
QString title(compare::TargetVerdict);
QString title(tensor::Verdict);
/// The verdict of a target as that of a value; nothing that was not compared differs.
tensor::Verdict severity(compare::TargetVerdict);
/// "29 eps", "1.2e+05 eps", "NaN", "exact"; "" for integers and differences without a number.
QString errorText(const tensor::Difference&);
constexpr double kMostDecades = 7;  ///< of errorFraction(): 10^7 eps is about 1 for float32
/// 0..1 on a logarithmic scale from 1 to 10^kMostDecades eps.
double errorFraction(const tensor::Difference&);

/// An output type with the comparison that it comes from.
struct ComparedTarget {
  compare::ComparisonPtr comparison;
  const compare::TargetComparison* target;
};

/// What is known about a node's value for one output type.
struct NodeNumbers {
  QString target;
  QString by;  ///< executor and sizes, of a result of the program; "" for an inner node
  const tensor::Difference* difference;
  const tensor::Statistics* found;
  const tensor::Statistics* expected;
  double inputUnits = -1;  ///< of an inner node
};

class NumbersPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit NumbersPresenter(Services& services);

  /// Compares for the session's target.
  void compare();
  /// Compares for the session's target and every backend.
  void compareAll();
  /// Installs the executors that are missing, which goes on when another file is opened.
  void fetchExecutors();
  /// Ends a comparison, or the installation of executors.
  void cancel();
  bool possible() const;
  /// Why nothing can run on this machine, and how to change it; "" if an executor is installed.
  const QString& missing() const { return missing_; }

  /// In the order of the output types.
  const std::vector<ComparedTarget>& targets() const { return targets_; }
  /// What was compared for the session's target, or null.
  const ComparedTarget* ofSession() const;
  /// ofSession(), else the first; null if nothing was compared.
  const ComparedTarget* current() const;
  /// current() if a node is known where it begins to differ, else the first output type of which
  /// that is known, or null.
  const ComparedTarget* different() const;
  /// Of the installation of executors while that runs, else of the comparison.
  const WorkState& state() const {
    return fetching_.running() ? fetching_.state() : comparing_.state();
  }
  PythonConsent& consent() { return consent_; }
  /// "PyTorch 2.13.0, with IREE and LLVM, inputs s0=4"; "" without results.
  QString summary() const;
  /// Everything that the summary leaves out, one line each.
  QStringList notes() const;
  /// Why there are no results; "" if there are.
  QString emptyText() const;
  std::vector<NodeNumbers> at(fx::NodeId) const;
  fx::ProgramPtr program() const { return session_.program(); }
  /// The name of a node of the open program; "" for an invalid id.
  QString nameOf(fx::NodeId) const;
  QString operatorOf(fx::NodeId) const;

 Q_SIGNALS:
  /// targets() or current() changed.
  void changed();
  void stateChanged();

 private:
  /// Of the nodes whose value is suspicious or differs, for the current target.
  std::vector<std::pair<fx::NodeId, Mark>> marks() const;
  /// By the error of the values: of different(), else of current().
  const ComparedTarget* coloured() const { return different() ? different() : current(); }
  NodeColours colours() const;
  void start(std::vector<lower::OutputType> targets);
  void take(const compare::ComparisonPtr& part);
  void drop();

  SessionPresenter& session_;
  Comparer comparer_;
  QString missing_;
  ExecutorFetcher fetcher_;
  PythonConsent consent_;
  std::vector<ComparedTarget> targets_;
  lower::OutputType target_;                  ///< the session's at its last run
  std::vector<lower::OutputType> requested_;  ///< by the last comparison
  Task<Result<compare::ComparisonPtr>> comparing_;
  Task<Result<std::string>> fetching_;
};

}  // namespace fxs::ui
