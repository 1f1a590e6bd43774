// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// State shared by the functions of a module during import: types, literals, targets, names,
// findings.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/run_context.h"
#include "import/import.h"
#include "import/literals.h"
#include "ops/schema.h"

namespace fxs::import {

/// The MLIR operation of a target, "torch.aten.add.Tensor" for "aten.add.Tensor", and its schema;
/// null if there is none.
struct Target {
  std::string mlirName;
  const ops::Schema* schema = nullptr;
};

/// "aten.add.Tensor" -> "torch.aten.add.Tensor", "aten.relu.default" -> "torch.aten.relu".
std::string mlirNameOf(std::string_view fxTarget);

/// The signature of a subgraph's function, for its callers.
struct FunctionSignature {
  std::string name;
  std::vector<TypeId> arguments;
  std::vector<TypeId> results;
};

class ModuleState {
 public:
  ModuleState(const fx::Program&, const ImportOptions&, const RunContext&);

  const fx::Program& program;
  const ImportOptions& options;
  const RunContext& context;
  TypeTable types;
  WeightLiterals literals;
  std::vector<std::vector<Value>> values;    ///< by NodeId: results of the nodes written so far
  std::vector<FunctionSignature> functions;  ///< by GraphId; complete once the function is written
  std::vector<fx::Finding> findings;
  std::set<std::string> unregistered;
  std::set<std::string> asked;  ///< every name whose registration was queried

  bool isParity() const { return options.mode != Mode::Lowering; }
  const Target& target(std::string_view fxTarget);
  bool isRegistered(const std::string& mlirName);
  /// ` loc("relu"("fx":3:0))` with the node's origin in the user's program.
  std::string locationOf(const fx::Node&) const;
  /// The users of a node, each once.
  const std::vector<fx::NodeId>& usersOf(fx::NodeId);
  /// Whether all users convert it to another element type, or assert the one that it has.
  bool isOnlyConverted(fx::NodeId);

  void cannotImport(const fx::Node&, std::string message);
  void note(const fx::Node&, fx::Severity, std::string kind, std::string message);
  /// Reports an operation written as torch.operator: one finding per operation, with the number of
  /// nodes.
  void writtenAsOperator(const fx::Node&, const std::string& mlirName);

 private:
  std::unordered_map<std::string, Target> targets_;
  const std::set<std::string, std::less<>>& registered_;
  std::map<std::string, std::size_t> operatorFinding_;  // index into findings
  std::optional<std::vector<std::vector<fx::NodeId>>> users_;
};

}  // namespace fxs::import
