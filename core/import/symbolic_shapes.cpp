// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbolic sizes as torch.symbolic_int and torch.bind_symbolic_shape. Written on request only,
// because no backend lowers these.
#include <limits>
#include <optional>

#include "base/joined.h"
#include "import/import_node.h"

namespace fxs::import {
namespace {

using SymbolNumbers = std::map<std::string, std::size_t>;

std::string_view infixOf(std::string_view head) {
  if (head == "Add") return " + ";
  if (head == "Mul") return " * ";
  if (head == "Mod" || head == "PythonMod") return " mod ";
  if (head == "FloorDiv" || head == "CleanDiv") return " floordiv ";
  if (head == "CeilDiv") return " ceildiv ";
  return {};
}

/// Limit for nested powers, which grow without bound; no real shape is longer.
constexpr std::size_t kMaxShapeText = std::size_t{1} << 16;

bool isSmallPower(const fx::SymExpr& call) {
  if (call.name != "Pow" || call.operands.size() != 2) return false;
  const fx::SymExpr& exponent = *call.operands[1];
  return exponent.kind == fx::SymExpr::Kind::Integer && exponent.integer > 0 &&
         exponent.integer <= 16;
}

/// The text of an expression whose operands have the texts `parts`.
std::optional<std::string> textOf(const fx::SymExpr& expr, const std::vector<std::string>& parts,
                                  const SymbolNumbers& numbers) {
  if (expr.kind == fx::SymExpr::Kind::Symbol) {
    const auto number = numbers.find(expr.name);
    if (number == numbers.end()) return std::nullopt;
    return "s" + std::to_string(number->second);
  }
  if (expr.kind == fx::SymExpr::Kind::Integer) return std::to_string(expr.integer);
  if (expr.kind != fx::SymExpr::Kind::Call || parts.empty()) return std::nullopt;
  if (isSmallPower(expr)) {
    const auto exponent = static_cast<std::size_t>(expr.operands[1]->integer);
    return "(" + joined(std::vector<std::string>(exponent, parts[0]), " * ") + ")";
  }
  const std::string_view infix = infixOf(expr.name);
  if (infix.empty()) return std::nullopt;
  return "(" + joined(parts, infix) + ")";
}

/// `(s0 * 2) floordiv s1`; nullopt if the expression is not semi-affine. Not recursive, because the
/// file controls the depth.
std::optional<std::string> affineText(const fx::SymExpr& root, const SymbolNumbers& numbers) {
  struct Frame {
    const fx::SymExpr* expr;
    std::size_t next = 0;
    std::vector<std::string> parts;
  };
  std::vector<Frame> stack;
  stack.push_back({&root, 0, {}});
  std::size_t written = 0;
  while (true) {
    Frame& frame = stack.back();
    const fx::SymExpr& expr = *frame.expr;
    if (expr.kind == fx::SymExpr::Kind::Call && frame.next < expr.operands.size()) {
      const fx::SymExpr* operand = expr.operands[frame.next++].get();
      stack.push_back({operand, 0, {}});
      continue;
    }
    std::optional<std::string> text = textOf(expr, frame.parts, numbers);
    if (!text) return std::nullopt;
    written += text->size();
    if (written > kMaxShapeText) return std::nullopt;
    stack.pop_back();
    if (stack.empty()) return text;
    stack.back().parts.push_back(*std::move(text));
  }
}

bool isSymbolic(const fx::TensorMeta& meta) {
  const auto any = [](const std::vector<fx::SymInt>& values) {
    for (const fx::SymInt& value : values)
      if (!value.isStatic()) return true;
    return false;
  };
  return any(meta.sizes) || any(meta.strides);
}

}  // namespace

std::map<std::string, Value> writeSymbols(FunctionImporter& f) {
  std::map<std::string, Value> symbols;
  const fx::Graph& main = f.module.program.main();
  f.write.setLocation(f.module.locationOf(f.module.program.node(main.nodes.front())));
  for (const fx::RangeConstraint& range : f.module.program.ranges) {
    std::string attributes = "symbol_name = ";
    appendQuoted(attributes, range.symbol);
    attributes += ", min_val = " +
                  std::to_string(range.min.value_or(std::numeric_limits<std::int64_t>::min())) +
                  " : i64";
    attributes += ", max_val = " +
                  std::to_string(range.max.value_or(std::numeric_limits<std::int64_t>::max())) +
                  " : i64";
    symbols[range.symbol] =
        f.write.op("torch.symbolic_int", {}, f.module.types.integer, attributes);
  }
  return symbols;
}

void bindSymbolicShape(FunctionImporter& f, const fx::Node& node,
                       const std::map<std::string, Value>& symbols) {
  const fx::TensorMeta* meta = node.val.tensor();
  if (meta == nullptr || !isSymbolic(*meta) || node.op == fx::NodeOp::Output) return;
  const std::vector<Value>& bound = f.values(node.id);
  if (bound.size() != 1 || !f.module.types.isTensor(bound.front().type)) return;

  SymbolNumbers numbers;
  for (const fx::SymInt& size : meta->sizes)
    if (!size.isStatic())
      fx::collectSymbols(*size.expr(), [&](const std::string& symbol) { numbers[symbol] = 0; });
  std::vector<Value> operands{bound.front()};
  std::string map = "shape_expressions = affine_map<()[";
  std::size_t next = 0;
  for (auto& [symbol, number] : numbers) {
    const auto value = symbols.find(symbol);
    if (value == symbols.end())
      return f.module.note(node, fx::Severity::Note, "not-imported",
                           "symbol '" + symbol + "' has no range, so the shape is not bound");
    operands.push_back(value->second);
    number = next++;
    map += (number == 0 ? "s" : ", s") + std::to_string(number);
  }
  map += "] -> (";
  for (std::size_t i = 0; i < meta->sizes.size(); ++i) {
    const fx::SymInt& size = meta->sizes[i];
    const std::optional<std::string> text =
        size.isStatic() ? std::to_string(size.value()) : affineText(*size.expr(), numbers);
    if (!text)
      return f.module.note(
          node, fx::Severity::Note, "not-imported",
          "size " + size.text() + " is not an affine expression, so the shape is not bound");
    f.module.context.spend(Resource::Text, text->size(), "the symbolic shapes of the import");
    map += (i == 0 ? "" : ", ") + *text;
  }
  f.write.effect("torch.bind_symbolic_shape", operands, map + ")>");
}

}  // namespace fxs::import
