// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Reduces a failing program to a small one that fails in the same way. First tries the failing
// operation with growing neighbourhoods, then delta debugging over all operations: removed ones are
// bypassed, or their results become inputs. Then removes results that do not matter, and shrinks
// tensors where that is safe. A candidate is accepted only if it fails with the same signature.
//
// The caller provides a probe that tests many candidates at once.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/run_context.h"
#include "base/work_time.h"
#include "fx/program.h"

namespace fxs::diagnose {

/// FailureSignature::kind of a program that computes a wrong result.
inline constexpr std::string_view kWrongResult = "wrong-result";

/// Two failures with equal signatures count as the same.
struct FailureSignature {
  std::string stage;  ///< StageSpec::id: "tosa"; "rewrite" or "raw" if the engine was not run
  std::string pass;   ///< the pass that failed; "" if the engine named none
  std::string kind;   ///< fx::Finding::kind: "illegal-op", "crash" ..
  std::string op;     ///< the MLIR operation, "torch.aten.erfinv"; "" if the engine named none
  std::string
      fxTarget;  ///< of the user's node, "aten.erfinv.default"; "" if the failure has no node
  friend bool operator==(const FailureSignature&, const FailureSignature&) = default;
};
/// "illegal-op of torch.aten.erfinv (aten.erfinv.default) in tosa, pass convert-torch-to-tosa"
std::string text(const FailureSignature&);

struct Failure {
  FailureSignature signature;
  fx::NodeId node;  ///< of the user's program (Program::original, or the program itself if that is
                    ///< null); invalid if not known
};
/// The known failures of each program; none if it lowers or cannot be tested. Cancelled on a stop
/// request.
using Probe = std::function<Result<std::vector<std::vector<Failure>>>(
    const std::vector<fx::ProgramPtr>&, const RunContext&)>;

struct ReductionOptions {
  fx::NodeId node;  ///< of the user's program: where it fails; if invalid, the first failure
                    ///< reported by the probe
  TimeLimit budget{std::chrono::minutes(1)};
};

struct Reduction {
  fx::ProgramPtr
      program;  ///< fails in the same way; the given program itself if nothing could be removed
  std::size_t calls = 0;          ///< operations of its main graph, without getitems
  std::size_t originalCalls = 0;  ///< as `calls`, of the given program
  std::size_t tried = 0;          ///< number of programs probed
  bool complete = true;  ///< no single operation can be removed; false if stopped or out of time
};

/// InvalidInput if the program does not fail with that signature. A stop request gives the best so
/// far, or Cancelled if there is none; so does the end of the budget, or Timeout.
Result<Reduction> reduceProgram(const fx::ProgramPtr&, const FailureSignature&, const Probe&,
                                const ReductionOptions&, const RunContext&);

/// Number of calls in the main graph, without getitem.
std::size_t operationsOf(const fx::Program&);

}  // namespace fxs::diagnose
