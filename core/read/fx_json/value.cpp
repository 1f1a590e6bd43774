// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/fx_json/value.h"

#include "fx/cost.h"
#include "fx/python_text.h"
#include "read/fx_json/words.h"
#include "read/pt2/one_of.h"
#include "read/pt2/value_decoder.h"

namespace fxs::read::fx_json {
namespace {

using pt2::invalid;
using pt2::present;

constexpr std::size_t kMaxRank = 64;

/// The expression of an object, sympy's own form first.
Result<fx::SymExprPtr> expression(const Json& object, std::string_view member,
                                  const RunContext& context) {
  const auto srepr = present(object, "srepr");
  FXS_TRY(const Json at, srepr ? Result<Json>(*srepr) : object.at(member));
  FXS_TRY(const std::string_view text, at.asString());
  context.spend(Resource::Values, fx::costOfParsing(text), "the symbolic expressions");
  auto parsed = srepr ? fx::parseSrepr(text) : fx::parseInfix(text);
  if (!parsed) return invalid(at, parsed.error().message);
  return *std::move(parsed);
}

Result<std::vector<fx::SymInt>> symInts(const Json& list, const RunContext& context) {
  FXS_CHECK(list.asArray());
  if (list.size() > kMaxRank)
    return invalid(list, std::to_string(list.size()) + " dimensions; PyTorch has at most " +
                             std::to_string(kMaxRank));
  std::vector<fx::SymInt> out;
  out.reserve(list.size());
  for (const Json item : list) {
    FXS_TRY(fx::SymInt size, symInt(item, context));
    out.push_back(std::move(size));
  }
  return out;
}

Result<DType> dtype(const Json& json) {
  FXS_TRY(const std::string_view text, json.asString());
  if (text == "unknown") return DType::Unknown;
  if (auto known = dtypeFromName(text)) return *known;
  return invalid(json,
                 "'" + std::string(text) + "' is not a dtype of PyTorch 2.13 that fxscope knows");
}

Result<Device> device(const Json& json) {
  FXS_TRY(const std::string_view text, json.asString());
  if (auto known = deviceFromText(text)) return *std::move(known);
  return invalid(json, "'" + std::string(text) + "' is not a device");
}

template <class Held>
struct KindName {
  std::string_view kind;
  Held held;
};
constexpr KindName<fx::TensorKind> kTensorKinds[] = {
    {"FakeTensor", fx::TensorKind::Fake},
    {"MetaTensor", fx::TensorKind::Meta},
    {"Tensor", fx::TensorKind::Concrete},
    {"TensorSubclass", fx::TensorKind::Subclass},
    {"DescribedTensor", fx::TensorKind::Described}};
constexpr KindName<fx::SymKind> kSymbolKinds[] = {
    {"SymInt", fx::SymKind::Int}, {"SymFloat", fx::SymKind::Float}, {"SymBool", fx::SymKind::Bool}};
constexpr KindName<fx::SymKind> kNumberKinds[] = {
    {"int", fx::SymKind::Int}, {"float", fx::SymKind::Float}, {"bool", fx::SymKind::Bool}};

template <class Held, std::size_t Count>
const Held* heldBy(const KindName<Held> (&kinds)[Count], std::string_view kind) {
  for (const KindName<Held>& known : kinds)
    if (known.kind == kind) return &known.held;
  return nullptr;
}

/// {"kind": "SymInt", "expr": "2*s0", "hint": 8}
Result<fx::Value> symbol(const Json& json, fx::SymKind kind, const RunContext& context) {
  fx::SymValue out;
  out.kind = kind;
  FXS_TRY(out.expr, expression(json, "expr", context));
  if (auto hint = present(json, "hint")) {
    switch (kind) {
      case fx::SymKind::Int: {
        FXS_TRY(out.constant, hint->asInt());
        break;
      }
      case fx::SymKind::Float: {
        FXS_TRY(out.constant, hint->asFloat());
        break;
      }
      case fx::SymKind::Bool: {
        FXS_TRY(out.constant, hint->asBool());
        break;
      }
    }
  }
  // Turn constant expressions into numbers.
  if (kind == fx::SymKind::Int && out.expr->kind == fx::SymExpr::Kind::Integer)
    out.constant = out.expr->integer, out.expr = nullptr;
  return fx::Value(std::move(out));
}

Result<fx::Value> number(const Json& json, fx::SymKind kind) {
  fx::SymValue out;
  out.kind = kind;
  FXS_TRY(const Json at, json.at("value"));
  if (kind == fx::SymKind::Int) {
    FXS_TRY(out.constant, at.asInt());
  } else if (kind == fx::SymKind::Bool) {
    FXS_TRY(out.constant, at.asBool());
  } else if (at.isString() &&
             (*at.asString() == "inf" || *at.asString() == "-inf" || *at.asString() == "nan")) {
    FXS_TRY(const std::string_view text, at.asString());
    if (text == "nan") out.constant = __builtin_nan("");
    else out.constant = text == "inf" ? __builtin_inf() : -__builtin_inf();
  } else {
    FXS_TRY(out.constant, at.asFloat());
  }
  return fx::Value(std::move(out));
}

Result<fx::Value> valueList(const Json& elements, const RunContext& context) {
  FXS_CHECK(elements.asArray());
  fx::ValueList out;
  out.reserve(elements.size());
  for (const Json element : elements) {
    FXS_TRY(fx::Value part, value(element, context));
    out.push_back(std::move(part));
  }
  return fx::Value(std::move(out));
}

std::string tupleText(const std::vector<fx::SymInt>& items) {
  std::string out = "(";
  for (std::size_t i = 0; i < items.size(); ++i) out += (i == 0 ? "" : ", ") + items[i].text();
  return out + (items.size() == 1 ? ",)" : ")");
}

/// The text of a field of a TensorMetadata.
Result<std::string> fieldText(std::string_view field, const Json& at, const RunContext& context) {
  if (field == "shape" || field == "stride") {
    FXS_TRY(const std::vector<fx::SymInt> sizes, symInts(at, context));
    return tupleText(sizes);
  }
  if (field == "dtype") {
    FXS_TRY(const DType known, dtype(at));
    return known == DType::Unknown ? "unknown" : "torch." + std::string(facts(known).torchName);
  }
  if (field == "memory_format") {
    if (at.isNull()) return std::string("None");
    FXS_TRY(const std::string_view text, at.asString());
    return std::string(text);
  }
  FXS_TRY(const bool flag, at.asBool());
  return std::string(flag ? "True" : "False");
}

}  // namespace

Result<fx::SymInt> symInt(const Json& json, const RunContext& context) {
  if (!json.isObject()) {
    FXS_TRY(const std::int64_t number, json.asInt());
    return fx::SymInt(number);
  }
  FXS_TRY(fx::SymExprPtr expr, expression(json, "sym", context));
  if (expr->kind == fx::SymExpr::Kind::Integer) return fx::SymInt(expr->integer);
  std::optional<std::int64_t> hint;
  if (auto given = present(json, "hint")) {
    FXS_TRY(hint, given->asInt());
  }
  return fx::SymInt(std::move(expr), hint);
}

Result<fx::TensorMeta> tensor(const Json& json, const RunContext& context) {
  fx::TensorMeta out;
  FXS_TRY(const Json kindMember, json.at("kind"));
  FXS_TRY(const std::string_view kind, kindMember.asString());
  const fx::TensorKind* held = heldBy(kTensorKinds, kind);
  if (held == nullptr)
    return invalid(kindMember, "'" + std::string(kind) + "' is not a kind of tensor");
  out.kind = *held;
  FXS_TRY(const Json dtypeMember, json.at("dtype"));
  FXS_TRY(out.dtype, dtype(dtypeMember));
  FXS_TRY(const Json shape, json.at("shape"));
  FXS_TRY(out.sizes, symInts(shape, context));
  if (auto layoutMember = present(json, "layout")) {
    FXS_TRY(const std::string_view text, layoutMember->asString());
    auto known = layoutFromName(text);
    if (!known) return invalid(*layoutMember, "'" + std::string(text) + "' is not a layout");
    out.layout = *known;
  }
  // Sparse and nested tensors have no strides: use row-major ones, as in a .pt2.
  if (auto stride = present(json, "stride")) {
    FXS_TRY(out.strides, symInts(*stride, context));
  } else {
    out.strides = fx::contiguousStrides(out.sizes);
  }
  if (out.sizes.size() != out.strides.size())
    return invalid(json, std::to_string(out.sizes.size()) + " sizes but " +
                             std::to_string(out.strides.size()) + " strides");
  if (auto offset = present(json, "storage_offset")) {
    FXS_TRY(out.storageOffset, symInt(*offset, context));
  }
  if (auto grad = present(json, "requires_grad")) {
    FXS_TRY(out.requiresGrad, grad->asBool());
  }
  out.device.type = "cpu";
  if (auto deviceMember = present(json, "device")) {
    FXS_TRY(out.device, device(*deviceMember));
  }
  FXS_CHECK(pt2::checkExtent(json, out));
  return out;
}

Result<fx::Value> value(const Json& json, const RunContext& context) {
  FXS_TRY(const Json kindMember, json.at("kind"));
  FXS_TRY(const std::string_view kind, kindMember.asString());
  if (heldBy(kTensorKinds, kind) != nullptr) {
    FXS_TRY(fx::TensorMeta meta, tensor(json, context));
    return fx::Value(std::move(meta));
  }
  if (const fx::SymKind* of = heldBy(kSymbolKinds, kind)) return symbol(json, *of, context);
  if (const fx::SymKind* of = heldBy(kNumberKinds, kind)) return number(json, *of);
  if (kind == "NoneType") return fx::Value(fx::NoneValue{});
  if (kind == "Token") return fx::Value(fx::Token{});
  if (kind == "unknown") return fx::Value(fx::Unknown{});
  if (kind == "tuple" || kind == "list") {
    FXS_TRY(const Json elements, json.at("elements"));
    return valueList(elements, context);
  }
  // Programs have no string values.
  if (kind == "str") return fx::Value(fx::Unknown{});
  if (kind == "dict" || kind == "Node") return fx::Value(fx::CustomObject{std::string(kind)});
  if (kind == "opaque") {
    FXS_TRY(const std::string_view text, json.stringAt("type"));
    return fx::Value(fx::CustomObject{std::string(text)});
  }
  return invalid(kindMember, "'" + std::string(kind) + "' is not a kind of value");
}

std::string remark(const Json& json) {
  const auto text = [&](std::string_view member) -> std::string {
    const auto at = present(json, member);
    return at && at->isString() ? std::string(*at->asString()) : "";
  };
  const std::string kind = text("kind");
  if (kind == "TensorSubclass") return "a tensor of class " + text("class");
  if (kind == "str") return fx::pythonRepr(std::string_view(text("value")));
  if (kind == "opaque") return text("repr");
  return "";
}

Result<std::string> tensorMetaText(const Json& json, const RunContext& context) {
  if (json.isNull()) return std::string("None");
  if (json.isArray()) {
    std::string out = "(";
    for (const Json item : json) {
      FXS_TRY(const std::string part, tensorMetaText(item, context));
      out += (out.size() == 1 ? "" : ", ") + part;
    }
    return out + (json.size() == 1 ? ",)" : ")");
  }
  FXS_CHECK(json.asObject());
  std::string out;
  for (const std::string_view field :
       {"shape", "dtype", "requires_grad", "stride", "memory_format", "is_quantized"}) {
    const auto at = json.find(field);
    if (!at) continue;
    FXS_TRY(const std::string text, fieldText(field, *at, context));
    out += (out.empty() ? "" : ", ") + std::string(field) + "=" + text;
  }
  return "TensorMetadata(" + out + ")";
}

}  // namespace fxs::read::fx_json
