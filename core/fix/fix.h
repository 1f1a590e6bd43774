// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A fixed program: the user's program with the changes that make it lower, written as a .pt2 that
// torch.export.load opens and other tools lower. The changes are fxscope's rewriting (functional
// form, decompositions) and the experiments of a diagnosis that passed; options of the lowering are
// not among them, because a file cannot have them.
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "diagnose/diagnose.h"
#include "diagnose/python_changes.h"
#include "fix/fixed.h"

namespace fxs::fix {

struct FixOptions {
  std::vector<lower::OutputType> targets;  ///< at least one, without duplicates
  std::chrono::milliseconds budget{
      240'000};             ///< for the experiments of each diagnosis, on processors
  std::string python = {};  ///< an interpreter whose PyTorch and torch-mlir are asked what they
                            ///< make of the file; "" for none
  bool numbers = false;     ///< without an interpreter, compare what executors compute
  bool keepSizes = true;    ///< symbolic sizes stay, as many as lower
  bool script = false;      ///< FixedProgram::python() is wanted, with static sizes if need be
};

struct FixedProgram;
using FixedProgramPtr = std::shared_ptr<const FixedProgram>;

struct FixedProgram {
  session::SnapshotPtr snapshot;  ///< its `rewritten` is the fixed program
  std::vector<FixedTarget> targets;
  std::vector<FixedChange> changes;
  std::vector<diagnose::Blocked> blocked;  ///< what no change helps
  /// The rewriting and the changes in Python; see python().
  std::vector<diagnose::PythonDecomposition> decompositions;
  const fx::Program& program() const { return *snapshot->rewritten->program; }
  /// Of the Python: PyTorch decomposes the program before `decompositions`.
  bool runDecompositions = false;
  /// A module with lower(program), which does the same to the user's program: PythonScript::text().
  /// What a decomposition table cannot do (weights without values, one name per tensor) is in the
  /// file alone. "" if there is a `pythonStop`, or if nothing lowers and nothing is changed.
  std::string python() const;
  diagnose::PythonScript script() const;
  bool anyLowers() const;            ///< to one of the output types
  std::vector<std::string> results;  ///< PythonScript::results
  std::string
      askedOf;  ///< what torch-mlir was asked, or why it gave no answer; "" if it was not to be
  FixedValues values;      ///< empty unless they were asked for
  std::string pythonStop;  ///< PythonChanges::stop()
  /// The fix whose Python is python(), where no decomposition table keeps the symbolic sizes that
  /// the file keeps; nullptr else.
  FixedProgramPtr withStaticSizes = nullptr;
  /// What python() loses and the file does not: "s53 is fixed to 8"; "" for nothing.
  std::string pythonCost() const;
};

/// Diagnoses the program for one output type after the other and applies what helps, until it
/// lowers or nothing helps. Changes for one output type that keep the program from an earlier one
/// are not applied; of one that the file does not serve it says whether a file of its own does.
/// Usage if the snapshot was not imported with an engine, or was imported as read.
Result<FixedProgramPtr> fix(const session::SnapshotPtr&, const FixOptions&,
                            const session::Environment&, const RunContext&);

/// The pipelines, with the program that fix() makes for the output type.
extern const session::Route kFixed;

/// Writes the fixed program and its weights as a .pt2 at `path`, which it replaces. Usage if that
/// is the program's own file; Io; errors of write::writePt2.
Result<> writeFixed(const FixedProgram&, const std::string& path, const RunContext&);

}  // namespace fxs::fix
