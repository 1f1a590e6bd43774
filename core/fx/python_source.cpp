// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/python_source.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/joined.h"
#include "base/safe_text.h"
#include "fx/evaluated_text.h"
#include "fx/python_text.h"
#include "ops/schema.h"

namespace fxs::fx {
namespace {

/// What the source refers to.
constexpr std::array<std::string_view, 7> kReserved{"aten", "complex",  "float", "len",
                                                    "math", "operator", "torch"};

}  // namespace

bool isSizeOf(const Node& node) {
  return node.target == "aten.sym_size.int" && node.args.size() == 2;
}

std::string pythonNumber(double v) {
  return std::isfinite(v) ? pythonRepr(v) : "float('" + pythonRepr(v) + "')";
}

std::string pythonTarget(std::string_view target) {
  return (target.starts_with("aten.") ? "" : "torch.ops.") + std::string(target);
}

std::string pythonName(std::string_view wanted) {
  const bool reserved = isPythonKeyword(wanted) ||
                        std::find(kReserved.begin(), kReserved.end(), wanted) != kReserved.end();
  return std::string(wanted) + (reserved ? "_" : "");
}

std::string pythonLines(const std::string& head, const std::vector<std::string>& texts,
                        std::string_view separator, const std::string& tail,
                        const std::string& indent, std::size_t hanging) {
  std::string one = indent + head + joined(texts, separator) + tail;
  if (one.size() <= kPythonColumns) return one + '\n';
  std::string out = indent + head + '\n', line;
  const auto flush = [&] {
    out += indent + std::string(hanging, ' ') + line + '\n';
    line.clear();
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string item = texts[i];
    if (i + 1 < texts.size()) item += separator;
    if (!line.empty() && indent.size() + hanging + line.size() + item.size() > kPythonColumns) {
      while (line.ends_with(' ')) line.pop_back();
      flush();
    }
    line += item;
  }
  flush();
  return out + indent + tail + '\n';
}

std::string PythonSource::fail(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
  return "";
}

std::string PythonSource::taken(std::string_view wanted) {
  const std::string first = pythonName(isIdentifier(wanted) ? wanted : "value");
  std::string name = first;
  for (int n = 1; !taken_.insert(name).second; ++n) name = first + "_" + std::to_string(n);
  return name;
}

std::string PythonSource::calledText(const Node& node) {
  const bool isOperator = ops::SchemaTable::builtin().find(node.target) != nullptr;
  const bool isName = isExportedTarget(node.target) && !node.target.starts_with('#');
  if (!isOperator && (!isName || node.target.starts_with("higher_order.")))
    return fail("a call of " + node.target);
  if (node.target.starts_with("_operator.")) return node.target.substr(1);
  const bool isFunction = node.target.starts_with("torch.") || node.target.starts_with("math.");
  return isFunction ? node.target : pythonTarget(node.target);
}

std::vector<std::string> PythonSource::arguments(const Node& node) {
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  std::vector<std::string> out;
  bool positional = true;
  for (std::size_t i = 0; i < node.args.size(); ++i) {
    const NodeArgument& argument = node.args[i];
    if (schema != nullptr)
      positional &= i < schema->arguments.size() && schema->arguments[i].name == argument.name &&
                    !schema->arguments[i].keywordOnly;
    else positional = !argument.keyword;
    if (!positional && (!isIdentifier(argument.name) || pythonName(argument.name) != argument.name))
      fail("the argument " + argument.name);
    out.push_back((positional ? "" : argument.name + "=") + text(argument.value));
  }
  return out;
}

std::string PythonSource::expression(const Node& node) {
  return calledText(node) + "(" + joined(arguments(node)) + ")";
}

std::string PythonSource::statement(const Node& node, const std::string& indent) {
  if (node.target == kGetitem && node.args.size() > 1) {
    named_[node.id] = text(node.args[0].value) + "[" + text(node.args[1].value) + "]";
    return "";
  }
  if (isSizeOf(node)) {
    named_[node.id] = text(node.args[0].value) + ".shape[" + text(node.args[1].value) + "]";
    return "";
  }
  const std::string called = calledText(node);
  const std::vector<std::string> given = arguments(node);
  named_[node.id] = taken(packetOf(node.target));
  return pythonLines(named_[node.id] + " = " + called + "(", given, ", ", ")", indent, 4);
}

std::string PythonSource::text(const Argument& argument) {
  struct Visitor {
    PythonSource& source;
    std::string operator()(None) const { return "None"; }
    std::string operator()(NodeId id) const {
      const auto found = source.named_.find(id);
      return found == source.named_.end() ? source.fail("a value of another graph") : found->second;
    }
    std::string operator()(bool v) const { return v ? "True" : "False"; }
    std::string operator()(std::int64_t v) const { return std::to_string(v); }
    std::string operator()(double v) const { return pythonNumber(v); }
    std::string operator()(std::complex<double> v) const {
      return "complex(" + pythonNumber(v.real()) + ", " + pythonNumber(v.imag()) + ")";
    }
    std::string operator()(const std::string& v) const {
      return printable(v) == v ? pythonRepr(v) : source.fail("a text with invisible characters");
    }
    std::string operator()(DType v) const { return "torch." + std::string(facts(v).torchName); }
    std::string operator()(Layout v) const { return "torch." + std::string(fxs::name(v)); }
    std::string operator()(MemoryFormat v) const { return "torch." + std::string(fxs::name(v)); }
    std::string operator()(const Device& v) const {
      return "torch.device(" + pythonRepr(v.text()) + ")";
    }
    std::string operator()(const ArgumentList& items) const {
      std::vector<std::string> texts;
      for (const Argument& item : items) texts.push_back(source.text(item));
      return "[" + joined(texts) + "]";
    }
    std::string operator()(const OperatorName&) const {
      return source.fail("an operator as an argument");
    }
    std::string operator()(const ArgumentDict&) const {
      return source.fail("a dict as an argument");
    }
    std::string operator()(const Slice&) const { return source.fail("a slice as an argument"); }
    std::string operator()(const Opaque&) const {
      return source.fail("an argument of unknown kind");
    }
  };
  return std::visit(Visitor{*this}, static_cast<const Argument::variant&>(argument));
}

}  // namespace fxs::fx
