#pragma once
// Reduces a failing program to the smallest that fails in the same way. Tries the failing operation with growing neighbourhoods first; if
// that is not enough, delta debugging over all operations, whose removed ones are bypassed or whose results become inputs. Then removes
// results that do not matter, and shrinks tensors where that is safe. A candidate is accepted only if it fails with the same signature.
//
// The caller provides a probe that tests many candidates at once.
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "fx/program.h"

namespace fxs::diagnose {

/// What makes two failures the same one.
struct FailureSignature {
  std::string stage;     ///< StageSpec::id: "tosa"; "rewrite" or "raw" if the engine was not run
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
/// The known failures of each program; none if it lowers or cannot be tested. Cancelled on a stop request.
using Probe = std::function<Result<std::vector<std::vector<Failure>>>(const std::vector<fx::ProgramPtr>&, const RunContext&)>;

struct ReductionOptions {
  fx::NodeId node;  ///< of the user's program: where it fails; if invalid, the first failure reported by the probe
  std::chrono::milliseconds budget{30'000};
};

struct Reduction {
  fx::ProgramPtr program;         ///< fails in the same way; the given program itself if nothing could be removed
  std::size_t calls = 0;          ///< operations of its main graph, without getitems
  std::size_t originalCalls = 0;  ///< of the program that was given
  std::size_t tried = 0;          ///< programs that were probed
  bool complete = true;           ///< no single operation can be removed; false if stopped or out of time
};

/// InvalidInput if the program does not fail in that way. A stop request gives the best so far, or Cancelled if there is none.
Result<Reduction> reduceProgram(const fx::ProgramPtr&, const FailureSignature&, const Probe&, const ReductionOptions&, const RunContext&);

/// Calls of the main graph without getitem.
std::size_t operationsOf(const fx::Program&);

}  // namespace fxs::diagnose
