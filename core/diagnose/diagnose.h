// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Diagnosis for the front ends: surveys the operations of a program for some output types, and
// tries fixes for the blocked ones. Each output type has the diagnosis that it has alone: the
// program is rewritten for it and for no other, and limits of the budget are its own.
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/diagnosis.h"
#include "diagnose/experiments.h"
#include "diagnose/known_faults.h"
#include "numbers/compare.h"

namespace fxs::diagnose {

struct DiagnoseOptions {
  std::vector<lower::OutputType> targets;  ///< at least one, without duplicates
  bool experiments = true;                 ///< false: the survey only
  /// A Python with PyTorch, for its decomposition tables: a path, "auto" to look for python3, ""
  /// for none.
  std::string python;
  KnownFaults known = KnownFaults::builtin();  ///< named where an operation fails by one
  std::string withoutPython =
      "none; pass one with --python";  ///< value of Diagnosis::python if there is none
  /// Also run and compare what the program lowers to, and look for operations that compute wrong.
  std::optional<numbers::CompareOptions> numbers;
  std::function<void(const compare::ComparisonPtr&)> onComparison;  ///< called with that comparison
  std::chrono::milliseconds budget{
      240'000};  ///< for each output type, on processors; experiments beyond it are NotRun
  std::vector<Change> applied = {};  ///< part of the snapshot's rewritten program already
  bool fixesOnly = false;            ///< as ExperimentOptions::fixesOnly
  bool beyondTorchMlir = true;       ///< also lower without what torch-mlir does not rewrite
  bool otherTypes = true;  ///< with `experiments`: also survey the other backends where sizes that
                           ///< are known only at run time block the program
  /// Lowerings of the unchanged program that were made already, each used for its target; in
  /// addition to the snapshot's.
  std::vector<std::shared_ptr<const lower::Lowering>> lowerings = {};
  std::vector<lower::OutputType> lowersTo =
      {};  ///< others that the unchanged program is known to lower to
  std::vector<session::SnapshotPtr> imported =
      {};  ///< of the same program for other output types, whose values are used
  bool sharesBudget =
      false;  ///< the output types have one budget together: to exceed it is an error
  /// As ExperimentOptions::onFixes; fixes name entries of Diagnosis::of() the output type.
  std::function<void(const lower::OutputType&, const std::vector<Fix>&)> onFixes = {};
  /// Called with each partial result: after the survey of each target, and after each experiment
  /// round.
  std::function<void(const std::shared_ptr<const Diagnosis>&)> onPart;
};
using DiagnosisPtr = std::shared_ptr<const Diagnosis>;

/// Usage if there is no engine, or the snapshot was not read. A stop request during the experiments
/// gives a partial result (not `complete`). Where one of several output types exceeds a limit of
/// the budget, nothing is known of it; an error if all do.
Result<DiagnosisPtr> diagnose(const session::SnapshotPtr&, const DiagnoseOptions&,
                              const session::Environment&, const RunContext&);

}  // namespace fxs::diagnose
