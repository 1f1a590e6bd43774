// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One blocked operation as the inspector shows it: why it does not lower, the engine's output, and
// the experiments.
#include <QString>
#include <QStringList>
#include <vector>

#include "diagnose/diagnosis.h"

namespace fxs::ui {

struct ExperimentRow {
  QString change;  ///< "decompose aten.gelu.default"
  diagnose::Outcome outcome = diagnose::Outcome::NotRun;
  diagnose::Proof proof = diagnose::Proof::NotTried;
  diagnose::Verified verified = diagnose::Verified::Nothing;
  QString icon;     ///< check mark, cross or dash
  QString verdict;  ///< report::verdictOf()
  QString cost;     ///< how the result changes: "computes in f32"; "" if it does not
  QString message;  ///< the engine's output, why it was not run, or how the whole program fared
  QString snippet, language;
  bool helps() const {
    return outcome == diagnose::Outcome::Passed && proof != diagnose::Proof::Disproved;
  }
  friend bool operator==(const ExperimentRow&, const ExperimentRow&) = default;
};

struct BlockedState {
  QString target;     ///< the output type
  QString className;  ///< "no pattern"
  QString title;      ///< "this output type has no pattern for it"
  QString icon, message;
  QString where;          ///< "pass convert-torch-to-tosa, tosa stage"
  QString operation;      ///< "torch.aten.diff (f32[1, 4]) -> f32[1, 3]"
  QString engineMessage;  ///< the engine's output; may have several lines
  QStringList tried;      ///< patterns that rejected it
  QString sizes;          ///< how it depends on sizes known only at run time; "" if it does not
  QString agreement;      ///< how the run of the whole program disagrees; "" if it agrees
  std::vector<fx::NodeId> nodes;
  std::vector<ExperimentRow> experiments;
  QString experimentsNote;  ///< "3 of 12 tried work", "none of the 9 fixes tried works"; "" if none
                            ///< was tried
  friend bool operator==(const BlockedState&, const BlockedState&) = default;
};

BlockedState blockedState(const diagnose::Diagnosis&, const diagnose::Blocked&);

}  // namespace fxs::ui
