#pragma once
// Helion's own dump of a kernel's Device IR (.irgraph.json, node-link JSON): nodes with types, and which node each takes at which
// position, but none of their constant arguments. Good to look at; every call has an argument that says so, so that none is lowered.
#include "base/json.h"
#include "fx/builder.h"
#include "read/format.h"

namespace fxs::read::helion {

Result<> readIrGraph(const Json& top, fx::Builder&, const RunContext&);

}  // namespace fxs::read::helion
