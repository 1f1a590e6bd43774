// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the MLIR reader understood of a text, as text: for tests that compare whole modules.
#include <string>

#include "mlir/text/module.h"

namespace fxs::test {

/// One line for each operation, `name operands -> results ^successors @location`, and for each
/// region and block. A value is
/// `%name[number]` with its type where it is defined; a name that means nothing is `?%name`.
std::string dump(const mlir::Module&);
/// Everything that must hold of any text: ranges inside their parents, ids valid, uses and
/// definitions that agree, look-ups by offset and line that find what they should. "" or the first
/// thing that does not hold.
std::string problemOf(const mlir::Module&);

}  // namespace fxs::test
