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
#include "module/own_location.h"
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
        source_(part.text),
        part_(part),
        label_(label),
        graph_(trace::opGraph(document_.module, context)),
        program_(std::make_shared<fx::Program>(*graph_.program)) {}

  fx::ProgramPtr program() {
    stackKey_ = intern("stack_trace");
    names_.resize(program_->graphs.size());
    setLocations();
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
  std::vector<read::OwnLocation> takeOwn() { return std::move(own_); }
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

  fx::StringId intern(std::string text) {
    const auto [entry, isNew] =
        strings_.try_emplace(text, fx::StringId::of(program_->strings.size()));
    if (isNew) program_->strings.push_back(std::move(text));
    return entry->second;
  }

  /// Sets arguments_, lines_ and own_.
  void setLocations() {
    const mlir::Module& module = document_.module;
    const std::size_t count = program_->nodes.size();
    arguments_.resize(count);
    lines_.resize(count);
    own_.resize(count);
    for (std::size_t i = 0; i < module.values.size(); ++i)
      if (const fx::NodeId node = graph_.nodeOfValue[i];
          node.valid() && module.values[i].kind == mlir::ValueKind::Argument)
        arguments_[node.index()] = mlir::ValueId::of(i);
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<mlir::OpId>& ops = graph_.opsOf[i];
      TextRange location;
      if (arguments_[i].valid()) location = module.value(arguments_[i]).location;
      else if (!ops.empty()) location = module.op(ops.front()).location;
      lines_[i] = lineOf(location);
      if (!lines_[i]) own_[i] = ownLocation(module, location.of(module.text));
      if (program_->nodes[i].op == fx::NodeOp::CallFunction) computed_.insert(own_[i].name);
    }
  }

  /// The 0-based line of the part, of a location that the file does not have.
  std::optional<std::uint32_t> lineOf(TextRange location) const {
    const std::string_view body = location.of(document_.module.text);
    for (const mlir::FilePosition& position : document_.locations.positions(body))
      if (position.file == 1 && position.line > 0) return position.line - 1;
    return std::nullopt;
  }

  /// The operation of the part's text that begins on its line, if it is this one.
  mlir::OpId inSource(mlir::OpId id, std::optional<std::uint32_t> line) const {
    const mlir::OpId out = line ? source_.opOfLine(*line) : mlir::OpId();
    const bool isSame = out.valid() && source_.nameOf(out) == document_.module.nameOf(id);
    return isSame ? out : mlir::OpId();
  }

  /// A value's name in the part's text, if it is one that somebody chose.
  std::string chosenName(std::uint32_t value) const {
    std::string_view name = source_.value(mlir::ValueId::of(value)).name.of(source_.text);
    name = name.substr(0, name.find(':'));
    if (name.starts_with('%')) name.remove_prefix(1);
    return isNumber(name) ? std::string() : std::string(name);
  }

  std::string resultName(mlir::OpId id, std::optional<std::uint32_t> line) const {
    const mlir::OpId own = inSource(id, line);
    if (!own.valid() || source_.op(own).results.size() == 0) return {};
    return chosenName(source_.op(own).results.begin);
  }

  /// Of an argument of the first block in its operation's first region.
  std::string argumentName(mlir::ValueId id) const {
    const mlir::Module& module = document_.module;
    const mlir::Value& value = module.value(id);
    const mlir::OpId own = inSource(value.op, lineOf(module.op(value.op).location));
    if (!own.valid() || source_.regionsOf(own).empty()) return {};
    const auto blocks = source_.blocksOf(source_.regionsOf(own).front());
    const mlir::BlockId first = module.blocksOf(module.regionsOf(value.op).front()).front();
    if (blocks.empty() || first != value.block) return {};
    const mlir::IndexRange arguments = source_.block(blocks.front()).arguments;
    return value.index < arguments.size() ? chosenName(arguments.begin + value.index)
                                          : std::string();
  }

  std::string codeOf(std::uint32_t line) const {
    if (line >= source_.lineStarts.size()) return {};
    std::string_view text = source_.text.substr(source_.lineStarts[line], kMaxCodeBytes);
    text = text.substr(0, text.find('\n'));
    const std::size_t begin = text.find_first_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string() : std::string(text.substr(begin));
  }

  void describe(fx::Node& node) {
    const std::size_t index = node.id.index();
    const std::vector<mlir::OpId>& ops = graph_.opsOf[index];
    std::string chosen, wanted = node.name;
    if (node.op == fx::NodeOp::Placeholder) {
      if (wanted.starts_with('%')) wanted.erase(0, 1);
      if (arguments_[index].valid()) chosen = argumentName(arguments_[index]);
      if (chosen.empty()) chosen = own_[index].name;
    }
    if (!ops.empty()) {
      const std::string_view op = document_.module.nameOf(ops.front());
      if (node.op == fx::NodeOp::CallFunction) node.target = op;
      if (node.op == fx::NodeOp::CallFunction || node.op == fx::NodeOp::GetAttr) {
        chosen = lines_[index] ? resultName(ops.front(), lines_[index]) : own_[index].name;
        // Its constants are often located at an operation.
        if (node.op == fx::NodeOp::GetAttr && computed_.contains(chosen)) chosen.clear();
        wanted = lastPart(op);
      }
      if (const std::string stack = stackOf(node); !stack.empty())
        node.meta.push_back({stackKey_, intern(stack)});
    }
    node.name = unique(node.graph, chosen.empty() ? wanted : chosen);
    if (node.op == fx::NodeOp::Placeholder) node.target = node.name;
  }

  /// The line of the file, or those of the location that it has there.
  std::string stackOf(const fx::Node& node) const {
    const std::optional<std::uint32_t> line = lines_[node.id.index()];
    if (!line) return own_[node.id.index()].stack;
    return fmt::format("  File \"{}\", line {}, in {}\n    {}", label_, *line + part_.firstLine + 1,
                       program_->graph(node.graph).name, codeOf(*line));
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
  const mlir::Module source_;
  const Part& part_;
  const std::string& label_;
  const trace::OpGraph graph_;
  std::shared_ptr<fx::Program> program_;
  std::unordered_map<std::string, fx::StringId> strings_;
  std::vector<std::unordered_map<std::string, std::size_t>> names_;  ///< per graph: how often taken
  fx::StringId stackKey_;
  // By node.
  std::vector<mlir::ValueId> arguments_;             ///< invalid for others
  std::vector<std::optional<std::uint32_t>> lines_;  ///< of the part, 0-based
  std::vector<read::OwnLocation> own_;
  std::set<std::string> computed_;  ///< names in the own locations of operations that compute
};

}  // namespace

fx::ProgramPtr programOf(const std::string& printed, const Part& part, const std::string& label,
                         read::SourceModule& module, const RunContext& context) {
  ProgramMaker maker(printed, part, label, context);
  if (!maker.isConsistent()) return nullptr;
  fx::ProgramPtr program = maker.program();
  module.text = maker.locatedText();
  module.own = maker.takeOwn();
  module.function = maker.function();
  module.dialects = maker.dialects();
  module.ops = maker.ops();
  return program;
}

}  // namespace fxs::module
