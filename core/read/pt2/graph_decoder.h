// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Decodes `graph_module` of a models/*.json into the nodes that torch.export.load creates:
// placeholders, a get_attr for each subgraph, call_function nodes, a getitem for each element of a
// tuple, one output. A name that is used before its definition or defined twice is an InvalidInput
// error with its path in the file.
#include <memory_resource>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/run_context.h"
#include "fx/builder.h"
#include "read/pt2/node_names.h"
#include "read/pt2/one_of.h"
#include "read/pt2/value_decoder.h"

namespace fxs::read::pt2 {

using JsonTable = std::pmr::unordered_map<std::string_view, Json>;

/// The values of one graph by name.
struct Scope {
  fx::GraphId graph;
  std::pmr::monotonic_buffer_resource memory;  // for the tables, which only grow
  JsonTable tensors{&memory};                  // tensor_values
  JsonTable symInts{&memory};
  JsonTable symFloats{&memory};
  JsonTable symBools{&memory};
  JsonTable customObjects{&memory};
  std::pmr::unordered_map<std::string_view, fx::NodeId> nodes{&memory};  // names defined so far
  NodeNames names;

  bool describes(std::string_view name) const {
    return tensors.contains(name) || symInts.contains(name) || symFloats.contains(name) ||
           symBools.contains(name) || customObjects.contains(name);
  }
};

/// What the signature says about an input; known before the graph is decoded.
struct InputHint {
  fx::InputKind kind = fx::InputKind::UserInput;
  std::string_view constantName;  // the name of a constant input, whose graph input has none
};

class GraphDecoder {
 public:
  GraphDecoder(fx::Builder& builder, ValueDecoder& values, std::vector<std::string>& notes,
               const RunContext& context)
      : builder_(builder), values_(values), notes_(notes), context_(context) {}

  /// Decodes the main graph; its scope stays available for the signature.
  Result<> decodeMain(const Json& graph, const std::vector<InputHint>& inputs);
  const Scope& mainScope() const { return main_; }
  Result<fx::Argument> argument(Scope&, const Json&, int depth);
  Result<fx::Argument> mainArgument(const Json& json) { return argument(main_, json, 0); }

 private:
  struct Call;  // a node while it is decoded

  Result<> decode(Scope&, const Json& graph, const std::vector<InputHint>& inputs, int depth);
  Result<> readTables(Scope&, const Json& graph);
  Result<> decodeInput(Scope&, const Json& input, std::size_t index, const InputHint&);
  Result<> decodeNode(Scope&, const Json& node, int depth);
  Result<> decodeOutputs(Scope&, const Json& graph, int depth);

  Result<std::vector<fx::NodeArgument>> decodeInputs(Scope&, const Json& inputs,
                                                     std::string_view target, int depth,
                                                     std::size_t& firstNode);
  Result<std::vector<fx::MetaString>> decodeMetadata(const Json& node);
  Result<> decodeResults(Scope&, const Json& outputs, const Call&);
  void giveMeta(fx::NodeId, const Call&);
  void giveMetaToSubgraphs(const std::vector<fx::NodeArgument>&, std::size_t firstNode,
                           const Call&);
  Result<fx::ValueList> addElements(Scope&, const Json& list, const Call&, fx::NodeId of);
  Result<fx::Value> addElement(Scope&, const Json& element, const Call&, fx::NodeId of,
                               std::size_t index);

  Result<fx::Argument> tensor(const Scope&, const Json&) const;
  Result<fx::Argument> symbol(const Scope&, const Json&) const;
  Result<fx::Argument> customObject(const Scope&, const Json&);
  Result<fx::Argument> dict(Scope&, const Json&, int depth);
  Result<fx::Argument> list(const Scope&, std::string_view kind, const Json& items) const;
  Result<fx::Argument> subgraph(Scope&, const Json& graphArgument, int depth);
  Result<fx::Argument> reference(const Scope&, const Json& name) const;
  Result<fx::Value> valueOf(const Scope&, std::string_view kind, std::string_view name,
                            const Json& at);
  Result<> define(Scope&, std::string_view name, fx::NodeId, const Json& at);

  fx::Builder& builder_;
  ValueDecoder& values_;
  std::vector<std::string>& notes_;
  const RunContext& context_;
  Scope main_;
};

/// A name: a string of bounded length.
Result<std::string_view> nameAt(const Json&);
/// The name of a value, argument or subgraph, which PyTorch writes into Python source.
Result<std::string_view> identifierAt(const Json&);
/// The name of a parameter, buffer, constant or mutated input.
Result<std::string_view> qualifiedNameAt(const Json&);
/// The target of a node as serialized.
Result<std::string_view> targetAt(const Json&);
/// "aten.add.Tensor" for "torch.ops.aten.add.Tensor"; other targets unchanged.
std::string_view targetOf(std::string_view serialized);

}  // namespace fxs::read::pt2
