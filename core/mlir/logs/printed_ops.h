// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Operations of a module that an engine printed by themselves, put back into the module's text.
// Printed like that, an operation has no aliases, so that its text means the same in any module.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fxs::mlir {

/// The name of an operation's directory with --mlir-print-ir-tree-dir: `func_func_main`.
std::string treeName(std::string_view op, std::string_view symbol);

struct PrintedOp {
  std::vector<std::string> path;  ///< tree names, from the module's operation inwards
  std::string text;
};

/// The module with each of the operations as printed; aliases that are then without use are left
/// out. InvalidInput if the module has none at a path, or several, which share one directory.
Result<std::string> withPrintedOps(std::string_view module, const std::vector<PrintedOp>&);

}  // namespace fxs::mlir
