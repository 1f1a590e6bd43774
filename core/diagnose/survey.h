// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Finds every operation of a program that does not lower: each distinct operation is extracted as a
// program (a cut), all are lowered in one batch, and the results apply to all their nodes. A cut
// that fails at another node (a scalar from which an operand is computed) is extracted again
// without that node.
#include <set>
#include <string>
#include <vector>

#include "diagnose/diagnosis.h"
#include "import/distinct_operations.h"
#include "import/import.h"
#include "lower/batch.h"
#include "module/module_parts.h"

namespace fxs::diagnose {

/// The kind of a finding at what keeps a vmap, or a region, from being inlined.
inline constexpr std::string_view kNotInlined = "not-inlined";

/// The program to survey, and the options.
struct Subject {
  fx::ProgramPtr program;  ///< the program to import: rewritten, or as read
  const fx::Program* user = nullptr;
  std::vector<fx::Finding> rewriteFindings;  ///< writes that could not be functionalized
  import::ImportOptions import;              ///< without weights embedded
  lower::LowerOptions lower;                 ///< the target is ignored
  lower::Engine engine;
  CommandRunner* runner = nullptr;
  std::shared_ptr<const module::ModuleParts> module =
      {};  ///< of an MLIR module; null: an exported program

  std::vector<import::DistinctOperation> distinct() const;
  /// The node of the user's program that `node` of `program` originates from.
  fx::NodeId userNode(fx::NodeId node) const;
  Result<std::shared_ptr<const import::Imported>> importOf(const fx::Program&,
                                                           const RunContext&) const;
};

/// One distinct operation that does not lower, and the result of lowering its cut.
struct BlockedForm {
  import::DistinctOperation operation;  ///< nodes of Subject::program
  fx::ProgramPtr cut;  ///< the extracted operation; null if it could not be extracted
  std::string raw;     ///< its RAW module; "" if there is none
  lower::BatchResult result;
};
struct BlockedEntry {
  Blocked blocked;
  std::vector<BlockedForm> forms;  ///< empty if it was found only in the whole program
};

struct Survey {
  std::vector<BlockedEntry> entries;  ///< by target in the order requested, then by first node
  std::vector<std::set<fx::NodeId>> unanswered;  ///< by target: user nodes without a result
  std::vector<std::string> notes;
  std::size_t distinct = 0;
};

Result<Survey> survey(const Subject&, const std::vector<lower::OutputType>& targets,
                      const RunContext&);

/// An entry without forms, from a finding: its kind, message, location and nodes.
BlockedEntry entryOf(const lower::OutputType& target, const fx::Finding&,
                     const std::string& message);
/// The entry of one distinct operation that failed.
BlockedEntry entryOf(const Subject&, const lower::OutputType& target, BlockedForm);
/// Adds the forms and nodes of another entry.
void join(BlockedEntry& into, BlockedEntry more);
/// "(f32[1, 4], i64[2]) -> f32[1, 4]": types of a call's tensor and scalar operands and results.
std::string typesOf(const fx::Program&, fx::NodeId call);
/// Calls of `program` (rewritten or as read) that originate from the user's nodes `userNodes`;
/// without getitem.
std::set<fx::NodeId> callsFrom(const fx::Program& program, const std::set<fx::NodeId>& userNodes);
/// The Kind that corresponds to a finding's kind; PatternRefused and NumericType are determined
/// later.
Kind kindOf(const fx::Finding&, const std::string& message);

}  // namespace fxs::diagnose
