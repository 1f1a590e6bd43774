// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/dispatches.h"

#include <algorithm>

#include "mlir/text/function_types.h"
#include "trace/attribute.h"

namespace fxs::trace {

std::vector<mlir::OpId> dispatchesOf(const mlir::Module& module) {
  std::vector<mlir::OpId> out(module.ops.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const mlir::Op& op = module.ops[i];
    if (isFrame(module.nameOf(mlir::OpId::of(i)))) {
      const std::string_view head = op.head.of(module.text);
      if (head.substr(0, head.find('(')).find("_dispatch_") != std::string_view::npos)
        out[i] = mlir::OpId::of(i);
    } else if (op.parent.valid()) {
      out[i] = out[op.parent.index()];
    }
  }
  return out;
}

namespace {

/// The function in `flow.dispatch @main_dispatch_0::@main_dispatch_0_reduction_6x16_f32(%3)`,
/// before its workload or arguments.
std::string_view calledBy(std::string_view op) {
  constexpr std::string_view kInside = "::@";
  const std::size_t at = op.find(kInside);
  if (at == std::string_view::npos) return {};
  op.remove_prefix(at + kInside.size());
  return op.substr(0, op.find_first_of("[( "));
}

}  // namespace

std::map<std::string, std::vector<fx::NodeId>> nodesOfDispatches(const mlir::Module& module,
                                                                 const SnapshotOrigins& origins) {
  std::map<std::string, std::vector<fx::NodeId>> out;
  const std::vector<mlir::OpId> dispatches = dispatchesOf(module);
  for (std::size_t i = 0; i < dispatches.size(); ++i) {
    const OpOrigin origin = origins.of(mlir::OpId::of(i));
    const mlir::Op& op = module.ops[i];
    // What is inferred from users may be of another dispatch.
    if (origin.link != Link::Exact && origin.link != Link::Parent) continue;
    // Equal dispatches became one, with the locations of one of them; their calls have the others'.
    std::string_view symbol;
    if (dispatches[i].valid()) symbol = mlir::symbolOf(module, module.op(dispatches[i]));
    else if (module.nameOf(mlir::OpId::of(i)) == "flow.dispatch")
      symbol = calledBy(op.text.of(module.text));
    if (symbol.empty()) continue;
    std::vector<fx::NodeId>& nodes = out[std::string(symbol)];
    nodes.insert(nodes.end(), origin.nodes.begin(), origin.nodes.end());
  }
  for (auto& [name, nodes] : out) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
  return out;
}

}  // namespace fxs::trace
