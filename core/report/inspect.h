#pragma once
// What is in a file: the answer of `fxscope-cli inspect`, as a value, as text for people and as JSON for scripts
// (resources/schemas/inspect.schema.json). Takes the capture alone: nothing is lowered and no weight is read.
#include <cstdint>
#include <string>
#include <vector>

#include "read/format.h"

namespace fxs::report {

/// Where an operator comes from.
enum class OperatorKind : std::uint8_t {
  Known,        ///< in the table of PyTorch's operators
  HigherOrder,  ///< cond, while_loop ..: takes subgraphs
  Python,       ///< _operator.mul, math.trunc, torch.sym_max: on symbols and tuples
  Custom,       ///< of a namespace that PyTorch does not have
  Unknown,      ///< of a namespace that PyTorch has, but not in the table
};
std::string_view name(OperatorKind);  ///< "known", "higher_order", "python", "custom", "unknown"

struct OperatorCount {
  std::string target;
  OperatorKind kind = OperatorKind::Known;
  std::size_t count = 0;
};

/// A write to something that outlives the node: by signature (functional files), or by an in-place operator.
struct Mutation {
  std::string kind;    ///< "buffer_mutation", "parameter_mutation", "user_input_mutation", "in_place"
  std::string target;  ///< FQN of the buffer or parameter, name of the input; of "in_place" the node that is written to
  std::string node;    ///< the node that writes or whose value is written
};

struct Inspection {
  std::size_t nodes = 0;                 ///< over all graphs
  std::vector<OperatorCount> operators;  ///< of call_function nodes, most frequent first, then by name
  std::vector<Mutation> mutations;       ///< in the order of the outputs, then of the nodes
};

Inspection inspect(const fx::Program&);

std::string inspectText(const read::Capture&);
std::string inspectJson(const read::Capture&);

}  // namespace fxs::report
