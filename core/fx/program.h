#pragma once
// An exported program in torch.fx's words: one flat list of nodes, the main graph
// first, then subgraphs (of cond, while_loop ..) depth first. A node is its value;
// the parts of a tuple are reached by operator.getitem nodes, as in torch.fx.
// Built once by a reader or a Builder, verified, const after, shared as
// shared_ptr<const Program>.
//
// NodeId is the index in Program::nodes. It is the <node index> of locations
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

/// Calls of methods and modules are in graphs that were never exported: symbolic traces, what Dynamo captured.
enum class NodeOp : std::uint8_t { Placeholder, GetAttr, CallFunction, Output, CallMethod, CallModule };
std::string_view name(NodeOp);  ///< "placeholder", "get_attr", "call_function", "output", "call_method", "call_module"

/// The target of a node that selects one element of a tuple.
inline constexpr std::string_view kGetitem = "_operator.getitem";

struct NodeArgument {
  std::string name;  ///< schema argument name; "" where the file has none (higher-order ops)
  Argument value;
  bool keyword = false;  ///< passed by keyword: prints as in kwargs
};

using StringId = StrongId<struct StringTag>;
/// One entry of a node's string metadata as found in the file: "stack_trace", "nn_module_stack", "torch_fn", "from_node", "custom" ..
struct MetaString {
  StringId key;
  StringId text;
};

struct Node {
  NodeId id;
  NodeOp op = NodeOp::CallFunction;
  GraphId graph;
  std::string name;  ///< unique in its graph
  /// torch.fx's spelling: "aten.add.Tensor", "aten.relu.default" (always with its overload), "higher_order.cond",
  /// "_operator.getitem", "_operator.mul", "torch.sym_max", "math.trunc"; a method's name
  /// ("view"), a module's path ("layer.0"); a placeholder's or attribute's own name otherwise.
  std::string target;
  /// Of an output: one argument, the list of the values, as in torch.fx. Of a getitem: "a" (the node) and "b" (the index).
  std::vector<NodeArgument> args;
  Value val;
  std::vector<MetaString> meta;
  GraphId subgraph;  ///< of a get_attr that refers to a subgraph
  /// In a rewritten program, the node of the user's program this one came from; equal to `id` otherwise.
  NodeId origin;
  const NodeArgument* find(std::string_view argument) const;
};

struct Graph {
  GraphId id;
  std::string name;           ///< "main", or the attribute's name
  std::vector<NodeId> nodes;  ///< in execution order, placeholders first, one output last
  NodeId parent;              ///< the get_attr node that holds it; invalid for main
  bool isSingleTensorReturn = false;
};

enum class InputKind : std::uint8_t { UserInput, Parameter, Buffer, ConstantTensor, ConstantInput, CustomObject, Token };
std::string_view name(InputKind);  ///< "user_input", "parameter", "buffer", "tensor_constant", "constant_input" ..
struct InputSpec {
  InputKind kind = InputKind::UserInput;
  NodeId node;             ///< its placeholder
  std::string target;      ///< FQN of a parameter, buffer or constant
  bool persistent = true;  ///< of a buffer: stored with the weights, else with the constants
  Argument constant;       ///< the value of a ConstantInput, or of a user input that is a constant
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
struct OutputSpec {
  OutputKind kind = OutputKind::UserOutput;
  Argument value;      ///< a node, or a constant
  std::string target;  ///< what is mutated: FQN of the buffer or parameter, name of the user input
};

struct RangeConstraint {
  std::string symbol;
  std::optional<std::int64_t> min;  ///< nothing: unbounded
  std::optional<std::int64_t> max;
};

/// Where a parameter, buffer or constant is stored. The bytes are read by read::WeightReader, never to show a graph.
struct Weight {
  std::string fqn;
  bool constant = false;  ///< stored with the constants
  bool isParameter = false;
  DType dtype = DType::Unknown;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;  ///< in elements
  std::int64_t storageOffset = 0;     ///< in elements
  std::string file;                   ///< member of the archive; "" when there is none
  std::uint64_t fileBytes = 0;
  bool readable = true;  ///< false: pickled, or not a plain tensor; then `whyNot` says so
  std::string whyNot;
  std::uint64_t elements() const;
};

struct Program {
  /// Of a rewritten program: the user's program, which Node::origin points into. Null for a program as read.
  std::shared_ptr<const Program> original;
  std::vector<Node> nodes;
  std::vector<Graph> graphs;      ///< graphs[0] is main
  std::vector<InputSpec> inputs;  ///< one per placeholder of main, in order
  std::vector<OutputSpec> outputs;
  std::vector<RangeConstraint> ranges;  ///< sorted by symbol
  std::vector<Weight> weights;
  std::vector<std::string> guards;      ///< Python expressions on the inputs
  std::vector<std::string> inputNames;  ///< forward's argument names, where the file has them
  std::string torchVersion;
  std::string schemaVersion;         ///< "8.20"
  std::string dialect;               ///< "TRAINING" (as exported), "ATEN" (functional, after run_decompositions), or what the file says
  std::vector<std::string> strings;  ///< interned metadata texts

  const Node& node(NodeId id) const { return nodes[id.index()]; }
  const Graph& main() const { return graphs.front(); }
  const Graph& graph(GraphId id) const { return graphs[id.index()]; }
  const std::string& text(StringId id) const { return strings[id.index()]; }
  /// A node's string metadata, or nothing.
  std::optional<std::string_view> meta(const Node&, std::string_view key) const;
  /// By name in the main graph, then in subgraphs; "sub.name" also names a node of subgraph "sub".
  const Node* findNode(std::string_view name) const;
  const Weight* findWeight(std::string_view fqn) const;
  const InputSpec* inputOf(NodeId placeholder) const;
  const Node& output(GraphId) const;
  /// The node of the user's program that `node` came from; `node` itself when nothing was rewritten.
  const Node& originOf(const Node& node) const;
};
using ProgramPtr = std::shared_ptr<const Program>;

/// users[i]: nodes that take node i as an argument, in order, each once.
std::vector<std::vector<NodeId>> usersOf(const Program&);

/// Everything that makes a program well formed: unique names, arguments defined before use and in scope, one output last,
/// specs that match placeholders. One clear error naming the node.
Result<> verify(const Program&);

}  // namespace fxs::fx
