// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/python_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/joined.h"
#include "fx/python_source.h"
#include "fx/python_text.h"
#include "ops/schema.h"
#include "rewrite/nested_calls.h"
#include "rewrite/rewrite.h"
#include "rewrite/transcription.h"

namespace fxs::rewrite {
namespace {

/// One call and its replacement, as a branch of the function. The first problem is kept, and what
/// is printed is then of no use.
class Branch {
 public:
  Branch(const ReplacedCall& call, const ops::Schema& schema)
      : call_(call), schema_(schema), node_(callOf(*call.call)) {}

  std::string problem() const {
    return source_.problem().empty() ? ""
                                     : source_.problem() + ", which a Python function cannot have";
  }

  /// "self.dtype == torch.float32", "self.shape == (2, 3)", "dim == -1" ..: what tells this call
  /// from others.
  std::vector<std::string> conditions() { return conditionsOf(*call_.call, node_); }

  /// The statements, and the return.
  std::string body(const std::string& indent) {
    const fx::Program& program = *call_.replacement;
    const std::vector<std::string> own = conditions();
    nameInputs(program);
    NestedCalls calls(source_, program, indent);
    for (const fx::NodeId id : program.main().nodes) {
      const fx::Node& node = program.node(id);
      if (node.op == fx::NodeOp::Placeholder || node.op == fx::NodeOp::Output) continue;
      if (node.op != fx::NodeOp::CallFunction)
        return source_.fail("'" + node.name + "' is a " + std::string(fx::name(node.op)));
      if (node.target == node_.target && conditionsOf(program, node) == own)
        return source_.fail("a call of itself");
      if (isDecomposedAboveAutograd(node.target))
        return source_.fail("a call of " + node.target +
                            ", which PyTorch decomposes differently there");
      calls.add(node);
    }
    const bool isList = schema_.returns.size() == 1 && schema_.returns.front().type.isList();
    return calls.returning(*program.output(program.main().id).args.front().value.list(), isList);
  }

  /// Whether an argument says where the result is stored, and not what it is.
  static bool isStorage(const ops::SchemaArgument& argument) {
    const ops::TypeKind kind = argument.type.kind;
    return kind == ops::TypeKind::Device || kind == ops::TypeKind::Generator ||
           kind == ops::TypeKind::Layout || argument.name == "pin_memory" ||
           argument.name == "non_blocking";
  }

 private:
  static const fx::Node& callOf(const fx::Program& program) {
    return *std::find_if(program.nodes.begin(), program.nodes.end(), [](const fx::Node& node) {
      return node.op == fx::NodeOp::CallFunction && node.target != fx::kGetitem;
    });
  }

  std::vector<std::string> conditionsOf(const fx::Program& program, const fx::Node& node) {
    std::vector<std::string> out;
    firstFloat_.clear();
    places_.clear();
    for (const ops::SchemaArgument& argument : schema_.arguments) {
      const std::string parameter = fx::pythonName(argument.name);
      const fx::Argument value = argumentOf(node, argument.name);
      if (isStorage(argument)) continue;
      // A default that is a list is known to the schema alone.
      if (given(node, argument.name) == nullptr &&
          std::holds_alternative<ops::DefaultList>(argument.defaultValue))
        continue;
      if (argument.type.optional && (value.node() != nullptr || value.list() != nullptr))
        out.push_back(parameter + " is not None");
      addCondition(out, parameter, value, program);
    }
    return out;
  }
  void addCondition(std::vector<std::string>& out, const std::string& parameter,
                    const fx::Argument& value, const fx::Program& program) {
    if (const fx::NodeId* id = value.node()) {
      const fx::TensorMeta* meta = program.node(*id).val.tensor();
      if (meta == nullptr) {
        out.push_back("isinstance(" + parameter +
                      ", (torch.SymInt, torch.SymFloat, torch.SymBool))");
        return;
      }
      addDType(out, parameter, meta->dtype);
      addShape(out, parameter, *meta);
      return;
    }
    if (const fx::ArgumentList* items = value.list()) {
      const bool constants = std::none_of(
          items->begin(), items->end(), [](const fx::Argument& a) { return a.node() != nullptr; });
      if (constants) {
        out.push_back("list(" + parameter + ") == " + source_.text(value));
        return;
      }
      out.push_back("len(" + parameter + ") == " + std::to_string(items->size()));
      for (std::size_t i = 0; i < items->size(); ++i)
        addCondition(out, parameter + "[" + std::to_string(i) + "]", (*items)[i], program);
      return;
    }
    const bool isWord = value.isNone() || std::holds_alternative<bool>(value);
    out.push_back(parameter + (isWord ? " is " : " == ") + source_.text(value));
  }
  void addDType(std::vector<std::string>& out, const std::string& parameter, DType dtype) {
    if (!call_.isOfAnyFloat || !isFloating(dtype)) {
      out.push_back(parameter + ".dtype == torch." + std::string(facts(dtype).torchName));
    } else if (firstFloat_.empty()) {
      out.push_back(parameter + ".is_floating_point()");
      firstFloat_ = parameter;
    } else {
      out.push_back(parameter + ".dtype == " + firstFloat_ + ".dtype");
    }
  }
  void addShape(std::vector<std::string>& out, const std::string& parameter,
                const fx::TensorMeta& meta) {
    if (meta.rank() > 0 && meta.isStaticShape() && !call_.isOfAnyRank) {
      std::string sizes;
      for (const fx::SymInt& size : meta.sizes) sizes += (sizes.empty() ? "" : ", ") + size.text();
      out.push_back(parameter + ".shape == (" + sizes + (meta.rank() == 1 ? ",)" : ")"));
      return;
    }
    if (!call_.isOfAnyRank) out.push_back(parameter + ".dim() == " + std::to_string(meta.rank()));
    for (std::size_t d = 0; d < meta.rank(); ++d) {
      const std::string size = parameter + ".shape[" + std::to_string(d) + "]";
      if (meta.sizes[d].isStatic()) {
        out.push_back(size + " == " + meta.sizes[d].text());
        continue;
      }
      const auto [first, isNew] = places_.emplace(meta.sizes[d].text(), size);
      if (!isNew && call_.isGeneral) out.push_back(size + " == " + first->second);
    }
  }

  /// The inputs of the replacement are those of the call: an operand's name is that of the
  /// argument.
  void nameInputs(const fx::Program& program) {
    std::map<fx::NodeId, std::string> operands;
    const auto nameOperand = [&](const fx::Argument& value, const std::string& as,
                                 const auto& self) -> void {
      if (const fx::NodeId* id = value.node()) operands.emplace(*id, as);
      if (const fx::ArgumentList* items = value.list())
        for (std::size_t i = 0; i < items->size(); ++i)
          self((*items)[i], as + "[" + std::to_string(i) + "]", self);
    };
    for (const fx::NodeArgument& argument : node_.args)
      if (schema_.find(argument.name) == nullptr) source_.fail("the argument " + argument.name);
    for (const fx::NodeArgument& argument : node_.args)
      nameOperand(argument.value, fx::pythonName(argument.name), nameOperand);
    for (const ops::SchemaArgument& argument : schema_.arguments)
      source_.keep(fx::pythonName(argument.name));
    for (std::size_t i = 0; i < program.inputs.size() && i < call_.call->inputs.size(); ++i)
      source_.setText(program.inputs[i].node, operands[call_.call->inputs[i].node]);
  }

  const ReplacedCall& call_;
  const ops::Schema& schema_;
  const fx::Node& node_;
  fx::PythonSource source_;  // of the replacement
  // Of the conditions so far: the operand whose floating-point type the others have, and where each
  // symbol is a size.
  std::string firstFloat_;
  std::map<std::string, std::string> places_;
};

std::string defaultText(const ops::SchemaArgument& argument) {
  struct Visitor {
    std::string operator()(const ops::NoDefault&) const { return ""; }
    std::string operator()(const ops::NoneDefault&) const { return "=None"; }
    std::string operator()(bool v) const { return v ? "=True" : "=False"; }
    std::string operator()(std::int64_t v) const { return "=" + std::to_string(v); }
    std::string operator()(double v) const { return "=" + fx::pythonNumber(v); }
    std::string operator()(const std::string& v) const { return "=" + fx::pythonRepr(v); }
    std::string operator()(const ops::DefaultList& v) const {
      std::vector<std::string> items;
      for (const auto& item : v)
        items.push_back(std::visit([&](auto value) { return (*this)(value).substr(1); }, item));
      return "=(" + joined(items) + (items.size() == 1 ? ",)" : ")");
    }
  };
  return std::visit(Visitor{}, argument.defaultValue);
}

Result<const ops::Schema*> schemaOf(const std::string& target) {
  if (const ops::Schema* schema = ops::SchemaTable::builtin().find(target)) return schema;
  return fail(ErrorCode::Unsupported,
              target + " is not an operator of PyTorch, and has no entry in a decomposition table");
}

std::vector<std::string> parametersOf(const ops::Schema& schema) {
  std::vector<std::string> out;
  bool keywordOnly = false;
  for (const ops::SchemaArgument& argument : schema.arguments) {
    if (argument.keywordOnly && !keywordOnly) out.emplace_back("*");
    keywordOnly |= argument.keywordOnly;
    out.push_back(fx::pythonName(argument.name) + defaultText(argument));
  }
  return out;
}

/// `head`, the texts and `tail`, in as few lines as they fit into.
std::string filledLines(const std::string& head, const std::vector<std::string>& texts,
                        std::string_view separator, std::string_view tail, std::size_t hanging) {
  std::string out, line = head;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool isLast = i + 1 == texts.size();
    const std::string item = texts[i] + std::string(isLast ? tail : separator);
    if (line.size() + item.size() > fx::kPythonColumns && line != head) {
      while (line.ends_with(' ')) line.pop_back();
      out += line + '\n';
      line = std::string(hanging, ' ');
    }
    line += item;
  }
  return out + line + '\n';
}

std::string headOf(const ops::Schema& schema, std::string_view target) {
  return filledLines("def " + pythonFunctionName(target) + "(", parametersOf(schema), ", ",
                     "):", 8);
}

/// "    if a and b:"
std::string conditionLines(const std::vector<std::string>& conditions) {
  const std::string line = "    if " + joined(conditions, " and ") + ":";
  if (line.size() <= fx::kPythonColumns) return line + '\n';
  return filledLines("    if (", conditions, " and ", "):", 12);
}

}  // namespace

std::string pythonFunctionName(std::string_view target) {
  constexpr std::string_view kDefault = ".default";
  if (target.ends_with(kDefault)) target.remove_suffix(kDefault.size());
  std::string out(target);
  std::replace(out.begin(), out.end(), '.', '_');
  return out;
}

Result<std::string> pythonFunction(std::string_view target, std::string_view body) {
  FXS_TRY(const ops::Schema* schema, schemaOf(std::string(target)));
  return headOf(*schema, target) + std::string(body);
}

Result<std::string> pythonFunction(const std::vector<ReplacedCall>& calls) {
  const fx::Program& first = *calls.front().call;
  const auto called = std::find_if(first.nodes.begin(), first.nodes.end(), [](const fx::Node& n) {
    return n.op == fx::NodeOp::CallFunction;
  });
  const std::string& target = called->target;
  FXS_TRY(const ops::Schema* schema, schemaOf(target));
  std::string out = headOf(*schema, target);
  std::set<std::vector<std::string>> known;
  std::vector<const ReplacedCall*> distinct;
  for (const ReplacedCall& call : calls)
    if (known.insert(Branch(call, *schema).conditions()).second) distinct.push_back(&call);
  // A call is replaced by the most special branch that is for it.
  std::ranges::stable_sort(distinct, {}, [&](const ReplacedCall* call) {
    const auto conditions = std::ssize(Branch(*call, *schema).conditions());
    return std::pair(call->isGeneral, call->isGeneral ? -conditions : 0);
  });
  for (const ReplacedCall* call : distinct) {
    Branch branch(*call, *schema);
    const std::vector<std::string> conditions = branch.conditions();
    if (conditions.empty()) out += branch.body("    ");
    else out += conditionLines(conditions) + branch.body("        ");
    if (!branch.problem().empty())
      return fail(ErrorCode::Unsupported, target + " becomes " + branch.problem());
  }
  if (!known.contains({})) out += "    return NotImplemented\n";
  return out;
}

}  // namespace fxs::rewrite
