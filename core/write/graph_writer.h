// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes the nodes of a program as `graph_module.graph` of a models/*.json, schema version 8.20;
// the inverse of read/pt2/graph_decoder.h. getitem nodes of a result become the names of its
// elements, subgraphs are written inside the argument.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/json.h"
#include "fx/program.h"
#include "ops/schema.h"

namespace fxs::write {

class GraphWriter {
 public:
  GraphWriter(const fx::Program& program, JsonWriter& json);

  /// Writes the value of a "graph" member. Unsupported, with the node's name, for anything that the
  /// schema cannot represent.
  Result<> writeMain() { return writeGraph(program_.main()); }
  /// Writes an argument of the main graph or its signature.
  Result<> writeArgument(const fx::Argument&);
  /// The name of a node's value in the file.
  const std::string& nameOf(fx::NodeId) const;
  /// Whether a placeholder of main is written as a constant, without a name.
  bool isConstant(const fx::Node& placeholder) const;

 private:
  struct Values;  // tensor_values, sym_int_values .. of a graph

  Result<> writeGraph(const fx::Graph&);
  Result<> writeInput(const fx::Node&, Values&);
  Result<> writeCalls(const fx::Graph&, Values&);
  Result<> writeNode(const fx::Node&, Values&);
  void writeMetadata(const fx::Node&);
  Result<> writeInputs(const fx::Node&);
  Result<> writeDefaultOfKeyword(const fx::Node&, const ops::Schema&, std::size_t position);
  Result<> writeOutputs(const fx::Node&, Values&);
  Result<> writeElement(const fx::Node& call, const fx::Node* part, const fx::Value&,
                        std::string fallback, Values&);
  Result<> writeList(const fx::ArgumentList&);
  Result<> writeReference(const fx::Argument&);
  void writeItem(std::string_view kind, const fx::Argument&);
  void writeSymbolItem(std::string_view kind, const fx::Argument&);
  const fx::Argument& resolved(const fx::Argument&) const;
  bool isPart(const fx::Node&) const;
  const fx::Node* partOf(const fx::Node& of, std::size_t index) const;
  std::string unusedName(const fx::Node& call, const std::string& index);
  tl::unexpected<Error> unsupported(const std::string& message) const;

  const fx::Program& program_;
  JsonWriter& json_;
  std::vector<fx::NodeId> sameAs_;  // for a repeated getitem of an element: the first one
  std::map<std::pair<fx::NodeId, std::size_t>, fx::NodeId> parts_;  // by call and index
  std::vector<const fx::InputSpec*> specs_;                         // by placeholder
  std::unordered_set<std::string_view>
      names_;                               // of all nodes; filled when the first name is generated
  std::unordered_set<std::string> madeUp_;  // names generated for unused elements
  std::map<std::pair<fx::StringId, fx::StringId>, std::optional<std::string>>
      metadata_;                       // readableMetadata(), by key and text
  const fx::Node* current_ = nullptr;  // for messages
};

/// The serialized form of a Node::target: "torch.ops.aten.add.Tensor".
std::string serializedTarget(std::string_view target);

}  // namespace fxs::write
