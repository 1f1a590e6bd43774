// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/amounts.h"
#include "base/counted.h"
#include "fx/text.h"
#include "report/document.h"
#include "report/inspect.h"

namespace fxs::report {

namespace {

std::string typeOf(const fx::Program& program, const fx::Value& value,
                   const fx::Argument& constant) {
  if (const fx::TensorMeta* tensor = value.tensor()) return tensor->text();
  if (const fx::SymValue* symbol = value.symbol(); symbol && symbol->expr)
    return "Sym(" + fx::infix(*symbol->expr) + ")";
  if (const auto* object = std::get_if<fx::CustomObject>(&value))
    return "object of " + object->classFqn;
  if (std::holds_alternative<fx::Token>(value)) return "token";
  if (constant.node() == nullptr) return fx::dumpArgument(program, constant);
  return "unknown";
}

std::string dialectInWords(const std::string& dialect) {
  if (dialect == "TRAINING") return "as exported: may contain in-place operators (TRAINING)";
  if (dialect == "ATEN") return "functional, after run_decompositions (ATEN)";
  return dialect;
}

std::string shapeOf(const fx::Weight& weight) {
  std::string sizes;
  for (std::int64_t size : weight.sizes)
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  return fmt::format("{}[{}]", facts(weight.dtype).shortName, sizes);
}

std::vector<Row> operatorRows(const Inspection& inspection) {
  std::vector<Row> rows;
  for (const OperatorCount& op : inspection.operators) {
    const bool usual = op.kind == OperatorKind::Known || op.kind == OperatorKind::Python;
    std::string kind;
    if (!usual) kind = op.kind == OperatorKind::HigherOrder ? "higher-order" : name(op.kind);
    rows.push_back({{fmt::format("{:>6}", op.count), op.target, kind}});
  }
  return rows;
}

std::vector<Row> inputRows(const fx::Program& program) {
  std::vector<Row> rows;
  for (const fx::InputSpec& input : program.inputs) {
    using enum fx::InputKind;
    if (input.kind == Parameter || input.kind == Buffer || input.kind == ConstantTensor)
      continue;  // listed as weights
    const fx::Node& node = program.node(input.node);
    rows.push_back({{node.name, std::string(fx::name(input.kind)),
                     typeOf(program, node.val, input.constant)}});
  }
  return rows;
}

std::vector<Row> outputRows(const fx::Program& program) {
  std::vector<Row> rows;
  for (const fx::OutputSpec& output : program.outputs) {
    const fx::NodeId* id = output.value.node();
    std::string type = id ? typeOf(program, program.node(*id).val, output.value)
                          : fx::dumpArgument(program, output.value);
    rows.push_back({{id ? program.node(*id).name : "constant",
                     std::string(fx::name(output.kind)) +
                         (output.target.empty() ? "" : " of " + output.target),
                     type}});
  }
  return rows;
}

std::vector<Row> weightRows(const fx::Program& program) {
  std::vector<Row> rows;
  for (const fx::Weight& weight : program.weights) {
    const auto itemBytes = static_cast<std::uint64_t>(facts(weight.dtype).bytes);
    const std::uint64_t offset = static_cast<std::uint64_t>(weight.storageOffset) * itemBytes;
    const char* attribute = weight.constant ? "constant" : "buffer";
    rows.push_back({{weight.fqn, weight.isParameter ? "parameter" : attribute, shapeOf(weight),
                     weight.file + (offset > 0 ? fmt::format(" at byte {}", offset) : ""),
                     weight.readable ? bytesText(weight.elements() * itemBytes) : weight.reason}});
  }
  return rows;
}

std::vector<Row> symbolRows(const fx::Program& program) {
  std::vector<Row> rows;
  for (const fx::RangeConstraint& range : program.ranges)
    rows.push_back(
        {{range.symbol, fmt::format("{} .. {}", range.min ? std::to_string(*range.min) : "-inf",
                                    range.max ? std::to_string(*range.max) : "inf")}});
  return rows;
}

std::vector<Row> graphRows(const fx::Program& program) {
  std::vector<Row> rows;
  if (program.graphs.size() > 1)
    for (const fx::Graph& graph : program.graphs)
      rows.push_back({{graph.name, counted(graph.nodes.size(), "node"),
                       graph.parent.valid()
                           ? "held by graph " + program.graph(program.node(graph.parent).graph).name
                           : ""}});
  return rows;
}

std::vector<Row> mutationRows(const Inspection& inspection) {
  std::vector<Row> rows;
  for (const Mutation& m : inspection.mutations) rows.push_back({{m.node, m.kind, m.target}});
  return rows;
}

List linesOf(const std::vector<std::string>& texts) {
  List out;
  for (const std::string& text : texts) out.items.push_back({text});
  return out;
}

}  // namespace

std::string inspectText(const read::Capture& capture) {
  const fx::Program& program = *capture.program;
  const Inspection inspection = inspect(program);
  Document out{fmt::format("{}: {}", capture.label, capture.format)};
  if (!program.torchVersion.empty() && !program.dialect.empty())
    out.head.emplace_back(fmt::format("saved by PyTorch {}, {}", program.torchVersion,
                                      dialectInWords(program.dialect)));
  out.head.emplace_back(fmt::format(
      "{} in {}, {}; file {}, stored weights {}", counted(inspection.nodes, "node"),
      counted(program.graphs.size(), "graph"), counted(program.weights.size(), "weight"),
      bytesText(capture.fileBytes), bytesText(capture.weightBytes)));
  out.blocks = {Section{"graphs", {}, {tableOf(graphRows(program))}},
                Section{"operators", {}, {tableOf(operatorRows(inspection))}},
                Section{"inputs", {}, {tableOf(inputRows(program))}},
                Section{"outputs", {}, {tableOf(outputRows(program))}},
                Section{"mutations", {}, {tableOf(mutationRows(inspection))}},
                Section{"symbolic dimensions", {}, {tableOf(symbolRows(program))}},
                Section{"guards", {}, {linesOf(program.guards)}},
                Section{"weights", {}, {tableOf(weightRows(program))}},
                Section{"notes", {}, {linesOf(capture.notes)}}};
  return renderText(out);
}

}  // namespace fxs::report
