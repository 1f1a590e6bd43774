// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fx/text.h"
#include "report/inspect.h"
#include "report/line.h"

namespace fxs::report {

namespace {

using Row = std::vector<std::string>;

/// Aligns columns, separated by two spaces.
std::string table(std::vector<Row> rows) {
  for (Row& row : rows)
    for (std::string& cell : row) cell = printable(cell);
  std::vector<std::size_t> widths;
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i >= widths.size()) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  std::string out;
  for (const Row& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format(" {:<{}} ", row[i], widths[i]);
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string section(std::string_view title, std::vector<Row> rows) {
  return rows.empty() ? std::string() : fmt::format("\n{}\n{}", title, table(std::move(rows)));
}

std::string bytes(std::uint64_t count) {
  constexpr double kUnit = 1024;
  if (count < 1024) return fmt::format("{} bytes", count);
  auto size = static_cast<double>(count) / kUnit;
  for (const char* unit : {"KiB", "MiB", "GiB"}) {
    if (size < kUnit || std::string_view(unit) == "GiB")
      return fmt::format("{:.1f} {}", size, unit);
    size /= kUnit;
  }
  return "";
}

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
    rows.push_back({fmt::format("{:>6}", op.count), op.target, kind});
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
    rows.push_back(
        {node.name, std::string(fx::name(input.kind)), typeOf(program, node.val, input.constant)});
  }
  return rows;
}

std::vector<Row> outputRows(const fx::Program& program) {
  std::vector<Row> rows;
  for (const fx::OutputSpec& output : program.outputs) {
    const fx::NodeId* id = output.value.node();
    std::string type = id ? typeOf(program, program.node(*id).val, output.value)
                          : fx::dumpArgument(program, output.value);
    rows.push_back(
        {id ? program.node(*id).name : "constant",
         std::string(fx::name(output.kind)) + (output.target.empty() ? "" : " of " + output.target),
         type});
  }
  return rows;
}

std::vector<Row> weightRows(const fx::Program& program) {
  std::vector<Row> rows;
  for (const fx::Weight& weight : program.weights) {
    const auto itemBytes = static_cast<std::uint64_t>(facts(weight.dtype).bytes);
    const std::uint64_t offset = static_cast<std::uint64_t>(weight.storageOffset) * itemBytes;
    const char* attribute = weight.constant ? "constant" : "buffer";
    rows.push_back({weight.fqn, weight.isParameter ? "parameter" : attribute, shapeOf(weight),
                    weight.file + (offset > 0 ? fmt::format(" at byte {}", offset) : ""),
                    weight.readable ? bytes(weight.elements() * itemBytes) : weight.whyNot});
  }
  return rows;
}

std::vector<Row> symbolRows(const fx::Program& program) {
  std::vector<Row> rows;
  for (const fx::RangeConstraint& range : program.ranges)
    rows.push_back(
        {range.symbol, fmt::format("{} .. {}", range.min ? std::to_string(*range.min) : "-inf",
                                   range.max ? std::to_string(*range.max) : "inf")});
  return rows;
}

std::vector<Row> graphRows(const fx::Program& program) {
  std::vector<Row> rows;
  if (program.graphs.size() > 1)
    for (const fx::Graph& graph : program.graphs)
      rows.push_back({graph.name, counted(graph.nodes.size(), "node"),
                      graph.parent.valid()
                          ? "held by graph " + program.graph(program.node(graph.parent).graph).name
                          : ""});
  return rows;
}

std::vector<Row> mutationRows(const Inspection& inspection) {
  std::vector<Row> rows;
  for (const Mutation& m : inspection.mutations) rows.push_back({m.node, m.kind, m.target});
  return rows;
}

std::vector<Row> lines(const std::vector<std::string>& texts) {
  std::vector<Row> rows;
  for (const std::string& text : texts) rows.push_back({text});
  return rows;
}

}  // namespace

std::string inspectText(const read::Capture& capture) {
  const fx::Program& program = *capture.program;
  const Inspection inspection = inspect(program);
  std::string out = line("{}: {}\n", capture.label, capture.format);
  if (!program.torchVersion.empty() && !program.dialect.empty())
    out += line("saved by PyTorch {}, {}\n", program.torchVersion, dialectInWords(program.dialect));
  out += fmt::format("{} in {}, {}; file {}, stored weights {}\n",
                     counted(inspection.nodes, "node"), counted(program.graphs.size(), "graph"),
                     counted(program.weights.size(), "weight"), bytes(capture.fileBytes),
                     bytes(capture.weightBytes));
  out += section("graphs", graphRows(program));
  out += section("operators", operatorRows(inspection));
  out += section("inputs", inputRows(program));
  out += section("outputs", outputRows(program));
  out += section("mutations", mutationRows(inspection));
  out += section("symbolic dimensions", symbolRows(program));
  out += section("guards", lines(program.guards));
  out += section("weights", weightRows(program));
  out += section("notes", lines(capture.notes));
  return out;
}

}  // namespace fxs::report
