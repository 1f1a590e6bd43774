// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A candidate fix for a blocked operation. A change is applied to the whole program and the
// operation extracted afterwards, so that exactly the fix that was tried is applied in the end.
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diagnose/survey.h"
#include "diagnose/upper_bounds.h"
#include "rewrite/rewrite.h"
#include "rewrite/rule.h"

namespace fxs::diagnose {

struct Change {
  std::string id;      ///< as Experiment::id
  std::string change;  ///< as Experiment::change
  std::string cost;    ///< as Experiment::cost; changes without a cost are preferred
  std::string snippet = {},
              language = {};         ///< as in Experiment; if empty, the snippet is its Python
  std::set<std::string> decompose;   ///< native decompositions to request
  std::vector<rewrite::Rule> rules;  ///< applied to the rewritten program
  bool acrossNodes = false;  ///< rules are for the whole program and read other nodes, as no
                             ///< decomposition table can
  bool isOne = false;        ///< the same for all operations that require it
  bool staticSizes = false;  ///< every symbolic size becomes a number
  std::optional<std::set<std::string>> keptSizes =
      {};  ///< every symbolic size but these becomes a number, and operations on these
           ///< take other forms: rewrite::symbolicSizeRules
  bool runDecompositions = false;  ///< as rewrite::Decompositions::RunDecompositions
  std::optional<BoundedResults> upperBounds = {};  ///< as withUpperBounds()
  std::set<std::string> backendLegal;              ///< as lower::LowerOptions::backendLegalOps
  bool sameResult =
      true;  ///< false if the program may compute something else, for these sizes or others
};

/// The operation that changes are proposed for.
struct BlockedCall {
  const Subject& subject;
  const Blocked& blocked;
  const fx::Node& node;       ///< the call, in the surveyed program
  std::string file;           ///< the input file as given by the user, for snippets
  bool isDecomposed = false;  ///< by PyTorch, and not by rules that are applied without a request
};

class Proposals {
 public:
  void add(std::function<void(const BlockedCall&, std::vector<Change>&)> propose) {
    all_.push_back(std::move(propose));
  }
  std::vector<Change> of(const BlockedCall&) const;

 private:
  std::vector<std::function<void(const BlockedCall&, std::vector<Change>&)>> all_;
};
void registerAllChanges(Proposals&);

/// The command that applies the call's fixes, also as Python.
std::string fixCommand(const BlockedCall&);
/// Whether `node` is the call's operation at one of the blocked nodes.
bool isOf(const BlockedCall&, const fx::Node& node);
/// A rule that calls `apply` only for nodes with isOf().
rewrite::Rule ruleFor(const BlockedCall&, std::string id, decltype(rewrite::Rule::apply) apply);

/// The input and options of the user's rewrite, to repeat it with changes.
struct RewriteBase {
  fx::ProgramPtr user;
  rewrite::RewriteOptions options;
  bool parity = false;  ///< imported as read: no rewriting, so that only static sizes can be tried
  std::vector<Change> applied = {};  ///< part of the surveyed program already
};
/// Decomposing the program with PyTorch's own tables; std::nullopt if it is already, if what they
/// make of it is not known here, or if a rule corrects what the engine computes. Cancelled; errors
/// of rewriting.
Result<std::optional<Change>> runDecompositions(const RewriteBase&, const RunContext&);
/// Changes of several operations that are applied together, each one for the whole program once.
/// Refers to its argument.
struct CombinedChanges {
  explicit CombinedChanges(const std::vector<const Change*>&);
  std::vector<const Change*> changes;
  std::set<std::string> backendLegal;  ///< of all
  std::vector<std::string> lines;      ///< Change::change, each once
};
/// What is to be done for a base and its changes together.
struct RewritePlan {
  RewritePlan(const RewriteBase&, const std::vector<const Change*>& changes);
  rewrite::RewriteOptions options;
  std::vector<const rewrite::Rule*> rules;  ///< after the rewriting that `options` ask for
  bool staticSizes = false;
  std::optional<std::set<std::string>> keptSizes;
  bool runDecompositions = false;
  bool acrossNodes = false;
  std::optional<BoundedResults> upperBounds;
};
/// Applies rules in sequence where several have one target: the second may match what the first
/// emits. `source`: Program::original of the result.
Result<fx::ProgramPtr> withRules(fx::ProgramPtr, std::vector<const rewrite::Rule*> rules,
                                 const fx::ProgramPtr& source, const RunContext&);
/// The program with all of `changes`. Unsupported if one cannot be applied to this program.
Result<fx::ProgramPtr> changedProgram(const RewriteBase&, const std::vector<const Change*>& changes,
                                      const RunContext&);

}  // namespace fxs::diagnose
