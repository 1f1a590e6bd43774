// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a location that stood in a module's own text says of its operation.
#include <string_view>

#include "mlir/text/module.h"
#include "read/format.h"

namespace fxs::module {

/// `body`: of a location of `module`, `"relu"("fx":3:0)` or `#loc3`. The name is the first that
/// could be a node's; a line of a callsite is within that of its caller. Of hostile locations
/// (cycles, huge ones) only a part is read, or nothing.
read::OwnLocation ownLocation(const mlir::Module& module, std::string_view body);

}  // namespace fxs::module
