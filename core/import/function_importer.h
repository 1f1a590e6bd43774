// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Imports one graph as one function. The functions of import_node.h, which import nodes by kind,
// use this interface.
#include <map>
#include <string>
#include <vector>

#include "import/module_state.h"

namespace fxs::import {

class FunctionImporter {
 public:
  FunctionImporter(ModuleState&, const fx::Graph&);
  FunctionImporter(const FunctionImporter&) = delete;
  FunctionImporter& operator=(const FunctionImporter&) = delete;

  /// Writes the function, completes its signature in the module and returns its text.
  Result<std::string> run(const RunContext&);
  std::size_t written() const { return write.written(); }

  /// The value of a node with one result. Weights and constants are written at their first use.
  Value value(fx::NodeId);
  /// All results of a node.
  const std::vector<Value>& values(fx::NodeId);
  void bind(const fx::Node&, std::vector<Value>);

  /// Writes the operation if the engine registers it, else torch.operator with its name.
  std::vector<Value> emit(const fx::Node&, const std::string& mlirName,
                          std::span<const Value> operands, std::span<const TypeId> results);
  std::vector<Value> writeOperator(const std::string& mlirName, std::span<const Value> operands,
                                   std::span<const TypeId> results);
  /// Reports a finding at a node that calls Python code, and writes a torch.operator in its place.
  void refuse(const fx::Node&, std::string message);
  /// The types of a node's results by its recorded value: one, or one per element of a tuple.
  std::vector<TypeId> resultTypes(const fx::Node&);
  /// Casts a tensor to a type with another static shape; returns other values unchanged.
  Value cast(const Value&, TypeId);

  ModuleState& module;

 private:
  std::string body_;

 public:
  OpWriter write;

 private:
  struct Parameter {
    Value value;
    std::string location;
  };

  void bindInputs();
  void bindMainInput(const fx::InputSpec&, const fx::Node&, bool isMutated);
  Value addParameter(const fx::Node&, TypeId);
  void importNode(const fx::Node&);
  void importGetitem(const fx::Node&);
  void importAttribute(const fx::Node&);
  std::vector<Value> returned();
  /// Whether an output of the program is a result of its function.
  bool returns(const fx::Node& output, const fx::OutputSpec&);
  std::string wrap(const std::vector<Value>& results) const;

  const fx::Graph& graph_;
  std::vector<Parameter> parameters_;
  std::map<fx::NodeId, const fx::InputSpec*>
      lazy_;  // placeholders without a value yet: weights and constants
  std::map<fx::NodeId, std::vector<Value>>
      overwrites_;  // producer -> the mutable arguments that its value overwrites
  std::map<fx::NodeId, std::vector<Value>> unpacked_;  // unpacked elements of Tensor[] nodes
};

}  // namespace fxs::import
