// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/node_program.h"

#include <algorithm>
#include <map>

#include "fx/part.h"

namespace fxs::node_lab {
namespace {

bool isScalar(const fx::Value& value) { return value.symbol() != nullptr; }
bool isPlain(const fx::Value& value) { return value.tensor() != nullptr || isScalar(value); }

/// A scalar that became a constant.
std::optional<fx::Argument> constantOf(const fx::Value& value) {
  const fx::SymValue* symbol = value.symbol();
  if (symbol == nullptr || symbol->expr) return std::nullopt;
  if (const auto* integer = std::get_if<std::int64_t>(&symbol->constant))
    return fx::Argument(*integer);
  if (const auto* real = std::get_if<double>(&symbol->constant)) return fx::Argument(*real);
  if (const auto* boolean = std::get_if<bool>(&symbol->constant)) return fx::Argument(*boolean);
  return std::nullopt;
}

/// Operator overloads ("aten.add.Tensor"), Python arithmetic on scalars, and operators that take
/// subgraphs.
bool isOperation(std::string_view target) {
  if (target.starts_with("_operator.") || target.starts_with("math.") ||
      target.starts_with("torch.sym_") || target.starts_with("torch._sym_") ||
      target.starts_with("higher_order."))
    return true;
  return std::count(target.begin(), target.end(), '.') == 2 && !target.starts_with("torch.") &&
         !target.starts_with("helion.");
}

class NodeExtractor {
 public:
  explicit NodeExtractor(const fx::ProgramPtr& source, const NodeProgramOptions& options = {})
      : source_(*source), part_(source), options_(options) {}

  Result<NodeProgram> call(const fx::Node& node) && {
    FXS_CHECK(check(node));
    std::vector<fx::NodeArgument> args = node.args;
    // Placeholders must precede everything else, including subgraphs, hence two rounds.
    for (const bool placeholders : {true, false})
      for (std::size_t i = 0; i < args.size(); ++i) {
        onlyPlaceholders_ = placeholders;
        fx::NodeArgument& argument = args[i];
        where_ = "node '" + node.name + "' cannot be lowered by itself: its argument" +
                 (argument.name.empty() ? "" : " '" + argument.name + "'");
        FXS_TRY(argument.value, own(node.args[i].value, 0));
      }
    fx::Builder& builder = part_.builder();
    const fx::NodeId made =
        builder.call(builder.main(), node.name, node.target, std::move(args), node.val);
    builder.node(made).origin = originOf(node);
    builder.node(made).meta = {};
    fx::ArgumentList values;
    if (const fx::ValueList* parts = node.val.list()) {
      for (std::size_t i = 0; i < parts->size(); ++i) {
        const fx::Value& value = (*parts)[i];
        if (std::holds_alternative<fx::NoneValue>(value) ||
            std::holds_alternative<fx::Token>(value))
          continue;
        if (options_.parts != nullptr && !options_.parts->contains(i)) continue;
        if (!isPlain(value))
          return fail(ErrorCode::InvalidInput,
                      "node '" + node.name +
                          "' cannot be lowered by itself: the type of its element " +
                          std::to_string(i) + " is unknown");
        const fx::NodeId part = builder.getitem(builder.main(), "getitem", made, i, value);
        builder.node(part).origin = originOf(node);
        values.emplace_back(part);
        out_.results.push_back(i);
      }
      if (values.empty())
        return fail(ErrorCode::InvalidInput,
                    "node '" + node.name + "' cannot be lowered by itself: it has no result");
    } else {
      values.emplace_back(made);
      out_.results.push_back(0);
    }
    return finish(std::move(values), originOf(node));
  }

  Result<NodeProgram> output() && {
    fx::ArgumentList values;
    where_ = "the output cannot be lowered by itself: its operand";
    for (const fx::OutputSpec& spec : source_.outputs) {
      if (spec.kind == fx::OutputKind::Token) continue;
      FXS_TRY(fx::Argument value, own(spec.value, 0));
      // All parts of a list are returned.
      if (const fx::ArgumentList* parts = value.list())
        values.insert(values.end(), parts->begin(), parts->end());
      else values.push_back(std::move(value));
    }
    for (std::size_t i = 0; i < values.size(); ++i) out_.results.push_back(i);
    return finish(std::move(values), originOf(source_.output(source_.main().id)));
  }

  Result<NodeProgram> arguments() && {
    fx::ArgumentList values;
    for (const fx::InputSpec& spec : source_.inputs) {
      const fx::Node& node = source_.node(spec.node);
      if (!isArgument(spec, node)) continue;
      values.emplace_back(placeholder({node.id, 0}, node, node.name, node.val));
      out_.results.push_back(out_.results.size());
    }
    out_.operands.clear();
    return finish(std::move(values), originOf(source_.output(source_.main().id)));
  }

  Result<NodeProgram> constant(const fx::Node& node) && {
    part_.input(node);
    out_.results.push_back(0);
    return finish({part_.at(node.id)}, originOf(node));
  }

 private:
  static Result<> check(const fx::Node& node) {
    const std::string cannot = "node '" + node.name + "' cannot be lowered by itself: ";
    if (node.op != fx::NodeOp::CallFunction)
      return fail(ErrorCode::InvalidInput,
                  cannot + "it is a " + std::string(name(node.op)) + ", not a call of an operator");
    if (node.target == fx::kGetitem)
      if (const fx::NodeArgument* of = node.find("a"); of != nullptr && of->value.node() != nullptr)
        return fail(ErrorCode::InvalidInput,
                    cannot + "it is a getitem; choose the node that it indexes");
    for (const fx::NodeArgument& argument : node.args)
      if (argument.name == "_extra_args" || argument.name == "_extra_deps")
        return fail(ErrorCode::InvalidInput, cannot + "Helion rewrote its operands ('" +
                                                 argument.name +
                                                 "'): its inputs are in other nodes");
    if (!isOperation(node.target))
      return fail(ErrorCode::InvalidInput,
                  cannot + "'" + node.target + "' is not a PyTorch operator with a lowering");
    if (std::holds_alternative<fx::NoneValue>(node.val))
      return fail(ErrorCode::InvalidInput, cannot + "it has no result");
    if (!isPlain(node.val) && node.val.list() == nullptr)
      return fail(ErrorCode::InvalidInput, cannot + "its value is unknown");
    return {};
  }

  fx::NodeId originOf(const fx::Node& node) const {
    return source_.original ? node.origin : node.id;
  }

  fx::NodeId placeholder(PartOf value, const fx::Node& node, const std::string& name,
                         const fx::Value& val) {
    const auto found = made_.find(value);
    if (found != made_.end()) return found->second;
    fx::Builder& builder = part_.builder();
    const fx::NodeId id = builder.placeholder(builder.main(), name, val);
    builder.node(id).origin = originOf(node);
    fx::InputSpec spec;
    spec.node = id;
    part_.program().inputs.push_back(std::move(spec));
    made_.emplace(value, id);
    out_.operands.push_back(value);
    return id;
  }

  /// Maps an argument to the new program; a list value becomes the list of its parts.
  Result<fx::Argument> own(const fx::Argument& argument, int depth) {
    if (depth > 16) return fail(ErrorCode::InvalidInput, where_ + " is nested too deeply");
    if (const fx::NodeId* id = argument.node()) return operand(source_.node(*id));
    if (const auto* object = std::get_if<fx::Opaque>(&argument))
      return fail(ErrorCode::InvalidInput, where_ + " is known only as text: " + object->text);
    if (const fx::ArgumentList* items = argument.list()) {
      fx::ArgumentList out;
      for (const fx::Argument& item : *items) {
        FXS_TRY(fx::Argument one, own(item, depth + 1));
        out.push_back(std::move(one));
      }
      return fx::Argument(std::move(out));
    }
    if (const auto* dict = std::get_if<fx::ArgumentDict>(&argument)) {
      fx::ArgumentDict out;
      for (const auto& [key, value] : *dict) {
        FXS_TRY(fx::Argument one, own(value, depth + 1));
        out.emplace_back(key, std::move(one));
      }
      return fx::Argument(std::move(out));
    }
    if (std::holds_alternative<fx::Slice>(argument))
      return fail(ErrorCode::InvalidInput,
                  where_ + " is a slice, which is not an operator argument");
    return argument;
  }

  Result<fx::Argument> operand(const fx::Node& node) {
    if (node.op == fx::NodeOp::GetAttr && node.subgraph.valid()) return subgraph(node);
    if (const fx::InputSpec* spec =
            node.op == fx::NodeOp::Placeholder ? source_.inputOf(node.id) : nullptr) {
      if (isFixed(*spec, node)) return spec->constant;
      if (staysConstant(*spec, node)) {
        if (!part_.at(node.id).valid()) part_.input(node);
        return fx::Argument(part_.at(node.id));
      }
    }
    if (const auto constant = constantOf(node.val)) return *constant;
    if (isPlain(node.val))
      return fx::Argument(placeholder({node.id, 0}, node, node.name, node.val));
    if (std::holds_alternative<fx::NoneValue>(node.val)) return fx::Argument(fx::None{});
    if (const fx::ValueList* parts = node.val.list()) return listOf(node, *parts);
    return noOperand(node);
  }

  Result<fx::Argument> subgraph(const fx::Node& node) {
    if (onlyPlaceholders_) return fx::Argument(fx::None{});
    fx::Builder& builder = part_.builder();
    if (!part_.at(node.id).valid()) part_.copy(builder.main(), node);
    return fx::Argument(part_.at(node.id));
  }

  static bool isFixed(const fx::InputSpec& spec, const fx::Node& node) {
    return !isWeight(spec.kind) && !isArgument(spec, node) &&
           spec.kind != fx::InputKind::CustomObject && spec.kind != fx::InputKind::Token;
  }

  bool staysConstant(const fx::InputSpec& spec, const fx::Node& node) const {
    return isWeight(spec.kind) && options_.constantsInside != nullptr &&
           options_.constantsInside->contains(node.id);
  }

  Result<fx::Argument> listOf(const fx::Node& node, const fx::ValueList& parts) {
    fx::ArgumentList out;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!isPlain(parts[i]))
        return fail(ErrorCode::InvalidInput, where_ + " is '" + node.name + "', whose element " +
                                                 std::to_string(i) + " is unknown");
      out.emplace_back(
          placeholder({node.id, i}, node, node.name + "_" + std::to_string(i), parts[i]));
    }
    return fx::Argument(std::move(out));
  }

  tl::unexpected<Error> noOperand(const fx::Node& node) const {
    const std::string operand = where_ + " is '" + node.name + "', ";
    if (const auto* object = std::get_if<fx::CustomObject>(&node.val))
      return fail(ErrorCode::InvalidInput,
                  operand + "a custom object of class " + object->classFqn);
    if (std::holds_alternative<fx::Token>(node.val))
      return fail(ErrorCode::InvalidInput, operand + "a token that orders effects");
    return fail(ErrorCode::InvalidInput, operand + "whose value is unknown");
  }

  /// `origin`: the user's node of the returned values.
  Result<NodeProgram> finish(fx::ArgumentList values, fx::NodeId origin) {
    for (const fx::Argument& value : values)
      part_.program().outputs.push_back({fx::OutputKind::UserOutput, value, {}});
    fx::Builder& builder = part_.builder();
    builder.node(builder.output(builder.main(), std::move(values))).origin = origin;
    FXS_TRY(out_.program, std::move(part_).finish());
    return std::move(out_);
  }

  const fx::Program& source_;
  fx::Part part_;
  const NodeProgramOptions options_;
  std::map<PartOf, fx::NodeId> made_;
  std::string where_;
  bool onlyPlaceholders_ = false;
  NodeProgram out_;
};

}  // namespace

bool isArgument(const fx::InputSpec& spec, const fx::Node& node) {
  if (spec.kind != fx::InputKind::UserInput) return false;
  return node.val.tensor() != nullptr || (node.val.symbol() != nullptr && spec.constant.isNone());
}

Result<NodeProgram> programOf(const fx::ProgramPtr& source, fx::NodeId node,
                              const NodeProgramOptions& options) {
  return NodeExtractor(source, options).call(source->node(node));
}
Result<NodeProgram> outputProgramOf(const fx::ProgramPtr& source,
                                    const NodeProgramOptions& options) {
  return NodeExtractor(source, options).output();
}
Result<NodeProgram> argumentProgramOf(const fx::ProgramPtr& source) {
  return NodeExtractor(source).arguments();
}
Result<NodeProgram> constantProgramOf(const fx::ProgramPtr& source, fx::NodeId placeholder) {
  return NodeExtractor(source).constant(source->node(placeholder));
}

}  // namespace fxs::node_lab
