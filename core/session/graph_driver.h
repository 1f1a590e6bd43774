// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes a direct lowering as the files that Buddy Compiler's builds take: `forward.mlir`,
// `subgraph0.mlir` .. (registry/graph_driver.h), and `arg0.data` .., the bytes of the packed
// arguments. The engine verifies and prints the modules, where there is one.
#include <string>
#include <vector>

#include "registry/graph_driver.h"
#include "session/session.h"

namespace fxs::session {

/// Of a snapshot that was lowered by registries with packed arguments and groups. `folder` exists.
/// Unsupported as driverTexts(), or for weights whose bytes cannot be read; InvalidInput for a
/// module that the engine rejects; Io, DiskFull, Cancelled.
Result<std::vector<registry::DriverFile>> writeGraphDriver(const Snapshot&,
                                                           const std::string& folder,
                                                           const Environment&, const RunContext&);

}  // namespace fxs::session
