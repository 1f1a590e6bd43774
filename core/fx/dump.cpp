// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "fx/python_text.h"
#include "fx/text.h"
#include "fx/text_words.h"
#include "ops/schema.h"

namespace fxs::fx {
namespace {

std::string nameText(std::string_view name) {
  return isPlainName(name) ? std::string(name) : pythonRepr(name);
}
/// A part of a graph's path: dots separate parts, so a name with dots is quoted.
std::string pathPart(std::string_view name) {
  return name.find('.') == std::string_view::npos ? nameText(name) : pythonRepr(name);
}

std::string deviceText(const Device& device) {
  const bool plain = !device.type.empty() &&
                     std::all_of(device.type.begin(), device.type.end(), isWordChar) &&
                     !(device.type[0] >= '0' && device.type[0] <= '9') &&
                     !isConstantWord(device.type) && device.type != "torch";
  if (plain) return device.text();
  return "device(type=" + pythonRepr(device.type) +
         (device.index ? ", index=" + std::to_string(*device.index) : "") + ")";
}

std::string operatorText(const std::string& name) {
  const bool plain =
      isPlainName(name) && name.find('.') != std::string::npos && !name.starts_with("torch.");
  return plain ? name : "operator(" + pythonRepr(name) + ")";
}

std::string list(const std::vector<SymInt>& items) {
  std::string out = "[";
  for (const SymInt& item : items) out += (&item == &items.front() ? "" : ", ") + item.text();
  return out + "]";
}

/// Nodes are "%name" among arguments, "name" among the values of a return.
struct ArgumentText {
  const Program& program;
  std::string_view sigil;

  std::string operator()(None) const { return "None"; }
  std::string operator()(NodeId id) const {
    if (!id.valid() || id.index() >= program.nodes.size()) return "%?";
    const std::string& name = program.node(id).name;
    // A bare name must not look like a constant.
    const bool bare = sigil.empty() && isPlainName(name) && name.find('.') == std::string::npos &&
                      !isConstantWord(name);
    return (bare ? "" : "%") + nameText(name);
  }
  std::string operator()(bool v) const { return v ? "True" : "False"; }
  std::string operator()(std::int64_t v) const { return std::to_string(v); }
  std::string operator()(double v) const { return pythonRepr(v); }
  std::string operator()(std::complex<double> v) const { return pythonRepr(v); }
  std::string operator()(const std::string& v) const { return pythonRepr(v); }
  std::string operator()(DType v) const { return "torch." + std::string(facts(v).torchName); }
  std::string operator()(Layout v) const { return "torch." + std::string(name(v)); }
  std::string operator()(MemoryFormat v) const { return "torch." + std::string(name(v)); }
  std::string operator()(const Device& v) const { return deviceText(v); }
  std::string operator()(const OperatorName& v) const { return operatorText(v.name); }
  std::string operator()(const ArgumentList& items) const {
    std::string out = "[";
    for (const Argument& item : items) out += (&item == &items.front() ? "" : ", ") + text(item);
    return out + "]";
  }
  std::string operator()(const ArgumentDict& entries) const {
    std::string out = "{";
    for (const auto& [key, value] : entries)
      out += (out.size() > 1 ? ", " : "") + nameText(key) + ": " + text(value);
    return out + "}";
  }
  std::string operator()(const Slice& slice) const {
    std::string out = "slice(";
    for (const Argument& part : slice.parts)
      out += (&part == &slice.parts.front() ? "" : ", ") + text(part);
    return out + ")";
  }
  std::string operator()(const Opaque& v) const { return "object(" + pythonRepr(v.text) + ")"; }
  std::string text(const Argument& a) const {
    return std::visit(*this, static_cast<const Argument::variant&>(a));
  }
};

struct ValueText {
  std::string operator()(const Unknown&) const { return "?"; }
  std::string operator()(const NoneValue&) const { return "None"; }
  std::string operator()(const TensorMeta& t) const {
    std::string out = t.text();
    // An MLIR module's tensors have neither.
    if (!t.strides.empty() && t.strides != contiguousStrides(t.sizes))
      out += " stride=" + list(t.strides);
    if (t.storageOffset != SymInt(0))
      out += " offset=" + (t.storageOffset.isStatic() ? t.storageOffset.text()
                                                      : "(" + t.storageOffset.text() + ")");
    if (!t.device.type.empty() && t.device != Device{"cpu", {}})
      out += " device=" + deviceText(t.device);
    if (t.layout != Layout::Strided) out += " layout=" + std::string(name(t.layout));
    return out;
  }
  std::string operator()(const SymValue& v) const {
    std::string out = v.kind == SymKind::Float ? "SymFloat(" : "SymBool(";
    if (v.kind == SymKind::Int) out = "Sym(";
    if (v.expr && v.expr->kind == SymExpr::Kind::Float) out += pythonRepr(v.expr->real);
    else if (v.expr) out += infix(*v.expr);
    else if (const auto* i = std::get_if<std::int64_t>(&v.constant)) out += std::to_string(*i);
    else if (const auto* d = std::get_if<double>(&v.constant)) out += pythonRepr(*d);
    else if (const auto* b = std::get_if<bool>(&v.constant)) out += *b ? "True" : "False";
    else out += "?";
    return out + ")";
  }
  std::string operator()(const CustomObject& v) const {
    return "CustomObject(" + pythonRepr(v.classFqn) + ")";
  }
  std::string operator()(const Token&) const { return "Token"; }
  std::string operator()(const ValueList& items) const {
    std::string out = "(";
    for (const Value& item : items) out += (&item == &items.front() ? "" : ", ") + text(item);
    return out + (items.size() == 1 ? ",)" : ")");
  }
  std::string text(const Value& v) const {
    return std::visit(*this, static_cast<const Value::variant&>(v));
  }
};

/// Positional arguments, then keyword ones. After an argument that is not at its schema's position,
/// all are written by keyword.
std::string callArguments(const Program& program, const Node& node) {
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  std::string args, kwargs;
  std::size_t positional = 0;
  bool byKeyword = false;
  const ArgumentText print{program, "%"};
  for (const NodeArgument& a : node.args) {
    const bool misplaced =
        schema && !a.name.empty() &&
        (positional >= schema->arguments.size() || schema->arguments[positional].name != a.name ||
         schema->arguments[positional].keywordOnly);
    byKeyword |= a.keyword || misplaced;
    if (byKeyword && !a.name.empty()) {
      kwargs += (kwargs.empty() ? "" : ", ") + nameText(a.name) + ": " + print.text(a.value);
    } else {
      args += (positional++ ? ", " : "") + print.text(a.value);
    }
  }
  return "(args = (" + args + (positional == 1 ? ",)" : ")") + ", kwargs = {" + kwargs + "})";
}

std::string inputText(const Program& program, const InputSpec& spec) {
  const bool plain =
      spec.kind == InputKind::UserInput && spec.target.empty() && spec.constant.isNone();
  if (plain) return {};
  std::string out = " " + std::string(name(spec.kind));
  if (!spec.target.empty()) out += " " + pythonRepr(spec.target);
  if (!spec.persistent) out += " non_persistent";
  const bool hasConstant = spec.kind == InputKind::ConstantInput || !spec.constant.isNone();
  return hasConstant ? out + " = " + dumpArgument(program, spec.constant) : out;
}

std::string outputKinds(const Program& program) {
  const bool plain = std::all_of(
      program.outputs.begin(), program.outputs.end(),
      [](const OutputSpec& s) { return s.kind == OutputKind::UserOutput && s.target.empty(); });
  if (plain) return {};
  std::string out;
  for (const OutputSpec& spec : program.outputs) {
    out += (out.empty() ? " " : ", ") + std::string(name(spec.kind));
    if (!spec.target.empty()) out += " " + pythonRepr(spec.target);
  }
  return out;
}

std::string returnText(const Program& program, const Node& node) {
  const ArgumentText print{program, ""};
  const Graph& graph = program.graph(node.graph);
  const ArgumentList empty;
  const ArgumentList* values = node.args.empty() ? &empty : node.args[0].value.list();
  if (!values) values = &empty;
  std::string out = "return ";
  if (graph.isSingleTensorReturn && values->size() == 1) {
    out += print.text((*values)[0]);
  } else {
    out += "(";
    for (const Argument& v : *values) out += (&v == &values->front() ? "" : ", ") + print.text(v);
    out += values->size() == 1 ? ",)" : ")";
  }
  return graph.id == GraphId::of(0) ? out + outputKinds(program) : out;
}

/// "A.B" for the graph of get_attr node B in the graph of get_attr node A; "" for main.
std::string graphPath(const Program& program, const Graph& graph) {
  std::string out;
  for (const Graph* g = &graph; g->parent.valid();
       g = &program.graph(program.node(g->parent).graph))
    out = pathPart(program.node(g->parent).name) + (out.empty() ? "" : "." + out);
  return out;
}

}  // namespace

std::string dumpArguments(const Program& program, const Node& node) {
  std::string out;
  for (const NodeArgument& a : node.args)
    out += (out.empty() ? "" : ", ") + (a.keyword ? a.name + "=" : std::string()) +
           dumpArgument(program, a.value);
  return "(" + out + ")";
}

std::string dumpArgument(const Program& program, const Argument& argument) {
  return ArgumentText{program, "%"}.text(argument);
}

std::string dumpValue(const Value& value) {
  return std::holds_alternative<Unknown>(value) ? "" : ValueText().text(value);
}

std::string dumpTarget(std::string_view target) {
  // The parser would strip these prefixes.
  if (target.starts_with("torch.ops.") || target.starts_with("operator."))
    return pythonRepr(target);
  if (target.starts_with("_operator.")) return std::string(target.substr(1));
  const bool python = target.starts_with("torch.") || target.starts_with("math.") ||
                      target.starts_with("builtins.");
  const bool overload =
      std::count(target.begin(), target.end(), '.') == 2 || target.starts_with("higher_order.");
  const std::string out = (overload && !python ? "torch.ops." : "") + std::string(target);
  return isPlainTarget(out) ? out : pythonRepr(target);
}

std::string dumpNode(const Program& program, const Node& node, std::size_t users) {
  if (node.op == NodeOp::Output) return returnText(program, node);
  std::string value = dumpValue(node.val);
  std::string out = "%" + nameText(node.name) + " : " + (value.empty() ? "" : value + " ") +
                    "[num_users=" + std::to_string(users) + "] = " + std::string(name(node.op)) +
                    "[target=";
  if (node.op == NodeOp::CallFunction)
    return out + dumpTarget(node.target) + "]" + callArguments(program, node);
  out += (isPlainTarget(node.target) ? node.target : pythonRepr(node.target)) + "]";
  if (node.op == NodeOp::CallMethod || node.op == NodeOp::CallModule)
    return out + callArguments(program, node);
  if (node.op == NodeOp::Placeholder && node.graph == GraphId::of(0))
    if (const InputSpec* spec = program.inputOf(node.id)) out += inputText(program, *spec);
  return out;
}

std::string dump(const Program& program) {
  const std::vector<std::vector<NodeId>> users = usersOf(program);
  std::string out;
  for (const Graph& graph : program.graphs) {
    const std::string path = graphPath(program, graph);
    out += (out.empty() ? "graph" : "\ngraph") + (path.empty() ? path : " " + path) + "():\n";
    for (NodeId id : graph.nodes)
      out += "    " + dumpNode(program, program.node(id), users[id.index()].size()) + "\n";
  }
  if (program.ranges.empty()) return out;
  out += "\nRange constraints: {";
  for (const RangeConstraint& r : program.ranges)
    out += (&r == &program.ranges.front() ? "" : ", ") + r.symbol + ": VR[" +
           (r.min ? std::to_string(*r.min) : "-int_oo") + ", " +
           (r.max ? std::to_string(*r.max) : "int_oo") + "]";
  return out + "}\n";
}

}  // namespace fxs::fx
