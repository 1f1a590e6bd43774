// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/casts.h"

#include <array>
#include <optional>

#include "node_lab/type_text.h"

namespace fxs::node_lab {
namespace {

struct ScalarCast {
  std::string_view from, to, op;
};
constexpr std::array<ScalarCast, 8> kScalarCasts{{
    {"i64", "!torch.int", "torch_c.from_i64"},
    {"f64", "!torch.float", "torch_c.from_f64"},
    {"i1", "!torch.bool", "torch_c.from_i1"},
    {"!torch.int", "i64", "torch_c.to_i64"},
    {"!torch.float", "f64", "torch_c.to_f64"},
    {"!torch.bool", "i1", "torch_c.to_i1"},
    {"index", "i64", "arith.index_cast"},
    {"i64", "index", "arith.index_cast"},
}};

class Cast {
 public:
  Cast(const std::string& location, FreshNames& names, std::string& out)
      : end_((location.empty() ? "" : " loc(" + location + ")") + "\n"), names_(names), out_(out) {}

  /// `%r = op %v : from ARROW to`
  TypedValue write(std::string_view op, const TypedValue& value, std::string_view arrow,
                   const std::string& type) {
    TypedValue result{names_.take("cast"), type};
    out_ += "    " + result.name + " = " + std::string(op) + " " + value.name + " : " + value.type +
            " " + std::string(arrow) + " " + type + end_;
    return result;
  }
  /// In the generic form, which has both types.
  TypedValue writeGeneric(std::string_view op, const TypedValue& value, const std::string& type) {
    TypedValue result{names_.take("cast"), type};
    out_ += "    " + result.name + " = \"" + std::string(op) + "\"(" + value.name + ") : (" +
            value.type + ") -> " + type + end_;
    return result;
  }

 private:
  const std::string end_;
  FreshNames& names_;
  std::string& out_;
};

/// Between tensors of one dialect.
TypedValue reshape(Cast& cast, const TypedValue& value, const TensorType& type) {
  if (withoutBlanks(value.type) == type.text()) return value;
  return type.torch ? cast.write("torch.tensor_static_info_cast", value, "to", type.text())
                    : cast.write("tensor.cast", value, "to", type.text());
}

bool sameElement(const TensorType& a, const TensorType& b) {
  return a.element == b.element || (a.torch && b.torch && (a.element.empty() || b.element.empty()));
}

/// Between tensors whose ranks and sizes agree; nullopt if there is no such cast.
std::optional<TypedValue> castTensor(Cast& cast, const TypedValue& value, const TensorType& from,
                                     const TensorType& to) {
  if (from.torch == to.torch) {
    if (!sameElement(from, to) || from.encoding != to.encoding) return std::nullopt;
    return reshape(cast, value, to);
  }
  const TensorType& torch = from.torch ? from : to;
  const TensorType& builtin = from.torch ? to : from;
  if (builtinElement(torch.element) != builtin.element || !builtin.encoding.empty())
    return std::nullopt;
  TensorType converted = from;
  converted.torch = to.torch;
  converted.element = to.element;
  const std::string_view op =
      to.torch ? "torch_c.from_builtin_tensor" : "torch_c.to_builtin_tensor";
  return reshape(cast, cast.write(op, value, "->", converted.text()), to);
}

}  // namespace

Result<TypedValue> castTo(const TypedValue& value, const std::string& type,
                          const std::string& location, FreshNames& names, std::string& out) {
  const std::string from = withoutBlanks(value.type), to = withoutBlanks(type);
  if (from == to) return value;
  Cast cast(location, names, out);
  const auto a = tensorType(from), b = tensorType(to);
  if (a && b && a->mayEqual(*b))
    if (std::optional<TypedValue> tensor = castTensor(cast, value, *a, *b)) return *tensor;
  for (const ScalarCast& scalar : kScalarCasts)
    if (from == scalar.from && to == scalar.to) return cast.writeGeneric(scalar.op, value, to);
  if (from == "index" && to == "!torch.int")
    return cast.writeGeneric("torch_c.from_i64",
                             cast.writeGeneric("arith.index_cast", value, "i64"), to);
  if (from == "!torch.int" && to == "index")
    return cast.writeGeneric("arith.index_cast", cast.writeGeneric("torch_c.to_i64", value, "i64"),
                             to);
  return fail(ErrorCode::InvalidInput,
              "a value of type " + value.type + " cannot be cast to type " + type);
}

}  // namespace fxs::node_lab
