#pragma once
// What is wrong with a program, grouped by operation: the findings of every step and, once there is a diagnosis, the operations
// that each output type does not take. Values and pure functions; ProblemsPresenter keeps the current ones.
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "diagnose/diagnosis.h"
#include "fx/finding.h"

namespace fxs::ui {

/// One distinct operation of one output type, or what the steps found with one cause.
struct ProblemPart {
  fx::Severity severity = fx::Severity::Error;  ///< Note: it stops another output type than the one lowered to
  QString className;                            ///< "no pattern", "types lost", "illegal op"
  QString icon;                                 ///< of the class: every class has a shape of its own
  QString target;                               ///< the output type that it stops; "" of a finding of a step
  QString stage, pass, types, message;
  std::vector<fx::NodeId> nodes;  ///< ascending; may be empty
  std::size_t count = 0;          ///< of nodes, as far as known
  int blocked = -1;               ///< index into Diagnosis::blocked; -1: a finding
};

struct Problem {
  QString operation;               ///< "aten.diff.default"; of a finding with no node its message. Identifies the problem.
  std::vector<ProblemPart> parts;  ///< never empty; those of the output type lowered to first, worst first
  std::vector<fx::NodeId> nodes;   ///< of all parts, ascending
  std::size_t count = 0;           ///< of nodes
  QStringList targets;             ///< output types that it stops, the one lowered to first; empty when no diagnosis names it
  QString help;                    ///< what helps: "decompose aten.diff.default"; "" when nothing is known to
  bool helpProved = false;         ///< on the whole program
  fx::Severity severity() const { return parts.front().severity; }
};

/// `diagnosis` may be null. Its entries take the place of the errors at the same nodes, for they say more.
std::vector<Problem> groupProblems(const std::vector<fx::Finding>& findings, const diagnose::Diagnosis* diagnosis,
                                   const lower::OutputType& target);

/// "no pattern": name() in words.
QString words(diagnose::Kind);
/// Its icon: "class-no-pattern".
QString iconOf(diagnose::Kind);

}  // namespace fxs::ui
