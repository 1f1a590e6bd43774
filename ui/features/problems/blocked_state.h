#pragma once
// What the inspector says of one blocked operation: why, in the engine's words too, and the experiments as a check list.
#include <QString>
#include <QStringList>
#include <vector>

#include "diagnose/diagnosis.h"

namespace fxs::ui {

struct ExperimentRow {
  QString change;  ///< "decompose aten.gelu.default"
  diagnose::Outcome outcome = diagnose::Outcome::NotRun;
  diagnose::Proof proof = diagnose::Proof::NotTried;
  QString icon;     ///< check mark, cross or dash
  QString verdict;  ///< "verified on the whole program", "verified on the operation by itself", "fails", "not run"
  QString cost;     ///< "computes in f32"; "" when the program means the same
  QString words;    ///< the engine's own, why it was not run, or what the whole program said
  QString snippet, language;
  bool helps() const { return outcome == diagnose::Outcome::Passed && proof != diagnose::Proof::Disproved; }
  friend bool operator==(const ExperimentRow&, const ExperimentRow&) = default;
};

struct BlockedState {
  QString target;     ///< the output type
  QString className;  ///< "no pattern"
  QString title;      ///< "this output type has no pattern for it"
  QString icon, message;
  QString where;      ///< "tosa stage, pass convert-torch-to-tosa"
  QString operation;  ///< "torch.aten.diff (f32[1, 4]) -> f32[1, 3]"
  QString words;      ///< the engine's own; may have several lines
  QStringList tried;  ///< patterns that looked at it and refused
  QString agreement;  ///< what the whole program says where it does not confirm; "" when it does
  std::vector<fx::NodeId> nodes;
  std::vector<ExperimentRow> experiments;
  QString experimentsNote;  ///< "3 of 12 help", "none of 9 helps"; "" when none was tried
  friend bool operator==(const BlockedState&, const BlockedState&) = default;
};

BlockedState blockedState(const diagnose::Blocked&);
/// One blocked operation for an issue or a chat.
QString markdown(const BlockedState&);

}  // namespace fxs::ui
