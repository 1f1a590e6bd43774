// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A problem or note about the user's program, such as an op that was not imported or a stage that
// failed at a node.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fx/program.h"

namespace fxs::fx {

enum class Severity : std::uint8_t {
  Note,
  Warning,
  Error
};  ///< Error: the program cannot pass `stage`
std::string_view name(Severity);  ///< "note", "warning", "error"

struct Finding {
  Severity severity = Severity::Error;
  NodeId node;            ///< in the user's program; invalid when the finding has no node
  std::string nodeName;   ///< its name, as in locations; "" without a node
  std::string target;     ///< its target, "aten.diff.default"; "" without a node
  std::string op;         ///< the MLIR operation, "torch.aten.erfinv"; "" if there is none
  std::string stage;      ///< "rewrite", "raw", "torch", "tosa" ..
  std::string pass;       ///< the pass that failed; "" if none did
  std::string kind;       ///< a stable id: "not-functionalized", "not-imported", "not-registered",
                          ///< "illegal-op", "verifier", "crash", "timeout", "memory", "contract",
                          ///< "edit"
  std::string message;    ///< one line: the subject, the problem, the remedy
  std::size_t count = 1;  ///< how many nodes of the program have the same cause
};

/// A finding at a node: fills in node, nodeName and target from the origin of `node` in the user's
/// program.
Finding findingAt(const Program&, const Node&, std::string kind, std::string message);

}  // namespace fxs::fx
