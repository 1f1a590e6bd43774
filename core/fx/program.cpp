// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/program.h"

#include <algorithm>
#include <array>
#include <limits>

namespace fxs::fx {

std::string_view name(NodeOp op) {
  constexpr std::array<std::string_view, 6> kNames{"placeholder", "get_attr",    "call_function",
                                                   "output",      "call_method", "call_module"};
  return kNames[static_cast<std::size_t>(op)];
}

std::string_view name(InputKind kind) {
  constexpr std::array<std::string_view, 7> kNames{
      "user_input",     "parameter",  "buffer", "tensor_constant",
      "constant_input", "custom_obj", "token"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view name(OutputKind kind) {
  constexpr std::array<std::string_view, 8> kNames{
      "user_output", "buffer_mutation",       "parameter_mutation",     "user_input_mutation",
      "loss_output", "gradient_to_parameter", "gradient_to_user_input", "token"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool isWeight(InputKind kind) {
  return kind == InputKind::Parameter || kind == InputKind::Buffer ||
         kind == InputKind::ConstantTensor;
}

const NodeArgument* Node::find(std::string_view argument) const {
  for (const NodeArgument& a : args)
    if (a.name == argument) return &a;
  return nullptr;
}

bool Node::isTrue(std::string_view argument) const {
  const NodeArgument* found = find(argument);
  const bool* value = found == nullptr ? nullptr : std::get_if<bool>(&found->value);
  return value != nullptr && *value;
}

bool Weight::isRowMajor() const {
  std::int64_t expected = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] != 1 && strides[i] != expected) return false;
    expected *= sizes[i];
  }
  return true;
}

std::uint64_t Weight::elements() const {
  std::uint64_t out = 1;
  for (std::int64_t size : sizes) {
    if (size <= 0) return 0;
    std::uint64_t factor = static_cast<std::uint64_t>(size);
    if (out > std::numeric_limits<std::uint64_t>::max() / factor)
      return std::numeric_limits<std::uint64_t>::max();
    out *= factor;
  }
  return out;
}

std::optional<std::string_view> Program::meta(const Node& node, std::string_view key) const {
  for (const MetaString& m : node.meta)
    if (text(m.key) == key) return text(m.text);
  return std::nullopt;
}

const Node* Program::findNode(std::string_view wanted) const {
  for (const Node& n : nodes)  // main comes first in the flat list
    if (n.name == wanted) return &n;
  for (const Graph& g : graphs) {
    if (wanted.size() <= g.name.size() || wanted[g.name.size()] != '.' ||
        !wanted.starts_with(g.name))
      continue;
    for (NodeId id : g.nodes)
      if (node(id).name == wanted.substr(g.name.size() + 1)) return &node(id);
  }
  return nullptr;
}

const Weight* Program::findWeight(std::string_view fqn) const {
  for (const Weight& w : weights)
    if (w.fqn == fqn) return &w;
  return nullptr;
}

const InputSpec* Program::inputOf(NodeId placeholder) const {
  // A placeholder of main usually has the same position among the inputs.
  if (placeholder.index() < inputs.size() && inputs[placeholder.index()].node == placeholder)
    return &inputs[placeholder.index()];
  // Placeholders of subgraphs have no input.
  if (placeholder.index() < nodes.size() && nodes[placeholder.index()].graph != GraphId::of(0))
    return nullptr;
  auto it = std::find_if(inputs.begin(), inputs.end(),
                         [&](const InputSpec& s) { return s.node == placeholder; });
  return it == inputs.end() ? nullptr : &*it;
}

const Node& Program::output(GraphId id) const { return node(graph(id).nodes.back()); }

const Node& Program::originOf(const Node& n) const {
  return original ? original->node(n.origin) : n;
}

SymExprPtr assertedBy(const Program& program, const Node& node) {
  if (node.target != kAssertScalar || node.args.empty()) return nullptr;
  const NodeId* condition = node.args.front().value.node();
  const SymValue* symbol = condition == nullptr ? nullptr : program.node(*condition).val.symbol();
  return symbol == nullptr ? nullptr : symbol->expr;
}

std::vector<std::vector<NodeId>> usersOf(const Program& program) {
  std::vector<std::vector<NodeId>> users(program.nodes.size());
  for (const Node& n : program.nodes)
    for (const NodeArgument& a : n.args)
      forEachNode(a.value, [&](NodeId used) {
        std::vector<NodeId>& list = users[used.index()];
        if (list.empty() || list.back() != n.id) list.push_back(n.id);
      });
  return users;
}

}  // namespace fxs::fx
