#pragma once
// From a failing program to the smallest that fails in the same way. First the failing operation by itself and what stands around it;
// where that is not enough, delta debugging over all operations: those taken away are stepped over where they only hand a value on,
// else what they gave comes in from outside. Then results that do not matter are no longer returned, and tensors get smaller where it
// is certain how. Each step is held to the signature, and what fails in another way is not taken.
//
// Whether a program fails is the caller's to find out: a probe gets many candidates at a time.
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "fx/program.h"

namespace fxs::diagnose {

/// What makes two failures the same one.
struct FailureSignature {
  std::string stage;     ///< StageSpec::id: "tosa"; "rewrite" and "raw" where no engine was asked
  std::string pass;      ///< the pass that failed; "" when the engine named none
  std::string kind;      ///< as fx::Finding has it: "illegal-op", "crash" ..
  std::string op;        ///< the MLIR operation, "torch.aten.erfinv"; "" when the engine named none
  std::string fxTarget;  ///< of the user's node, "aten.erfinv.default"; "" when the failure has no node
  friend bool operator==(const FailureSignature&, const FailureSignature&) = default;
};
/// "illegal-op of torch.aten.erfinv (aten.erfinv.default) in tosa, pass convert-torch-to-tosa"
std::string text(const FailureSignature&);

struct Failure {
  FailureSignature signature;
  fx::NodeId node;  ///< of the user's program: Program::original, or the program itself where it has none; invalid when none is known
};
/// By program, all failures of it that are known; none for one that lowers, and for one that cannot be asked about. Cancelled on a stop.
using Probe = std::function<Result<std::vector<std::vector<Failure>>>(const std::vector<fx::ProgramPtr>&, const RunContext&)>;

struct ReductionOptions {
  fx::NodeId node;  ///< of the user's program: where the failure is; invalid: as the probe says
  std::chrono::milliseconds budget{30'000};
};

struct Reduction {
  fx::ProgramPtr program;         ///< fails as asked; the very program that was given when nothing could be taken away
  std::size_t calls = 0;          ///< operations of its main graph, the parts of tuples not counted
  std::size_t originalCalls = 0;  ///< of the program that was given
  std::size_t tried = 0;          ///< programs that were probed
  bool complete = true;           ///< no single operation can be taken away; false: stopped, or out of time, with the best so far
};

/// InvalidInput when the program does not fail in that way. A stop gives the best so far, where there is one already, else Cancelled.
Result<Reduction> reduceProgram(const fx::ProgramPtr&, const FailureSignature&, const Probe&, const ReductionOptions&, const RunContext&);

/// Calls of the main graph without getitem.
std::size_t operationsOf(const fx::Program&);

}  // namespace fxs::diagnose
