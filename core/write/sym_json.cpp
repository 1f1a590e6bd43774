// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "write/sym_json.h"

#include <charconv>

namespace fxs::write {
namespace {

constexpr int kEnumNumbers = 16;  // exceeds every small enum of schema version 8

std::string shortest(double value) {
  char digits[40];
  auto [end, status] = std::to_chars(digits, digits + sizeof digits, value);
  std::string text(digits, end);
  return text.find_first_of(".en") == text.npos ? text + ".0" : text;
}

std::string_view assumptions(std::string_view symbol) {
  if (symbol.starts_with("zf") || symbol.starts_with("zuf")) return ", real=True";
  return symbol.starts_with("s") ? ", positive=True, integer=True" : ", integer=True";
}

template <class Enum, class FromNumber>
int numberOf(Enum value, FromNumber fromNumber) {
  for (int number = 0; number < kEnumNumbers; ++number)
    if (fromNumber(number) == value) return number;
  return 0;
}

template <class Constant>
void writeHint(JsonWriter& json, std::string_view kind, const Constant* hint) {
  json.key("hint");
  if (hint == nullptr) json.null();
  else json.beginObject().member(kind, *hint).endObject();
}

}  // namespace

std::string srepr(const fx::SymExpr& expr) {
  using Kind = fx::SymExpr::Kind;
  switch (expr.kind) {
    case Kind::Symbol:
      return "Symbol('" + expr.name + "'" + std::string(assumptions(expr.name)) + ")";
    case Kind::Integer: return "Integer(" + std::to_string(expr.integer) + ")";
    case Kind::Rational:
      return "Rational(" + std::to_string(expr.integer) + ", " + std::to_string(expr.denominator) +
             ")";
    case Kind::Float: return "Float('" + shortest(expr.real) + "', precision=53)";
    case Kind::Call: break;
  }
  if (expr.operands.empty()) return expr.name;  // oo, true
  std::string out = expr.name + "(";
  for (std::size_t i = 0; i < expr.operands.size(); ++i)
    out += (i > 0 ? ", " : "") + srepr(*expr.operands[i]);
  return out + ")";
}

void writeSymInt(JsonWriter& json, const fx::SymInt& value) {
  json.beginObject();
  if (value.isStatic()) {
    json.member("as_int", value.value());
  } else {
    json.key("as_expr").beginObject().member("expr_str", srepr(*value.expr()));
    const auto hint = value.hint();
    writeHint(json, "as_int", hint ? &*hint : nullptr);
    json.endObject();
  }
  json.endObject();
}

void writeSymValue(JsonWriter& json, const fx::SymValue& value) {
  std::string_view kind = value.kind == fx::SymKind::Float ? "as_float" : "as_bool";
  if (value.kind == fx::SymKind::Int) kind = "as_int";
  const auto writeAs = [&](const auto& constant) {
    if (!value.expr) {
      json.member(kind, constant);
      return;
    }
    json.key("as_expr").beginObject().member("expr_str", srepr(*value.expr));
    writeHint(json, kind, &constant);
    json.endObject();
  };
  json.beginObject();
  if (const auto* i = std::get_if<std::int64_t>(&value.constant)) writeAs(*i);
  else if (const auto* f = std::get_if<double>(&value.constant)) writeAs(*f);
  else if (const auto* b = std::get_if<bool>(&value.constant)) writeAs(*b);
  else if (value.expr)
    json.key("as_expr")
        .beginObject()
        .member("expr_str", srepr(*value.expr))
        .key("hint")
        .null()
        .endObject();
  else json.member(kind, std::int64_t{0});
  json.endObject();
}

void writeDevice(JsonWriter& json, const Device& device) {
  // A value from a rewrite may have no device, but the file needs one.
  json.beginObject()
      .member("type", device.type.empty() ? std::string_view("cpu") : std::string_view(device.type))
      .memberOrNull("index", device.index)
      .endObject();
}

int serialized(Layout layout) { return numberOf(layout, layoutFromSerialized); }
int serialized(MemoryFormat format) { return numberOf(format, memoryFormatFromSerialized); }

void writeTensorMeta(JsonWriter& json, const fx::TensorMeta& meta) {
  const auto list = [&](std::string_view key, const std::vector<fx::SymInt>& values) {
    json.key(key).beginArray();
    for (const fx::SymInt& value : values) writeSymInt(json, value);
    json.endArray();
  };
  json.beginObject().member("dtype", facts(meta.dtype).serialized);
  list("sizes", meta.sizes);
  // PyTorch makes no other tensor that requires a gradient.
  const bool hasGradient = isFloating(meta.dtype) || isComplex(meta.dtype);
  json.member("requires_grad", meta.requiresGrad && hasGradient).key("device");
  writeDevice(json, meta.device);
  list("strides", meta.strides);
  json.key("storage_offset");
  writeSymInt(json, meta.storageOffset);
  json.member("layout", serialized(meta.layout)).endObject();
}

}  // namespace fxs::write
