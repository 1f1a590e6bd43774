#pragma once
// What a TOSA handler takes: asked before it is, so that each handler need not.
#include "registry/registry.h"

namespace fxs::registry::tosa {

struct Takes {
  bool unsignedElements = false;  ///< its result does not depend on the sign, or it looks at the DType
  bool emptyTensors = false;      ///< operands without elements
};
/// Adds to the registry "tosa": complex and 8 bit floating elements are refused, and what `takes` leaves out.
void addTosa(Registries&, std::string_view opClass, Handler, Takes takes = {});

}  // namespace fxs::registry::tosa
