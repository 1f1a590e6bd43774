// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/module_path.h"
#include "report/inspect.h"
#include "report/json_parts.h"

namespace fxs::report {

namespace {

/// An input or output of the program.
struct InspectedValue {
  std::string name;  ///< "" for a constant output
  std::string_view kind;
  std::string target;
  fx::Value value;
  fx::Argument constant;
};

std::vector<InspectedValue> inspectedInputs(const fx::Program& program) {
  std::vector<InspectedValue> out;
  for (const fx::InputSpec& input : program.inputs) {
    const fx::Node& node = program.node(input.node);
    out.push_back({node.name, fx::name(input.kind), input.target, node.val, input.constant});
  }
  return out;
}

fx::Value valueOf(const fx::Argument& constant) {
  using fx::SymKind, fx::SymValue;
  if (const auto* i = constant.integer()) return SymValue{SymKind::Int, nullptr, *i};
  if (const auto* f = std::get_if<double>(&constant)) return SymValue{SymKind::Float, nullptr, *f};
  if (const auto* b = std::get_if<bool>(&constant)) return SymValue{SymKind::Bool, nullptr, *b};
  return fx::NoneValue{};
}

std::vector<InspectedValue> inspectedOutputs(const fx::Program& program) {
  std::vector<InspectedValue> out;
  for (const fx::OutputSpec& output : program.outputs) {
    const fx::NodeId* id = output.value.node();
    out.push_back({id ? program.node(*id).name : "", fx::name(output.kind), output.target,
                   id ? program.node(*id).val : valueOf(output.value), output.value});
  }
  return out;
}

bool isText(const InspectedValue& v) { return std::holds_alternative<std::string>(v.constant); }

std::string_view typeOf(const InspectedValue& v) {
  if (v.value.tensor() != nullptr) return "tensor";
  if (const fx::SymValue* symbol = v.value.symbol()) {
    if (symbol->kind == fx::SymKind::Int) return "int";
    return symbol->kind == fx::SymKind::Float ? "float" : "bool";
  }
  if (std::holds_alternative<fx::CustomObject>(v.value)) return "custom_object";
  if (std::holds_alternative<fx::Token>(v.value)) return "token";
  if (isText(v)) return "str";
  if (v.value.list() != nullptr) return "tuple";
  return std::holds_alternative<fx::NoneValue>(v.value) ? "none" : "unknown";
}

/// Of a symbol or text: a constant, or a symbolic expression.
using Constant = std::variant<std::int64_t, double, bool, std::string, std::monostate>;
std::optional<Constant> constantOf(const InspectedValue& v) {
  const fx::SymValue* symbol = v.value.symbol();
  if (symbol == nullptr)
    return typeOf(v) == "str" ? std::optional<Constant>(std::get<std::string>(v.constant))
                              : std::nullopt;
  if (symbol->expr) return fx::infix(*symbol->expr);
  if (const auto* i = std::get_if<std::int64_t>(&symbol->constant)) return *i;
  if (const auto* f = std::get_if<double>(&symbol->constant)) return *f;
  if (const auto* b = std::get_if<bool>(&symbol->constant)) return *b;
  return std::monostate();
}

JsonForm<InspectedValue> inspectedValueForm() {
  using V = InspectedValue;
  const auto dtype = [](const V& v) {
    return v.value.tensor() ? facts(v.value.tensor()->dtype).torchName : std::string_view();
  };
  const auto shape = [](const V& v) {
    return v.value.tensor() ? std::optional(sizesOf(v.value.tensor()->sizes)) : std::nullopt;
  };
  const auto objectClass = [](const V& v) {
    const auto* object = std::get_if<fx::CustomObject>(&v.value);
    return object == nullptr ? nullptr : &object->classFqn;
  };
  return JsonForm<V>{{"name", &V::name, nullIfEmpty, "the node; null for a constant output"},
                     {"kind", &V::kind},
                     {"target", &V::target, nullIfEmpty,
                      "FQN of a parameter, buffer or constant, or what is mutated"},
                     {"type", &typeOf,
                      JsonNames{"tensor", "int", "float", "bool", "str", "none", "tuple",
                                "custom_object", "token", "unknown"}},
                     {"dtype", dtype, absentIfEmpty},
                     {"shape", shape, absentIfEmpty},
                     {"value", &constantOf, absentIfEmpty, "a constant, or a symbolic expression"},
                     {"class", objectClass, absentIfEmpty}}
      .named("value");
}

JsonForm<fx::Weight> weightForm() {
  using W = fx::Weight;
  const auto kind = [](const W& weight) {
    if (weight.isParameter) return "parameter";
    return weight.constant ? "constant" : "buffer";
  };
  const auto itemBytes = [](const W& weight) {
    return static_cast<std::uint64_t>(facts(weight.dtype).bytes);
  };
  const auto offset = [itemBytes](const W& weight) {
    return static_cast<std::uint64_t>(weight.storageOffset) * itemBytes(weight);
  };
  return {{"name", &W::fqn},
          {"kind", kind, JsonNames{"parameter", "buffer", "constant"}},
          {"dtype", [](const W& weight) { return facts(weight.dtype).torchName; }},
          {"shape", &W::sizes},
          {"strides", &W::strides, "in elements"},
          {"file", &W::file, nullIfEmpty, "member of the archive, below its root folder"},
          {"offset", offset, "of the first element in that member, in bytes"},
          {"size", [itemBytes](const W& weight) { return weight.elements() * itemBytes(weight); },
           "of the elements, in bytes"},
          {"file_size", &W::fileBytes, "of the member, in bytes"},
          {"readable", &W::readable},
          {"why_not", [](const W& w) { return w.readable ? nullptr : &w.reason; }}};
}

/// Of what is shown of a program.
JsonForm<fx::Program> inspectedForm() {
  using fx::Graph, fx::Program, fx::RangeConstraint;
  using Nested = std::pair<const Program*, const Graph*>;
  const auto graphs = [](const Program& program) {
    std::vector<Nested> out;
    for (const Graph& graph : program.graphs) out.emplace_back(&program, &graph);
    return out;
  };
  const auto parent = [](const Nested& nested) {
    const auto& [program, graph] = nested;
    return graph->parent.valid() ? program->graph(program->node(graph->parent).graph).name
                                 : std::string();
  };
  const JsonForm<Nested> graph = {
      {"name", [](const Nested& nested) { return nested.second->name; }},
      {"nodes", [](const Nested& nested) { return nested.second->nodes.size(); }, atLeast(1)},
      {"parent", parent, nullIfEmpty, "the graph that holds it; null for main"}};
  const JsonForm<OperatorCount> operatorForm = {
      {"target", &OperatorCount::target, "aten.add.Tensor"},
      {"count", &OperatorCount::count, atLeast(1)},
      {"kind", &OperatorCount::kind, JsonNames(OperatorKind::Operation)}};
  const JsonForm<Mutation> mutation = {
      {"kind", &Mutation::kind,
       JsonNames{"buffer_mutation", "parameter_mutation", "user_input_mutation", "in_place"}},
      {"target", &Mutation::target},
      {"node", &Mutation::node}};
  const JsonForm<RangeConstraint> range = {{"name", &RangeConstraint::symbol},
                                           {"min", &RangeConstraint::min, "null: unbounded"},
                                           {"max", &RangeConstraint::max}};
  const auto inspected = [](auto member) {
    return [member](const Program& program) { return inspect(program).*member; };
  };
  return {{"nodes", inspected(&Inspection::nodes), atLeast(1), "over all graphs"},
          {"graphs", graphs, graph, atLeast(1)},
          {"operators", inspected(&Inspection::operators), operatorForm},
          {"inputs", &inspectedInputs, inspectedValueForm()},
          {"outputs", &inspectedOutputs, inspectedValueForm()},
          {"mutations", inspected(&Inspection::mutations), mutation},
          {"symbols", &Program::ranges, range},
          {"guards", &Program::guards, "Python expressions on the inputs"},
          {"weights", &Program::weights, weightForm()}};
}

/// What the location that stood in the file says of a node of a module.
struct LocatedNode {
  std::string node;
  std::string name;
  std::vector<fx::StackFrame> lines;
};

std::vector<LocatedNode> locatedNodes(const read::Capture& capture) {
  std::vector<LocatedNode> out;
  if (!capture.module) return out;
  const std::vector<read::OwnLocation>& own = capture.module->own;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (!own[i].name.empty() || !own[i].stack.empty())
      out.push_back(
          {capture.program->nodes.at(i).name, own[i].name, fx::parseStackTrace(own[i].stack)});
  return out;
}

JsonForm<LocatedNode> locatedNodeForm(const Paths* paths) {
  using fx::StackFrame;
  const JsonForm<StackFrame> line = {
      {"file", [paths](const StackFrame& frame) { return paths->of(frame.file); }},
      {"line", &StackFrame::line}};
  return {{"node", &LocatedNode::node},
          {"name", &LocatedNode::name, nullIfEmpty, "of the location"},
          {"lines", &LocatedNode::lines, line, "outermost first"}};
}

JsonAnswer<read::Capture> inspectAnswer(const Paths* paths) {
  using fx::Program;
  using read::Capture;
  const auto program = [](const Capture& capture) -> auto& { return *capture.program; };
  const JsonForm<Program> versions = {
      {"torch_version", &Program::torchVersion,
       "of the PyTorch that saved the file; empty when the file does not say"},
      {"schema_version", &Program::schemaVersion, matches("^([0-9]+\\.[0-9]+)?$"),
       "of an exported program; empty for others"},
      {"dialect", &Program::dialect, "TRAINING: as exported; ATEN: functional; MLIR: a module"}};
  return {"fxscope-inspect/1", "fxscope-cli inspect --json",
          JsonForm<Capture>{{"input", &Capture::label, kInputMessage}, {"format", &Capture::format}}
              .with(program, versions)
              .with({{"file_bytes", &Capture::fileBytes},
                     {"weight_bytes", &Capture::weightBytes,
                      "stored weights and constants, each record once"},
                     {"models", &Capture::models,
                      "of the archive, or the parts of an MLIR file; the one shown comes first"}})
              .with(program, inspectedForm())
              .with({{"locations", &locatedNodes, locatedNodeForm(paths),
                      "of an MLIR module: the nodes with a location in the file"},
                     {"notes", &Capture::notes, "what was skipped or could not be known"}})};
}

}  // namespace

std::string inspectJson(const read::Capture& capture, const Paths& paths) {
  return inspectAnswer(&paths).text(capture);
}
std::string inspectSchema() { return inspectAnswer(nullptr).schemaText(); }

}  // namespace fxs::report
