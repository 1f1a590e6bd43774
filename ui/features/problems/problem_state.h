// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Problems of a program, grouped by operation: the findings of every step and the blocked
// operations of a diagnosis. What fails because of sizes known only at run time is one problem for
// each source of these. Values and pure functions; ProblemsPresenter holds the current ones.
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "diagnose/diagnosis.h"
#include "fx/finding.h"

namespace fxs::ui {

/// One blocked operation for one output type, or the findings with one cause.
struct ProblemPart {
  fx::Severity severity =
      fx::Severity::Error;  ///< Note: it blocks only an output type other than the target
  QString className;        ///< "no pattern", "types lost", "illegal op"
  QString icon;             ///< of the class; each class has its own shape
  QString target;           ///< the output type that it blocks; "" for a finding
  QString operation;        ///< "aten.diff.default"
  QString stage, pass, types, message;
  std::vector<fx::NodeId> nodes;  ///< ascending; may be empty
  std::size_t count = 0;          ///< number of nodes, as far as known
  int blocked = -1;               ///< index into Diagnosis::blocked; -1 for a finding
};

struct Problem {
  QString operation;  ///< "aten.diff.default"; for a finding without a node, its message; "Sizes
                      ///< known only at run time (..)". Identifies the problem.
  QString className;  ///< of its first part, or "run-time sizes"
  QString icon;
  std::vector<ProblemPart> parts;  ///< never empty; those of the target first, worst first
  std::vector<fx::NodeId> nodes;   ///< of all parts, ascending
  std::size_t count = 0;           ///< number of nodes, as far as known
  QStringList targets;  ///< output types that it blocks, the target first; empty if not diagnosed
  QString help;         ///< the best fix: "decompose aten.diff.default"; of sizes the output type
                        ///< that goes further; "" if none is known
  diagnose::Verified verified = diagnose::Verified::Nothing;  ///< what is known of `help`
  bool isForSizes = false;
  QString tip;  ///< of sizes: what the output type can have, and what others come to; else ""
  fx::Severity severity() const { return parts.front().severity; }
};

/// `diagnosis` may be null. Its entries replace errors at the same nodes, because they are more
/// specific.
std::vector<Problem> groupProblems(const std::vector<fx::Finding>& findings,
                                   const diagnose::Diagnosis* diagnosis,
                                   const lower::OutputType& target);

/// "no pattern": name() in words.
QString className(diagnose::Kind);
/// Its icon: "class-no-pattern".
QString iconOf(diagnose::Kind);

}  // namespace fxs::ui
