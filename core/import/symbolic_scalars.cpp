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
    if (operands_.size() == 2) return binary(fn);
    if (operands_.size() == 1) return unary(fn);
    return asOperator(std::string(fn));
  }

 private:
  const Value& a() const { return operands_[0]; }
  const Value& b() const { return operands_[1]; }
  bool isInt(const Value& v) const { return v.type == types_.integer; }
  bool isFloat(const Value& v) const { return v.type == types_.floating; }
  bool isBool(const Value& v) const { return v.type == types_.boolean; }
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
    if (isInt(a()) && isInt(b())) return scalarOp(op + ".int", operands_, ofInts);
    if (op == "add" && isFloat(a()) != isFloat(b())) {
      const Value real = isFloat(a()) ? a() : b();
      const Value whole = isFloat(a()) ? b() : a();
      return scalarOp("add.float_int", {real, whole}, types_.floating);
    }
    const Value left = promoted(0);
    return scalarOp(op + ".float", {left, promoted(1)}, types_.floating);
  }

  Value negated(const Value& condition) { return scalarOp("__not__", {condition}, types_.boolean); }

  Value comparison(std::string op) {
    if (isBool(a()) && isBool(b()) && (op == "eq" || op == "ne"))
      return scalarOp(op + ".bool", operands_, types_.boolean);
    unifyKinds();
    if (isInt(a()) && isInt(b())) return scalarOp(op + ".int", operands_, types_.boolean);
    const bool isMixed = isFloat(a()) != isFloat(b());
    // The mixed overloads take the float first, so operands and comparison are swapped. There is no
    // mixed `le` for `ge`.
    const bool hasMixedForm =
        op == "lt" || op == "ne" || op == "gt" || (op == "ge" && isFloat(a()));
    if (isMixed && hasMixedForm) {
      if (isFloat(a())) return scalarOp(op + ".float_int", operands_, types_.boolean);
      if (op == "lt") op = "gt";
      else if (op == "gt") op = "lt";
      return scalarOp(op + ".float_int", {b(), a()}, types_.boolean);
    }
    const Value left = promoted(0);
    const Value right = promoted(1);
    if (isParity()) return scalarOp(op + ".float", {left, right}, types_.boolean);
    if (op == "le") return scalarOp("ge.float", {right, left}, types_.boolean);
    if (op == "ne") return negated(scalarOp("eq.float", {left, right}, types_.boolean));
    return scalarOp(op + ".float", {left, right}, types_.boolean);
  }

  Value power() {
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

  Value shift(bool left) {
    const std::int64_t* by = constantB();
    if (!isInt(a()) || by == nullptr || *by < 0 || *by > kMaxShift)
      return asOperator(left ? "__lshift__.int" : "__rshift__.int");
    const Value factor = constantInt(f_.write, std::int64_t{1} << *by);
    return scalarOp(left ? "mul.int" : "floordiv.int", {a(), factor}, types_.integer);
  }

  Value binary(std::string_view fn) {
    const std::string op(fn);
    if (op == "add" || op == "sub" || op == "mul") {
      unifyKinds();
      return arithmetic(op, types_.integer);
    }
    if (op == "truediv") {
      unifyKinds();
      return arithmetic("div", types_.floating);
    }
    if (op == "floordiv")
      return isInt(a()) && isInt(b()) ? scalarOp("floordiv.int", operands_, types_.integer)
                                      : arithmetic("floordiv", types_.integer);
    if (op == "mod") {
      if (isInt(a()) && isInt(b()))
        return scalarOp(isParity() ? "fmod.int" : "remainder.int", operands_, types_.integer);
      return arithmetic(isParity() ? "fmod" : "remainder", types_.integer);
    }
    if (op == "eq" || op == "ne" || op == "lt" || op == "le" || op == "gt" || op == "ge")
      return comparison(op);
    if (op == "pow") return power();
    if (op == "lshift" || op == "rshift") return shift(op == "lshift");
    if (op == "max" || op == "min") {
      if (isInt(a()) && isInt(b())) return primOp(op + ".int", operands_, types_.integer);
      const Value left = promoted(0);
      return primOp(op + ".float", {left, promoted(1)}, types_.floating);
    }
    if (op == "and_" || op == "or_") {
      const std::string name = op == "and_" ? "__and__" : "__or__";
      return isBool(a()) && isBool(b()) ? scalarOp(name + ".bool", operands_, types_.boolean)
                                        : asOperator(name + ".int");
    }
    return asOperator(op);
  }

  Value unary(std::string_view fn) {
    const std::string op(fn);
    const Value x = a();
    if (op == "pos") return x;
    if (op == "neg")
      return isFloat(x) ? scalarOp("neg.float", {x}, types_.floating)
                        : scalarOp("neg.int", {x}, types_.integer);
    if (op == "not" || op == "not_") return negated(x);
    if (op == "float") {
      if (isFloat(x)) return x;
      return scalarOp(isBool(x) ? "Float.bool" : "Float.Scalar", {x}, types_.floating);
    }
    if (op == "int" || op == "trunc") {
      if (isInt(x)) return x;
      return scalarOp(isBool(x) ? "Int.bool" : "Int.float", {x}, types_.integer);
    }
    if (op == "ceil" || op == "floor")
      return isInt(x) ? x : scalarOp(op + ".float", {x}, types_.integer);
    if (op == "sqrt" || op == "log")
      return scalarOp(op + (isFloat(x) ? ".float" : ".int"), {x}, types_.floating);
    return asOperator(op);
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
