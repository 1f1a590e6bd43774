// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Operand types that a TOSA handler supports, checked before it is called.
#include "registry/registry.h"

namespace fxs::registry::tosa {

struct OperandSupport {
  bool unsignedElements =
      false;                  ///< its result does not depend on the sign, or it checks the DType
  bool emptyTensors = false;  ///< operands with zero elements
};
inline constexpr OperandSupport kAnySign{.unsignedElements = true},
    kAnyOperand{.unsignedElements = true, .emptyTensors = true};
/// Adds a handler to the registry "tosa", which rejects complex and 8-bit floating-point elements,
/// and what `support` excludes.
void addTosa(Registries&, std::initializer_list<std::string_view> opClasses, const Handler&,
             OperandSupport support = {});

}  // namespace fxs::registry::tosa
