// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/op_graph.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "fx/module_path.h"
#include "mlir/compare/constants.h"
#include "mlir/text/document.h"
#include "mlir/text/function_types.h"
#include "trace/attribute.h"
#include "trace/op_weight.h"
#include "trace/op_words.h"

namespace fxs::trace {
namespace {

using mlir::Module;
using mlir::OpId;

/// What becomes of an operation in the graph.
enum class Role : std::uint8_t {
  Container,  ///< holds functions
  Function,
  Drawn,
  Constant,    ///< a chip at its users
  Arithmetic,  ///< on indices, or of a list: part of its users
  Body,        ///< in the region of a drawn operation, which shows what it computes
  Terminator,
};

bool startsWithAny(std::string_view name, std::span<const std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}
bool isAny(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool isContainer(std::string_view name) {
  constexpr std::array<std::string_view, 3> kLast{".executable", ".variant", ".source"};
  return name == "builtin.module" ||
         std::any_of(kLast.begin(), kLast.end(),
                     [&](std::string_view last) { return name.ends_with(last); });
}
/// Whether an operation only says that a function or global exists elsewhere.
bool isDeclaration(std::string_view name, bool hasNoBody) {
  constexpr std::array<std::string_view, 2> kFunctions{"func.func", "llvm.func"};
  return hasNoBody && isAny(name, kFunctions);
}
/// Whether the regions of an operation say what it computes for an element, rather than hold a part
/// of the program.
bool hasBody(std::string_view name) {
  constexpr std::array<std::string_view, 3> kPrefixes{"linalg.", "tensor.", "chlo."};
  constexpr std::array<std::string_view, 3> kControl{"stablehlo.while", "stablehlo.if",
                                                     "stablehlo.case"};
  return startsWithAny(name, kPrefixes) ||
         (name.starts_with("stablehlo.") && !isAny(name, kControl));
}
/// Whether all results are numbers, or lists that were made of numbers.
bool isScalarType(std::string_view type) {
  constexpr std::array<std::string_view, 8> kTypes{
      "index",       "!torch.int",   "!torch.bool",      "!torch.float",
      "!torch.none", "!shape.shape", "!torch.list<int>", "!torch.number"};
  const bool isNumber =
      type.size() > 1 && type.size() < 6 && (type[0] == 'i' || type[0] == 'f') &&
      std::all_of(type.begin() + 1, type.end(), [](char c) { return c >= '0' && c <= '9'; });
  return isNumber || isAny(type, kTypes) || type.starts_with("!tosa.shape");
}

class GraphBuilder {
 public:
  GraphBuilder(const Module& module, const SnapshotOrigins& origins, const fx::Program& user,
               const RunContext& context)
      : module_(module),
        origins_(origins),
        user_(user),
        context_(context),
        program_(std::make_shared<fx::Program>()) {}

  OpGraph build() && {
    const std::size_t count = module_.ops.size();
    context_.spend(Resource::Nodes, count, "the graph of a stage");
    roles_.resize(count, Role::Drawn);
    out_.nodeOf.resize(count);
    program_->nodes.reserve(count);
    out_.opsOf.reserve(count);
    out_.fxNodesOf.reserve(count);
    userOfFolded_.resize(count);
    valueOf_.resize(module_.values.size());
    stackKey_ = intern("nn_module_stack");
    openMain();
    for (std::size_t i = 0; i < count; ++i) roles_[i] = roleOf(OpId::of(i));
    for (std::size_t i = count; i-- > 0;)
      if (roles_[i] == Role::Constant && onlyFolded(OpId::of(i))) roles_[i] = Role::Arithmetic;
    for (std::size_t i = 0; i < count; ++i) place(OpId::of(i));
    nameArguments();
    close();
    foldArithmetic();
    fillOrigins();
    out_.program = std::move(program_);
    out_.nodeOfValue = std::move(valueOf_);
    return std::move(out_);
  }

 private:
  fx::StringId intern(std::string_view text) {
    const auto [entry, isNew] =
        strings_.try_emplace(std::string(text), fx::StringId::of(program_->strings.size()));
    if (isNew) program_->strings.emplace_back(text);
    return entry->second;
  }

  fx::GraphId openGraph(std::string name, fx::NodeId parent) {
    fx::Graph graph;
    graph.id = fx::GraphId::of(program_->graphs.size());
    graph.name = std::move(name);
    graph.parent = parent;
    program_->graphs.push_back(std::move(graph));
    return program_->graphs.back().id;
  }

  fx::NodeId addNode(fx::GraphId graph, fx::NodeOp op, std::string name, std::string target) {
    fx::Node node;
    node.id = node.origin = fx::NodeId::of(program_->nodes.size());
    node.op = op;
    node.graph = graph;
    node.name = std::move(name);
    node.target = std::move(target);
    program_->nodes.push_back(std::move(node));
    out_.opsOf.emplace_back();
    out_.fxNodesOf.emplace_back();
    program_->graphs[graph.index()].nodes.push_back(program_->nodes.back().id);
    return program_->nodes.back().id;
  }

  /// The longest function is the main graph, one named main before others; it also has what is
  /// outside all functions.
  void openMain() {
    openGraph("main", {});
    std::size_t most = 0;
    for (const mlir::Op& op : module_.ops) {
      const OpId id = idOf(op);
      if (!isFunction(id)) continue;
      const std::size_t size =
          op.text.end - op.text.begin +
          (op.head.of(module_.text).find("@main") != std::string_view::npos ? module_.text.size()
                                                                            : 0);
      if (size > most) main_ = id, most = size;
    }
  }

  OpId idOf(const mlir::Op& op) const {
    return OpId::of(static_cast<std::size_t>(&op - module_.ops.data()));
  }
  std::span<const mlir::RegionId> regionsOf(OpId id) const { return module_.regionsOf(id); }
  bool isFunction(OpId id) const {
    const OpId parent = module_.op(id).parent;
    return !regionsOf(id).empty() && !isContainer(module_.nameOf(id)) &&
           (!parent.valid() || isContainer(module_.nameOf(parent)));
  }
  std::string_view typeOfResult(OpId id) const {
    const mlir::Op& op = module_.op(id);
    return op.results.size() == 0
               ? std::string_view()
               : module_.typeOf(mlir::ValueId::of(op.results.begin)).of(module_.text);
  }

  /// Whether every operand is defined by an operation that is folded.
  bool isOfFolded(OpId id) const {
    const auto operands = module_.operandsOf(id);
    return std::all_of(operands.begin(), operands.end(), [&](const mlir::Operand& operand) {
      if (!operand.value.valid()) return true;
      const mlir::Value& value = module_.value(operand.value);
      if (value.kind == mlir::ValueKind::Argument) return false;
      const Role role = roles_[value.op.index()];
      return role == Role::Constant || role == Role::Arithmetic;
    });
  }

  /// Whether there are users, and all are folded.
  bool onlyFolded(OpId id) const {
    const mlir::IndexRange results = module_.op(id).results;
    bool isUsed = false;
    for (std::uint32_t i = results.begin; i < results.end; ++i)
      for (const mlir::OperandId use : module_.usesOf(mlir::ValueId::of(i))) {
        const Role role = roles_[module_.operands[use.index()].user.index()];
        if (role != Role::Constant && role != Role::Arithmetic) return false;
        isUsed = true;
      }
    return isUsed;
  }

  bool isInBody(const mlir::Op& op) const {
    if (!op.parent.valid()) return false;
    const Role around = roles_[op.parent.index()];
    return around == Role::Body || (around == Role::Drawn && hasBody(module_.nameOf(op.parent)));
  }

  bool isNumber(OpId id) const {
    return isScalarType(typeOfResult(id)) && (isSize(module_.nameOf(id)) || isOfFolded(id));
  }

  Role roleOf(OpId id) const {
    const mlir::Op& op = module_.op(id);
    const std::string_view name = module_.nameOf(id);
    if (isInBody(op)) return Role::Body;
    if (isContainer(name)) return Role::Container;
    if (isFunction(id)) return Role::Function;
    if (isDeclaration(name, regionsOf(id).empty())) return Role::Container;
    if (isTerminator(name)) return Role::Terminator;
    if (op.results.size() == 0 || !regionsOf(id).empty()) return Role::Drawn;
    if (mlir::isConstant(name)) return Role::Constant;
    if (name == "tensor.empty") return Role::Arithmetic;
    if (name == "linalg.fill") return isOfFolded(id) ? Role::Constant : Role::Drawn;
    if (name == "torch.prim.ListConstruct")
      return isOfFolded(id) ? Role::Constant : Role::Arithmetic;
    return isNumber(id) ? Role::Arithmetic : Role::Drawn;
  }

  void place(OpId id) {
    const mlir::Op& op = module_.op(id);
    const Role role = roles_[id.index()];
    const fx::GraphId graph = graphAround(id);
    switch (role) {
      case Role::Container: return;
      case Role::Body:
        out_.nodeOf[id.index()] = out_.nodeOf[op.parent.index()];
        takeOperands(id);
        return;
      case Role::Function: openFunction(id); return;
      case Role::Terminator:
        show(id, addNode(graph, fx::NodeOp::Output, "output", "output"));
        takeOperands(id);
        return;
      case Role::Constant: {
        const std::string text = constantText(module_, id);
        show(id, addNode(graph, fx::NodeOp::GetAttr, text, text));
        program_->nodes.back().val = valueOfType(typeOfResult(id));
        takeOperands(id);
        return;
      }
      case Role::Arithmetic: return;
      case Role::Drawn: break;
    }
    const std::string_view type = typeOfResult(id);
    const std::string_view name = module_.nameOf(id);
    std::string says;
    std::vector<fx::NodeArgument> subgraphs;
    if (hasBody(name)) {
      says = bodyText(module_, id);
    } else {
      std::size_t number = 0;
      for (const mlir::RegionId region : regionsOf(id)) {
        const std::string label = regionsOf(id).size() == 1 ? std::string("region")
                                                            : "region " + std::to_string(number++);
        subgraphs.push_back({"", addSubgraph(graph, label, region), false});
      }
    }
    for (const fx::NodeId callee : calleesOf(op)) subgraphs.push_back({"", callee, false});
    const fx::NodeId node =
        addNode(graph, fx::NodeOp::CallFunction, std::string(name), std::move(says));
    program_->nodes[node.index()].args = std::move(subgraphs);
    program_->nodes[node.index()].val = valueOfType(type);
    show(id, node);
    takeOperands(id);
  }

  fx::NodeId addSubgraph(fx::GraphId around, const std::string& name, mlir::RegionId region) {
    const fx::NodeId getAttr = addNode(around, fx::NodeOp::GetAttr, name, name);
    const fx::GraphId graph = openGraph(name, getAttr);
    program_->nodes[getAttr.index()].subgraph = graph;
    graphOfRegion_[region.index()] = graph;
    addArguments(graph, region);
    return getAttr;
  }

  void addArguments(fx::GraphId graph, mlir::RegionId region) {
    for (const mlir::BlockId block : module_.blocksOf(region)) {
      const mlir::IndexRange arguments = module_.block(block).arguments;
      for (std::uint32_t i = arguments.begin; i < arguments.end; ++i) {
        const mlir::ValueId id = mlir::ValueId::of(i);
        const mlir::Value& value = module_.value(id);
        const std::string name(value.name.of(module_.text));
        const fx::NodeId node = addNode(graph, fx::NodeOp::Placeholder, name, name);
        program_->nodes[node.index()].val = valueOfType(module_.typeOf(id).of(module_.text));
        valueOf_[i] = node;
      }
    }
  }

  /// The arguments of the main function are the inputs of the user's program: all of them, or those
  /// that are not parameters.
  void nameArguments() {
    std::vector<const fx::InputSpec*> all, given;
    for (const fx::InputSpec& spec : user_.inputs) {
      all.push_back(&spec);
      if (spec.kind == fx::InputKind::UserInput) given.push_back(&spec);
    }
    std::vector<fx::NodeId> arguments;
    for (const fx::NodeId id : program_->graphs.front().nodes)
      if (program_->node(id).op == fx::NodeOp::Placeholder) arguments.push_back(id);
    const std::vector<const fx::InputSpec*>& specs = arguments.size() == all.size() ? all : given;
    if (arguments.size() != specs.size()) return;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      fx::Node& node = program_->nodes[arguments[i].index()];
      node.name = node.target = user_.node(specs[i]->node).name;
      out_.fxNodesOf[node.id.index()].push_back(specs[i]->node);
      program_->inputs.push_back({specs[i]->kind, node.id, specs[i]->target, true, {}});
    }
  }

  void openFunction(OpId id) {
    fx::GraphId graph = fx::GraphId::of(0);
    const std::string symbol(mlir::symbolOf(module_, module_.op(id)));
    bool isFirst = true;
    for (const mlir::RegionId region : regionsOf(id)) {
      if (id == main_ && isFirst) {
        graphOfRegion_[region.index()] = graph;
        addArguments(graph, region);
      } else if (isFirst) {
        const std::string name = symbol.empty() ? std::string(module_.nameOf(id)) : symbol;
        functions_[name] = addSubgraph(fx::GraphId::of(0), name, region);
      }
      isFirst = false;
    }
  }

  /// The last symbol of the first reference in the text: "f" in `@f` and in `@module::@f`.
  static std::string symbolIn(std::string_view text) {
    std::size_t at = text.find('@');
    std::string_view symbol;
    while (at != std::string_view::npos) {
      const std::size_t end = std::min(text.find_first_of(" (:<>,)[]{}\n", at), text.size());
      symbol = text.substr(at + 1, end - at - 1);
      at = text.substr(end).starts_with("::@") ? end + 2 : std::string_view::npos;
    }
    return std::string(symbol);
  }

  std::vector<fx::NodeId> calleesOf(const mlir::Op& op) const {
    const std::string_view head = op.head.of(module_.text);
    if (functions_.empty() || head.find('@') == std::string_view::npos) return {};
    const auto found = functions_.find(symbolIn(head));
    return found == functions_.end() ? std::vector<fx::NodeId>{}
                                     : std::vector<fx::NodeId>{found->second};
  }

  fx::GraphId graphAround(OpId id) const {
    const mlir::Op& op = module_.op(id);
    if (!op.block.valid()) return fx::GraphId::of(0);
    const auto found = graphOfRegion_.find(module_.block(op.block).region.index());
    return found == graphOfRegion_.end() ? fx::GraphId::of(0) : found->second;
  }

  void show(OpId id, fx::NodeId node) {
    out_.nodeOf[id.index()] = node;
    out_.opsOf[node.index()].push_back(id);
    const mlir::Op& op = module_.op(id);
    for (std::uint32_t i = op.results.begin; i < op.results.end; ++i) valueOf_[i] = node;
  }

  /// Once, and not to a constant. The operations that a node shows follow each other.
  void addOperand(fx::Node& node, fx::NodeId operand) {
    const bool isChip = node.op == fx::NodeOp::GetAttr;
    if (isChip || operand == node.id) return;
    latestUser_.resize(program_->nodes.size());
    if (std::exchange(latestUser_[operand.index()], node.id) == node.id) return;
    if (node.op == fx::NodeOp::Output)
      std::get<fx::ArgumentList>(node.args.front().value).emplace_back(operand);
    else node.args.push_back({"", operand, false});
  }

  bool isFolded(const mlir::Value& value) const {
    return value.kind == mlir::ValueKind::Result && roles_[value.op.index()] == Role::Arithmetic;
  }

  /// Adds the operands of an operation to the node that shows it: of a value that is folded, those
  /// that it was made of. An output has one argument, a list.
  void takeOperands(OpId id) {
    const fx::NodeId shown = out_.nodeOf[id.index()];
    fx::Node& node = program_->nodes[shown.index()];
    if (node.op == fx::NodeOp::Output && node.args.empty())
      node.args.push_back({"", fx::ArgumentList{}, false});
    std::vector<std::pair<OpId, bool>> todo{
        {id, true}};  // bool: whether tensors among the operands are part of the value
    std::set<std::size_t> visited;
    while (!todo.empty()) {
      const auto [each, ofTensors] = todo.back();
      todo.pop_back();
      for (const mlir::Operand& operand : module_.operandsOf(each)) {
        if (!operand.value.valid()) continue;
        if (const fx::NodeId from = valueOf_[operand.value.index()]; from.valid()) {
          if (ofTensors || program_->node(from).op == fx::NodeOp::GetAttr) addOperand(node, from);
          continue;
        }
        const mlir::Value& value = module_.value(operand.value);
        if (!isFolded(value)) continue;
        if (fx::NodeId& user = userOfFolded_[value.op.index()]; !user.valid()) user = shown;
        if (visited.insert(value.op.index()).second)
          todo.emplace_back(value.op, module_.nameOf(value.op) == "torch.prim.ListConstruct");
      }
    }
  }

  /// Every graph ends with an output.
  void close() {
    for (std::size_t i = 0; i < program_->graphs.size(); ++i) {
      std::vector<fx::NodeId>& nodes = program_->graphs[i].nodes;
      const auto isOutput = [&](fx::NodeId id) {
        return program_->nodes[id.index()].op == fx::NodeOp::Output;
      };
      const auto last = std::find_if(nodes.rbegin(), nodes.rend(), isOutput);
      if (last == nodes.rend()) addNode(fx::GraphId::of(i), fx::NodeOp::Output, "output", "output");
      else if (last != nodes.rbegin()) std::rotate(last.base() - 1, last.base(), nodes.end());
    }
  }

  /// An operation that is part of its users is shown by the first.
  void foldArithmetic() {
    for (std::size_t op = 0; op < userOfFolded_.size(); ++op) {
      const fx::NodeId node = userOfFolded_[op];
      if (!node.valid() || out_.nodeOf[op].valid()) continue;
      out_.nodeOf[op] = node;
      out_.opsOf[node.index()].push_back(OpId::of(op));
    }
    for (std::size_t i = 0; i < module_.ops.size(); ++i)
      if (roles_[i] == Role::Body && out_.nodeOf[i].valid())
        out_.opsOf[out_.nodeOf[i].index()].push_back(OpId::of(i));
  }

  void fillOrigins() {
    for (std::size_t i = 0; i < module_.ops.size(); ++i) {
      const fx::NodeId node = out_.nodeOf[i];
      if (!node.valid() || i >= origins_.size()) continue;
      std::vector<fx::NodeId>& nodes = out_.fxNodesOf[node.index()];
      for (const fx::NodeId id : origins_.of(OpId::of(i)).nodes)
        if (id.index() < user_.nodes.size()) nodes.push_back(id);
    }
    for (fx::Node& node : program_->nodes) {
      std::vector<fx::NodeId>& nodes = out_.fxNodesOf[node.id.index()];
      std::sort(nodes.begin(), nodes.end());
      nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
      const std::vector<OpId>& ops = out_.opsOf[node.id.index()];
      if (node.op != fx::NodeOp::CallFunction || ops.empty() ||
          ops.front().index() >= origins_.size())
        continue;
      if (const std::string& stack = stackOf(origins_.of(ops.front()).nodes); !stack.empty())
        node.meta.push_back({stackKey_, intern(stack)});
    }
  }

  const std::vector<fx::ModuleFrame>& modulesOf(fx::NodeId id) {
    const auto [entry, isNew] = modules_.try_emplace(id);
    if (isNew) entry->second = fx::modulesOf(user_, user_.node(id));
    return entry->second;
  }

  /// The modules that all nodes are in, as nn_module_stack has them; "" if there are none.
  const std::string& stackOf(std::span<const fx::NodeId> nodes) {
    std::vector<fx::NodeId> key;
    for (const fx::NodeId id : nodes)
      if (id.index() < user_.nodes.size() && user_.node(id).op == fx::NodeOp::CallFunction)
        key.push_back(id);
    const auto [entry, isNew] = stacks_.try_emplace(key);
    if (!isNew || key.empty()) return entry->second;
    std::size_t length = modulesOf(key.front()).size();
    for (const fx::NodeId id : key)
      length = std::min(length, fx::commonLength(modulesOf(key.front()), modulesOf(id)));
    for (std::size_t i = 0; i < length; ++i) {
      const fx::ModuleFrame& frame = modulesOf(key.front())[i];
      entry->second += (i == 0 ? "" : ";") + frame.key + "," + frame.path + "," + frame.type;
    }
    return entry->second;
  }

  const Module& module_;
  const SnapshotOrigins& origins_;
  const fx::Program& user_;
  const RunContext& context_;
  std::shared_ptr<fx::Program> program_;
  OpGraph out_;
  OpId main_;
  std::vector<Role> roles_;          // by operation
  std::vector<fx::NodeId> valueOf_;  // by value: the node that shows it; invalid if it is folded
  std::unordered_map<std::size_t, fx::GraphId> graphOfRegion_;
  std::map<std::string, fx::NodeId> functions_;  // by symbol: the get_attr of the subgraph
  std::vector<fx::NodeId> latestUser_;           // by node: that has it as an operand
  std::vector<fx::NodeId> userOfFolded_;         // by operation: the first node that uses it
  std::unordered_map<std::string, fx::StringId> strings_;
  std::map<fx::NodeId, std::vector<fx::ModuleFrame>> modules_;
  std::map<std::vector<fx::NodeId>, std::string> stacks_;
  fx::StringId stackKey_;
};

}  // namespace

std::vector<fx::Finding> findingsIn(const OpGraph& graph,
                                    const std::vector<fx::Finding>& findings) {
  std::unordered_map<fx::NodeId, std::vector<fx::NodeId>> callsFrom;
  for (const fx::Node& node : graph.program->nodes)
    if (node.op == fx::NodeOp::CallFunction)
      for (const fx::NodeId from : graph.fxNodesOf[node.id.index()])
        callsFrom[from].push_back(node.id);
  std::vector<fx::Finding> out;
  for (const fx::Finding& finding : findings) {
    const auto calls = callsFrom.find(finding.node);
    if (calls == callsFrom.end()) continue;
    for (const fx::NodeId call : calls->second) {
      out.push_back(finding);
      out.back().node = call;
    }
  }
  return out;
}

std::vector<mlir::OpChange> changesIn(const OpGraph& graph, const mlir::Diff& diff,
                                      const std::vector<std::uint32_t>& pairOf) {
  std::vector<mlir::OpChange> out(graph.opsOf.size(), mlir::OpChange::Same);
  for (std::size_t node = 0; node < out.size(); ++node)
    for (const OpId op : graph.opsOf[node])
      if (const mlir::OpChange change = diff.pairs[pairOf[op.index()]].change;
          change != mlir::OpChange::Same) {
        out[node] = op == graph.opsOf[node].front() ? change : mlir::OpChange::Changed;
        break;
      }
  return out;
}

OpGraph opGraph(const OpenText& text, const fx::Program& user, const RunContext& context) {
  return GraphBuilder(*text.module, *text.origins, user, context).build();
}

OpGraph opGraph(const mlir::Module& module, const RunContext& context) {
  const SnapshotOrigins origins;
  const fx::Program user;
  return GraphBuilder(module, origins, user, context).build();
}

}  // namespace fxs::trace
