// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "upstream/python_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/joined.h"
#include "compare/guards.h"
#include "compare/inputs.h"
#include "diagnose/static_sizes.h"
#include "fx/evaluated_text.h"
#include "fx/python_source.h"
#include "fx/python_text.h"
#include "ops/schema.h"
#include "tensor/tensor.h"

namespace fxs::upstream {
namespace {

/// Integers of a weight whose values are written.
constexpr std::uint64_t kWrittenElements = 16;
/// Parameters from which on they are written as a list, and columns of a line.
constexpr std::size_t kListedWeights = 8, kColumns = 110;
constexpr std::int64_t kRunTimeSize = 4;
constexpr std::string_view kIndent = "    ";
constexpr std::string_view kHigherOrder = "higher_order.";
/// Whether the strides of inputs matter to what PyTorch makes of their calls.
constexpr std::array<std::string_view, 9> kLayoutSensitive{
    "reshape", "view", "flatten",  "contiguous",  "as_strided",
    "clone",   "to",   "_to_copy", "_unsafe_view"};

std::string tupleText(const std::vector<std::int64_t>& numbers) {
  return "(" + joinedNumbers(numbers) + (numbers.size() == 1 ? ",)" : ")");
}

std::string dtypeText(DType dtype) { return "torch." + std::string(facts(dtype).torchName); }

/// A tensor whose elements do not matter. Integers are 0, which is an index of every table.
std::string filled(DType dtype, const std::vector<std::int64_t>& sizes, bool onMeta = false) {
  const std::string type = dtype == DType::Float32 ? "" : ", dtype=" + dtypeText(dtype);
  return fmt::format("torch.{}({}{}{})", isIntegral(dtype) ? "zeros" : "ones",
                     sizes.empty() ? "()" : joinedNumbers(sizes), type,
                     onMeta ? ", device=\"meta\"" : "");
}

/// The shortest text of one with 24 bits that reads back as the same number.
std::string shortText(double value) {
  if (!std::isfinite(value)) return fmt::format("float(\"{}\")", value);
  std::string text = fmt::format("{}", static_cast<float>(value));
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string elementText(const tensor::Tensor& tensor, std::uint64_t i) {
  if (tensor.dtype == DType::Int64) {
    std::int64_t value = 0;
    std::memcpy(&value, tensor.bytes.data() + i * sizeof(value), sizeof(value));
    return std::to_string(value);
  }
  const double value = tensor::elementAt(tensor, i);
  if (tensor.dtype == DType::Bool) return value != 0 ? "True" : "False";
  if (isIntegral(tensor.dtype)) return fmt::format("{:.0f}", value);
  return tensor.dtype == DType::Float64 ? fx::pythonNumber(value) : shortText(value);
}

/// Nested lists of the elements of `tensor` from the dimension `d` on.
std::string elementsText(const tensor::Tensor& tensor, std::size_t d, std::uint64_t& next) {
  if (d == tensor.sizes.size()) return elementText(tensor, next++);
  std::vector<std::string> items;
  for (std::int64_t i = 0; i < tensor.sizes[d]; ++i)
    items.push_back(elementsText(tensor, d + 1, next));
  return "[" + joined(items) + "]";
}

class ModelWriter {
 public:
  ModelWriter(const fx::Program& program, const read::WeightReader* weights,
              const RunContext& context, WrittenWeights written, const fx::Program* whole)
      : program_(program),
        whole_(whole),
        users_(fx::usersOf(program)),
        weights_(weights),
        context_(context),
        writesAll_(written == WrittenWeights::All),
        lacksSome_(written == WrittenWeights::Lacking) {}

  Result<PythonModel> written() {
    FXS_TRY(const compare::Sizes given, sizesOfWhole());
    FXS_TRY(const std::vector<compare::Sizes> sizes,
            compare::sizesToTry(program_, given, context_));
    if (!sizes.empty()) sizes_ = sizes.front();
    addRunTimeSizes();
    for (const std::string_view name : {"self", "fx", "Repro"}) source_.keep(std::string(name));
    FXS_CHECK(nameInputs());
    addListed();
    out_.forward = body(program_.main(), "");
    std::vector<std::string> results;
    for (const fx::OutputSpec& output : program_.outputs) {
      if (fx::isMutation(output.kind)) addMutation(output);
      else results.push_back(source_.text(output.value));
    }
    addReturned(results);
    if (!source_.problem().empty()) return fail(ErrorCode::Unsupported, source_.problem());
    for (const std::string_view module : {"math", "operator"})
      if (out_.forward.find(std::string(module) + ".") != std::string::npos)
        out_.imports.emplace_back(module);
    return std::move(out_);
  }

 private:
  /// Of the symbols that the inputs have, as the whole program allows them.
  Result<compare::Sizes> sizesOfWhole() const {
    compare::Sizes out;
    if (whole_ == nullptr) return out;
    const auto sizes = compare::sizesToTry(*whole_, {}, context_);
    if (!sizes && endsAll(sizes.error())) return tl::unexpected<Error>(sizes.error());
    if (!sizes || sizes->empty()) return out;
    for (const std::string& symbol : compare::inputSymbols(program_))
      if (const auto known = sizes->front().find(symbol); known != sizes->front().end())
        out.insert(*known);
    return out;
  }
  /// Sizes known only at run time are often those of other inputs, though not by name.
  void addRunTimeSizes() {
    std::optional<std::int64_t> known;
    for (const fx::InputSpec& input : program_.inputs)
      if (const fx::TensorMeta* meta = program_.node(input.node).val.tensor())
        for (const fx::SymInt& size : meta->sizes) {
          if (!known && !isOfRunTime(size)) known = fx::evaluate(size, sizes_);
          out_.hasRunTimeSizes |= isOfRunTime(size);
        }
    runTimeSize_ = known.value_or(kRunTimeSize);
  }
  static bool isOfRunTime(const fx::SymInt& size) {
    return !size.isStatic() && diagnose::isOfRunTime(*size.expr());
  }
  std::optional<std::int64_t> exampleOf(const fx::SymInt& size) const {
    return isOfRunTime(size) ? runTimeSize_ : fx::evaluate(size, sizes_);
  }

  /// Many parameters of one type whose values do not matter, as of a recurrent network, are written
  /// as a list.
  void chooseListed() {
    std::map<DType, std::set<fx::NodeId>> byType;
    for (const fx::InputSpec& input : program_.inputs)
      if (const fx::Weight* weight = program_.findWeight(input.target);
          weight != nullptr && input.kind == fx::InputKind::Parameter && !writesAll_)
        byType[weight->dtype].insert(input.node);
    const auto& floats = byType[DType::Float32];
    if (floats.size() >= kListedWeights) isListed_ = floats;
  }
  void addListed() {
    if (listed_.empty()) return;
    out_.constructor +=
        fx::pythonLines("self.weights = torch.nn.ParameterList(torch.ones(size) for size in [",
                        listed_, ", ", "])", "", 4);
    std::vector<std::string> all;
    for (std::size_t i = 0; i < listed_.size(); ++i)
      all.push_back(fmt::format("self.weights[{}]", i));
    allListed_ = "[" + joined(all) + "]";
  }
  /// A statement with the list of all of them by its name, in one line if it fits.
  std::string withListByName(std::string statement) const {
    const std::size_t at = allListed_.empty() ? std::string::npos : statement.find(allListed_);
    if (at == std::string::npos) return statement;
    statement.replace(at, allListed_.size(), "list(self.weights)");
    std::string one, line;
    for (std::size_t begin = 0; begin < statement.size(); begin += line.size() + 1) {
      line = statement.substr(begin, statement.find('\n', begin) - begin);
      const std::size_t text = one.empty() ? 0 : std::min(line.find_first_not_of(' '), line.size());
      if (one.ends_with(",")) one += ' ';
      one += line.substr(text);
    }
    return one.size() <= kColumns ? one + '\n' : statement;
  }

  Result<> nameInputs() {
    chooseListed();
    if (!isListed_.empty()) source_.keep("weights");
    for (const fx::InputSpec& input : program_.inputs) {
      const fx::Node& node = program_.node(input.node);
      if (fx::isWeight(input.kind)) {
        FXS_CHECK(addWeight(input));
        continue;
      }
      if (!input.constant.isNone() || std::holds_alternative<fx::NoneValue>(node.val)) {
        source_.setText(node.id, source_.text(input.constant));
        continue;
      }
      if (input.kind != fx::InputKind::UserInput)
        return tl::unexpected<Error>(
            unsupported("an input that is a " + std::string(fx::name(input.kind))));
      FXS_CHECK(addInput(node));
    }
    return {};
  }

  bool layoutMatters() const {
    return std::any_of(program_.nodes.begin(), program_.nodes.end(), [](const fx::Node& node) {
      return std::find(kLayoutSensitive.begin(), kLayoutSensitive.end(),
                       fx::packetOf(node.target)) != kLayoutSensitive.end();
    });
  }

  static Error unsupported(std::string message) {
    return {ErrorCode::Unsupported, std::move(message), {}};
  }

  /// Whether a size is an expression that torch.export.Dim can say.
  static bool isDerived(const fx::SymInt& size) {
    if (size.isStatic() || size.expr()->kind == fx::SymExpr::Kind::Symbol || isOfRunTime(size))
      return false;
    bool isOfSizes = true;
    fx::collectSymbols(*size.expr(), [&](const std::string& symbol) {
      isOfSizes &= symbol.size() > 1 && symbol.front() == 's' &&
                   std::all_of(symbol.begin() + 1, symbol.end(), isDigit);
    });
    return isOfSizes;
  }
  void addSizesOf(const fx::SymExpr& derived) {
    fx::collectSymbols(derived, [&](const std::string& symbol) {
      if (!declaredSizes_.insert(symbol).second) return;
      std::string limits;
      for (const fx::RangeConstraint& range : program_.ranges) {
        if (range.symbol != symbol) continue;
        if (range.min.value_or(0) > 2) limits += fmt::format(", min={}", *range.min);
        if (range.max) limits += fmt::format(", max={}", *range.max);
      }
      out_.sizeDeclarations += fmt::format("{0} = torch.export.Dim(\"{0}\"{1})\n", symbol, limits);
    });
  }

  /// Examples of sizes and strides, and which are dynamic.
  Result<> addSizes(const fx::TensorMeta& meta, PythonInput& input) {
    std::vector<std::int64_t> strides;
    for (std::size_t d = 0; d < meta.rank(); ++d) {
      const fx::SymInt& size = meta.sizes[d];
      const auto example = exampleOf(size);
      if (!example) return tl::unexpected<Error>(unsupported("an input of unknown size"));
      input.sizes.push_back(*example);
      if (!size.isStatic()) input.dynamic.push_back(d);
      if (isDerived(size)) {
        input.derived.emplace(d, size.text());
        addSizesOf(*size.expr());
      }
      if (d < meta.strides.size())
        if (const auto stride = fx::evaluate(meta.strides[d], sizes_)) strides.push_back(*stride);
    }
    const auto rowMajor = fx::contiguousStrides(meta.sizes);
    if (strides.size() == input.sizes.size() && rowMajor != meta.strides && layoutMatters())
      input.strides = std::move(strides);
    return {};
  }

  Result<> addInput(const fx::Node& node) {
    PythonInput input;
    if (const fx::TensorMeta* meta = node.val.tensor()) {
      input.dtype = meta->dtype;
      FXS_CHECK(addSizes(*meta, input));
    } else if (const fx::SymValue* symbol = node.val.symbol();
               symbol != nullptr && symbol->kind == fx::SymKind::Int) {
      const auto value =
          symbol->expr ? exampleOf(fx::SymInt(symbol->expr)) : std::optional<std::int64_t>(2);
      input.number = value.value_or(2);
    } else {
      return tl::unexpected<Error>(unsupported("an input that is neither a tensor nor an integer"));
    }
    input.name = source_.taken(node.name);
    source_.setText(node.id, input.name);
    out_.inputs.push_back(std::move(input));
    return {};
  }

  Result<> addWeight(const fx::InputSpec& input) {
    const fx::Weight* weight = program_.findWeight(input.target);
    const fx::TensorMeta* meta = program_.node(input.node).val.tensor();
    if (weight == nullptr && meta == nullptr)
      return tl::unexpected<Error>(unsupported("a weight of unknown type"));
    const DType dtype = weight != nullptr ? weight->dtype : meta->dtype;
    std::vector<std::int64_t> sizes;
    if (weight != nullptr) sizes = weight->sizes;
    else sizes = fx::staticSizes(meta->sizes).value_or(std::vector<std::int64_t>());
    const std::string name = source_.taken(wordOf(input.target));
    const bool isLacking = lacksSome_ && weight != nullptr && !weight->readable;
    std::string value = filled(dtype, sizes, isLacking);
    if (weight != nullptr) {
      FXS_TRY(const std::string elements, elementsOf(*weight));
      if (!elements.empty()) value = elements;
      else if (writesAll_)
        return tl::unexpected<Error>(unsupported("the values of the weight " + input.target));
    }
    if (isListed_.contains(input.node)) {
      source_.setText(input.node, fmt::format("self.weights[{}]", listed_.size()));
      listed_.push_back(tupleText(sizes));
      return {};
    }
    if (input.kind == fx::InputKind::Parameter && isFloating(dtype))
      out_.constructor += fmt::format("self.{} = torch.nn.Parameter({})\n", name, value);
    else if (input.kind == fx::InputKind::Buffer)
      out_.constructor += fmt::format("self.register_buffer(\"{}\", {})\n", name, value);
    else out_.constructor += fmt::format("self.{} = {}\n", name, value);
    source_.setText(input.node, "self." + name);
    return {};
  }

  /// The last part of a name in Python: "weight" of "layers.0.weight".
  static std::string wordOf(std::string_view fqn) {
    const std::size_t dot = fqn.rfind('.');
    return std::string(dot == std::string_view::npos ? fqn : fqn.substr(dot + 1));
  }

  /// "torch.tensor([1, 2])"; "" if they are many, not integers, or not in the file.
  Result<std::string> elementsOf(const fx::Weight& weight) const {
    const bool isExact = writesAll_ || isIntegral(weight.dtype) || weight.dtype == DType::Bool;
    if (weights_ == nullptr || !isExact || !weight.readable || weight.elements() > kWrittenElements)
      return std::string();
    auto bytes = weights_->read(weight, kWrittenElements * sizeof(std::int64_t), context_);
    if (!bytes && endsAll(bytes.error())) return tl::unexpected<Error>(bytes.error());
    if (!bytes) return std::string();
    return tensorText({weight.dtype, weight.sizes, *std::move(bytes)});
  }

  /// The statements of a graph.
  std::string body(const fx::Graph& graph, const std::string& indent) {
    std::string out;
    for (const fx::NodeId id : graph.nodes) {
      const fx::Node& node = program_.node(id);
      if (node.op == fx::NodeOp::GetAttr && node.subgraph.valid()) out += function(node, indent);
      else if (node.op == fx::NodeOp::CallFunction) out += statement(node, indent);
      else if (node.op != fx::NodeOp::Placeholder && node.op != fx::NodeOp::Output)
        source_.fail("a " + std::string(fx::name(node.op)));
    }
    return out;
  }

  std::string statement(const fx::Node& node, const std::string& indent) {
    if (node.target == fx::kAssertTensorMetadata) return "";
    if (node.target == fx::kAssertScalar && !node.args.empty())
      return indent + "torch._check(" + source_.text(node.args[0].value) + ")\n";
    if (node.target.starts_with("higher_order.")) return higherOrder(node, indent);
    if (isOfAnotherLibrary(node.target)) declare(node);
    if (users_[node.id.index()].empty() && isPure(node)) return "";
    return withListByName(source_.statement(node, indent));
  }
  /// A call with functions among its arguments.
  std::string higherOrder(const fx::Node& node, const std::string& indent) {
    if (!fx::isExportedTarget(node.target)) return source_.fail("a call of " + node.target);
    std::vector<std::string> arguments;
    for (const fx::NodeArgument& argument : node.args)
      arguments.push_back(argument.value.list() != nullptr ? tupleOf(*argument.value.list())
                                                           : source_.text(argument.value));
    const std::string_view called = std::string_view(node.target).substr(kHigherOrder.size());
    const auto result = [&](std::string_view name) {
      const std::string taken = source_.taken(name);
      source_.setText(node.id, taken);
      return taken + " = ";
    };
    const auto region = [&](std::string_view context, std::ptrdiff_t own) {
      const std::vector<std::string> of(arguments.begin(), arguments.begin() + own);
      const std::vector<std::string> with(arguments.begin() + own + 1, arguments.end());
      const std::string head = fmt::format("{}with torch.{}({}):\n", indent, context, joined(of));
      return head +
             fx::pythonLines(result("region") + arguments[static_cast<std::size_t>(own)] + "(",
                             with, ", ", ")", indent + std::string(kIndent));
    };
    if (called == "wrap_with_set_grad_enabled" && arguments.size() > 1)
      return region("set_grad_enabled", 1);
    if (called == "wrap_with_autocast" && arguments.size() > 4) return region("autocast", 4);
    const std::string function =
        called == "cond" ? "torch.cond(" : fmt::format("torch.ops.{}(", node.target);
    return fx::pythonLines(result(called) + function, arguments, ", ", ")", indent);
  }
  std::string tupleOf(const fx::ArgumentList& items) {
    std::vector<std::string> texts;
    for (const fx::Argument& item : items) texts.push_back(source_.text(item));
    return "(" + joined(texts) + (texts.size() == 1 ? ",)" : ")");
  }

  static bool isOfAnotherLibrary(std::string_view target) {
    const std::size_t dot = target.find('.');
    return std::count(target.begin(), target.end(), '.') == 2 && fx::isExportedTarget(target) &&
           !target.starts_with('#') &&
           !ops::SchemaTable::builtin().hasNamespace(target.substr(0, dot));
  }

  /// The tensors among the arguments of a call, and their parameters.
  using Tensors = std::vector<std::pair<const fx::TensorMeta*, std::string>>;

  /// An operator with the types of a call, which says what it gives and computes nothing.
  void declare(const fx::Node& node) {
    if (!declared_.insert(node.target).second) return;
    // What gives nothing writes to an operand; which one, the file does not say.
    const bool writes = std::holds_alternative<fx::NoneValue>(node.val);
    std::vector<std::string> types, parameters;
    Tensors tensors;
    for (const fx::NodeArgument& argument : node.args) {
      const std::string name = fx::isIdentifier(argument.name)
                                   ? fx::pythonName(argument.name)
                                   : fmt::format("x{}", parameters.size());
      const bool isWritten = writes && tensors.empty() && tensorOf(argument.value) != nullptr;
      types.push_back((isWritten ? "Tensor(a!)" : schemaType(argument.value)) + " " + name);
      parameters.push_back(name);
      addTensors(argument.value, name, tensors);
    }
    std::vector<std::string> results, fakes;
    const auto add = [&](const fx::Value& value) {
      const fx::TensorMeta* meta = value.tensor();
      if (meta == nullptr) {
        source_.fail("an operator of another library that gives no tensor");
        return;
      }
      results.emplace_back("Tensor");
      fakes.push_back(fakeOf(*meta, tensors));
    };
    if (const fx::ValueList* list = node.val.list())
      for (const fx::Value& value : *list) add(value);
    else if (!writes) add(node.val);
    else fakes.emplace_back("None");
    std::string name = node.target.substr(0, node.target.rfind('.'));
    const std::string function = name.substr(name.find('.') + 1);
    name.replace(name.find('.'), 1, "::");
    if (!node.target.ends_with(".default")) name += node.target.substr(node.target.rfind('.'));
    const std::string gives = results.size() == 1 ? results.front() : "(" + joined(results) + ")";
    out_.declarations += fmt::format(
        "\ntorch.library.define(\"{0}\", \"({1}) -> {2}\")\n\n\n"
        "@torch.library.register_fake(\"{0}\")\ndef {3}({4}):\n    return {5}\n",
        name, joined(types), gives, function, joined(parameters), joined(fakes));
  }
  const fx::TensorMeta* tensorOf(const fx::Argument& argument) const {
    const fx::NodeId* id = argument.node();
    return id == nullptr ? nullptr : program_.node(*id).val.tensor();
  }
  /// Those of an argument: "x", or "x[1]" of a list.
  void addTensors(const fx::Argument& argument, const std::string& name, Tensors& tensors) const {
    if (const fx::TensorMeta* meta = tensorOf(argument)) tensors.emplace_back(meta, name);
    const fx::ArgumentList* list = argument.list();
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
      if (const fx::TensorMeta* meta = tensorOf((*list)[i]))
        tensors.emplace_back(meta, fmt::format("{}[{}]", name, i));
  }
  /// "torch.empty_like(x)", or a tensor of the sizes that one has at a dimension.
  std::string fakeOf(const fx::TensorMeta& meta, const Tensors& tensors) {
    for (const auto& [like, name] : tensors)
      if (like->sizes == meta.sizes && like->dtype == meta.dtype)
        return "torch.empty_like(" + name + ")";
    std::vector<std::string> sizes;
    for (const fx::SymInt& size : meta.sizes) sizes.push_back(sizeText(size, tensors));
    if (tensors.empty()) return source_.fail("an operator of another library without tensors");
    return fmt::format("{}.new_empty(({}), dtype={})", tensors.front().second,
                       joined(sizes) + (sizes.size() == 1 ? "," : ""), dtypeText(meta.dtype));
  }
  std::string sizeText(const fx::SymInt& size, const Tensors& tensors) {
    if (size.isStatic()) return std::to_string(size.value());
    for (const auto& [like, name] : tensors)
      for (std::size_t d = 0; d < like->rank(); ++d)
        if (like->sizes[d] == size) return fmt::format("{}.size({})", name, d);
    return source_.fail("an operator of another library that computes sizes");
  }
  std::string schemaType(const fx::Argument& argument) {
    if (argument.isNone()) return "Tensor?";
    if (const fx::NodeId* id = argument.node())
      return program_.node(*id).val.tensor() != nullptr ? "Tensor" : "SymInt";
    if (std::holds_alternative<bool>(argument)) return "bool";
    if (std::holds_alternative<std::int64_t>(argument)) return "int";
    if (std::holds_alternative<double>(argument)) return "float";
    if (std::holds_alternative<std::string>(argument)) return "str";
    if (std::holds_alternative<DType>(argument)) return "ScalarType";
    if (const fx::ArgumentList* list = argument.list(); list != nullptr && !list->empty())
      return schemaType(list->front()) + "[]";
    return source_.fail("an argument of an operator of another library") + "int[]";
  }

  static bool isPure(const fx::Node& node) {
    const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
    return schema != nullptr && !schema->isMutable && !schema->returns.empty();
  }

  /// A subgraph, which its node stands for.
  std::string function(const fx::Node& node, const std::string& indent) {
    const fx::Graph& graph = program_.graph(node.subgraph);
    const std::string name = source_.taken(node.name);
    source_.setText(node.id, name);
    std::vector<std::string> parameters, results;
    for (const fx::NodeId id : graph.nodes) {
      if (program_.node(id).op != fx::NodeOp::Placeholder) continue;
      parameters.push_back(source_.taken(program_.node(id).name));
      source_.setText(id, parameters.back());
    }
    const std::string inner = indent + std::string(kIndent);
    std::string out = fx::pythonLines("def " + name + "(", parameters, ", ", "):", indent);
    out += body(graph, inner);
    if (const fx::ArgumentList* list = program_.output(graph.id).args.front().value.list())
      for (const fx::Argument& result : *list) results.push_back(source_.text(result));
    const std::string tuple =
        results.size() == 1 ? "return (" + results.front() + ",)\n" : returned(results, "");
    return out + inner + tuple;
  }

  static std::string returned(const std::vector<std::string>& results, const std::string& indent) {
    if (results.empty()) return indent + "return ()\n";
    return fx::pythonLines("return ", {joined(results)}, "", "", indent);
  }

  /// A result that the last line computes is returned there.
  void addReturned(const std::vector<std::string>& results) {
    std::string& text = out_.forward;
    const std::size_t last = text.size() < 2 ? 0 : text.rfind('\n', text.size() - 2) + 1;
    const std::string assigned = results.size() == 1 ? results.front() + " = " : std::string();
    if (assigned.empty() || text.compare(last, assigned.size(), assigned) != 0)
      text += returned(results, "");
    else text.replace(last, assigned.size(), "return ");
  }

  void addMutation(const fx::OutputSpec& output) {
    for (const fx::InputSpec& input : program_.inputs) {
      const bool isIt = output.kind == fx::OutputKind::UserInputMutation
                            ? program_.node(input.node).name == output.target
                            : input.target == output.target && fx::isWeight(input.kind);
      if (isIt)
        out_.forward +=
            source_.text(fx::Argument(input.node)) + ".copy_(" + source_.text(output.value) + ")\n";
    }
  }

  const fx::Program& program_;
  const fx::Program* whole_;
  const std::vector<std::vector<fx::NodeId>> users_;
  const read::WeightReader* weights_;
  const RunContext& context_;
  const bool writesAll_, lacksSome_;
  compare::Sizes sizes_;
  std::int64_t runTimeSize_ = kRunTimeSize;
  std::set<std::string> declared_, declaredSizes_;
  std::set<fx::NodeId> isListed_;
  std::vector<std::string> listed_;  ///< their sizes
  std::string allListed_;            ///< as a list of all of them
  fx::PythonSource source_;
  PythonModel out_;
};

}  // namespace

bool PythonModel::isDynamic() const {
  return std::any_of(inputs.begin(), inputs.end(), [](const PythonInput& input) {
    return !input.dynamic.empty() || input.number;
  });
}

std::string PythonModel::parameters() const {
  std::vector<std::string> names{"self"};
  for (const PythonInput& input : inputs) names.push_back(input.name);
  return joined(names);
}

std::string PythonModel::example(const PythonInput& input) {
  if (!input.value.empty()) return input.value;
  if (input.number) return std::to_string(*input.number);
  if (input.strides.empty()) return filled(input.dtype, input.sizes);
  const std::string type = input.dtype == DType::Float32 ? "" : ", dtype=" + dtypeText(input.dtype);
  return fmt::format("torch.empty_strided({}, {}{})", tupleText(input.sizes),
                     tupleText(input.strides), type);
}

std::string PythonModel::dynamicShapes(bool asDerived) const {
  if (!isDynamic()) return "";
  const std::string dynamic = "dynamic";
  std::vector<std::string> entries;
  for (const PythonInput& input : inputs) {
    std::vector<std::string> sizes;
    for (const std::size_t d : input.dynamic) {
      const auto derived = input.derived.find(d);
      const bool isOther = !asDerived || derived == input.derived.end();
      sizes.push_back(fmt::format("{}: {}", d, isOther ? dynamic : derived->second));
    }
    const std::string entry = sizes.empty() ? "None" : "{" + joined(sizes) + "}";
    entries.push_back(fmt::format("\"{}\": {}", input.name, input.number ? dynamic : entry));
  }
  return "{" + joined(entries) + "}";
}

Result<PythonModel> pythonModel(const fx::Program& program, const read::WeightReader* weights,
                                const RunContext& context, WrittenWeights written,
                                const fx::Program* whole) {
  return ModelWriter(program, weights, context, written, whole).written();
}

std::string tensorText(const tensor::Tensor& tensor) {
  if (isComplex(tensor.dtype)) return "";
  std::uint64_t next = 0;
  const std::string elements = elementsText(tensor, 0, next);
  const bool isDefault =
      tensor.dtype == DType::Int64 || tensor.dtype == DType::Bool || tensor.dtype == DType::Float32;
  const bool hasType = isDefault && tensor.elements() > 0;
  return "torch.tensor(" + elements + (hasType ? "" : ", dtype=" + dtypeText(tensor.dtype)) + ")";
}

}  // namespace fxs::upstream
