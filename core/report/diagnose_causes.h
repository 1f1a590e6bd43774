// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Blocked operations grouped by cause: operations that fail because of sizes known only at run
// time, by the source of these; operations that one change fixes; and operations without a fix that
// stop at the same MLIR operation. In the order to deal with them: sizes first, then what has a
// fix, then what blocks most nodes.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "diagnose/diagnosis.h"
#include "fx/program.h"

namespace fxs::report {

struct Cause {
  std::vector<const diagnose::Blocked*> entries;  ///< in the diagnosis' order
  const diagnose::Experiment* fix = nullptr;  ///< of the first entry that needs no other change;
                                              ///< null if none of those tried works
  std::string change;  ///< what to do, without changes that other causes name; "" without a fix
  std::vector<fx::NodeId> nodes;  ///< of all entries, ascending, each once
  /// Of which all entries are; then `fix` is that of their upper bounds, or null.
  const diagnose::SizeSource* sizes = nullptr;
  std::vector<std::string> more =
      {};  ///< changes after upper bounds that some entries also require
};
std::vector<Cause> causesOf(const diagnose::Diagnosis&);

/// Whether the change is another output type, and whether the diagnosis has that one.
bool isOtherType(const diagnose::Experiment&);
bool isAmong(const diagnose::Diagnosis&, const diagnose::Experiment& otherType);

/// The fix, else another output type to which the whole program lowers; null if there is none.
const diagnose::Experiment* suggestionOf(const Cause&);
/// Of the runs of an experiment, the one that shows least: it holds for all entries.
const diagnose::Experiment& weakestOf(const Cause&, const diagnose::Experiment&);

/// Whether the program stops at one of the entries; else they failed by themselves only.
bool blocks(const Cause&);
/// Output types that stop at the same passes: {"convert-torch-to-tosa", "tosa"}.
struct StopLocation {
  std::string passes, targets;
};
std::vector<StopLocation> stopsOf(const Cause&);
/// Each operator once.
std::vector<std::string> operatorsOf(const Cause&);
/// With their nodes: "aten.index.Tensor (8 nodes)".
std::vector<std::string> countedOperatorsOf(const Cause&);
/// "Sizes known only at run time (..)", or the first operators.
std::string titleOf(const Cause&);
/// Entries that depend on the same sizes, but are not listed under them.
std::vector<const diagnose::Blocked*> alsoOn(const Cause&, const diagnose::Diagnosis&);
/// What the output types of the cause can have: "TOSA has static sizes only".
std::vector<std::string> sizesSentences(const Cause&);
/// The title of its kind, or that there are several; "74 nodes, 7 operators" of sizes.
std::string reasonOf(const Cause&);
/// One for each kind and operation, without the operator if there is only one.
std::vector<std::string> messagesOf(const Cause&);
/// The first node with a line of the user's, else the first; invalid if the engine named none.
fx::NodeId shownNodeOf(const std::vector<fx::NodeId>&, const fx::Program&);
/// The causes that have the target's changes, the first for each, ascending from 1; empty if a
/// change is not among them, or none was run.
std::vector<std::size_t> fixNumbers(const std::vector<Cause>&, const diagnose::TargetDiagnosis&);

/// "a, b, c and 4 more"
std::string firstOf(const std::vector<std::string>& all, std::size_t most);

template <class T>
void addOnce(std::vector<T>& all, T value) {
  if (std::find(all.begin(), all.end(), value) == all.end()) all.push_back(std::move(value));
}

}  // namespace fxs::report
