// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/module_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "mlir/text/document.h"
#include "mlir/text/function_types.h"
#include "mlir/text/quoted.h"
#include "trace/op_graph.h"

namespace fxs::module {
namespace {

constexpr std::size_t kMaxCodeBytes = 200;

/// A range of the printed text that becomes the location of a node.
struct Located {
  TextRange range;
  fx::NodeId node;
};

bool isNumber(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "relu" of "torch.aten.relu"; "add" of "torch.aten.add.Tensor".
std::string lastPart(std::string_view op) {
  constexpr std::string_view kAten = "torch.aten.";
  if (op.starts_with(kAten)) {
    op.remove_prefix(kAten.size());
    return std::string(op.substr(0, op.find('.')));
  }
  return std::string(op.substr(op.rfind('.') + 1));
}

class ProgramMaker {
 public:
  ProgramMaker(const std::string& printed, const Part& part, const std::string& label,
               const RunContext& context)
      : document_(printed, {std::string(kStdin)}),
        part_(part),
        label_(label),
        graph_(trace::opGraph(document_.module, context)),
        program_(std::make_shared<fx::Program>(*graph_.program)) {}

  fx::ProgramPtr program() {
    stackKey_ = fx::StringId::of(program_->strings.size());
    program_->strings.emplace_back("stack_trace");
    for (std::size_t at = 0; at < part_.text.size(); ++at) {
      lineStarts_.push_back(at);
      at = std::min(part_.text.find('\n', at), part_.text.size());
    }
    names_.resize(program_->graphs.size());
    for (fx::Node& node : program_->nodes) describe(node);
    setInterface();
    program_->dialect = fx::kMlirDialect;
    return program_;
  }

  std::string locatedText() const {
    const mlir::Module& module = document_.module;
    std::vector<Located> all;
    for (std::size_t i = 0; i < module.ops.size(); ++i)
      add(module.ops[i].location, nodeAt(mlir::OpId::of(i)), all);
    for (std::size_t i = 0; i < module.values.size(); ++i)
      add(module.values[i].location, graph_.nodeOfValue[i], all);
    std::sort(all.begin(), all.end(),
              [](const Located& a, const Located& b) { return a.range.begin < b.range.begin; });
    std::string out;
    std::size_t at = 0;
    for (const Located& each : all) {
      out += module.text.substr(at, each.range.begin - at);
      out += fmt::format("{}(\"fx\":{}:0)", mlir::quoted(program_->node(each.node).name),
                         each.node.index());
      at = each.range.end;
    }
    return out += module.text.substr(at);
  }

  std::size_t ops() const { return document_.module.ops.size(); }
  /// Whether the text has the same operations and values with its locations as without.
  bool isConsistent() const {
    return graph_.nodeOf.size() == ops() &&
           graph_.nodeOfValue.size() == document_.module.values.size();
  }

  /// The symbol of the function whose operations are the main graph.
  std::string function() const {
    const mlir::Module& module = document_.module;
    for (std::size_t i = 0; i < module.ops.size(); ++i) {
      const fx::NodeId node = graph_.nodeOf[i];
      if (!node.valid() || program_->node(node).graph != program_->main().id) continue;
      mlir::OpId id = module.ops[i].parent;
      while (id.valid() && !module.nameOf(id).ends_with(".func")) id = module.op(id).parent;
      if (id.valid()) return std::string(mlir::symbolOf(module, module.op(id)));
    }
    return {};
  }

  std::vector<std::string> dialects() const {
    std::set<std::string> out;
    const mlir::Module& module = document_.module;
    for (std::uint32_t i = 0; i < module.names.size(); ++i) {
      const std::string_view name = module.names[i];
      out.emplace(name.substr(0, name.find('.')));
    }
    out.erase("builtin");
    return {out.begin(), out.end()};
  }

 private:
  /// The node of an operation; of a function its first, as the importer locates functions.
  fx::NodeId nodeAt(mlir::OpId id) const {
    const mlir::Module& module = document_.module;
    const fx::NodeId own = graph_.nodeOf[id.index()];
    if (own.valid() || !module.nameOf(id).ends_with(".func") || module.regionsOf(id).empty())
      return own;
    const auto blocks = module.blocksOf(module.regionsOf(id).front());
    if (blocks.empty()) return own;
    const mlir::IndexRange arguments = module.block(blocks.front()).arguments;
    for (std::uint32_t i = arguments.begin; i < arguments.end; ++i)
      if (graph_.nodeOfValue[i].valid()) return graph_.nodeOfValue[i];
    for (const mlir::OpId op : module.opsOf(blocks.front()))
      if (graph_.nodeOf[op.index()].valid()) return graph_.nodeOf[op.index()];
    return own;
  }

  static void add(TextRange range, fx::NodeId node, std::vector<Located>& out) {
    if (range.begin < range.end && node.valid()) out.push_back({range, node});
  }

  /// The 0-based line of the part at which an operation is.
  std::optional<std::uint32_t> lineOf(mlir::OpId id) const {
    const std::string_view body = document_.module.op(id).location.of(document_.module.text);
    for (const mlir::FilePosition& position : document_.locations.positions(body))
      if (position.file == 1 && position.line > 0) return position.line - 1;
    return std::nullopt;
  }

  /// A line of the part, without what indents it.
  std::string_view sourceLine(std::uint32_t line) const {
    if (line >= lineStarts_.size()) return {};
    std::string_view text = part_.text.substr(lineStarts_[line]);
    text = text.substr(0, text.find('\n'));
    return text.substr(std::min(text.find_first_not_of(" \t\r"), text.size()));
  }

  /// The name of the operation's first result in the part's text, if it is one that somebody chose.
  std::string resultName(mlir::OpId id, std::string_view line) const {
    const std::size_t assigned = line.find('=');
    if (!line.starts_with('%') || assigned == line.npos) return {};
    const std::string_view name = line.substr(1, line.find_first_of(" :,=") - 1);
    line.remove_prefix(assigned + 1);
    line.remove_prefix(std::min(line.find_first_not_of(" \""), line.size()));
    // The function's dialect may be left out.
    const std::string_view written = line.substr(0, line.find_first_of(" \"(<{\r"));
    const std::string_view op = document_.module.nameOf(id);
    const bool isSame = op.ends_with(written) &&
                        (op.size() == written.size() || op[op.size() - written.size() - 1] == '.');
    return !isSame || isNumber(name) ? std::string() : std::string(name);
  }

  /// The entry of a stack trace that names a line.
  fx::StringId stackOf(fx::GraphId graph, std::uint32_t line, std::string_view code) {
    const auto [entry, isNew] =
        stacks_.try_emplace(std::uint64_t{graph.index()} << 32 | line, fx::StringId());
    if (isNew) {
      entry->second = fx::StringId::of(program_->strings.size());
      program_->strings.push_back(
          fmt::format("  File \"{}\", line {}, in {}\n    {}", label_, line + part_.firstLine + 1,
                      program_->graph(graph).name, code.substr(0, kMaxCodeBytes)));
    }
    return entry->second;
  }

  void describe(fx::Node& node) {
    const std::vector<mlir::OpId>& ops = graph_.opsOf[node.id.index()];
    std::string wanted = node.name;
    if (node.op == fx::NodeOp::Placeholder && wanted.starts_with('%')) wanted.erase(0, 1);
    if (!ops.empty()) {
      const std::optional<std::uint32_t> line = lineOf(ops.front());
      const std::string_view code = line ? sourceLine(*line) : std::string_view();
      const std::string_view op = document_.module.nameOf(ops.front());
      if (node.op == fx::NodeOp::CallFunction) node.target = op;
      if (node.op == fx::NodeOp::CallFunction || node.op == fx::NodeOp::GetAttr) {
        const std::string chosen = resultName(ops.front(), code);
        wanted = chosen.empty() ? lastPart(op) : chosen;
      }
      if (line) node.meta.push_back({stackKey_, stackOf(node.graph, *line, code)});
    }
    node.name = unique(node.graph, wanted);
    if (node.op == fx::NodeOp::Placeholder) node.target = node.name;
  }

  std::string unique(fx::GraphId graph, const std::string& wanted) {
    auto& taken = names_[graph.index()];
    std::size_t& next = taken[wanted];
    std::string name = next == 0 ? wanted : fmt::format("{}_{}", wanted, next);
    ++next;
    while (name != wanted && !taken.try_emplace(name, 1).second)
      name = fmt::format("{}_{}", wanted, next++);
    return name;
  }

  void setInterface() {
    program_->inputs.clear();
    for (const fx::NodeId id : program_->main().nodes) {
      const fx::Node& node = program_->node(id);
      if (node.op == fx::NodeOp::Placeholder) {
        program_->inputs.push_back({fx::InputKind::UserInput, id, {}, true, {}});
        program_->inputNames.push_back(node.name);
      }
      if (node.op != fx::NodeOp::Output || node.args.empty()) continue;
      for (const fx::Argument& value : std::get<fx::ArgumentList>(node.args.front().value))
        program_->outputs.push_back({fx::OutputKind::UserOutput, value, {}});
    }
  }

  const mlir::Document document_;
  const Part& part_;
  const std::string& label_;
  const trace::OpGraph graph_;
  std::shared_ptr<fx::Program> program_;
  std::vector<std::size_t> lineStarts_;                              ///< of the part
  std::unordered_map<std::uint64_t, fx::StringId> stacks_;           ///< by graph and line
  std::vector<std::unordered_map<std::string, std::size_t>> names_;  ///< per graph: how often taken
  fx::StringId stackKey_;
};

}  // namespace

fx::ProgramPtr programOf(const std::string& printed, const Part& part, const std::string& label,
                         read::SourceModule& module, const RunContext& context) {
  ProgramMaker maker(printed, part, label, context);
  if (!maker.isConsistent()) return nullptr;
  fx::ProgramPtr program = maker.program();
  module.text = maker.locatedText();
  module.function = maker.function();
  module.dialects = maker.dialects();
  module.ops = maker.ops();
  return program;
}

}  // namespace fxs::module
