// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The result of comparing what a program's lowered texts compute with what they should compute.
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/inputs.h"
#include "compare/scope.h"
#include "execute/executor.h"
#include "fx/program.h"
#include "lower/output_types.h"
#include "tensor/files.h"
#include "tensor/judge.h"
#include "tensor/statistics.h"

namespace fxs::compare {

/// From best to worst; NotCompared says nothing about the program.
enum class TargetVerdict : std::uint8_t {
  Same,
  NotCompared,
  Suspicious,
  DiffersAtNonfinite,
  Differs
};
std::string_view name(
    TargetVerdict);  ///< "same", "not-compared", "suspicious", "differs-at-nonfinite", "differs"

/// One result of the program as one executor computed it.
struct ResultComparison {
  fx::NodeId node;  ///< of the user's program
  std::string name;
  std::string type;  ///< "f32[2, 10]"
  bool compared = false;
  std::string reason;             ///< "depends on random numbers"; "" if compared
  tensor::Difference difference;  ///< if compared
  tensor::Statistics found, expected;
  // Only if values are kept.
  std::string output;  ///< "output#0", "x#after": its name among PyTorch's values
  std::shared_ptr<const tensor::Tensor> foundValue, expectedValue;
};

/// What an executor runs as one on a device.
struct Dispatch {
  execute::DispatchTime measured;
  std::vector<std::string>
      nodes;  ///< names of the user's nodes that it computes, in order; empty if not known
};

/// One executor's run of one text for one set of inputs.
struct Run {
  std::string executor;    ///< "iree", "llvm"
  std::size_t inputs = 0;  ///< index in Comparison::inputs
  Sizes sizes;
  InputSetKind set = InputSetKind::Ordinary;
  execute::Outcome outcome = execute::Outcome::NotSupported;
  std::string message;  ///< unless Ran
  std::string reason;   ///< why these inputs cannot be compared: "PyTorch raises at relu:
                        ///< RuntimeError: .."; else ""
  fx::NodeId node;      ///< where it crashed, if known
  std::optional<execute::Assertion> failed;  ///< as of an Execution
  execute::Variants variants;                ///< as of an Execution
  std::chrono::duration<double> compileTime{0}, runTime{0};
  std::vector<ResultComparison> results;
  std::vector<Dispatch> dispatches;  ///< longest first; empty unless measured
};

/// A value of an inner node in the lowered program, by each executor, compared with what it should
/// be.
struct NodeComparison {
  fx::NodeId node;  ///< of the user's program
  tensor::Difference
      difference;  ///< of the executor that is closest, of those that accuse if executors disagree
  double inputUnits = 0;  ///< the largest error among its operands, in the same units
  tensor::Statistics found, expected;
};

/// Where values begin to differ.
struct First {
  fx::NodeId node;
  std::string stage;  ///< "torch", "linalg-on-tensors"
  std::string pass;   ///< of that stage; "" if not determined
  std::string
      message;  ///< one line: "relative error 2.9e-05 (240 eps of float32); its operands agree"
  bool byItself = false;  ///< the node also differs when it is lowered and run by itself
  std::vector<std::string> operations;  ///< its lowered operations
};

/// An operation that computes a wrong value when it is run by itself on what its operands should
/// be.
struct WrongOperation {
  fx::NodeId node;  ///< of the imported program
  std::vector<fx::NodeId>
      equal;  ///< the calls that the engine cannot distinguish from it, including it
  tensor::Difference difference;
};

struct TargetComparison {
  lower::OutputType to;
  TargetVerdict verdict = TargetVerdict::NotCompared;
  std::string message;      ///< one line; "" for Same
  bool unanswered = false;  ///< not compared, because the engine gave no answer about the program,
                            ///< or reached a limit
  std::vector<Run> runs;
  std::vector<NodeComparison> nodes;  ///< in program order; empty unless nodes were looked at
  std::optional<First> first;
  std::vector<WrongOperation> wrongOperations;  ///< in program order; only if asked for
  Scope scope;                                  ///< for what the verdict holds
  /// Of a suspicious target for its worst inputs: executors that compute a value other than
  /// expected or crash, and those that do not.
  std::vector<std::string> accusers, defenders;
  std::string fault;  ///< of executors that disagree, whose fault it probably is, and why: one
                      ///< line; "" if they agree
};

struct Comparison {
  std::string reference;  ///< "PyTorch 2.13.0 (python3)" or "agreement of linalg-on-tensors, tosa
                          ///< and stablehlo"
  std::string via;        ///< name of the route (session/route.h): "torch-mlir"
  std::vector<std::string> executors;  ///< "IREE 3.13.0", "LLVM 22.1.8"
  std::vector<Inputs> inputs;
  std::vector<TargetComparison> targets;
  std::vector<std::string> notes;
  /// PyTorch's values of every node, by inputs, if values are kept and there is a PyTorch.
  std::vector<std::shared_ptr<const tensor::TensorFile>> nodeValues;
  std::chrono::duration<double> executorTime{
      0};  ///< to compile and to run, also inner values and operations by themselves
};
using ComparisonPtr = std::shared_ptr<const Comparison>;

/// Whether it differs, or does as one executor computes it.
bool isAccused(const TargetComparison&);
/// Whether some target is: the exit code 1 of `compare`.
bool isAccused(const Comparison&);
/// Whether the engine gave no answer for some target.
bool isUnanswered(const Comparison&);

/// What the executors say together of one set of inputs.
struct SetVerdict {
  TargetVerdict verdict = TargetVerdict::NotCompared;
  std::string message;
  std::vector<std::string> accusers, defenders;  ///< as of a TargetComparison
};
/// A text is called wrong only if every executor that ran it says so and there are two, or if a
/// run-time check of its own failed. What one executor alone says is suspicious, and so is what
/// executors disagree on.
SetVerdict judgeSet(const std::vector<const Run*>& runs);

/// The verdict of a target from its runs, the worst of all sets, why, and who says so.
void decide(TargetComparison&);

/// The inputs, of those that the target was run with, for which it differs most, by index.
std::size_t worstInputs(const TargetComparison&);
/// The runs of a target, by inputs.
std::map<std::size_t, std::vector<const Run*>> runsByInputs(const TargetComparison&);

/// How a target that differs does, whatever the executor: "values", "nan", "infinity", "shape",
/// "type", "crash", or "contract" if only its text does. "" for one that does not differ.
std::string_view kindOf(const TargetComparison&);

}  // namespace fxs::compare
