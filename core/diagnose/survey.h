#pragma once
// Finds every operation of a program that does not lower, in one go: each distinct operation is extracted with its operands, all run
// through the engine together, and the results go back to all nodes. A cut that stops at another node of it (a scalar that an
// operand is computed from) is cut again without that one.
#include <set>
#include <string>
#include <vector>

#include "diagnose/diagnosis.h"
#include "diagnose/operations.h"
#include "import/import.h"
#include "lower/batch.h"

namespace fxs::diagnose {

/// The program to survey, and the options.
struct Subject {
  fx::ProgramPtr program;  ///< as it is imported: rewritten, or as read
  const fx::Program* user = nullptr;
  std::vector<fx::Finding> rewriteFindings;  ///< writes that could not be functionalized
  import::ImportOptions import;              ///< without weights embedded
  lower::LowerOptions lower;                 ///< but for the target
  lower::Engine engine;
  CommandRunner* runner = nullptr;

  /// The node of the user's program that `node` of `program` came from.
  fx::NodeId userNode(fx::NodeId node) const;
  Result<std::shared_ptr<const import::Imported>> importOf(const fx::Program&, const RunContext&) const;
};

/// One distinct operation that does not lower, and how its cut ended.
struct BlockedForm {
  Operation operation;  ///< nodes of Subject::program
  fx::ProgramPtr cut;   ///< null when it could not be cut out
  std::string raw;      ///< its RAW module; "" when there is none
  lower::BatchResult result;
};
struct BlockedEntry {
  Blocked blocked;
  std::vector<BlockedForm> forms;  ///< empty when it was found only in the whole program
};

struct Survey {
  std::vector<BlockedEntry> entries;             ///< by target as asked, then by first node
  std::vector<std::set<fx::NodeId>> unanswered;  ///< by target: user nodes of which nothing is known
  std::vector<std::string> notes;
  std::size_t distinct = 0;
};

Result<Survey> survey(const Subject&, const std::vector<lower::OutputType>& targets, const RunContext&);

/// An entry of a finding, without forms: kind, words and place; nodes are the finding's.
BlockedEntry entryOf(const lower::OutputType& target, const fx::Finding&, const std::string& words);
/// Calls of `program`, rewritten or as read, that came from those nodes of the user's; without getitem.
std::set<fx::NodeId> callsFrom(const fx::Program& program, const std::set<fx::NodeId>& userNodes);
/// The Kind that corresponds to a finding's kind; PatternRefused and NumericType are found later.
Kind kindOf(const fx::Finding&, const std::string& words);

}  // namespace fxs::diagnose
