// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Reads Helion's dump of a kernel's Device IR (.irgraph.json, node-link JSON), which has the nodes,
// their types and node operands, but no constant arguments. It can be viewed, not lowered: every
// call gets an argument that says so and prevents lowering.
#include "base/json.h"
#include "fx/builder.h"
#include "read/format.h"

namespace fxs::read::helion {

Result<> readIrGraph(const Json& top, fx::Builder&, const RunContext&);

}  // namespace fxs::read::helion
