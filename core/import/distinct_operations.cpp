// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "import/distinct_operations.h"

#include <unordered_map>

#include "fx/text.h"
#include "import/import.h"

namespace fxs::import {
namespace {

class Keys {
 public:
  explicit Keys(const fx::Program& program)
      : program_(program), number_(program.nodes.size(), 0), parts_(program.nodes.size()) {
    for (const fx::Node& node : program.nodes)
      if (node.target == fx::kGetitem && !node.args.empty())
        if (const fx::NodeId* of = node.args.front().value.node())
          parts_[of->index()] += "," + partOf(node);
  }

  /// Equal texts for equal calls.
  std::string of(const fx::Node& node) const {
    std::string key = node.target;
    for (const fx::NodeArgument& argument : node.args) {
      key += '\x1f' + argument.name + '=';
      append(key, argument.value);
    }
    return key + '\x1f' + fx::dumpValue(node.val) + '\x1f' + parts_[node.id.index()];
  }
  void number(fx::NodeId node, std::size_t operation) { number_[node.index()] = operation; }

 private:
  static std::string partOf(const fx::Node& getitem) {
    const std::int64_t* index = getitem.args.size() > 1 ? getitem.args[1].value.integer() : nullptr;
    return index != nullptr ? std::to_string(*index) : std::string("?");
  }

  void append(std::string& key, const fx::Argument& argument) const {
    if (const fx::NodeId* node = argument.node()) {
      appendOperand(key, program_.node(*node));
    } else if (const fx::ArgumentList* items = argument.list()) {
      key += '[';
      for (const fx::Argument& item : *items) {
        append(key, item);
        key += ',';
      }
      key += ']';
    } else if (const auto* entries = std::get_if<fx::ArgumentDict>(&argument)) {
      for (const auto& [name, value] : *entries) {
        key += '{' + name + ':';
        append(key, value);
        key += '}';
      }
    } else if (const auto* slice = std::get_if<fx::Slice>(&argument)) {
      key += "slice";
      append(key, slice->parts);
    } else {
      key += fx::dumpArgument(program_, argument);
    }
  }

  void appendOperand(std::string& key, const fx::Node& node) const {
    key += fx::dumpValue(node.val);
    if (node.subgraph.valid()) {
      key += " graph " + std::to_string(node.subgraph.value);
    } else if (const fx::InputSpec* input = program_.inputOf(node.id);
               input != nullptr && input->kind != fx::InputKind::UserInput) {
      const fx::Weight* weight = program_.findWeight(input->target);
      key += weight != nullptr && isWrittenInline(*weight) ? " weight " + input->target : " weight";
    } else if (node.op == fx::NodeOp::CallFunction && node.val.tensor() == nullptr) {
      // A value that is not a tensor is identified by its computation.
      key += node.target == fx::kGetitem ? " part " + partOf(node) + " of " + operandOf(node)
                                         : " by " + std::to_string(number_[node.id.index()]);
    }
  }
  std::string operandOf(const fx::Node& getitem) const {
    const fx::NodeId* of = getitem.args.empty() ? nullptr : getitem.args.front().value.node();
    return of != nullptr ? std::to_string(number_[of->index()]) : std::string("?");
  }

  const fx::Program& program_;
  std::vector<std::size_t> number_;  // by node: 1 + its operation
  std::vector<std::string> parts_;   // by node: which of its parts are used
};

}  // namespace

std::vector<DistinctOperation> distinctOperations(const fx::Program& program) {
  Keys keys(program);
  std::unordered_map<std::string, std::size_t> known;
  std::vector<DistinctOperation> out;
  for (const fx::Node& node : program.nodes) {
    if (node.op != fx::NodeOp::CallFunction || node.target == fx::kGetitem) continue;
    const auto [at, isNew] = known.emplace(keys.of(node), out.size());
    if (isNew) out.push_back({node.id, {}});
    out[at->second].nodes.push_back(node.id);
    keys.number(node.id, at->second + 1);
  }
  return out;
}

}  // namespace fxs::import
