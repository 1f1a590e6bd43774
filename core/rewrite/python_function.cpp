// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/python_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "base/joined.h"
#include "fx/evaluated_text.h"
#include "fx/python_text.h"
#include "ops/schema.h"
#include "rewrite/rewrite.h"
#include "rewrite/transcription.h"

namespace fxs::rewrite {
namespace {

/// What the functions refer to.
constexpr std::array<std::string_view, 7> kReserved{"aten", "complex",  "float", "len",
                                                    "math", "operator", "torch"};
/// Columns of a function.
constexpr std::size_t kColumns = 110;

std::string pythonNumber(double v) {
  return std::isfinite(v) ? fx::pythonRepr(v) : "float('" + fx::pythonRepr(v) + "')";
}

/// Texts in brackets, one line or as many as are needed.
std::string wrapped(const std::string& head, const std::vector<std::string>& texts,
                    std::string_view separator, const std::string& tail,
                    const std::string& indent) {
  std::string one = indent + head + joined(texts, separator) + tail;
  if (one.size() <= kColumns) return one + '\n';
  std::string out = indent + head + '\n', line;
  const auto flush = [&] {
    out += indent + "        " + line + '\n';
    line.clear();
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string item = texts[i];
    if (i + 1 < texts.size()) item += separator;
    if (!line.empty() && indent.size() + 8 + line.size() + item.size() > kColumns) {
      while (line.ends_with(' ')) line.pop_back();
      flush();
    }
    line += item;
  }
  flush();
  return out + indent + tail + '\n';
}

/// One call and its replacement, as a branch of the function. The first problem is kept, and what
/// is printed is then of no use.
class Branch {
 public:
  Branch(const ReplacedCall& call, const ops::Schema& schema)
      : call_(call), schema_(schema), node_(callOf(*call.call)) {}

  const std::string& problem() const { return problem_; }

  /// "self.dtype == torch.float32", "self.shape == (2, 3)", "dim == -1" ..: what tells this call
  /// from others.
  std::vector<std::string> conditions() { return conditionsOf(*call_.call, node_); }

  /// The statements, and the return.
  std::string body(const std::string& indent) {
    const fx::Program& program = *call_.replacement;
    const std::vector<std::string> own = conditions();
    nameInputs(program);
    std::string out;
    for (const fx::NodeId id : program.main().nodes) {
      const fx::Node& node = program.node(id);
      if (node.op == fx::NodeOp::Placeholder || node.op == fx::NodeOp::Output) continue;
      if (node.op != fx::NodeOp::CallFunction)
        return fail("'" + node.name + "' is a " + std::string(fx::name(node.op)));
      if (node.target == fx::kGetitem && node.args.size() > 1) {
        named_[id] = text(node.args[0].value) + "[" + text(node.args[1].value) + "]";
        continue;
      }
      if (node.target == node_.target && conditionsOf(program, node) == own)
        return fail("a call of itself");
      if (isDecomposedAboveAutograd(node.target))
        return fail("a call of " + node.target + ", which PyTorch decomposes differently there");
      const std::string called = calledText(node);
      named_[id] = taken(packetOf(node.target));
      out += wrapped(named_[id] + " = " + called + "(", arguments(node), ", ", ")", indent);
    }
    const fx::ArgumentList* results = program.output(program.main().id).args.front().value.list();
    std::vector<std::string> texts;
    for (const fx::Argument& result : *results) texts.push_back(text(result));
    const bool isList = schema_.returns.size() == 1 && schema_.returns.front().type.isList();
    return out + indent + "return " + (isList ? "[" + joined(texts) + "]" : joined(texts)) + "\n";
  }

  /// Whether an argument says where the result is stored, and not what it is.
  static bool isStorage(const ops::SchemaArgument& argument) {
    const ops::TypeKind kind = argument.type.kind;
    return kind == ops::TypeKind::Device || kind == ops::TypeKind::Generator ||
           kind == ops::TypeKind::Layout || argument.name == "pin_memory" ||
           argument.name == "non_blocking";
  }

  static std::string pythonParameter(std::string_view name) { return nameFor(name); }

 private:
  static const fx::Node& callOf(const fx::Program& program) {
    return *std::find_if(program.nodes.begin(), program.nodes.end(), [](const fx::Node& node) {
      return node.op == fx::NodeOp::CallFunction && node.target != fx::kGetitem;
    });
  }
  static std::string nameFor(std::string_view wanted) {
    const bool reserved = fx::isPythonKeyword(wanted) ||
                          std::find(kReserved.begin(), kReserved.end(), wanted) != kReserved.end();
    return std::string(wanted) + (reserved ? "_" : "");
  }
  std::string fail(std::string message) {
    if (problem_.empty()) problem_ = std::move(message) + ", which a Python function cannot have";
    return "";
  }

  std::vector<std::string> conditionsOf(const fx::Program& program, const fx::Node& node) {
    std::vector<std::string> out;
    for (const ops::SchemaArgument& argument : schema_.arguments) {
      const std::string parameter = pythonParameter(argument.name);
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
      out.push_back(parameter + ".dtype == torch." + std::string(facts(meta->dtype).torchName));
      addShape(out, parameter, *meta);
      return;
    }
    if (const fx::ArgumentList* items = value.list()) {
      const bool constants = std::none_of(
          items->begin(), items->end(), [](const fx::Argument& a) { return a.node() != nullptr; });
      if (constants) {
        out.push_back("list(" + parameter + ") == " + text(value));
        return;
      }
      out.push_back("len(" + parameter + ") == " + std::to_string(items->size()));
      for (std::size_t i = 0; i < items->size(); ++i)
        addCondition(out, parameter + "[" + std::to_string(i) + "]", (*items)[i], program);
      return;
    }
    const bool isWord = value.isNone() || std::holds_alternative<bool>(value);
    out.push_back(parameter + (isWord ? " is " : " == ") + text(value));
  }
  static void addShape(std::vector<std::string>& out, const std::string& parameter,
                       const fx::TensorMeta& meta) {
    if (meta.isStaticShape()) {
      std::string sizes;
      for (const fx::SymInt& size : meta.sizes) sizes += (sizes.empty() ? "" : ", ") + size.text();
      out.push_back(parameter + ".shape == (" + sizes + (meta.rank() == 1 ? ",)" : ")"));
      return;
    }
    out.push_back(parameter + ".dim() == " + std::to_string(meta.rank()));
    for (std::size_t d = 0; d < meta.rank(); ++d)
      if (meta.sizes[d].isStatic())
        out.push_back(parameter + ".shape[" + std::to_string(d) + "] == " + meta.sizes[d].text());
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
      if (schema_.find(argument.name) == nullptr) fail("the argument " + argument.name);
    for (const fx::NodeArgument& argument : node_.args)
      nameOperand(argument.value, pythonParameter(argument.name), nameOperand);
    for (const ops::SchemaArgument& argument : schema_.arguments)
      taken_.insert(pythonParameter(argument.name));
    for (std::size_t i = 0; i < program.inputs.size() && i < call_.call->inputs.size(); ++i)
      named_[program.inputs[i].node] = operands[call_.call->inputs[i].node];
  }
  std::string taken(std::string_view packet) {
    const std::string wanted = nameFor(fx::isIdentifier(packet) ? packet : "value");
    std::string name = wanted;
    for (int n = 1; !taken_.insert(name).second; ++n) name = wanted + "_" + std::to_string(n);
    return name;
  }

  std::string calledText(const fx::Node& node) {
    const bool isOperator = ops::SchemaTable::builtin().find(node.target) != nullptr;
    if (!isOperator &&
        (!fx::isExportedTarget(node.target) || node.target.starts_with("higher_order.")))
      return fail("a call of " + node.target);
    if (isOperator) return pythonTarget(node.target);
    return node.target.starts_with("_operator.") ? node.target.substr(1) : node.target;
  }
  /// By position up to the first argument that is left out, then by name.
  std::vector<std::string> arguments(const fx::Node& node) {
    const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
    std::vector<std::string> out;
    bool positional = true;
    for (std::size_t i = 0; i < node.args.size(); ++i) {
      const fx::NodeArgument& argument = node.args[i];
      if (schema != nullptr)
        positional &= i < schema->arguments.size() && schema->arguments[i].name == argument.name &&
                      !schema->arguments[i].keywordOnly;
      else positional = !argument.keyword;
      if (!positional && nameFor(argument.name) != argument.name)
        fail("the argument " + argument.name);
      out.push_back((positional ? "" : argument.name + "=") + text(argument.value));
    }
    return out;
  }

  std::string text(const fx::Argument& argument) {
    struct Visitor {
      Branch& branch;
      std::string operator()(fx::None) const { return "None"; }
      std::string operator()(fx::NodeId id) const { return branch.named_[id]; }
      std::string operator()(bool v) const { return v ? "True" : "False"; }
      std::string operator()(std::int64_t v) const { return std::to_string(v); }
      std::string operator()(double v) const { return pythonNumber(v); }
      std::string operator()(std::complex<double> v) const {
        return "complex(" + pythonNumber(v.real()) + ", " + pythonNumber(v.imag()) + ")";
      }
      std::string operator()(const std::string& v) const { return fx::pythonRepr(v); }
      std::string operator()(DType v) const { return "torch." + std::string(facts(v).torchName); }
      std::string operator()(Layout v) const { return "torch." + std::string(fxs::name(v)); }
      std::string operator()(MemoryFormat v) const { return "torch." + std::string(fxs::name(v)); }
      std::string operator()(const Device& v) const {
        return "torch.device(" + fx::pythonRepr(v.text()) + ")";
      }
      std::string operator()(const fx::ArgumentList& items) const {
        std::vector<std::string> texts;
        for (const fx::Argument& item : items) texts.push_back(branch.text(item));
        return "[" + joined(texts) + "]";
      }
      std::string operator()(const fx::OperatorName&) const {
        return branch.fail("an operator as an argument");
      }
      std::string operator()(const fx::ArgumentDict&) const {
        return branch.fail("a dict as an argument");
      }
      std::string operator()(const fx::Slice&) const {
        return branch.fail("a slice as an argument");
      }
      std::string operator()(const fx::Opaque&) const {
        return branch.fail("an argument of unknown kind");
      }
    };
    return std::visit(Visitor{*this}, static_cast<const fx::Argument::variant&>(argument));
  }

  const ReplacedCall& call_;
  const ops::Schema& schema_;
  const fx::Node& node_;
  std::map<fx::NodeId, std::string> named_;  // of the replacement
  std::set<std::string> taken_;
  std::string problem_;
};

std::string defaultText(const ops::SchemaArgument& argument) {
  struct Visitor {
    std::string operator()(const ops::NoDefault&) const { return ""; }
    std::string operator()(const ops::NoneDefault&) const { return "=None"; }
    std::string operator()(bool v) const { return v ? "=True" : "=False"; }
    std::string operator()(std::int64_t v) const { return "=" + std::to_string(v); }
    std::string operator()(double v) const { return "=" + pythonNumber(v); }
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
    out.push_back(Branch::pythonParameter(argument.name) + defaultText(argument));
  }
  return out;
}

std::string headOf(const ops::Schema& schema, std::string_view target) {
  return wrapped("def " + pythonFunctionName(target) + "(", parametersOf(schema), ", ", "):", "");
}

}  // namespace

std::string pythonFunctionName(std::string_view target) {
  constexpr std::string_view kDefault = ".default";
  if (target.ends_with(kDefault)) target.remove_suffix(kDefault.size());
  std::string out(target);
  std::replace(out.begin(), out.end(), '.', '_');
  return out;
}

std::string pythonTarget(std::string_view target) {
  return (target.starts_with("aten.") ? "" : "torch.ops.") + std::string(target);
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
  for (const ReplacedCall& call : calls) {
    Branch branch(call, *schema);
    const std::vector<std::string> conditions = branch.conditions();
    if (!known.insert(conditions).second) continue;
    if (conditions.empty()) out += branch.body("    ");
    else out += wrapped("if (", conditions, " and ", "):", "    ") + branch.body("        ");
    if (!branch.problem().empty())
      return fail(ErrorCode::Unsupported, target + " becomes " + branch.problem());
  }
  if (!known.contains({})) out += "    return NotImplemented\n";
  return out;
}

}  // namespace fxs::rewrite
