// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Restores arguments that Helion changed. If Inductor lowers an operator to several buffers, Helion
// replaces its tensor argument by None and passes the result of the last `_inductor_lowering_extra`
// node in _extra_args. The tensor can be restored if exactly one None is not allowed by the schema,
// and all of those nodes derive from exactly one tensor. An argument that is the same node as one
// before it becomes None, too: mul(x, None) is x * x. That is restored for operators that read all
// their tensors, where only one node stands before the None.
#include <string>

#include "fx/builder.h"

namespace fxs::read::helion {

enum class Rewritten : std::uint8_t { No, Undone, Unsure };
struct Undo {
  Rewritten outcome = Rewritten::No;
  std::string found;   ///< the arguments as found, "(None, [-1], correction=0, ..)"
  std::string reason;  ///< for Unsure: why the user's arguments are unknown
};

/// Restores the user's arguments of the node, or leaves them unchanged if they are uncertain.
Undo undoExtraArguments(fx::Builder&, fx::NodeId);

}  // namespace fxs::read::helion
