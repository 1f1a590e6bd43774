// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// An exported program, modelled on torch.fx: one flat list of nodes, the main graph
// first, then subgraphs (of cond, while_loop ..) depth first. A node stands for its value;
// elements of a tuple are selected by operator.getitem nodes, as in torch.fx.
// Built and verified by a reader or a Builder, then immutable and shared as
// shared_ptr<const Program>.
//
// A NodeId is an index into Program::nodes, and the <node index> in locations
// loc("<name>"("fx":<node index>:0)).
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fx/argument.h"
#include "fx/tensor_meta.h"

namespace fxs::fx {

/// call_method and call_module occur only in graphs that were not exported, such as symbolic traces
/// and Dynamo graphs.
enum class NodeOp : std::uint8_t {
  Placeholder,
  GetAttr,
  CallFunction,
  Output,
  CallMethod,
  CallModule
};
std::string_view name(NodeOp);  ///< "placeholder", "get_attr", "call_function", "output",
                                ///< "call_method", "call_module"

/// Program::dialect of a module whose operations are the nodes.
inline constexpr std::string_view kMlirDialect = "MLIR";
/// The target of a node that selects one element of a tuple.
inline constexpr std::string_view kGetitem = "_operator.getitem";
/// Asserts a condition on numbers; computes nothing.
inline constexpr std::string_view kAssertScalar = "aten._assert_scalar.default";
/// Asserts the element type, sizes and strides of a tensor; computes nothing.
inline constexpr std::string_view kAssertTensorMetadata = "aten._assert_tensor_metadata.default";

struct NodeArgument {
  std::string name;  ///< schema argument name; "" if the file has none (higher-order ops)
  Argument value;
  bool keyword = false;  ///< in kwargs rather than args
};

using StringId = StrongId<struct StringTag>;
/// One string of node.meta as found in the file: "stack_trace", "nn_module_stack", "torch_fn",
/// "from_node", "custom" ..
struct MetaString {
  StringId key;
  StringId text;
};

struct Node {
  NodeId id;
  NodeOp op = NodeOp::CallFunction;
  GraphId graph;
  std::string name;  ///< unique in its graph
  /// As in torch.fx: "aten.add.Tensor", "aten.relu.default" (always with the overload),
  /// "higher_order.cond",
  /// "_operator.getitem", "_operator.mul", "torch.sym_max", "math.trunc"; the name of a method
  /// ("view"), the path of a module ("layer.0"), the name of a placeholder or attribute.
  std::string target;
  /// An output has one argument, the list of values, as in torch.fx; a getitem has "a" (the node)
  /// and "b" (the index).
  std::vector<NodeArgument> args;
  Value val;
  std::vector<MetaString> meta;
  GraphId subgraph;  ///< valid for a get_attr that refers to a subgraph
  /// In a rewritten program, the node of Program::original that this one was made from; else equal
  /// to `id`.
  NodeId origin;
  const NodeArgument* find(std::string_view argument) const;
  bool isTrue(std::string_view argument) const;  ///< whether it is given, and the constant True
};

struct Graph {
  GraphId id;
  std::string name;           ///< "main", or the attribute's name
  std::vector<NodeId> nodes;  ///< in execution order, placeholders first, one output last
  NodeId parent;              ///< the get_attr node that refers to it; invalid for main
  bool isSingleTensorReturn = false;
};

enum class InputKind : std::uint8_t {
  UserInput,
  Parameter,
  Buffer,
  ConstantTensor,
  ConstantInput,
  CustomObject,
  Token
};
std::string_view name(
    InputKind);  ///< "user_input", "parameter", "buffer", "tensor_constant", "constant_input" ..
/// Whether it is a tensor that is stored with the program: a parameter, buffer or constant.
bool isWeight(InputKind kind);
struct InputSpec {
  InputKind kind = InputKind::UserInput;
  NodeId node;             ///< its placeholder
  std::string target;      ///< FQN of a parameter, buffer or constant
  bool persistent = true;  ///< whether a buffer is stored with the weights or with the constants
  Argument constant;       ///< the value of a ConstantInput or of a constant user input
};

enum class OutputKind : std::uint8_t {
  UserOutput,
  BufferMutation,
  ParameterMutation,
  UserInputMutation,
  LossOutput,
  GradientToParameter,
  GradientToUserInput,
  Token
};
std::string_view name(OutputKind);
/// Whether it is the last value of an input that the program writes to.
constexpr bool isMutation(OutputKind kind) {
  return kind == OutputKind::BufferMutation || kind == OutputKind::ParameterMutation ||
         kind == OutputKind::UserInputMutation;
}
struct OutputSpec {
  OutputKind kind = OutputKind::UserOutput;
  Argument value;  ///< a node, or a constant
  std::string
      target;  ///< the mutation's target: FQN of a buffer or parameter, name of a user input
};

struct RangeConstraint {
  std::string symbol;
  std::optional<std::int64_t> min;  ///< std::nullopt: unbounded
  std::optional<std::int64_t> max;
};

/// Where a parameter, buffer or constant is stored. read::WeightReader reads the bytes; showing a
/// graph never needs them.
struct Weight {
  std::string fqn;
  bool constant = false;  ///< whether it is stored with the constants
  bool isParameter = false;
  bool requiresGrad = false;  ///< as the file says
  DType dtype = DType::Unknown;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;  ///< in elements
  std::int64_t storageOffset = 0;     ///< in elements
  std::string file;                   ///< member of the archive; "" if there is none
  std::uint64_t fileBytes = 0;
  bool readable = true;  ///< false if the bytes cannot be read, for this `reason`
  std::string reason;
  std::uint64_t elements() const;
  bool isRowMajor() const;  ///< whether its elements follow one another in the storage
};

struct Program {
  /// The user's program that a rewritten program was made from, to which Node::origin refers. Null
  /// if not rewritten.
  std::shared_ptr<const Program> original;
  std::vector<Node> nodes;
  std::vector<Graph> graphs;      ///< graphs[0] is main
  std::vector<InputSpec> inputs;  ///< one per placeholder of main, in order
  std::vector<OutputSpec> outputs;
  std::vector<RangeConstraint> ranges;  ///< sorted by symbol
  std::vector<Weight> weights;
  std::vector<std::string> guards;      ///< Python expressions on the inputs
  std::vector<std::string> inputNames;  ///< names of forward's arguments; empty if unknown
  std::string torchVersion;
  std::string schemaVersion;         ///< "8.20"
  std::string dialect;               ///< "TRAINING" (as exported), "ATEN" (functional, after
                                     ///< run_decompositions), or as in the file
  std::vector<std::string> strings;  ///< interned metadata texts

  const Node& node(NodeId id) const { return nodes[id.index()]; }
  const Graph& main() const { return graphs.front(); }
  const Graph& graph(GraphId id) const { return graphs[id.index()]; }
  const std::string& text(StringId id) const { return strings[id.index()]; }
  /// A node's metadata string; std::nullopt if it has none for `key`.
  std::optional<std::string_view> meta(const Node&, std::string_view key) const;
  /// Looks in the main graph, then in subgraphs; "sub.name" is a node of subgraph "sub". Null if
  /// there is none.
  const Node* findNode(std::string_view name) const;
  const Weight* findWeight(std::string_view fqn) const;
  const InputSpec* inputOf(NodeId placeholder) const;
  const Node& output(GraphId) const;
  /// The node of the user's program that `node` was made from; `node` itself if the program was not
  /// rewritten.
  const Node& originOf(const Node& node) const;
};
using ProgramPtr = std::shared_ptr<const Program>;

/// users[i] are the nodes that use node i, in order, each once (torch.fx.Node.users).
std::vector<std::vector<NodeId>> usersOf(const Program&);
/// What a call of kAssertScalar asserts; null if the file does not record it, and for other nodes.
SymExprPtr assertedBy(const Program&, const Node&);

/// Checks that a program is well formed: unique names, arguments defined before use and in scope,
/// one output, which is last, and specs that match placeholders. InvalidInput for the first
/// violation.
Result<> verify(const Program&);

}  // namespace fxs::fx
