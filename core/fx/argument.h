// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// An argument of an FX node: a node, a constant of any kind in the export schema, or a list or dict
// of those.
#include <complex>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "ops/dtype.h"

namespace fxs::fx {

using NodeId = StrongId<struct NodeTag>;    ///< index into Program::nodes
using GraphId = StrongId<struct GraphTag>;  ///< index into Program::graphs

struct None {
  friend bool operator==(None, None) = default;
};
struct OperatorName {
  std::string name;
  friend bool operator==(const OperatorName&, const OperatorName&) = default;
};  ///< an operator as a value, "aten.add_.Tensor", as in auto_functionalized

/// The repr of a Python object that cannot be represented otherwise; shown, never lowered.
struct Opaque {
  std::string text;
  friend bool operator==(const Opaque&, const Opaque&) = default;
};

struct Argument;
using ArgumentList = std::vector<Argument>;
using ArgumentDict = std::vector<std::pair<std::string, Argument>>;
/// Python's slice(start, stop, step); always three parts.
struct Slice {
  ArgumentList parts;
  friend bool operator==(const Slice&, const Slice&);
};

/// A subgraph is referred to by a get_attr node whose Node::subgraph is set, as in torch.fx.
struct Argument : std::variant<None, NodeId, bool, std::int64_t, double, std::complex<double>,
                               std::string, DType, Layout, MemoryFormat, Device, OperatorName,
                               ArgumentList, ArgumentDict, Slice, Opaque> {
  using variant::variant;
  const NodeId* node() const { return std::get_if<NodeId>(this); }
  const ArgumentList* list() const { return std::get_if<ArgumentList>(this); }
  const std::int64_t* integer() const { return std::get_if<std::int64_t>(this); }
  bool isNone() const { return std::holds_alternative<None>(*this); }
};

inline bool operator==(const Slice& a, const Slice& b) { return a.parts == b.parts; }

/// Calls `visit(NodeId)` for every node in an argument, also nested ones, in order
/// (torch.fx.node.map_arg).
template <class Visit>
void forEachNode(const Argument& argument, Visit&& visit) {
  if (const NodeId* id = argument.node()) visit(*id);
  else if (const ArgumentList* items = argument.list())
    for (const Argument& item : *items) forEachNode(item, visit);
  else if (const auto* dict = std::get_if<ArgumentDict>(&argument))
    for (const auto& entry : *dict) forEachNode(entry.second, visit);
  else if (const auto* slice = std::get_if<Slice>(&argument))
    for (const Argument& part : slice->parts) forEachNode(part, visit);
}
/// A copy of an argument with every node replaced by `map(NodeId) -> Argument`, as
/// torch.fx.node.map_arg does.
template <class Map>
Argument mapNodes(const Argument& argument, Map&& map) {
  if (const NodeId* id = argument.node()) return map(*id);
  if (const ArgumentList* items = argument.list()) {
    ArgumentList out;
    out.reserve(items->size());
    for (const Argument& item : *items) out.push_back(mapNodes(item, map));
    return out;
  }
  if (const auto* dict = std::get_if<ArgumentDict>(&argument)) {
    ArgumentDict out;
    out.reserve(dict->size());
    for (const auto& [key, value] : *dict) out.emplace_back(key, mapNodes(value, map));
    return out;
  }
  if (const auto* slice = std::get_if<Slice>(&argument)) {
    Slice out;
    for (const Argument& part : slice->parts) out.parts.push_back(mapNodes(part, map));
    return out;
  }
  return argument;
}

}  // namespace fxs::fx
