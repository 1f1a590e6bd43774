// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of a node as values, by the schema's formal types.
#include "import/constants.h"
#include "import/import_node.h"
#include "import/torch_mlir_dtypes.h"

namespace fxs::import {
namespace {

// No schema has deeper lists than T[][], but a file may claim them.
constexpr int kMaxListDepth = 4;

using ops::SchemaType;
using ops::TypeKind;

bool wantsNumber(TypeKind kind) {
  return kind == TypeKind::Int || kind == TypeKind::SymInt || kind == TypeKind::Scalar;
}
bool wantsEnum(TypeKind kind) {
  return kind == TypeKind::ScalarType || kind == TypeKind::Layout || kind == TypeKind::MemoryFormat;
}

/// A scalar where the formal is a tensor: rank 0, of PyTorch's default dtype for the number's kind.
Value numberToTensor(FunctionImporter& f, const Value& number) {
  TypeTable& types = f.module.types;
  std::string_view type = "!torch.vtensor<[],i1>";
  if (number.type == types.integer) type = "!torch.vtensor<[],si64>";
  else if (number.type == types.floating) type = "!torch.vtensor<[],f32>";
  return f.write.op("torch.prim.NumToTensor.Scalar", {number}, types.of(type));
}

/// What an argument is that the torch dialect cannot represent.
std::string unrepresentable(const fx::Argument& argument) {
  if (std::holds_alternative<fx::Slice>(argument)) return "a slice";
  if (const auto* object = std::get_if<fx::Opaque>(&argument))
    return "a Python object (" + object->text + ")";
  return "a dictionary";
}

/// Conversion that the dialect's verifier requires if the operand's kind is not the formal's.
/// `isOptional` formals accept booleans unchanged.
Value convert(FunctionImporter& f, const Value& value, TypeKind kind, bool isOptional) {
  const TypeTable& types = f.module.types;
  if (kind == TypeKind::Tensor && types.isScalar(value.type)) return numberToTensor(f, value);
  if (value.type == types.boolean) {
    if (kind == TypeKind::Float)
      return f.write.op("torch.aten.Float.bool", {value}, types.floating);
    const bool isNumber =
        (wantsNumber(kind) && (!isOptional || kind != TypeKind::Scalar)) || wantsEnum(kind);
    if (isNumber) return f.write.op("torch.aten.Int.bool", {value}, types.integer);
  }
  if (value.type == types.integer && kind == TypeKind::Float)
    return f.write.op("torch.aten.Float.Scalar", {value}, types.floating);
  return value;
}

class ArgumentLowering {
 public:
  ArgumentLowering(FunctionImporter& f, const fx::Node& at) : f_(f), at_(at) {}

  Value lower(const fx::Argument& argument, const SchemaType* type, int depth) {
    const TypeKind kind = type != nullptr ? type->kind : TypeKind::Any;
    const bool isListFormal = type != nullptr && depth < type->listDepth;
    if (const fx::ArgumentList* items = argument.list()) return list(*items, type, depth);
    if (const fx::NodeId* id = argument.node()) {
      const Value value = f_.value(*id);
      return isListFormal ? value : convert(f_, value, kind, type != nullptr && type->optional);
    }
    // `int[1] dim` given as one number.
    if (isListFormal && !argument.isNone()) return list({argument}, type, depth);
    return literal(argument, kind,
                   type != nullptr && (depth > 0 ? type->elementOptional : type->optional));
  }

 private:
  int numberOf(DType dtype) const {
    const int number = facts(dtype).torchInt;
    return f_.module.options.asTorchMlir ? torchMlirDType(dtype).number.value_or(number) : number;
  }
  Value literal(const fx::Argument& argument, TypeKind kind, bool isOptional) {
    OpWriter& w = f_.write;
    if (argument.isNone()) return constantNone(w);
    if (const auto* flag = std::get_if<bool>(&argument))
      return convert(f_, constantBool(w, *flag), kind, isOptional);
    if (const std::int64_t* number = argument.integer()) {
      if (kind == TypeKind::Float) return constantFloat(w, static_cast<double>(*number));
      return convert(f_, constantInt(w, *number), kind, isOptional);
    }
    if (const auto* number = std::get_if<double>(&argument))
      return convert(f_, constantFloat(w, *number), kind, isOptional);
    if (const auto* text = std::get_if<std::string>(&argument)) return constantString(w, *text);
    if (const auto* device = std::get_if<Device>(&argument))
      return constantDevice(w, device->text());
    if (const auto* dtype = std::get_if<DType>(&argument)) return constantInt(w, numberOf(*dtype));
    if (const auto* layout = std::get_if<Layout>(&argument))
      return constantInt(w, torchInt(*layout));
    if (const auto* format = std::get_if<MemoryFormat>(&argument))
      return constantInt(w, torchInt(*format));
    if (const auto* op = std::get_if<fx::OperatorName>(&argument))
      return constantString(w, op->name);
    if (const auto* number = std::get_if<std::complex<double>>(&argument))
      return complexNumber(*number, kind);
    f_.module.cannotImport(at_, "'" + at_.name + "' has an argument that is " +
                                    unrepresentable(argument) +
                                    ", which the torch dialect cannot represent");
    return constantNone(w);
  }

  Value complexNumber(const std::complex<double>& number, TypeKind kind) {
    if (kind == TypeKind::Tensor) return constantComplex(f_.write, number.real(), number.imag());
    if (number.imag() == 0) return constantFloat(f_.write, number.real());
    f_.module.cannotImport(at_, "'" + at_.name +
                                    "' has a complex number for a scalar operand, which the torch "
                                    "dialect cannot represent; use a tensor");
    return constantComplex(f_.write, number.real(), number.imag());
  }

  /// The element kind of a list whose schema does not name one: numbers are floats as soon as one
  /// is.
  TypeKind elementKind(const std::vector<Value>& values) const {
    const TypeTable& types = f_.module.types;
    bool allBool = !values.empty();
    bool anyFloat = false;
    for (const Value& value : values) {
      if (types.isTensor(value.type)) return TypeKind::Tensor;
      if (value.type == types.string) return TypeKind::Str;
      allBool &= value.type == types.boolean;
      anyFloat |= value.type == types.floating;
    }
    if (allBool) return TypeKind::Bool;
    return anyFloat ? TypeKind::Float : TypeKind::Int;
  }

  Value list(const fx::ArgumentList& items, const SchemaType* type, int depth) {
    if (depth >= kMaxListDepth) {
      f_.module.cannotImport(at_, "'" + at_.name + "' has lists nested more than " +
                                      std::to_string(kMaxListDepth) + " deep");
      return constantNone(f_.write);
    }
    std::vector<Value> values;
    values.reserve(items.size());
    bool hasNone = false;
    for (const fx::Argument& item : items) {
      hasNone |= item.isNone();
      values.push_back(lower(item, type, depth + 1));
    }
    const bool isNested = !values.empty() && f_.module.types.isList(values.front().type);
    TypeKind kind = type != nullptr ? type->kind : TypeKind::Any;
    if (kind == TypeKind::Scalar || kind == TypeKind::Any) {
      kind = elementKind(values);
      if (!isNested)
        for (Value& value : values) value = convert(f_, value, kind, false);
    }
    std::string element(isNested ? nestedElement(values.front()) : spelling(kind));
    if (hasNone || (type != nullptr && type->elementOptional && depth + 1 == type->listDepth))
      element = "optional<" + element + ">";
    return f_.write.op("torch.prim.ListConstruct", values,
                       f_.module.types.of("!torch.list<" + element + ">"));
  }

  static std::string_view spelling(TypeKind kind) {
    switch (kind) {
      case TypeKind::Tensor: return "vtensor";
      case TypeKind::Float: return "float";
      case TypeKind::Bool:
      case TypeKind::SymBool: return "bool";
      case TypeKind::Str: return "str";
      default: return "int";
    }
  }
  /// "list<int>" of "!torch.list<int>".
  std::string_view nestedElement(const Value& value) const {
    return f_.module.types.text(value.type).substr(std::string_view("!torch.").size());
  }

  FunctionImporter& f_;
  const fx::Node& at_;
};

}  // namespace

Value lowerArgument(FunctionImporter& f, const fx::Node& at, const fx::Argument& argument,
                    const SchemaType* type) {
  return ArgumentLowering(f, at).lower(argument, type, 0);
}

Value lowerDefault(FunctionImporter& f, const ops::SchemaArgument& formal) {
  OpWriter& w = f.write;
  const ops::DefaultValue& value = formal.defaultValue;
  if (const auto* flag = std::get_if<bool>(&value)) return constantBool(w, *flag);
  if (const auto* number = std::get_if<std::int64_t>(&value))
    return formal.type.kind == TypeKind::Float ? constantFloat(w, static_cast<double>(*number))
                                               : constantInt(w, *number);
  if (const auto* number = std::get_if<double>(&value)) return constantFloat(w, *number);
  if (const auto* text = std::get_if<std::string>(&value)) return constantString(w, *text);
  const auto* items = std::get_if<ops::DefaultList>(&value);
  if (items == nullptr) return constantNone(w);
  std::vector<Value> values;
  for (const auto& item : *items) {
    if (const auto* number = std::get_if<std::int64_t>(&item))
      values.push_back(constantInt(w, *number));
    else if (const auto* real = std::get_if<double>(&item))
      values.push_back(constantFloat(w, *real));
    else values.push_back(constantBool(w, std::get<bool>(item)));
  }
  std::string_view type = "!torch.list<int>";
  if (formal.type.kind == TypeKind::Float) type = "!torch.list<float>";
  else if (formal.type.kind == TypeKind::Bool) type = "!torch.list<bool>";
  return w.op("torch.prim.ListConstruct", values, f.module.types.of(type));
}

}  // namespace fxs::import
