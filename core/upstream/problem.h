// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the maintainers of torch-mlir need to know of a program that it does not lower, or that it
// lowers to what computes other values than PyTorch: the smallest part that fails in the same way,
// as a Python script, a module and two forms of test; what was looked up; and what was verified.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/known_faults.h"
#include "diagnose/signature.h"
#include "session/session.h"

namespace fxs::upstream {

struct ProblemOptions {
  fx::NodeId node;          ///< of the user's program: where it fails; invalid: the first that does
  std::string python = {};  ///< an interpreter with torch-mlir, which runs the script: a path,
                            ///< "auto" for python3, or "" for none
  diagnose::KnownFaults known = diagnose::KnownFaults::builtin();
  bool values = true;  ///< compare what a program that lowers computes with what it should
};

/// Of a program that lowers, and computes another value than PyTorch.
struct WrongValues {
  std::string difference;             ///< "3 of 4 elements have the other sign, relative error 0.4"
  std::vector<std::string> elements;  ///< "[0, 1]: expected 0.5, found -0.5", largest error first
  std::string tolerance;              ///< of the script: "rtol=0.001, atol=1e-07"
  std::string expectedBy;             ///< "PyTorch 2.13.0 (python3)"
  std::vector<std::string> executors;  ///< that ran what it was lowered to: "IREE 3.13.0"
};

/// What became of the script when a Python ran it.
enum class ScriptOutcome : std::uint8_t { NotRun, FailsAlike, FailsOtherwise, DoesNotFail };
std::string_view name(ScriptOutcome);  ///< "not-run", "fails-alike", "fails-otherwise" ..

struct Problem {
  lower::OutputType target;
  diagnose::FailureSignature signature;
  std::string title;                      ///< "[tosa] torch.aten.erfinv is not lowered"
  bool isOfPyTorch = false;               ///< raised before torch-mlir's importer runs
  std::string error;                      ///< the engine's first message, in one line
  std::optional<WrongValues> wrong = {};  ///< instead of an error
  std::string script;  ///< repro.py: plain PyTorch and torch_mlir.fx; "" for a `scriptStop`
  std::string scriptStop = {};     ///< why there is no script
  std::string e2eTest = {};        ///< a test case in the form of torch-mlir's suite; "" for none
  std::string module = {};         ///< the RAW module without locations; "" if none is made of it
  std::string command = {};        ///< that lowers `module` up to the failure, for a shell
  std::string litTest = {};        ///< of the failing pass or pipeline; "" if no engine was run
  std::string known = {};          ///< "llvm/torch-mlir#4279: attention with a mask .."; "" if it
                                   ///< was not reported, as far as is known
  std::vector<std::string> facts;  ///< looked up, a sentence each
  std::string reduced;             ///< one sentence: from how many operations to how many
  ScriptOutcome outcome = ScriptOutcome::NotRun;
  std::string verified;  ///< one sentence: what ran the script, and what it did, or why it did not
  std::string versions;  ///< of engine, PyTorch and fxscope, a line each
};

/// Of the request's output type, imported and lowered as torch-mlir does (diagnose::asTorchMlir()).
/// Private data is removed. Usage for a module, and if torch-mlir lowers it and no value is known
/// to be wrong; errors of diagnose::reduce() and numbers::compare().
Result<std::shared_ptr<const Problem>> problemOf(const session::SnapshotPtr&, const ProblemOptions&,
                                                 const session::Environment&, const RunContext&);

}  // namespace fxs::upstream
