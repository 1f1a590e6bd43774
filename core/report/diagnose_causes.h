#pragma once
// Blocked operations grouped by cause: operations that one change fixes, and operations without a fix that stop at the same MLIR
// operation. In the order to deal with them: what has a fix first, then what blocks most nodes.
#include <string>
#include <vector>

#include "diagnose/diagnosis.h"

namespace fxs::report {

struct Cause {
  std::vector<const diagnose::Blocked*> entries;  ///< in the diagnosis' order
  const diagnose::Experiment* fix = nullptr;      ///< of the first entry that needs no other change; null if none of those tried works
  std::string change;                             ///< what to do, without changes that other causes name; "" without a fix
  std::vector<fx::NodeId> nodes;                  ///< of all entries, ascending, each once
};
std::vector<Cause> causesOf(const diagnose::Diagnosis&);

/// Whether the change is another output type.
bool isOtherType(const diagnose::Experiment&);

}  // namespace fxs::report
