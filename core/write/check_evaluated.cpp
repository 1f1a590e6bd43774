// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "write/check_evaluated.h"

#include <unordered_set>

#include "fx/evaluated_text.h"

namespace fxs::write {
namespace {

constexpr std::string_view kLetters = ", which has characters other than letters, digits and '_'";

class Check {
 public:
  explicit Check(const fx::Program& program) : program_(program) {}

  Result<> run() {
    for (const fx::Node& node : program_.nodes) {
      subject_ = "node " + fx::shownText(node.name);
      FXS_CHECK(of(node));
    }
    for (const fx::InputSpec& spec : program_.inputs) {
      subject_ = "input " + fx::shownText(program_.node(spec.node).name);
      FXS_CHECK(qualified(spec.target));
      FXS_CHECK(argument(spec.constant));
    }
    for (const fx::OutputSpec& spec : program_.outputs) {
      subject_ = "an output";
      FXS_CHECK(qualified(spec.target));
      FXS_CHECK(argument(spec.value));
    }
    for (const fx::Weight& weight : program_.weights) {
      subject_ = "a weight";
      FXS_CHECK(qualified(weight.fqn));
    }
    subject_ = "a range constraint";
    for (const fx::RangeConstraint& range : program_.ranges) FXS_CHECK(rangeOf(range.symbol));
    return {};
  }

 private:
  tl::unexpected<Error> refused(const std::string& reason) const {
    return fail(
        ErrorCode::Unsupported,
        subject_ + " cannot be written to a .pt2, whose strings PyTorch evaluates: " + reason);
  }

  Result<> of(const fx::Node& node) {
    if (!fx::isIdentifier(node.name))
      return refused("its name has characters other than letters, digits and '_'");
    if (node.op == fx::NodeOp::CallFunction) {
      FXS_CHECK(target(node.target));
    } else if (node.op != fx::NodeOp::Output && !fx::isQualifiedName(node.target)) {
      return refused("its target " + fx::shownText(node.target) +
                     " has quotes, backslashes or control characters");
    }
    // Names of subgraphs and of constant arguments of forward() are used in generated Python
    // source.
    const bool isName = (node.op == fx::NodeOp::GetAttr && node.subgraph.valid()) ||
                        node.op == fx::NodeOp::Placeholder;
    if (isName && !fx::isIdentifier(node.target))
      return refused("its target is " + fx::shownText(node.target) + std::string(kLetters));
    for (const fx::NodeArgument& each : node.args) {
      if (!each.name.empty() && !fx::isIdentifier(each.name))
        return refused("one of its arguments is named " + fx::shownText(each.name) +
                       std::string(kLetters));
      FXS_CHECK(argument(each.value));
    }
    return value(node.val);
  }

  Result<> target(const std::string& text) const {
    if (fx::isExportedTarget(text)) return {};
    return refused(fx::shownText(text) +
                   " is neither an operator nor a function that an exported program can call");
  }

  Result<> qualified(const std::string& name) const {
    if (name.empty() || fx::isQualifiedName(name)) return {};
    return refused("the name " + fx::shownText(name) +
                   " has quotes, backslashes or control characters");
  }

  Result<> device(const Device& device) const {
    if (device.type.empty() || fx::isIdentifier(device.type)) return {};
    return refused(fx::shownText(device.type) + " is not a kind of device");
  }

  Result<> argument(const fx::Argument& argument) const {
    if (const auto* op = std::get_if<fx::OperatorName>(&argument)) return target(op->name);
    if (const auto* device = std::get_if<Device>(&argument)) return this->device(*device);
    if (const fx::ArgumentList* items = argument.list())
      for (const fx::Argument& item : *items) FXS_CHECK(this->argument(item));
    if (const auto* entries = std::get_if<fx::ArgumentDict>(&argument))
      for (const auto& [key, item] : *entries) FXS_CHECK(this->argument(item));
    return {};
  }

  Result<> value(const fx::Value& value) {
    if (const fx::TensorMeta* tensor = value.tensor()) {
      FXS_CHECK(device(tensor->device));
      for (const fx::SymInt& size : tensor->sizes) FXS_CHECK(expression(size.expr()));
      for (const fx::SymInt& stride : tensor->strides) FXS_CHECK(expression(stride.expr()));
      return expression(tensor->storageOffset.expr());
    }
    if (const fx::SymValue* symbol = value.symbol()) return expression(symbol->expr);
    if (const auto* object = std::get_if<fx::CustomObject>(&value);
        object != nullptr && !fx::isTargetText(object->classFqn))
      return refused("its class " + fx::shownText(object->classFqn) + " is not a name");
    if (const fx::ValueList* parts = value.list())
      for (const fx::Value& part : *parts) FXS_CHECK(this->value(part));
    return {};
  }

  Result<> expression(const fx::SymExprPtr& expr) {
    if (expr == nullptr || !checked_.insert(expr.get()).second) return {};
    std::vector<const fx::SymExpr*> stack{expr.get()};
    while (!stack.empty()) {
      const fx::SymExpr& e = *stack.back();
      stack.pop_back();
      if (e.kind == fx::SymExpr::Kind::Symbol && !fx::isSymbolName(e.name))
        return refused("a symbol of its sizes is named " + fx::shownText(e.name));
      if (e.kind == fx::SymExpr::Kind::Call && !fx::isSympyHead(e.name, !e.operands.empty()))
        return refused("its sizes use " + fx::shownText(e.name) +
                       ", which is not a function of sympy that PyTorch writes");
      for (const fx::SymExprPtr& operand : e.operands) stack.push_back(operand.get());
    }
    return {};
  }

  /// A symbol, or the expression that PyTorch found a dimension to be.
  Result<> rangeOf(const std::string& symbol) {
    if (fx::isSymbolName(symbol)) return {};
    const auto expr = fx::parseInfix(symbol);
    if (!expr)
      return refused(fx::shownText(symbol) + " is neither a symbol nor an expression of symbols");
    return expression(*expr);
  }

  const fx::Program& program_;
  std::string subject_;
  std::unordered_set<const fx::SymExpr*> checked_;
};

}  // namespace

Result<> checkEvaluated(const fx::Program& program) { return Check(program).run(); }

}  // namespace fxs::write
