// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A program in numbers: what is stored with it, what it computes and how much that is, by operator
// and by module; of an MLIR module its operations by dialect and its functions. Made once from what
// was read; no weights are read, and nothing is lowered.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "lower/lower.h"
#include "read/format.h"
#include "summary/flops.h"
#include "summary/values.h"

namespace fxs::summary {

struct FlopTotal {
  std::uint64_t flops = 0;  ///< of the calls that are counted; saturates
  std::size_t counted = 0;  ///< calls
  std::size_t unknown = 0;  ///< calls whose FLOPs are not known
  void add(const Flops&);
};

struct OperatorTotal {
  std::string target;
  std::vector<fx::NodeId> nodes;   ///< in order
  std::optional<FlopTotal> flops;  ///< as of Summary
};

/// Calls whose FLOPs are not known.
struct UnknownFlops {
  std::string target;
  FlopStanding reason = FlopStanding::NoRule;
  std::size_t calls = 0;
};

/// A module that is called, with the modules in it.
struct ModuleTotal {
  std::string path;               ///< "transformer.h.3"; "" for the root
  std::string type;               ///< class without its Python module; "" if the file does not say
  std::size_t depth = 0;          ///< 0 for the root
  std::vector<fx::NodeId> nodes;  ///< calls of operators, in order
  std::uint64_t parameters = 0, parameterBytes = 0;  ///< elements; a shared one once in each module
  std::optional<FlopTotal> flops;                    ///< as of Summary
};

struct DialectCount {
  std::string dialect;  ///< "linalg"
  std::size_t operations = 0;
};

struct Summary {
  Stored stored;
  /// nullopt of an MLIR module, whose operations have no rules, and of a kernel, which runs once
  /// for each tile.
  std::optional<FlopTotal> flops;
  std::vector<UnknownFlops> unknownFlops;  ///< by target, then by reason
  Activations activations;
  std::vector<OperatorTotal> operators;  ///< most calls first, then by name
  std::vector<ModuleTotal> modules;      ///< root first, in the order of the first call
  std::size_t moduleDepth = 0;
  std::vector<DialectCount> dialects;  ///< of an MLIR module, most operations first
  std::vector<std::string> functions;  ///< of an MLIR module, in its order
};

Summary summarize(const read::Capture&, const RunContext& = {});

/// What the program became at a stage of its lowering: the text, or that at the failure.
struct Became {
  std::string stage;  ///< id of the output type: "tosa"
  bool failed = false;
  std::size_t operations = 0;  ///< without the module around them; instructions of another form
  std::vector<DialectCount> dialects;  ///< most operations first; empty for another form than MLIR
};
/// Of the stages that have a text, in order.
std::vector<Became> becameOf(const lower::Lowering&);

}  // namespace fxs::summary
