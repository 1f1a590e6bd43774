// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/module_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>

#include "mlir/text/document.h"
#include "mlir/text/function_types.h"
#include "mlir/text/quoted.h"
#include "mlir/text/token_ends.h"
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

/// The text without newlines at its end, of which tools print more or fewer.
std::string_view withoutLastNewlines(std::string_view text) {
  return text.substr(0, text.find_last_not_of('\n') + 1);
}

/// Whether both have the same operations and values; the second may have a module around them.
bool isSameOrder(const mlir::Module& source, const mlir::Module& printed) {
  const std::size_t added = printed.ops.size() - source.ops.size();
  if (printed.ops.size() < source.ops.size() || added > 1 ||
      printed.values.size() != source.values.size())
    return false;
  if (added == 1 && printed.nameOf(mlir::OpId::of(0)) != "builtin.module") return false;
  for (std::size_t i = 0; i < source.ops.size(); ++i)
    if (source.nameOf(mlir::OpId::of(i)) != printed.nameOf(mlir::OpId::of(i + added))) return false;
  for (std::size_t i = 0; i < source.values.size(); ++i) {
    const mlir::Value &one = source.values[i], &other = printed.values[i];
    if (one.kind != other.kind || one.op.index() + added != other.op.index() ||
        one.index != other.index)
      return false;
  }
  return true;
}

class ProgramMaker {
 public:
  ProgramMaker(const std::string& printed, const Part& part, const mlir::Module& source,
               Locating locating, const std::string& label, const RunContext& context)
      : source_(source),
        document_(locating == Locating::ByOrder &&
                          withoutLastNewlines(printed) == withoutLastNewlines(source.text)
                      ? nullptr
                      : std::make_unique<const mlir::Document>(
                            printed, std::vector<std::string>{std::string(kStdin)})),
        module_(document_ ? document_->module : source),
        isByOrder_(locating == Locating::ByOrder),
        part_(part),
        label_(label),
        graph_(trace::opGraph(module_, context)),
        // Nobody else has it yet.
        program_(std::const_pointer_cast<fx::Program>(graph_.program)) {}

  fx::ProgramPtr program() {
    stackKey_ = intern("stack_trace");
    names_.resize(program_->graphs.size());
    for (const fx::Graph& graph : program_->graphs)
      names_[graph.id.index()].reserve(2 * graph.nodes.size());
    setLocations();
    for (fx::Node& node : program_->nodes) describe(node);
    setInterface();
    program_->dialect = fx::kMlirDialect;
    return program_;
  }

  std::string locatedText() const {
    const mlir::Module& module = module_;
    std::vector<Located> all;
    all.reserve(module.ops.size());
    for (std::size_t i = 0; i < module.ops.size(); ++i)
      add(rangeOf(module.ops[i]), nodeAt(mlir::OpId::of(i)), all);
    for (std::size_t i = 0; i < module.values.size(); ++i)
      if (module.values[i].kind == mlir::ValueKind::Argument)
        add(rangeOf(mlir::ValueId::of(i)), graph_.nodeOfValue[i], all);
    std::sort(all.begin(), all.end(),
              [](const Located& a, const Located& b) { return a.range.begin < b.range.begin; });
    constexpr std::size_t kUsualLocation = 32;
    std::string out;
    out.reserve(module.text.size() + all.size() * kUsualLocation);
    std::size_t at = 0;
    for (const Located& each : all) {
      out += module.text.substr(at, each.range.begin - at);
      if (isByOrder_) out += " loc(";
      mlir::appendQuoted(out, program_->node(each.node).name);
      out += "(\"fx\":";
      out += std::to_string(each.node.index());
      out += isByOrder_ ? ":0))" : ":0)";
      at = each.range.end;
    }
    return out += module.text.substr(at);
  }

  std::size_t ops() const { return module_.ops.size(); }
  std::vector<read::OwnLocation> takeOwn() { return std::move(own_); }
  /// Whether the text has the same operations and values with its locations as without.
  bool isConsistent() const {
    return graph_.nodeOf.size() == ops() && graph_.nodeOfValue.size() == module_.values.size() &&
           (!isByOrder_ || (isSameOrder(source_, module_) && isLocatedByOrder(module_)));
  }

  /// The symbol of the function whose operations are the main graph.
  std::string function() const {
    const mlir::Module& module = module_;
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
    const mlir::Module& module = module_;
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
    const mlir::Module& module = module_;
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

  /// Of the location that is replaced, or empty, where one is inserted.
  TextRange rangeOf(const mlir::Op& op) const {
    return isByOrder_ ? TextRange{op.text.end, op.text.end} : op.location;
  }
  TextRange rangeOf(mlir::ValueId argument) const {
    if (!isByOrder_) return module_.value(argument).location;
    std::size_t at = module_.typeOf(argument).end;
    const std::size_t next = mlir::afterAll(module_.text, at, mlir::kBlank);
    if (module_.text.substr(next).starts_with('{'))
      at = std::min(mlir::afterBracket(module_.text, next), module_.text.size());
    return {at, at};
  }

  void add(TextRange range, fx::NodeId node, std::vector<Located>& out) const {
    if ((isByOrder_ || range.begin < range.end) && node.valid()) out.push_back({range, node});
  }

  fx::StringId intern(std::string text) {
    const auto [entry, isNew] =
        strings_.try_emplace(text, fx::StringId::of(program_->strings.size()));
    if (isNew) program_->strings.push_back(std::move(text));
    return entry->second;
  }

  /// Sets arguments_, lines_ and own_.
  void setLocations() {
    const mlir::Module& module = module_;
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
      if (arguments_[i].valid()) {
        location = module.value(arguments_[i]).location;
        lines_[i] = lineOf(arguments_[i]);
      } else if (!ops.empty()) {
        location = module.op(ops.front()).location;
        lines_[i] = lineOf(ops.front());
      }
      if (!lines_[i]) own_[i] = ownLocation(module, location.of(module.text));
      if (program_->nodes[i].op == fx::NodeOp::CallFunction && !own_[i].name.empty())
        computed_.insert(own_[i].name);
    }
  }

  /// The 0-based line of the part, of a location that the file does not have.
  std::optional<std::uint32_t> lineAt(TextRange location) const {
    const std::string_view body = location.of(module_.text);
    for (const mlir::FilePosition& position : document_->locations.positions(body))
      if (position.file == 1 && position.line > 0) return position.line - 1;
    return std::nullopt;
  }
  std::optional<std::uint32_t> lineOf(mlir::OpId id) const {
    if (!isByOrder_) return lineAt(module_.op(id).location);
    const mlir::OpId own = inOrder(id);
    return own.valid() ? std::optional(source_.op(own).firstLine) : std::nullopt;
  }
  std::optional<std::uint32_t> lineOf(mlir::ValueId id) const {
    if (!isByOrder_) return lineAt(module_.value(id).location);
    return source_.lineOf(source_.value(id).name.begin);
  }

  /// Invalid for a module that the tool added.
  mlir::OpId inOrder(mlir::OpId id) const {
    const std::size_t added = module_.ops.size() - source_.ops.size();
    return id.index() < added ? mlir::OpId() : mlir::OpId::of(id.index() - added);
  }

  /// The operation of the part's text that begins on its line, if it is this one.
  mlir::OpId inSource(mlir::OpId id) const {
    if (isByOrder_) return inOrder(id);
    const std::optional<std::uint32_t> line = lineOf(id);
    const mlir::OpId out = line ? source_.opOfLine(*line) : mlir::OpId();
    const bool isSame = out.valid() && source_.nameOf(out) == module_.nameOf(id);
    return isSame ? out : mlir::OpId();
  }

  /// A value's name in the part's text, if it is one that somebody chose.
  std::string chosenName(std::uint32_t value) const {
    std::string_view name = source_.value(mlir::ValueId::of(value)).name.of(source_.text);
    name = name.substr(0, name.find(':'));
    if (name.starts_with('%')) name.remove_prefix(1);
    return isNumber(name) ? std::string() : std::string(name);
  }

  std::string resultName(mlir::OpId id) const {
    const mlir::OpId own = inSource(id);
    if (!own.valid() || source_.op(own).results.size() == 0) return {};
    return chosenName(source_.op(own).results.begin);
  }

  /// Of an argument of the first block in its operation's first region.
  std::string argumentName(mlir::ValueId id) const {
    const mlir::Module& module = module_;
    const mlir::Value& value = module.value(id);
    const mlir::OpId own = inSource(value.op);
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
      const std::string_view op = module_.nameOf(ops.front());
      if (node.op == fx::NodeOp::CallFunction) node.target = op;
      if (node.op == fx::NodeOp::CallFunction || node.op == fx::NodeOp::GetAttr) {
        chosen = lines_[index] ? resultName(ops.front()) : own_[index].name;
        // Its constants are often located at an operation.
        if (node.op == fx::NodeOp::GetAttr && computed_.contains(chosen)) chosen.clear();
        wanted = lastPart(op);
      }
      addStack(node);
    }
    node.name = unique(node.graph, chosen.empty() ? wanted : chosen);
    if (node.op == fx::NodeOp::Placeholder) node.target = node.name;
  }

  /// The line of the file, or those of the location that it has there.
  void addStack(fx::Node& node) {
    const std::optional<std::uint32_t> line = lines_[node.id.index()];
    const std::string& own = own_[node.id.index()].stack;
    if (line) node.meta.push_back({stackKey_, stackAt(*line, node.graph)});
    else if (!own.empty()) node.meta.push_back({stackKey_, intern(own)});
  }

  fx::StringId stackAt(std::uint32_t line, fx::GraphId graph) {
    if (latestStack_.string.valid() && latestStack_.line == line && latestStack_.graph == graph)
      return latestStack_.string;
    program_->strings.push_back(fmt::format("  File \"{}\", line {}, in {}\n    {}", label_,
                                            line + part_.firstLine + 1, program_->graph(graph).name,
                                            codeOf(line)));
    latestStack_ = {line, graph, fx::StringId::of(program_->strings.size() - 1)};
    return latestStack_.string;
  }

  std::string unique(fx::GraphId graph, const std::string& wanted) {
    auto& taken = names_[graph.index()];
    std::size_t& next = taken[wanted];
    const auto numbered = [&](std::size_t number) { return wanted + '_' + std::to_string(number); };
    std::string name = next == 0 ? wanted : numbered(next);
    ++next;
    while (name != wanted && !taken.try_emplace(name, 1).second) name = numbered(next++);
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

  const mlir::Module& source_;
  const std::unique_ptr<const mlir::Document> document_;  ///< null if the source is printed alike
  const mlir::Module& module_;
  const bool isByOrder_;
  const Part& part_;
  const std::string& label_;
  const trace::OpGraph graph_;
  std::shared_ptr<fx::Program> program_;
  std::unordered_map<std::string, fx::StringId> strings_;
  std::vector<std::unordered_map<std::string, std::size_t>> names_;  ///< per graph: how often taken
  fx::StringId stackKey_;
  struct {
    std::uint32_t line = 0;
    fx::GraphId graph;
    fx::StringId string;
  } latestStack_;  ///< nodes of one line mostly follow each other
  // By node.
  std::vector<mlir::ValueId> arguments_;             ///< invalid for others
  std::vector<std::optional<std::uint32_t>> lines_;  ///< of the part, 0-based
  std::vector<read::OwnLocation> own_;
  std::set<std::string> computed_;  ///< names in the own locations of operations that compute
};

}  // namespace

bool isLocatedByOrder(const mlir::Module& module) {
  const std::string_view text = module.text;
  constexpr std::string_view kLocation = "loc(";
  for (std::size_t at = text.find(kLocation); at != text.npos; at = text.find(kLocation, at + 1))
    if (at == 0 || !mlir::is(text[at - 1], mlir::kWord)) return false;
  for (std::size_t i = 0; i < module.values.size(); ++i) {
    const mlir::Value& value = module.values[i];
    if (value.kind != mlir::ValueKind::Argument) continue;
    const TextRange label = module.block(value.block).label,
                    type = module.typeOf(mlir::ValueId::of(i));
    const bool isLocated = label.begin < label.end || module.nameOf(value.op) == "func.func";
    if (!isLocated || type.begin == type.end) return false;
  }
  return true;
}

fx::ProgramPtr programOf(const std::string& printed, const Part& part, const mlir::Module& source,
                         Locating locating, const std::string& label, read::SourceModule& module,
                         const RunContext& context) {
  ProgramMaker maker(printed, part, source, locating, label, context);
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
