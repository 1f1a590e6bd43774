#pragma once
// Helion gives an operator that needs several kernels' worth of buffers other arguments than the user wrote: its own tensor becomes
// None, and _extra_args holds what the last of its `_inductor_lowering_extra` nodes computed. The tensor that was there is found
// where there is exactly one None that the schema does not allow, and exactly one tensor that all of those nodes start from.
#include <string>

#include "fx/builder.h"

namespace fxs::read::helion {

enum class Rewritten : std::uint8_t { No, Undone, Unsure };
struct Undo {
  Rewritten outcome = Rewritten::No;
  std::string found;   ///< the arguments as found, "(None, [-1], correction=0, ..)"
  std::string reason;  ///< of Unsure: why the arguments that the user wrote are not known
};

/// Puts the node's own arguments back; leaves them as found when that is unsure.
Undo undoExtraArguments(fx::Builder&, fx::NodeId);

}  // namespace fxs::read::helion
