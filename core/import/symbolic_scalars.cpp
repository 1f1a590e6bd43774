// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python arithmetic on symbolic ints, floats and bools as scalar operations of the dialect.
// torch-mlir's importer supports a dozen of these functions; in the parity modes those are written
// as it writes them, all others in forms that the backends lower.
#include <algorithm>
#include <array>

#include "import/constants.h"
#include "import/import_node.h"

namespace fxs::import {
namespace {

// x ** 16 is the largest power written as multiplications.
constexpr std::int64_t kMaxUnrolledPower = 16;
constexpr std::int64_t kMaxShift = 62;

class SymbolicScalar {
 public:
  SymbolicScalar(FunctionImporter& f, const fx::Node& node)
      : f_(f), types_(f.module.types), node_(node) {
    for (const fx::NodeArgument& argument : node.args)
      operands_.push_back(lowerArgument(f, node, argument.value, nullptr));
  }

  Value import() {
    std::string_view fn = node_.target;
    fn.remove_prefix(fn.find('.') + 1);
    while (fn.starts_with('_')) fn.remove_prefix(1);
    if (fn.starts_with("sym_")) fn.remove_prefix(4);
    if (operands_.size() == 3 && fn == "ite") return choose();
    if (operands_.size() == 2) return binary(std::string(fn));
    if (operands_.size() == 1) return unary(std::string(fn));
    return asOperator(std::string(fn));
  }

 private:
  const Value& a() const { return operands_[0]; }
  const Value& b() const { return operands_[1]; }
  bool isInt(const Value& v) const { return v.type == types_.integer; }
  bool isFloat(const Value& v) const { return v.type == types_.floating; }
  bool isBool(const Value& v) const { return v.type == types_.boolean; }
  bool areInts() const { return isInt(a()) && isInt(b()); }
  bool areBools() const { return isBool(a()) && isBool(b()); }
  bool areMixed() const { return isFloat(a()) != isFloat(b()); }
  bool isParity() const { return f_.module.isParity(); }

  Value scalarOp(const std::string& op, std::vector<Value> operands, TypeId result) {
    return f_.emit(node_, "torch.aten." + op, operands, std::span(&result, 1)).front();
  }
  Value primOp(const std::string& op, std::vector<Value> operands, TypeId result) {
    return f_.emit(node_, "torch.prim." + op, operands, std::span(&result, 1)).front();
  }
  Value asOperator(const std::string& op) {
    return scalarOp(op, operands_, types_.value(node_.val));
  }

  /// The operand as a float; a number in the program becomes a float constant.
  Value promoted(std::size_t i) {
    if (!isInt(operands_[i])) return operands_[i];
    if (const std::int64_t* number = node_.args[i].value.integer())
      return constantFloat(f_.write, static_cast<double>(*number));
    return scalarOp("Float.Scalar", {operands_[i]}, types_.floating);
  }
  void unifyKinds() {
    for (Value& operand : operands_)
      if (isBool(operand)) operand = f_.write.op("torch.aten.Int.bool", {operand}, types_.integer);
  }
  const std::int64_t* constantB() const { return node_.args[1].value.integer(); }

  Value arithmetic(const std::string& op, TypeId ofInts) {
    if (areInts()) return scalarOp(op + ".int", operands_, ofInts);
    if (op == "add" && areMixed()) {
      const Value real = isFloat(a()) ? a() : b();
      const Value integer = isFloat(a()) ? b() : a();
      return scalarOp("add.float_int", {real, integer}, types_.floating);
    }
    const Value left = promoted(0);
    return scalarOp(op + ".float", {left, promoted(1)}, types_.floating);
  }

  Value sum(const std::string& op) {
    unifyKinds();
    return arithmetic(op, types_.integer);
  }
  Value quotient(const std::string&) {
    unifyKinds();
    return arithmetic("div", types_.floating);
  }
  Value floorQuotient(const std::string&) { return arithmetic("floordiv", types_.integer); }
  Value remainder(const std::string&) {
    return arithmetic(isParity() ? "fmod" : "remainder", types_.integer);
  }

  Value inverted(const Value& condition) {
    return scalarOp("__not__", {condition}, types_.boolean);
  }

  Value comparison(const std::string& op) {
    if (areBools() && (op == "eq" || op == "ne"))
      return scalarOp(op + ".bool", operands_, types_.boolean);
    unifyKinds();
    if (areInts()) return scalarOp(op + ".int", operands_, types_.boolean);
    if (areMixed() && hasMixedForm(op)) return mixedComparison(op);
    const Value left = promoted(0);
    const Value right = promoted(1);
    if (isParity()) return scalarOp(op + ".float", {left, right}, types_.boolean);
    if (op == "le") return scalarOp("ge.float", {right, left}, types_.boolean);
    if (op == "ne") return inverted(scalarOp("eq.float", {left, right}, types_.boolean));
    return scalarOp(op + ".float", {left, right}, types_.boolean);
  }
  /// There is no mixed `le`, which `ge` with the integer first would need.
  bool hasMixedForm(std::string_view op) const {
    return op == "lt" || op == "ne" || op == "gt" || (op == "ge" && isFloat(a()));
  }
  /// The mixed overloads take the float first, so operands and comparison may be swapped.
  Value mixedComparison(const std::string& op) {
    if (isFloat(a())) return scalarOp(op + ".float_int", operands_, types_.boolean);
    std::string swapped = op;
    if (op == "lt") swapped = "gt";
    else if (op == "gt") swapped = "lt";
    return scalarOp(swapped + ".float_int", {b(), a()}, types_.boolean);
  }

  Value power(const std::string&) {
    const std::int64_t* exponent = constantB();
    if (isInt(a()) && exponent != nullptr && *exponent >= 0 && *exponent <= kMaxUnrolledPower) {
      if (*exponent == 0) return constantInt(f_.write, 1);
      Value product = a();
      for (std::int64_t i = 1; i < *exponent; ++i)
        product = scalarOp("mul.int", {product, a()}, types_.integer);
      return product;
    }
    if (isInt(a()) && isFloat(b())) return scalarOp("pow.int_float", operands_, types_.floating);
    return asOperator(isFloat(a()) ? "pow.float" : "pow.int");
  }

  Value shift(const std::string& op) {
    const std::int64_t* by = constantB();
    if (!isInt(a()) || by == nullptr || *by < 0 || *by > kMaxShift)
      return asOperator("__" + op + "__.int");
    const Value factor = constantInt(f_.write, std::int64_t{1} << *by);
    return scalarOp(op == "lshift" ? "mul.int" : "floordiv.int", {a(), factor}, types_.integer);
  }

  Value extremum(const std::string& op) {
    if (areInts()) return primOp(op + ".int", operands_, types_.integer);
    const Value left = promoted(0);
    return primOp(op + ".float", {left, promoted(1)}, types_.floating);
  }

  Value logical(const std::string& op) {
    const std::string name = op == "and_" ? "__and__" : "__or__";
    return areBools() ? scalarOp(name + ".bool", operands_, types_.boolean)
                      : asOperator(name + ".int");
  }

  Value same(const std::string&) { return a(); }
  Value negated(const std::string&) {
    return isFloat(a()) ? scalarOp("neg.float", {a()}, types_.floating)
                        : scalarOp("neg.int", {a()}, types_.integer);
  }
  Value logicalNot(const std::string&) { return inverted(a()); }
  Value toFloat(const std::string&) {
    if (isFloat(a())) return a();
    return scalarOp(isBool(a()) ? "Float.bool" : "Float.Scalar", {a()}, types_.floating);
  }
  Value toInt(const std::string&) {
    if (isInt(a())) return a();
    return scalarOp(isBool(a()) ? "Int.bool" : "Int.float", {a()}, types_.integer);
  }
  Value rounded(const std::string& op) {
    return isInt(a()) ? a() : scalarOp(op + ".float", {a()}, types_.integer);
  }
  Value transcendental(const std::string& op) {
    return scalarOp(op + (isFloat(a()) ? ".float" : ".int"), {a()}, types_.floating);
  }

  struct Function {
    std::string_view name;
    Value (SymbolicScalar::*write)(const std::string& name);
  };
  template <std::size_t Count>
  Value oneOf(const std::array<Function, Count>& functions, const std::string& name) {
    const auto known = std::find_if(functions.begin(), functions.end(),
                                    [&](const Function& each) { return each.name == name; });
    return known == functions.end() ? asOperator(name) : (this->*known->write)(name);
  }

  Value binary(const std::string& name) {
    using S = SymbolicScalar;
    static constexpr std::array kFunctions{
        Function{"add", &S::sum},
        Function{"sub", &S::sum},
        Function{"mul", &S::sum},
        Function{"truediv", &S::quotient},
        Function{"floordiv", &S::floorQuotient},
        Function{"mod", &S::remainder},
        Function{"eq", &S::comparison},
        Function{"ne", &S::comparison},
        Function{"lt", &S::comparison},
        Function{"le", &S::comparison},
        Function{"gt", &S::comparison},
        Function{"ge", &S::comparison},
        Function{"pow", &S::power},
        Function{"lshift", &S::shift},
        Function{"rshift", &S::shift},
        Function{"max", &S::extremum},
        Function{"min", &S::extremum},
        Function{"and_", &S::logical},
        Function{"or_", &S::logical},
    };
    return oneOf(kFunctions, name);
  }

  Value unary(const std::string& name) {
    using S = SymbolicScalar;
    static constexpr std::array kFunctions{
        Function{"pos", &S::same},           Function{"neg", &S::negated},
        Function{"not", &S::logicalNot},     Function{"not_", &S::logicalNot},
        Function{"float", &S::toFloat},      Function{"int", &S::toInt},
        Function{"trunc", &S::toInt},        Function{"ceil", &S::rounded},
        Function{"floor", &S::rounded},      Function{"sqrt", &S::transcendental},
        Function{"log", &S::transcendental},
    };
    return oneOf(kFunctions, name);
  }

  /// torch.sym_ite(condition, then, else).
  Value choose() {
    const TypeId type = operands_[1].type;
    const OpWriter::Open branch =
        f_.write.open("torch.prim.If", std::span(&operands_[0], 1), std::span(&type, 1));
    f_.write.effect("torch.prim.If.yield", std::span(&operands_[1], 1));
    f_.write.nextRegion();
    f_.write.effect("torch.prim.If.yield", std::span(&operands_[2], 1));
    f_.write.close(branch);
    return branch.results.front();
  }

  FunctionImporter& f_;
  TypeTable& types_;
  const fx::Node& node_;
  std::vector<Value> operands_;
};

}  // namespace

bool isSymbolicTarget(std::string_view target) {
  return target.starts_with("_operator.") || target.starts_with("math.") ||
         target.starts_with("torch.sym_") || target.starts_with("torch._sym_");
}

void importSymbolic(FunctionImporter& f, const fx::Node& node) {
  if (node.val.tensor() != nullptr)
    f.module.cannotImport(node, "'" + node.name + "' calls " + node.target +
                                    " on tensors; torch.export uses an operator for that");
  f.bind(node, {SymbolicScalar(f, node).import()});
}

}  // namespace fxs::import
