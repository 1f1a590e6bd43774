// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Finds verified fixes: changes are tried on each extracted blocked operation; those that pass are
// applied to the whole program, with the other blocked operations replaced by placeholders, to
// verify them. A fix is never suggested without a run.
#include <functional>
#include <string>
#include <vector>

#include "base/work_time.h"
#include "diagnose/change.h"
#include "diagnose/survey.h"

namespace fxs::diagnose {

/// The changes to apply for one blocked operation.
struct Fix {
  std::size_t entry = 0;
  std::vector<Change> changes;
  Experiment experiment;
};

/// Another output type to try, and how a program is rewritten for it.
struct Elsewhere {
  lower::OutputType target;
  rewrite::RewriteOptions rewrite;
  std::optional<bool> lowers;  ///< whether the whole program does, if that is known
};

struct ExperimentOptions {
  RewriteBase base;
  std::string file;                           ///< name of the input in snippets
  std::vector<Elsewhere> elsewhere;           ///< without the entries' own
  TimeLimit budget{std::chrono::minutes(2)};  ///< experiments beyond it are NotRun
  std::string cacheDir;                       ///< for OutcomeCache; "" for no cache
  std::function<void()> onPart;               ///< called after each round
  bool fixesOnly = false;  ///< leave out what a fixed program cannot have: options of the lowering,
                           ///< other results
  /// Called with the fixes to apply if the program does not lower: those with which it lowers, else
  /// the best of each operation.
  std::function<void(const lower::OutputType&, const std::vector<Fix>&)> onFixes = {};
  /// What a changed program, which lowers, computes; null: not asked.
  std::function<Result<Computed>(const fx::ProgramPtr&, const std::set<std::string>& backendLegal,
                                 const lower::OutputType&)>
      computed;
};

/// Fills in the experiments of each entry of one output type, best first, and whether the best ones
/// together make the program lower. A stop request is not an error: it sets `stopped` and leaves
/// the rest NotRun.
Result<> experiment(const Subject&, std::vector<BlockedEntry>& entries, TargetDiagnosis&,
                    const ExperimentOptions&, bool& stopped, const RunContext&);

}  // namespace fxs::diagnose
