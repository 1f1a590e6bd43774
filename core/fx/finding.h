#pragma once
// Something about the user's program that the user should know: an op that was not imported, a stage that stopped at a node.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fx/program.h"

namespace fxs::fx {

enum class Severity : std::uint8_t { Note, Warning, Error };  ///< Error: it stops the program at `stage`
std::string_view name(Severity);                              ///< "note", "warning", "error"

struct Finding {
  Severity severity = Severity::Error;
  NodeId node;            ///< in the user's program; invalid when the finding has no node
  std::string nodeName;   ///< its name, as locations carry it; "" with no node
  std::string target;     ///< the node's own target, "aten.diff.default"; "" with no node
  std::string op;         ///< the MLIR operation, "torch.aten.erfinv"; "" when there is none
  std::string stage;      ///< "rewrite", "raw", "torch", "tosa" ..
  std::string pass;       ///< the pass that stopped; "" when none
  std::string kind;       ///< a stable word: "not-functionalized", "not-imported", "not-registered", "illegal-op", "verifier", "crash",
                          ///< "timeout", "memory", "contract"
  std::string message;    ///< one line: the thing, what is wrong, what to do about it
  std::size_t count = 1;  ///< how many nodes of the program have the same cause
};

/// A finding at a node: fills in node, nodeName and target from the origin of `node` in the user's program.
Finding findingAt(const Program&, const Node&, std::string kind, std::string message);

}  // namespace fxs::fx
