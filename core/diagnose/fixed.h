#pragma once
// What became of a program that was fixed: the changes that were made, what was verified of each, and what it lowers to. Values only;
// session/fix.h creates them, reports show them.
#include <string>
#include <vector>

#include "diagnose/diagnosis.h"

namespace fxs::diagnose {

struct FixedChange {
  lower::OutputType target;  ///< the output type that requires it
  std::string fxTarget;      ///< target of the user's nodes
  std::vector<fx::NodeId> nodes;
  std::string change;  ///< an imperative line: "decompose aten.gelu.default"
  std::string cost;    ///< as diagnose::Experiment::cost
  std::string reason;  ///< one line: why the operation does not lower without
  Verified verified = Verified::ByItself;
  std::string snippet, language;  ///< as diagnose::Experiment::snippet
};

struct FixedTarget {
  lower::OutputType target;
  bool lowers = false;  ///< the fixed program
  std::string why;      ///< one line if it does not
};

}  // namespace fxs::diagnose
