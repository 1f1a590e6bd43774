// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli inspect`, the contents of a file: as a value, as text and as JSON
// (resources/schemas/inspect.schema.json). Requires only the capture; nothing is lowered and no
// weights are read.
#include <cstdint>
#include <string>
#include <vector>

#include "read/format.h"
#include "report/source_location.h"

namespace fxs::report {

/// Where an operator comes from.
enum class OperatorKind : std::uint8_t {
  Known,        ///< in the table of PyTorch's operators
  HigherOrder,  ///< cond, while_loop ..: takes subgraphs
  Python,       ///< _operator.mul, math.trunc, torch.sym_max: on symbols and tuples
  Custom,       ///< of a namespace that PyTorch does not have
  Unknown,      ///< of a namespace that PyTorch has, but not in the table
  Operation,    ///< of an MLIR module
};
std::string_view name(
    OperatorKind);  ///< "known", "higher_order", "python", "custom", "unknown", "operation"

struct OperatorCount {
  std::string target;
  OperatorKind kind = OperatorKind::Known;
  std::size_t count = 0;
};

/// A mutation, by the graph signature (functional programs) or by an in-place operator.
struct Mutation {
  std::string kind;  ///< "buffer_mutation", "parameter_mutation", "user_input_mutation", "in_place"
  std::string target;  ///< FQN of the buffer or parameter, name of the input, or for "in_place" the
                       ///< node that is mutated
  std::string node;    ///< the node that mutates, or whose value is written
};

struct Inspection {
  std::size_t nodes = 0;  ///< over all graphs
  std::vector<OperatorCount>
      operators;                    ///< of call_function nodes, most frequent first, then by name
  std::vector<Mutation> mutations;  ///< in the order of the outputs, then of the nodes
};

Inspection inspect(const fx::Program&);

std::string inspectText(const read::Capture&);
/// `paths`: how files that locations name are printed.
std::string inspectJson(const read::Capture&, const Paths& paths = {});
std::string inspectSchema();

}  // namespace fxs::report
