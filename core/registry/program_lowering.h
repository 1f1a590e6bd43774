// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes a program as one function through a chain of registries: the arguments in the order of
// DirectOptions::arguments, the nodes of main in order, each by the first registry whose handler
// accepts it, and the return. Use lowerByRegistries().
#include <memory>

#include "registry/direct_lowering.h"
#include "registry/node_call.h"
#include "registry/weight_constants.h"

namespace fxs::registry {

class ProgramLowering {
 public:
  ProgramLowering(const fx::Program&, const DirectOptions&, std::vector<const Registry*> chain);
  virtual ~ProgramLowering() = default;
  Result<std::shared_ptr<const DirectLowering>> run(const RunContext&);

 protected:
  struct Parameter {
    Value value;
    std::string location;
  };

  void locate(const fx::Node&);
  std::string typeText(const fx::Value&);
  std::vector<std::string> resultTypes(const fx::Node&);
  bool hasSymbolicSizes(const fx::Node&);
  bool isComputedAtUse(const fx::Node&) const;
  void learnSizes(const fx::Node&);  // from the node's results
  void writeSizes(const fx::Node&);  // that the node's results and arguments have
  std::optional<Refusal> takeRecordedTypes(const fx::Node&, Values&);
  Value addParameter(const fx::Node&, const std::string& type);
  virtual void bindInputs();
  void bindInput(const fx::InputSpec&);
  std::vector<const fx::InputSpec*> weightArguments() const;
  void bindPacked(const std::vector<const fx::InputSpec*>& weights);
  void writeWeights(
      const fx::Node&);  // weights first used by `node`, each with the location of its placeholder
  virtual void lowerNode(const fx::Node&, NodeCoverage&);
  virtual Result<> lowerMain(const RunContext&);
  void lowerGetitem(const fx::Node&, NodeCoverage&);
  void lowerCall(const fx::Node&, NodeCoverage&);
  std::optional<Refusal> askRegistry(const fx::Node&, const Registry&, std::string_view opClass,
                                     const Handler&);
  void refuseCall(const fx::Node&, NodeCoverage&, bool isKnown);
  std::optional<Values> valuesOf(const fx::Argument& list) const;
  const fx::Graph* graphOf(const fx::Argument&) const;
  std::optional<Values> lowerGraph(const fx::Graph&, std::span<const Value> inputs);
  std::optional<std::string> writeWhile(const fx::Node&);
  void lowerWhile(const fx::Node&, NodeCoverage&);
  bool lowerEmpty(const fx::Node&, NodeCoverage&, const Registry&);
  std::optional<Refusal> rejectionOf(const fx::Node&, const std::string& registry) const;
  std::optional<Refusal> ask(const fx::Node&, const std::function<Handled(Call&)>&);
  void writeUnmapped(const fx::Node&);
  void refuse(const fx::Node&, std::string kind, std::string message);
  void noteRandomNumbers(const fx::Node&);
  virtual std::vector<Value> returned();
  std::string wrap(const std::vector<Value>& results, const fx::Node& output) const;

  const fx::Program& program_;
  const DirectOptions& options_;
  std::vector<const Registry*> chain_;
  OpBuilder emit_;
  SymbolicSizes symbols_{emit_};
  WeightConstants weights_;
  ValueTable values_;
  std::map<fx::NodeId, const fx::InputSpec*>
      constants_;  // inputs to write as constants at their first use
  std::vector<Parameter> parameters_;
  std::vector<NodeCoverage> nested_;  // of nodes within the one that is lowered
  std::shared_ptr<DirectLowering> out_;
};

}  // namespace fxs::registry
