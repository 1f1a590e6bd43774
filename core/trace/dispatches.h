// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The functions of dispatches in a module, such as `@main_dispatch_3_matmul_4x8`: what a compiler
// made to run on a device as one.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "mlir/text/module.h"
#include "trace/origins.h"

namespace fxs::trace {

/// By operation, the function of a dispatch that it is, or is in; invalid if there is none.
std::vector<mlir::OpId> dispatchesOf(const mlir::Module&);
/// The nodes that each dispatch computes, sorted, by the name of its function. `origins` are of the
/// module.
std::map<std::string, std::vector<fx::NodeId>> nodesOfDispatches(const mlir::Module&,
                                                                 const SnapshotOrigins& origins);

}  // namespace fxs::trace
