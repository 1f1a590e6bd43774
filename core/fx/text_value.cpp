// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of a node's line: what meta['val'] is.
#include <charconv>

#include "fx/text_cursor.h"

namespace fxs::fx {

std::string_view TextCursor::balanced() {
  const std::size_t begin = at_;
  int depth = 0;
  for (; at_ < line_.size(); ++at_) {
    const char c = line_[at_];
    if (depth == 0 && (c == ',' || c == ')' || c == ']')) break;
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
  }
  return line_.substr(begin, at_ - begin);
}

Result<SymInt> TextCursor::symInt(std::string_view text) const {
  std::int64_t integer = 0;
  if (!text.empty() && std::from_chars(text.data(), text.data() + text.size(), integer).ptr ==
                           text.data() + text.size())
    return SymInt(integer);
  Result<SymExprPtr> expr = parseInfix(text);
  if (!expr) return wrong(expr.error().message);
  return SymInt(*expr);
}

Result<std::vector<SymInt>> TextCursor::symInts() {
  FXS_CHECK(expect("["));
  std::vector<SymInt> out;
  while (!consume("]")) {
    if (!out.empty()) FXS_CHECK(expect(","));
    skipBlanks();
    FXS_TRY(SymInt item, symInt(balanced()));
    out.push_back(std::move(item));
    if (atEnd()) return expected("']'");
  }
  return out;
}

Result<Layout> TextCursor::layout() {
  const std::string_view text = word();
  for (int i = 0; i < 7; ++i)
    if (name(static_cast<Layout>(i)) == text) return static_cast<Layout>(i);
  return wrong("'" + std::string(text) + "' is not a layout");
}

Result<Value> TextCursor::tensor(std::string_view dtype) {
  TensorMeta out;
  out.device.type = "cpu";
  if (dtype != "unknown") {
    std::optional<DType> known = dtypeFromName(dtype);
    if (!known) return wrong("'" + std::string(dtype) + "' is not a dtype");
    out.dtype = *known;
  }
  FXS_TRY(out.sizes, symInts());
  out.strides = contiguousStrides(out.sizes);
  for (;;) {
    if (consume("stride=")) {
      FXS_TRY(out.strides, symInts());
      if (out.strides.size() != out.sizes.size())
        return wrong(std::to_string(out.strides.size()) + " strides for " +
                     std::to_string(out.sizes.size()) + " sizes");
    } else if (consume("offset=")) {
      if (consume("(")) {
        FXS_TRY(out.storageOffset, symInt(balanced()));
        FXS_CHECK(expect(")"));
      } else {
        FXS_TRY(out.storageOffset, integer());
      }
    } else if (consume("device=")) {
      FXS_TRY(out.device, device());
    } else if (consume("layout=")) {
      FXS_TRY(out.layout, layout());
    } else if (consume("requires_grad")) {
      out.requiresGrad = true;
    } else {
      return Value(std::move(out));
    }
  }
}

Result<Value> TextCursor::symbol(SymKind kind) {
  FXS_CHECK(expect("("));
  SymValue out;
  out.kind = kind;
  skipBlanks();
  const std::string_view text = balanced();
  FXS_CHECK(expect(")"));
  if (text == "?") return Value(std::move(out));
  if (kind == SymKind::Float && (text == "inf" || text == "-inf" || text == "nan")) {
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    out.constant = value;
    return Value(std::move(out));
  }
  Result<SymExprPtr> expr = parseInfix(text);
  if (!expr) return wrong(expr.error().message);
  const SymExpr& e = **expr;
  if (e.kind == SymExpr::Kind::Integer) out.constant = e.integer;
  else if (e.kind == SymExpr::Kind::Float) out.constant = e.real;
  else if (e.operands.empty() && (e.name == "True" || e.name == "False") &&
           e.kind == SymExpr::Kind::Call)
    out.constant = e.name == "True";
  else out.expr = *expr;
  return Value(std::move(out));
}

Result<Value> TextCursor::value(std::size_t depth) {
  if (depth > kMaxNesting)
    return wrong("values nested deeper than " + std::to_string(kMaxNesting) + " levels");
  if (consume("?")) return Value(Unknown{});
  if (consume("(")) {
    ValueList items;
    while (!consume(")")) {
      if (!items.empty()) FXS_CHECK(expect(","));
      if (consume(")")) break;  // (f32[2],)
      FXS_TRY(Value item, value(depth + 1));
      items.push_back(std::move(item));
    }
    return Value(std::move(items));
  }
  const std::string_view kind = word();
  if (kind == "None") return Value(NoneValue{});
  if (kind == "Token") return Value(Token{});
  if (kind == "Sym") return symbol(SymKind::Int);
  if (kind == "SymFloat") return symbol(SymKind::Float);
  if (kind == "SymBool") return symbol(SymKind::Bool);
  if (kind == "CustomObject") {
    FXS_CHECK(expect("("));
    CustomObject out;
    FXS_TRY(out.classFqn, quoted());
    FXS_CHECK(expect(")"));
    return Value(std::move(out));
  }
  if (kind.empty()) return expected("a value such as f32[2, 3]");
  return tensor(kind);
}

}  // namespace fxs::fx
